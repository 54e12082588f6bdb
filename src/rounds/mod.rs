//! Owns: Bosh as a match (RULES, "Bosh" 5): what comes between rounds, and what a match is worth.
//!
//! Between rounds a match is told by one number, the seeds that the player owns who opens the next
//! round: the other owns the rest, seats can be exchanged, and a closed pit does not exist, so that
//! which end of a row is filled changes nothing but the names of moves. [`Match`] knows these states
//! and what follows from a round's score; [`settle`] finds what each is worth, asking only what a
//! player can force in a round; [`Library`] answers that from solved layers, by the round's bounds where
//! these say it, else by [`seek`], from one position, or [`splits`], for all; [`course`] plays a match out.
//!
//! # Why a round is not simply maximised
//!
//! A player wins the match who can force a round to end with a split of its seeds in the set `S` of
//! those after which the match is won. The round's two bounds say what can be forced if `S` is "at
//! least so many seeds". It need not be: one more seed can change who opens the next round
//! (`first-player` is `loser` or `winner`), or open a pit that serves the opponent better. And a set
//! that has this form in the end need not have it on the way to the fixpoint.

mod board;
mod course;
mod force;
mod library;
mod line;
pub mod seek;
mod settle;
pub mod splits;

pub use board::{Cost, Solved, Values, force, known, start};
pub use course::{Course, CourseEnd, Leg, course};
pub use force::{answer_within, forced_by_bounds, is_threshold, taken};
pub use library::{Asked, Entry, Library, Missing};
pub use line::{Goal, Goals, RoundEnd, RoundLine};
pub use settle::{Answer, Question, Settled, Verdict, settle};

use crate::board::MAX_SEEDS;
use crate::games::{BETWEEN_ROUNDS, GameName, Rules, Seat, Setup, SetupError};
use std::fmt;

/// A player as the states of a match tell them apart: by who opens the next round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// Opens the next round.
    Opener,
    /// The other.
    Replier,
}

impl Role {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Opener, Self::Replier];

    /// The other player.
    pub fn other(self) -> Self {
        match self {
            Self::Opener => Self::Replier,
            Self::Replier => Self::Opener,
        }
    }
}

/// Who opens the next round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum First {
    Alternate,
    Loser,
    Winner,
}

/// A state of a match: what the opener of the next round owns, in seeds.
pub type Owned = u32;

/// What a state is before anything is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// This player cannot fill a pit, and has lost.
    Lost(Role),
    /// A round is played.
    Round(Round),
}

/// The round that a state begins with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Round {
    /// Pits that the opener and the replier fill.
    pub open: [u32; 2],
    /// Seeds that both put on the board.
    pub seeds: u32,
    /// Seeds that the opener keeps in hand.
    pub hand: u32,
}

impl Round {
    /// Pits of the board as it is solved: the fewer of the two, and whether the opener has more. A
    /// player always fills the whole row, for the two own as many seeds as fill the whole board.
    pub fn board(&self) -> (u32, bool) {
        let [opener, replier] = self.open;
        (opener.min(replier), opener >= replier)
    }
}

/// The state after a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Next {
    /// What its opener owns.
    pub owned: Owned,
    /// Whether that is the player who replied in the round before.
    pub exchanged: bool,
}

impl Next {
    /// Who a player of the round before is now.
    pub fn role(&self, before: Role) -> Role {
        if self.exchanged {
            before.other()
        } else {
            before
        }
    }
}

/// A match of Bosh: the board, the seeds, and what happens between rounds.
#[derive(Clone, Debug)]
pub struct Match {
    rules: Rules,
    columns: u32,
    seeds: u32,
    first: First,
}

/// A match that cannot be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MatchError {
    /// Only Bosh has matches.
    Game(GameName),
    /// Rounds begin from filled rows, not from an opening.
    Opening,
    /// No board has so many columns or seeds.
    Setup(SetupError),
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Game(game) => write!(f, "matches are played in bosh, found {game}"),
            Self::Opening => f.write_str(
                "rule 'opening': expected none in a match, whose rounds begin from filled rows; leave it out",
            ),
            Self::Setup(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MatchError {}

impl Match {
    /// A match on a board of some columns, in which a pit is filled with `seeds` seeds.
    ///
    /// # Errors
    /// When the rules are not Bosh's or set an opening, or no board has so many columns or seeds.
    pub fn new(columns: usize, seeds: u32, rules: &Rules) -> Result<Self, MatchError> {
        if rules.game() != GameName::Bosh {
            return Err(MatchError::Game(rules.game()));
        }
        if !rules.opening().is_empty() {
            return Err(MatchError::Opening);
        }
        Setup::new(columns, rules.clone()).map_err(MatchError::Setup)?;
        let found = 2 * columns as u64 * u64::from(seeds);
        if found > u64::from(MAX_SEEDS) {
            return Err(MatchError::Setup(SetupError::Seeds { found }));
        }
        Ok(Self {
            rules: rules.clone(),
            columns: columns as u32,
            seeds,
            first: match rules.get("first-player") {
                "loser" => First::Loser,
                "winner" => First::Winner,
                _ => First::Alternate,
            },
        })
    }

    /// Pits in a row.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Seeds that fill a pit.
    pub fn seeds(&self) -> u32 {
        self.seeds
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Seeds that both own together: as many as fill the whole board.
    pub fn total(&self) -> u32 {
        2 * self.columns * self.seeds
    }

    /// What the players own at the beginning.
    pub fn start(&self) -> Owned {
        self.columns * self.seeds
    }

    /// All states, by what the opener owns.
    pub fn states(&self) -> impl Iterator<Item = Owned> + use<> {
        0..=self.total()
    }

    /// Pits that a player fills.
    fn filled(&self, owned: u32) -> u32 {
        (owned / self.seeds).min(self.columns)
    }

    /// What a state is.
    pub fn state(&self, owned: Owned) -> State {
        let open = [self.filled(owned), self.filled(self.total() - owned)];
        match open {
            [0, _] => State::Lost(Role::Opener),
            [_, 0] => State::Lost(Role::Replier),
            [opener, replier] => State::Round(Round {
                open,
                seeds: (opener + replier) * self.seeds,
                hand: owned - opener * self.seeds,
            }),
        }
    }

    /// The state after a round of which the opener took `taken` seeds. Where both took as many, nobody
    /// has lost or won it, and they open in turn.
    pub fn next(&self, round: &Round, taken: u32) -> Next {
        let (mine, theirs) = (taken, round.seeds - taken);
        let exchanged = match self.first {
            First::Alternate => true,
            First::Loser => mine >= theirs,
            First::Winner => mine <= theirs,
        };
        let owned = round.hand + taken;
        Next {
            owned: if exchanged {
                self.total() - owned
            } else {
                owned
            },
            exchanged,
        }
    }

    /// The board of a round as it is solved: South fills the whole row, North `fewer` pits. What
    /// matters only between rounds is left at its default, so that one table serves all matches.
    ///
    /// # Panics
    /// When North would fill more than the row.
    pub fn board(&self, fewer: u32) -> Setup {
        let mut rules = Rules::new(GameName::Bosh);
        for (name, value) in self.rules.deviations() {
            if !BETWEEN_ROUNDS.contains(&name.as_str()) {
                // Cannot fail: it was set before.
                let _ = rules.set(&name, &value);
            }
        }
        let north = self.closed(fewer, "left");
        Setup::with_closed(self.columns as usize, rules, [0, north]).expect("a board of the match")
    }

    /// The board of a round as it lies before the players, South's pits first.
    ///
    /// # Panics
    /// When a player would fill more than the row.
    pub fn table_board(&self, open: [u32; 2]) -> Setup {
        let closed = open.map(|open| self.closed(open, self.rules.get("fill")));
        Setup::with_closed(self.columns as usize, self.rules.clone(), closed)
            .expect("a board of the match")
    }

    /// The closed pits of a player who fills `open` from one end.
    fn closed(&self, open: u32, end: &str) -> u16 {
        assert!(open <= self.columns);
        let row = (1u32 << self.columns) - 1;
        let closed = match end {
            "right" => row >> open,
            _ => row >> open << open,
        };
        closed as u16
    }
}

/// The seat of a role when the opener sits at `opener`.
pub fn seat_of(role: Role, opener: Seat) -> Seat {
    match role {
        Role::Opener => opener,
        Role::Replier => opener.other(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bosh(columns: usize, seeds: u32, first: &str) -> Match {
        let mut rules = Rules::new(GameName::Bosh);
        rules.set("first-player", first).unwrap();
        Match::new(columns, seeds, &rules).unwrap()
    }

    #[test]
    fn one_row_is_always_full() {
        for (columns, seeds) in [(1, 1), (2, 3), (5, 4), (10, 2)] {
            let game = bosh(columns, seeds, "alternate");
            for owned in game.states() {
                if let State::Round(round) = game.state(owned) {
                    assert_eq!(round.open.into_iter().max(), Some(game.columns()));
                    let put = round.open.map(|open| open * seeds);
                    assert_eq!(put.iter().sum::<u32>(), round.seeds);
                    assert_eq!(owned - put[0], round.hand);
                    // All that can be taken leads to a state, and back to the same seeds.
                    for taken in 0..=round.seeds {
                        let next = game.next(&round, taken);
                        let mine = match next.exchanged {
                            true => game.total() - next.owned,
                            false => next.owned,
                        };
                        assert_eq!(mine, round.hand + taken);
                    }
                }
            }
        }
    }

    #[test]
    fn who_opens_next_is_as_the_option_says() {
        let exchanged = |first, taken| {
            let game = bosh(2, 3, first);
            let State::Round(round) = game.state(game.start()) else {
                panic!("a round")
            };
            game.next(&round, taken).exchanged
        };
        // The opener loses, ties, wins.
        assert_eq!([5, 6, 7].map(|t| exchanged("alternate", t)), [true; 3]);
        assert_eq!(
            [5, 6, 7].map(|t| exchanged("loser", t)),
            [false, true, true]
        );
        assert_eq!(
            [5, 6, 7].map(|t| exchanged("winner", t)),
            [true, true, false]
        );
    }

    #[test]
    fn rows_are_filled_from_the_end_that_the_option_says() {
        let mut rules = Rules::new(GameName::Bosh);
        let closed = |rules: &Rules| {
            Match::new(5, 4, rules)
                .unwrap()
                .table_board([2, 5])
                .closed()
        };
        assert_eq!(closed(&rules), [0b11100, 0]);
        rules.set("fill", "right").unwrap();
        assert_eq!(closed(&rules), [0b00111, 0]);
    }
}
