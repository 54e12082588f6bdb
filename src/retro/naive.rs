//! Owns: the definition of a value (DESIGN section 2), computed as it is written.
//!
//! The fast solvers are held against this one, so it takes no short cut: all positions of a layer by
//! recursion over the ways to place its seeds, moves from the plain rules, a hash map from board to
//! number, and steps k = 1, 2, … over every position until nothing changes. It is for small boards.

use crate::games::{GameName, Seat, Setup};
use crate::index::Layer;
use crate::notation::Position;
use crate::plain::{MAX_PITS, PlainBoard, PlainPlay, PlainRules, PlainTurn};
use crate::value::{Bound, Distance, Value};
use ahash::AHashMap;
use std::collections::BTreeMap;

/// A position, as far as its value goes: who is to move counts only where rows differ by closed pits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Key {
    board: PlainBoard,
    seat: Option<Seat>,
}

/// A finished layer.
struct Solved {
    numbers: AHashMap<Key, u32>,
    values: Vec<Value>,
}

/// Where a move leads.
enum Goal {
    /// To a position of the layer being solved, by number.
    Inside(u32),
    /// To a finished position: its lower and upper bound.
    Finished(Bound, Bound),
    /// Nowhere: it never ends, and draws.
    Endless,
}

/// A legal move, or the forced pass.
struct Edge {
    goal: Goal,
    /// Seeds taken; 0 in win-loss games.
    gain: i16,
    again: bool,
}

/// Values of every position of all layers up to some layer.
pub struct NaiveTable {
    setup: Setup,
    rules: PlainRules,
    layers: BTreeMap<Layer, Solved>,
}

impl NaiveTable {
    /// Solves all layers up to `up_to`: with up to so many seeds, or with up to so many a side and
    /// those where the sides have changed places.
    ///
    /// # Panics
    /// As [`NaiveTable::extend`].
    pub fn solve(setup: &Setup, up_to: Layer) -> Self {
        let mut table = Self {
            setup: setup.clone(),
            rules: PlainRules::new(setup),
            layers: BTreeMap::new(),
        };
        table.extend(up_to);
        table
    }

    /// Solves those layers up to `up_to` that are not there yet.
    ///
    /// # Panics
    /// When the kind of layer is not the game's, or it holds more than 255 seeds or 2³² positions.
    pub fn extend(&mut self, up_to: Layer) {
        let by_sides = matches!(up_to, Layer::Sides(..));
        assert_eq!(by_sides, self.setup.game() == GameName::Hawalis);
        match up_to {
            Layer::Total(seeds) => {
                for seeds in 0..=seeds {
                    self.solve_together(&[Layer::Total(seeds)]);
                }
            }
            Layer::Sides(mover, opponent) => {
                // By their sum, as a capture lowers it and any other move keeps it.
                for sum in 0..=mover + opponent {
                    for a in sum.saturating_sub(opponent)..=sum.min(mover) {
                        let b = sum - a;
                        self.solve_together(&[Layer::Sides(a, b), Layer::Sides(b, a)]);
                    }
                }
            }
        }
    }

    /// The value of a position, if it is one of this board's and its layer has been solved.
    pub fn value(&self, position: &Position) -> Option<Value> {
        let board = PlainBoard::of(position);
        let key = self.key(board, position.seat);
        let solved = self.layers.get(&self.layer_of(&board))?;
        let number = *solved.numbers.get(&key)?;
        Some(solved.values[number as usize])
    }

    /// The layers solved, in ascending order.
    pub fn layers(&self) -> impl Iterator<Item = Layer> {
        self.layers.keys().copied()
    }

    /// All positions of a layer with their values, in an order of no meaning that is always the same;
    /// nothing where the layer has not been solved. South is to move, except that where rows differ
    /// by closed pits both are in turn.
    pub fn positions(&self, layer: Layer) -> impl Iterator<Item = (Position, Value)> {
        let solved = self.layers.get(&layer);
        solved.into_iter().flat_map(move |solved| {
            self.all_keys(layer).into_iter().map(|key| {
                let seat = key.seat.unwrap_or(Seat::South);
                let value = solved.values[solved.numbers[&key] as usize];
                (self.rules.position(&key.board, seat), value)
            })
        })
    }

    fn layer_of(&self, board: &PlainBoard) -> Layer {
        if self.setup.game() == GameName::Hawalis {
            let own = 2 * self.setup.columns();
            let mover = board.pits[..own].iter().sum::<u8>();
            Layer::Sides(mover, board.seeds() as u8 - mover)
        } else {
            Layer::Total(board.seeds() as u8)
        }
    }

    fn key(&self, board: PlainBoard, seat: Seat) -> Key {
        let [south, north] = self.setup.closed();
        Key {
            board,
            seat: (south != north).then_some(seat),
        }
    }

    /// Every position of a layer.
    fn all_keys(&self, layer: Layer) -> Vec<Key> {
        let [south, north] = self.setup.closed();
        let seats: &[Seat] = if south == north {
            &[Seat::South]
        } else {
            &[Seat::South, Seat::North]
        };
        let mut keys = Vec::new();
        for &seat in seats {
            let (own, others) = self.open_places(seat);
            let mut add = |pits: &[u8; MAX_PITS]| {
                keys.push(self.key(PlainBoard { pits: *pits }, seat));
            };
            let mut pits = [0; MAX_PITS];
            match layer {
                Layer::Total(seeds) => {
                    let all = [own, others].concat();
                    place(seeds, &all, &mut pits, &mut add);
                }
                Layer::Sides(mover, opponent) => {
                    place(mover, &own, &mut pits, &mut |pits| {
                        place(opponent, &others, &mut pits.clone(), &mut add);
                    });
                }
            }
        }
        keys
    }

    /// The pits of the mover and of the opponent that can hold seeds, in the mover's order.
    fn open_places(&self, mover: Seat) -> (Vec<usize>, Vec<usize>) {
        let half = self.setup.pits() / 2;
        if self.setup.closed() == [0, 0] {
            return ((0..half).collect(), (half..2 * half).collect());
        }
        let others = self.setup.open_pits(mover.other());
        let others = others.into_iter().map(|pit| half + pit).collect();
        (self.setup.open_pits(mover), others)
    }

    /// Solves layers among which play may go to and fro; lower ones are finished.
    fn solve_together(&mut self, layers: &[Layer]) {
        if self.layers.contains_key(&layers[0]) {
            return;
        }
        // One numbering for all of them: a layer's numbers follow those of the one before.
        let mut keys: Vec<Key> = Vec::new();
        let mut begins = Vec::new();
        for (at, layer) in layers.iter().enumerate() {
            if layers[..at].contains(layer) {
                continue;
            }
            begins.push((*layer, keys.len()));
            keys.extend(self.all_keys(*layer));
        }
        let count = u32::try_from(keys.len()).expect("a small layer");
        let numbers = keys.iter().copied().zip(0..count).collect();
        let values = self.settle(&keys, &numbers);
        for (at, &(layer, begin)) in begins.iter().enumerate() {
            let end = begins.get(at + 1).map_or(keys.len(), |&(_, end)| end);
            let within = keys[begin..end].iter().copied().zip(0..).collect();
            self.layers.insert(
                layer,
                Solved {
                    numbers: within,
                    values: values[begin..end].to_vec(),
                },
            );
        }
    }

    /// The definition: L₀ and U₀, then step k from step k−1 until nothing changes.
    fn settle(&self, keys: &[Key], numbers: &AHashMap<Key, u32>) -> Vec<Value> {
        // The final margin, or the moves.
        let turns: Vec<Result<i32, Vec<Edge>>> =
            keys.iter().map(|key| self.turn(key, numbers)).collect();
        let step_zero = |turn: &Result<i32, Vec<Edge>>| match turn {
            Ok(margin) => (Bound::Finite(*margin as i16), Bound::Finite(*margin as i16)),
            Err(_) => (Bound::MinusInfinity, Bound::PlusInfinity),
        };
        let mut bounds: Vec<(Bound, Bound)> = turns.iter().map(step_zero).collect();
        // The last step that changed a bound is the least with which it is what it came to.
        let mut distances: Vec<(Distance, Distance)> = vec![(0, 0); keys.len()];
        for step in 1.. {
            let before = bounds.clone();
            for (at, turn) in turns.iter().enumerate() {
                let Err(moves) = turn else { continue };
                bounds[at] = best(moves, &before);
                if bounds[at].0 != before[at].0 {
                    distances[at].0 = step;
                }
                if bounds[at].1 != before[at].1 {
                    distances[at].1 = step;
                }
            }
            if bounds == before {
                break;
            }
        }
        let value = |((lower, upper), distances): ((Bound, Bound), (Distance, Distance))| Value {
            lower,
            upper,
            lower_distance: distances.0,
            upper_distance: distances.1,
        };
        bounds.into_iter().zip(distances).map(value).collect()
    }

    /// The final margin of a position where the game is over, else its legal moves or forced pass.
    fn turn(&self, key: &Key, numbers: &AHashMap<Key, u32>) -> Result<i32, Vec<Edge>> {
        let seat = key.seat.unwrap_or(Seat::South);
        let goal = |board: PlainBoard, seat: Seat| {
            let next = self.key(board, seat);
            match numbers.get(&next) {
                Some(&number) => Goal::Inside(number),
                None => {
                    let solved = &self.layers[&self.layer_of(&board)];
                    let value = solved.values[solved.numbers[&next] as usize];
                    Goal::Finished(value.lower, value.upper)
                }
            }
        };
        let mut moves = Vec::new();
        let turn = self.rules.turn(&key.board, seat, |_, play| match play {
            PlainPlay::Done {
                board,
                captured,
                again,
                ..
            } => moves.push(Edge {
                goal: goal(board, if again { seat } else { seat.other() }),
                gain: if self.setup.game().scored() {
                    captured as i16
                } else {
                    0
                },
                again,
            }),
            PlainPlay::Endless { .. } if self.rules.endless_draws() => moves.push(Edge {
                goal: Goal::Endless,
                gain: 0,
                again: false,
            }),
            PlainPlay::Endless { .. } => {}
        });
        match turn {
            PlainTurn::Moves => Err(moves),
            PlainTurn::Pass(board) => Err(vec![Edge {
                goal: goal(board, seat.other()),
                gain: 0,
                again: false,
            }]),
            PlainTurn::Over { margin } => Ok(margin),
        }
    }
}

/// Lₖ and Uₖ of a position with these moves, from the bounds of step k−1.
fn best(moves: &[Edge], before: &[(Bound, Bound)]) -> (Bound, Bound) {
    let mut best = (Bound::MinusInfinity, Bound::MinusInfinity);
    for Edge { goal, gain, again } in moves {
        let (lower, upper) = match goal {
            Goal::Inside(number) => before[*number as usize],
            Goal::Finished(lower, upper) => (*lower, *upper),
            // No end can be forced through it by either.
            Goal::Endless => (Bound::MinusInfinity, Bound::PlusInfinity),
        };
        let (lower, upper) = if *again {
            (lower, upper)
        } else {
            (upper.negated(), lower.negated())
        };
        best.0 = best.0.max(lower.plus(*gain));
        best.1 = best.1.max(upper.plus(*gain));
    }
    best
}

/// Calls `each` with every way to place `seeds` in the pits of `places`, whatever the others hold.
fn place(
    seeds: u8,
    places: &[usize],
    pits: &mut [u8; MAX_PITS],
    each: &mut impl FnMut(&[u8; MAX_PITS]),
) {
    match places {
        [] if seeds == 0 => each(pits),
        [] => {}
        [last] => {
            pits[*last] = seeds;
            each(pits);
            pits[*last] = 0;
        }
        [first, rest @ ..] => {
            for here in 0..=seeds {
                pits[*first] = here;
                place(seeds - here, rest, pits, each);
            }
            pits[*first] = 0;
        }
    }
}
