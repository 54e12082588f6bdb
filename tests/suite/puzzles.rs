//! Puzzles held against the definition: one graph of a layer by the plain rules, in which a player's
//! forcing is worked out wave by wave with the positions of the line struck out. It shares no code with
//! `src/puzzle`, which trusts values, distances and the proof search.

use crate::common::random::Random;
use sowbase::game::{Game, Move};
use sowbase::games::{GameName, Rules, Seat, Setup, Visitor};
use sowbase::index::{Layer, layer_of};
use sowbase::notation::Position;
use sowbase::plain::{PlainBoard, PlainPlay, PlainRules, PlainTurn};
use sowbase::progress::Silent;
use sowbase::puzzle::{End, Filter, Judge, Limits, Miner, Solution, Step, Stipulation};
use sowbase::retro::Plan;
use sowbase::retro::naive::NaiveTable;
use sowbase::value::{Bound, Value};
use std::collections::{HashMap, HashSet};

/// A move in the graph of a layer; captured seeds are the mover's.
enum Edge {
    Stays {
        to: usize,
        again: bool,
    },
    Leaves {
        to: Position,
        gain: i32,
        again: bool,
    },
    Endless,
}

/// All positions of a layer (and of the one with the sides changed), as their mover sees them.
struct Graph<'a> {
    table: &'a NaiveTable,
    numbers: HashMap<Vec<u8>, usize>,
    edges: Vec<Vec<(Move, Edge)>>,
    /// The final margin where the game is over.
    over: Vec<Option<i32>>,
    boards: Vec<Position>,
}

/// A position and whether the player who asks is to move.
type Place = (usize, bool);

impl<'a> Graph<'a> {
    fn new(setup: &Setup, layer: Layer, table: &'a NaiveTable) -> Self {
        let layers = match layer {
            Layer::Sides(a, b) if a != b => vec![layer, Layer::Sides(b, a)],
            _ => vec![layer],
        };
        let boards: Vec<Position> = layers
            .iter()
            .flat_map(|&layer| table.positions(layer))
            .map(|(position, _)| position)
            .collect();
        let number = |(at, position): (usize, &Position)| (position.pits.clone(), at);
        let numbers: HashMap<Vec<u8>, usize> = boards.iter().enumerate().map(number).collect();
        let rules = PlainRules::new(setup);
        let scored = setup.game().scored();
        let (mut edges, mut over) = (Vec::new(), Vec::new());
        for position in &boards {
            let mut list = Vec::new();
            let pits = |board: &PlainBoard| board.pits[..setup.pits()].to_vec();
            let turn = rules.turn(&PlainBoard::of(position), Seat::South, |choice, play| {
                let edge = match play {
                    PlainPlay::Endless { .. } if rules.endless_draws() => Edge::Endless,
                    PlainPlay::Endless { .. } => return,
                    PlainPlay::Done {
                        board,
                        captured,
                        again,
                        ..
                    } => match numbers.get(&pits(&board)) {
                        Some(&to) if captured == 0 => Edge::Stays { to, again },
                        _ => Edge::Leaves {
                            to: rules.position(&board, Seat::South),
                            gain: if scored { captured as i32 } else { 0 },
                            again,
                        },
                    },
                };
                list.push((choice, edge));
            });
            over.push(match turn {
                PlainTurn::Over { margin } => Some(margin),
                _ => None,
            });
            if let PlainTurn::Pass(board) = turn {
                let to = numbers[&pits(&board)];
                list.push((Move::PASS, Edge::Stays { to, again: false }));
            }
            edges.push(list);
        }
        Self {
            table,
            numbers,
            edges,
            over,
            boards,
        }
    }

    /// Whether the asker forces a margin of `least` from each place, in a game that ends and comes to
    /// none of `past`, within so many plies to the next capture or the end.
    fn forced(&self, least: i32, within: Option<u32>, past: &HashSet<Place>) -> Vec<[bool; 2]> {
        let mut known: Vec<[bool; 2]> = (0..self.boards.len())
            .map(|at| {
                [false, true].map(|asks| {
                    let margin = self.over[at].map(|m| if asks { m } else { -m });
                    !past.contains(&(at, asks)) && margin.is_some_and(|margin| margin >= least)
                })
            })
            .collect();
        for _ in 0..within.unwrap_or(u32::MAX) {
            let next: Vec<[bool; 2]> = (0..self.boards.len())
                .map(|at| {
                    [false, true].map(|asks| {
                        if past.contains(&(at, asks)) || self.over[at].is_some() {
                            return known[at][usize::from(asks)];
                        }
                        let holds =
                            |(_, edge): &(Move, Edge)| self.holds(edge, asks, least, &known);
                        let mut edges = self.edges[at].iter();
                        if asks {
                            edges.any(holds)
                        } else {
                            edges.all(holds)
                        }
                    })
                })
                .collect();
            if next == known {
                break;
            }
            known = next;
        }
        known
    }

    /// Whether the asker has it after a move, made by them if `asks`.
    fn holds(&self, edge: &Edge, asks: bool, least: i32, known: &[[bool; 2]]) -> bool {
        match edge {
            Edge::Endless => false,
            Edge::Stays { to, again } => known[*to][usize::from(asks == *again)],
            Edge::Leaves { to, gain, again } => {
                let value = self.table.value(to).unwrap();
                let bound = if asks == *again {
                    value.lower
                } else {
                    value.upper.negated()
                };
                let gain = if asks { *gain } else { -gain };
                bound >= Bound::Finite((least - gain) as i16)
            }
        }
    }

    /// The moves at a place of the solver, each with whether it meets the stipulation.
    fn moves(&self, at: usize, asked: &Asked, past: &HashSet<Place>) -> Vec<(Move, bool)> {
        let mut past = past.clone();
        past.insert((at, true));
        let edges = self.edges[at].iter();
        match *asked {
            Asked::Force { least, within } => {
                if within == Some(0) {
                    return edges.map(|(choice, _)| (*choice, false)).collect();
                }
                let known = self.forced(least, within.map(|plies| plies - 1), &past);
                edges
                    .map(|(choice, edge)| (*choice, self.holds(edge, true, least, &known)))
                    .collect()
            }
            // Held is what the defender cannot spoil, who asks for more than the solver may lose.
            Asked::Hold { least } => {
                let swapped = past.iter().map(|&(at, solver)| (at, !solver)).collect();
                let known = self.forced(1 - least, None, &swapped);
                edges
                    .map(|(choice, edge)| (*choice, !self.holds(edge, false, 1 - least, &known)))
                    .collect()
            }
        }
    }

    fn meets(&self, at: usize, asked: &Asked) -> bool {
        match *asked {
            Asked::Force { least, within } => self.forced(least, within, &HashSet::new())[at][1],
            Asked::Hold { least } => !self.forced(1 - least, None, &HashSet::new())[at][0],
        }
    }
}

/// What is left to be met.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Asked {
    Force { least: i32, within: Option<u32> },
    Hold { least: i32 },
}

/// What came of all comparisons.
#[derive(Default, Debug)]
struct Seen {
    sound: u32,
    unsound: u32,
    cooked: u32,
    with_duals: u32,
    repeated: u32,
    /// Puzzles in which a fresh value would have called a move right that is not.
    misled: u32,
}

/// Walks a solution beside the graph.
struct Walk<'a, 'g> {
    graph: &'a Graph<'g>,
    scored: bool,
    hurried: bool,
    pits: usize,
    repeated: bool,
    misled: bool,
}

impl Walk<'_, '_> {
    /// A move made at a place of a line; what follows it is compared as long as it stays in the layer.
    fn step<G: Game>(
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

    fn look_for_misled(&mut self, at: usize, asked: &Asked, moves: &[(Move, bool)]) {
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

struct Compare<'a> {
    setup: &'a Setup,
    graphs: &'a HashMap<Layer, Graph<'a>>,
    puzzles: Vec<(Position, i32, Stipulation)>,
}

impl Visitor for Compare<'_> {
    type Output = Seen;

    fn visit<G: Game>(self, game: &G) -> Seen {
        let mut seen = Seen::default();
        let mut stores = HashMap::new();
        for (position, lead, stipulation) in &self.puzzles {
            let board = position.board(game);
            let layer = layer_of(game.shape(), board);
            let store = stores.entry(layer).or_insert_with(|| {
                Plan::new(game, layer)
                    .unwrap()
                    .solve(game, &Silent)
                    .unwrap()
            });
            let value = |board| store.value::<G>(board);
            let judge = Judge::new(game, layer, &value).unwrap();
            let limits = Limits {
                full: 0,
                plies: 8,
                steps: 40,
            };
            let found = judge.solve(board, *lead, *stipulation, limits).unwrap();
            let graph = &self.graphs[&layer];
            let text = position.text(self.setup);
            compare(
                game,
                graph,
                position,
                (*lead, *stipulation),
                &found,
                &mut seen,
                &text,
            );
        }
        seen
    }
}

fn compare<G: Game>(
    game: &G,
    graph: &Graph<'_>,
    position: &Position,
    (lead, stipulation): (i32, Stipulation),
    found: &Solution<G::Board>,
    seen: &mut Seen,
    text: &str,
) {
    let at = graph.numbers[&position.pits];
    let asked = match stipulation {
        Stipulation::Win(within) => Asked::Force {
            least: 1 - lead,
            within,
        },
        Stipulation::Gain(least, within) => Asked::Force { least, within },
        Stipulation::Draw => Asked::Hold { least: -lead },
    };
    let win = Asked::Force {
        least: 1 - lead,
        within: None,
    };
    let wins = stipulation == Stipulation::Draw && graph.meets(at, &win);
    let met = graph.meets(at, &asked) && !wins;
    assert_eq!((found.met, found.wins), (met, wins), "{text} {stipulation}");
    let none = HashSet::new();
    let moves = graph.moves(at, &asked, &none);
    let keys: Vec<Move> = moves
        .iter()
        .filter(|(choice, right)| met && *right && !choice.is_pass())
        .map(|(choice, _)| *choice)
        .collect();
    let told: Vec<Move> = found.keys().map(|first| first.choice).collect();
    assert_eq!(told, keys, "{text} {stipulation} lead {lead}");
    for first in &found.firsts {
        let (_, edge) = graph.edges[at]
            .iter()
            .find(|(c, _)| *c == first.choice)
            .unwrap();
        // After a capture the reply is a matter of another layer.
        let Edge::Stays { to, again: false } = edge else {
            continue;
        };
        if first.key || !met {
            assert!(first.refutations.is_empty());
            continue;
        }
        let past = HashSet::from([(at, true), (*to, false)]);
        let replies = &graph.edges[*to];
        let refutes = |edge: &Edge| match asked {
            Asked::Force {
                within: Some(1), ..
            } => true,
            Asked::Force { least, within } => {
                let known = graph.forced(least, within.map(|plies| plies - 2), &past);
                !graph.holds(edge, false, least, &known)
            }
            Asked::Hold { least } => {
                let swapped = past.iter().map(|&(at, solver)| (at, !solver)).collect();
                let known = graph.forced(1 - least, None, &swapped);
                graph.holds(edge, true, 1 - least, &known)
            }
        };
        let wanted = replies.iter().filter(|(_, edge)| refutes(edge));
        let wanted: Vec<Move> = wanted.map(|(choice, _)| *choice).collect();
        assert_eq!(first.refutations, wanted, "{text} {stipulation}");
        assert_eq!(first.replies, replies.len());
    }
    let mut walk = Walk {
        graph,
        scored: G::SCORED,
        hurried: matches!(
            asked,
            Asked::Force {
                within: Some(_),
                ..
            }
        ),
        pits: position.pits.len(),
        repeated: false,
        misled: false,
    };
    for line in &found.lines {
        walk.step(game, (at, true), asked, &none, line);
    }
    if met {
        walk.look_for_misled(at, &asked, &moves);
    }
    seen.sound += u32::from(found.has_one_key());
    seen.unsound += u32::from(!found.has_one_key());
    seen.cooked += u32::from(keys.len() > 1);
    seen.with_duals += u32::from(found.duals() > 0);
    seen.repeated += u32::from(walk.repeated);
    seen.misled += u32::from(walk.misled);
}

/// Puzzles at random from layers up to `seeds`.
fn agree(setup: &Setup, seeds: u32, count: usize) -> Seen {
    let top = match setup.game() {
        GameName::Hawalis => Layer::Sides(seeds as u8 / 2, seeds as u8 / 2),
        _ => Layer::Total(seeds as u8),
    };
    let table = NaiveTable::solve(setup, top);
    let mut random = Random(seeds.into());
    let mut puzzles = Vec::new();
    while puzzles.len() < count {
        let on_board = 2 + random.below(seeds as usize - 1) as u32;
        let mut position = random.position(setup, on_board);
        position.seat = Seat::South;
        if table.value(&position).is_none() {
            continue;
        }
        let scored = setup.game().scored();
        let lead = if scored {
            random.below(7) as i32 - 3
        } else {
            0
        };
        let number = |random: &mut Random| 1 + random.below(4);
        let stipulation = match random.below(if scored { 6 } else { 4 }) {
            0 | 1 => Stipulation::Win(None),
            2 => Stipulation::Draw,
            3 => Stipulation::Win(Some(number(&mut random) as u32 * 2 - 1)),
            4 => Stipulation::Gain(number(&mut random) as i32, None),
            _ => Stipulation::Gain(number(&mut random) as i32, Some(number(&mut random) as u32)),
        };
        puzzles.push((position, lead, stipulation));
    }
    let graphs: HashMap<Layer, Graph<'_>> = table
        .layers()
        .map(|layer| (layer, Graph::new(setup, layer, &table)))
        .collect();
    let compare = Compare {
        setup,
        graphs: &graphs,
        puzzles,
    };
    setup.visit(seeds, compare).unwrap()
}

/// All verdicts must have come up, often enough to mean something.
fn various(seen: &Seen) {
    let seen_often = [seen.sound, seen.unsound, seen.cooked, 2 * seen.with_duals];
    assert!(seen_often.iter().all(|&count| count >= 10), "{seen:?}");
}

#[test]
fn giuthi_puzzles_agree_with_the_definition() {
    let setup = Setup::new(3, Rules::new(GameName::Giuthi)).unwrap();
    let seen = agree(&setup, 7, 500);
    various(&seen);
    // Coming back matters in Giuthi: a table's values alone would be wrong.
    assert!(seen.misled > 0, "{seen:?}");
}

#[test]
fn bosh_puzzles_agree_with_the_definition() {
    let setup = Setup::new(3, Rules::new(GameName::Bosh)).unwrap();
    various(&agree(&setup, 8, 500));
}

#[test]
fn hawalis_puzzles_agree_with_the_definition() {
    let setup = Setup::new(2, Rules::new(GameName::Hawalis)).unwrap();
    // Duals are rare here.
    various(&agree(&setup, 10, 1500));
}

#[test]
fn hus_puzzles_agree_with_the_definition() {
    let setup = Setup::new(2, Rules::new(GameName::Hus)).unwrap();
    various(&agree(&setup, 8, 1500));
}

#[test]
fn endless_draws_are_draws_in_puzzles_too() {
    for game in [GameName::Giuthi, GameName::Hus] {
        let mut rules = Rules::new(game);
        rules.set("endless", "draw").unwrap();
        let setup = Setup::new(2, rules).unwrap();
        agree(&setup, 8, 200);
    }
}

/// Mines all layers of a board and checks what is found in the graphs of the plain rules.
struct MineAll<'a> {
    setup: &'a Setup,
    graphs: &'a HashMap<Layer, Graph<'a>>,
    top: Layer,
    filter: Filter,
}

impl Visitor for MineAll<'_> {
    type Output = usize;

    fn visit<G: Game>(self, game: &G) -> usize {
        let store = Plan::new(game, self.top)
            .unwrap()
            .solve(game, &Silent)
            .unwrap();
        let miner = Miner {
            game,
            store: &store,
            filter: self.filter,
        };
        let layers = self
            .graphs
            .keys()
            .filter(|&&layer| store.layer(layer).is_some());
        let found = layers.flat_map(|&layer| miner.layer(layer, &Silent).unwrap());
        let chosen = miner.choose(found.collect(), &Silent).unwrap();
        for candidate in &chosen {
            let mut pits = vec![0; self.setup.pits()];
            game.unpack(candidate.board, 0, &mut pits);
            let graph = &self.graphs[&candidate.layer];
            let at = graph.numbers[&pits];
            let asked = match candidate.stipulation {
                Stipulation::Win(within) => Asked::Force { least: 1, within },
                Stipulation::Gain(least, within) => Asked::Force { least, within },
                Stipulation::Draw => Asked::Hold { least: 0 },
            };
            assert!(graph.meets(at, &asked), "{pits:?}");
            let moves = graph.moves(at, &asked, &HashSet::new());
            let keys = moves
                .iter()
                .filter(|(_, right)| *right)
                .map(|(choice, _)| *choice);
            assert_eq!(keys.collect::<Vec<_>>(), [candidate.key], "{pits:?}");
            assert_eq!(candidate.measure.failing as usize, moves.len() - 1);
        }
        chosen.len()
    }
}

#[test]
fn mined_puzzles_are_sound_by_the_definition() {
    let boards = [
        (GameName::Giuthi, 3, Layer::Total(8)),
        (GameName::Bosh, 3, Layer::Total(9)),
        (GameName::Hawalis, 2, Layer::Sides(5, 5)),
        (GameName::Hus, 2, Layer::Total(9)),
    ];
    for (game, columns, top) in boards {
        let setup = Setup::new(columns, Rules::new(game)).unwrap();
        let table = NaiveTable::solve(&setup, top);
        let graphs: HashMap<Layer, Graph<'_>> = table
            .layers()
            .map(|layer| (layer, Graph::new(&setup, layer, &table)))
            .collect();
        for stipulation in [
            Stipulation::Win(None),
            Stipulation::Draw,
            Stipulation::Gain(1, None),
        ] {
            if !game.scored() && matches!(stipulation, Stipulation::Gain(..)) {
                continue;
            }
            let filter = Filter {
                stipulation,
                plies: [1, 1000],
                moves: 2,
                quiet: false,
                sacrifice: false,
                every_ply: stipulation == Stipulation::Win(None),
                limit: 40,
            };
            let (setup, graphs) = (&setup, &graphs);
            let mine = MineAll {
                setup,
                graphs,
                top,
                filter,
            };
            let mined = setup.visit(top.seeds(), mine).unwrap();
            // Draws in Hus come up only with more seeds.
            let least = match (game, stipulation) {
                (GameName::Hus, Stipulation::Draw) => 0,
                _ => 5,
            };
            assert!(mined >= least, "{game} {stipulation}: {mined}");
        }
    }
}
