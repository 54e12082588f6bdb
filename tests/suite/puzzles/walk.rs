//! Owns: a solution's tree beside the graph: every choice, its duals and every main defence compared.

use super::graph::{Asked, Edge, Graph, Place};
use sowbase::game::{Game, Move};
use sowbase::puzzle::{End, Step};
use sowbase::value::{Bound, Value};
use std::collections::HashSet;

/// Walks a solution beside the graph.
pub struct Walk<'a, 'g> {
    pub graph: &'a Graph<'g>,
    pub scored: bool,
    pub hurried: bool,
    pub pits: usize,
    pub repeated: bool,
    pub misled: bool,
}

impl Walk<'_, '_> {
    /// A move made at a place of a line; what follows it is compared as long as it stays in the layer.
    pub fn step<G: Game>(
        &mut self,
        game: &G,
        (at, solver): Place,
        asked: Asked,
        past: &HashSet<Place>,
        step: &Step<G::Board>,
    ) {
        assert_eq!(step.solver, solver);
        let Some(played) = step.played else {
            assert!(matches!(step.end, End::Over(_)));
            return;
        };
        if played.captured > 0 {
            // What follows a capture begins afresh, as other puzzles of the test do.
            assert!(!self.hurried || step.end != End::Goes);
            return;
        }
        let mut pits = vec![0; self.pits];
        game.unpack(played.board, 0, &mut pits);
        let to = (self.graph.numbers[&pits], solver == played.again);
        let mut past = past.clone();
        past.insert((at, solver));
        if past.contains(&to) {
            assert_eq!(step.end, End::Repetition);
            self.repeated = true;
            return;
        }
        let asked = match asked {
            Asked::Force { least, within } => Asked::Force {
                least,
                within: within.map(|plies| plies - 1),
            },
            hold => hold,
        };
        if step.end != End::Goes {
            assert_ne!(step.end, End::Repetition);
            return;
        }
        if to.1 {
            let [answer] = &step.then[..] else {
                panic!("one answer")
            };
            let moves = self.graph.moves(to.0, &asked, &past);
            self.look_for_misled(to.0, &asked, &moves);
            let right: HashSet<Move> = moves.iter().filter(|m| m.1).map(|m| m.0).collect();
            let told: HashSet<Move> = answer
                .duals
                .iter()
                .copied()
                .chain([answer.choice])
                .collect();
            assert!(
                right.contains(&answer.choice) && right == told,
                "{right:?} {told:?}"
            );
        } else {
            let told: Vec<Move> = step.then.iter().map(|reply| reply.choice).collect();
            assert_eq!(told, self.defences(to.0, &asked));
        }
        for next in &step.then {
            self.step(game, to, asked, &past, next);
        }
    }

    pub fn look_for_misled(&mut self, at: usize, asked: &Asked, moves: &[(Move, bool)]) {
        let Asked::Force {
            least,
            within: None,
        } = *asked
        else {
            return;
        };
        let fresh = self.graph.forced(least, None, &HashSet::new());
        let edges = &self.graph.edges[at];
        let differs = |((_, right), (_, edge)): (&(Move, bool), &(Move, Edge))| {
            self.graph.holds(edge, true, least, &fresh) != *right
        };
        self.misled |= moves.iter().zip(edges).any(differs);
    }

    /// The replies that concede least and of these the longest, by the naive values.
    fn defences(&self, at: usize, asked: &Asked) -> Vec<Move> {
        let worth = |edge: &Edge| {
            let (value, gain, again, captures): (Value, i32, bool, bool) = match edge {
                Edge::Endless => {
                    return match *asked {
                        Asked::Force { .. } => (Bound::MinusInfinity, 0),
                        Asked::Hold { least } => (Bound::Finite(least as i16), 0),
                    };
                }
                Edge::Stays { to, again } => {
                    let value = self.graph.table.value(&self.graph.boards[*to]);
                    (value.unwrap(), 0, *again, false)
                }
                Edge::Leaves { to, gain, again } => {
                    (self.graph.table.value(to).unwrap(), *gain, *again, true)
                }
            };
            // The solver moves next unless the defender goes on.
            let (force, distance, hold) = if again {
                (
                    value.upper.negated(),
                    value.upper_distance,
                    value.lower.negated(),
                )
            } else {
                (value.lower, value.lower_distance, value.upper)
            };
            let gain = if self.scored { gain as i16 } else { 0 };
            match asked {
                Asked::Force { .. } => {
                    let plies = if captures { 1 } else { i32::from(distance) + 1 };
                    (force.plus(-gain), -plies)
                }
                Asked::Hold { .. } => (hold.plus(-gain), 0),
            }
        };
        let edges = &self.graph.edges[at];
        let best = edges.iter().map(|(_, edge)| worth(edge)).min();
        let main = edges.iter().filter(|(_, edge)| Some(worth(edge)) == best);
        main.map(|(choice, _)| *choice).collect()
    }
}
