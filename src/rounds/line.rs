//! Owns: playing a round out with best play for the match.
//!
//! In a round that wins the match its winner makes for a set of ends that is known to be forced, and
//! hurries to the next capture or the end of the round while the other puts it off: distances within a
//! layer, worked out from the position at hand alone, because values without distances do not say how
//! to make headway. Of its moves the loser makes none that wins the match in fewer rounds than it takes. In a round that neither wins, both make the first move that keeps it so, until a
//! position comes again.

use super::seek::{Seek, Spot};
use super::{Role, Values};
use crate::analysis::LONGEST_LINE;
use crate::game::{Game, Move, Play, Turn};
use crate::value::{Bound, Value};
use ahash::{AHashMap, AHashSet};
use std::cell::RefCell;

/// Most positions looked at between two captures: far more than any met.
const MOST_NODES: usize = 1 << 22;

/// What a player makes for in a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Nothing that can be had.
    Never,
    /// That the opener takes at least so many seeds (a goal of the opener), or at most (the replier's).
    Take(u32),
    /// That the opener's take is in a set.
    Splits(Vec<bool>),
}

/// What both players make for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goals {
    /// Who can force the goal; nobody where neither can.
    pub winner: Option<Role>,
    /// The goals, by role. The loser's is not asked for.
    pub of: [Goal; 2],
    /// What would win in fewer rounds than need be: the loser does not let it be forced.
    pub faster: Goal,
}

/// How a round ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RoundEnd {
    /// A player has no move.
    Over,
    /// A position comes again: it never ends.
    Repetition,
    /// A move never ends, and draws.
    Endless,
    /// Values are missing, or the line is too long.
    Cut,
}

impl RoundEnd {
    /// `over`, `repetition`, `endless` or `cut`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Over => "over",
            Self::Repetition => "repetition",
            Self::Endless => "endless",
            Self::Cut => "cut",
        }
    }
}

/// A round as it is played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoundLine {
    /// The moves.
    pub moves: Vec<Move>,
    /// What the opener and the replier have taken.
    pub taken: [u32; 2],
    /// How it ends.
    pub end: RoundEnd,
}

/// A position of a round.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Place<B> {
    board: B,
    mover: Role,
    taken: [u32; 2],
}

/// A move and where it leads.
#[derive(Clone, Copy, Debug)]
struct Step<B> {
    choice: Move,
    /// `None` for an endless move.
    to: Option<Place<B>>,
}

/// A round to be played out.
pub(super) struct Walk<'a, G: Game> {
    pub game: &'a G,
    /// Seeds of the round.
    pub seeds: u32,
    pub values: &'a Values<G::Board>,
    pub goals: &'a Goals,
    /// Who answers for goals of that kind: by role, and for the faster one.
    pub seeks: [RefCell<Seek<'a, G>>; 3],
}

/// Where the answers for the faster goal are.
pub(super) const FASTER: usize = 2;

/// A position between two captures, on the way to the winner's goal.
struct Node<B> {
    place: Place<B>,
    /// Moves of the winner that keep the goal, or all of the other's; by number where they take nothing.
    steps: Vec<(Step<B>, Option<usize>)>,
    /// Plies to the next capture or the end; 0 until known, and at the end.
    distance: u32,
}

impl<G: Game> Walk<'_, G> {
    /// Plays from the start of the round, which the opener is to move at.
    pub fn play(&self, board: G::Board) -> RoundLine {
        let mut place = Place {
            board,
            mover: Role::Opener,
            taken: [0, 0],
        };
        let mut moves = Vec::new();
        let mut seen = AHashSet::new();
        let end = loop {
            if !seen.insert(place) {
                break RoundEnd::Repetition;
            }
            if moves.len() >= LONGEST_LINE {
                break RoundEnd::Cut;
            }
            let steps = self.steps(place);
            if steps.is_empty() {
                place.taken = self.left_over(place);
                break RoundEnd::Over;
            }
            let made = match self.goals.winner {
                Some(winner) => self.headway(place, winner),
                None => self.hold(place, &steps).map(|step| vec![step]),
            };
            let Some(made) = made.filter(|made| !made.is_empty()) else {
                break RoundEnd::Cut;
            };
            moves.extend(made.iter().map(|step| step.choice));
            // A line without an end is one that is made of the last step.
            match made.last().and_then(|step| step.to) {
                Some(next) => place = next,
                None => break RoundEnd::Endless,
            }
        };
        RoundLine {
            moves,
            taken: place.taken,
            end,
        }
    }

    /// What both have when the player to move leaves what is on the board to the other.
    fn left_over(&self, place: Place<G::Board>) -> [u32; 2] {
        let mut taken = place.taken;
        taken[place.mover.other() as usize] += self.left(place);
        taken
    }

    /// Seeds on the board.
    fn left(&self, place: Place<G::Board>) -> u32 {
        self.seeds - place.taken.iter().sum::<u32>()
    }

    /// The legal moves; none when the round is over.
    fn steps(&self, place: Place<G::Board>) -> Vec<Step<G::Board>> {
        let mut steps = Vec::new();
        let turn = self.game.expand(place.board, |choice, play| match play {
            Play::Done(played) => {
                let mut taken = place.taken;
                taken[place.mover as usize] += played.captured;
                let to = Some(Place {
                    board: played.board,
                    mover: place.mover.other(),
                    taken,
                });
                steps.push(Step { choice, to });
            }
            Play::Endless { .. } if self.game.endless_draws() => {
                steps.push(Step { choice, to: None });
            }
            Play::Endless { .. } => {}
        });
        match turn {
            Turn::Moves => steps,
            Turn::Pass(_) | Turn::Over { .. } => Vec::new(),
        }
    }

    /// Whether a player can force its goal from a position; `None` where values are missing.
    fn forces(&self, place: Place<G::Board>, role: Role) -> Option<bool> {
        let of = role as usize;
        self.reaches(place, role, &self.goals.of[of], &self.seeks[of])
    }

    /// Whether the winner can force to win faster.
    fn hastens(&self, place: Place<G::Board>, winner: Role) -> Option<bool> {
        self.reaches(place, winner, &self.goals.faster, &self.seeks[FASTER])
    }

    fn reaches(
        &self,
        place: Place<G::Board>,
        role: Role,
        goal: &Goal,
        seek: &RefCell<Seek<'_, G>>,
    ) -> Option<bool> {
        match goal {
            Goal::Never => Some(false),
            Goal::Splits(_) => {
                let spot = Spot {
                    board: place.board,
                    asker_moves: role == place.mover,
                    taken: place.taken[role as usize],
                };
                seek.borrow_mut().forces(spot).ok()
            }
            Goal::Take(take) => {
                let Some(at_end) = self.opener_takes(place, role, (self.values)(place.board)?)
                else {
                    return Some(false);
                };
                Some(match role {
                    Role::Opener => at_end >= *take,
                    Role::Replier => at_end <= *take,
                })
            }
        }
    }

    /// What the opener has in the end when `role` makes the most of it; `None` where no end is forced.
    fn opener_takes(&self, place: Place<G::Board>, role: Role, value: Value) -> Option<u32> {
        let bound = match role == place.mover {
            true => value.lower,
            false => value.upper,
        };
        let Bound::Finite(margin) = bound else {
            return None;
        };
        let left = self.left(place);
        let mover_takes = (i32::from(margin) + left as i32) as u32 / 2;
        Some(
            place.taken[0]
                + match place.mover {
                    Role::Opener => mover_takes,
                    Role::Replier => left - mover_takes,
                },
        )
    }

    /// A move that lets neither player win.
    fn hold(&self, place: Place<G::Board>, steps: &[Step<G::Board>]) -> Option<Step<G::Board>> {
        for step in steps {
            let lost = match step.to {
                Some(to) => self.forces(to, place.mover.other())?,
                None => false,
            };
            if !lost {
                return Some(*step);
            }
        }
        None
    }

    /// Moves to the next capture or the end of the round: the winner hurries, the other delays.
    fn headway(&self, place: Place<G::Board>, winner: Role) -> Option<Vec<Step<G::Board>>> {
        let mut nodes = self.explore(place, winner)?;
        measure(&mut nodes, winner);
        let mut made = Vec::new();
        let mut at = 0;
        loop {
            let node = &nodes[at];
            let length = |(_, inside): &(_, Option<usize>)| match inside {
                Some(number) => nodes[*number].distance.saturating_add(1),
                None => 1,
            };
            let chosen = if node.place.mover == winner {
                node.steps.iter().min_by_key(|step| length(step))
            } else {
                node.steps.iter().rev().max_by_key(|step| length(step))
            };
            let Some((step, inside)) = chosen else {
                return Some(made);
            };
            made.push(*step);
            match inside {
                Some(number) if made.len() <= nodes.len() => at = *number,
                // More moves than positions: no headway, and values that contradict each other.
                Some(_) => return None,
                None => return Some(made),
            }
        }
    }

    /// The moves of the winner that keep the goal; those of the loser that do not hasten it, or all if
    /// there is none.
    fn choices(&self, place: Place<G::Board>, winner: Role) -> Option<Vec<Ended<G::Board>>> {
        let mut all = Vec::new();
        let mut chosen = Vec::new();
        for step in self.steps(place) {
            // An endless move draws: the winner makes none, and the loser has none.
            let Some(to) = step.to else {
                continue;
            };
            all.push((step, to));
            let good = match place.mover == winner {
                true => self.forces(to, winner)?,
                false => !self.hastens(to, winner)?,
            };
            if good {
                chosen.push((step, to));
            }
        }
        let none = chosen.is_empty() && place.mover != winner;
        Some(if none { all } else { chosen })
    }

    /// The positions that play can come to from `place` without a capture while the winner keeps the
    /// goal.
    fn explore(&self, place: Place<G::Board>, winner: Role) -> Option<Vec<Node<G::Board>>> {
        let mut numbers = AHashMap::from_iter([(place, 0)]);
        let node = |place| Node {
            place,
            steps: Vec::new(),
            distance: 0,
        };
        let mut nodes = vec![node(place)];
        let mut at = 0;
        while at < nodes.len() {
            let here = nodes[at].place;
            for (step, to) in self.choices(here, winner)? {
                let inside = (to.taken == here.taken).then(|| {
                    *numbers.entry(to).or_insert_with(|| {
                        nodes.push(node(to));
                        nodes.len() - 1
                    })
                });
                nodes[at].steps.push((step, inside));
            }
            at += 1;
            if nodes.len() > MOST_NODES {
                return None;
            }
        }
        Some(nodes)
    }
}

/// A move that ends, and where it leads.
type Ended<B> = (Step<B>, Place<B>);

/// Sets the distances of all positions: wave by wave, as values have theirs.
fn measure<B>(nodes: &mut [Node<B>], winner: Role) {
    let over = |node: &Node<B>| node.steps.is_empty();
    let mut known: Vec<bool> = nodes.iter().map(over).collect();
    for wave in 1.. {
        let is_near = |node: &Node<B>| {
            let near = |(_, inside): &(_, Option<usize>)| inside.is_none_or(|to| known[to]);
            match node.place.mover == winner {
                true => node.steps.iter().any(near),
                false => node.steps.iter().all(near),
            }
        };
        let found: Vec<usize> = (0..nodes.len())
            .filter(|&at| !known[at] && is_near(&nodes[at]))
            .collect();
        if found.is_empty() {
            break;
        }
        for at in found {
            known[at] = true;
            nodes[at].distance = wave;
        }
    }
    for (node, known) in nodes.iter_mut().zip(known) {
        if !known {
            node.distance = u32::MAX;
        }
    }
}
