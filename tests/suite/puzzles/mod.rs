//! Puzzles held against the definition: one graph of a layer by the plain rules, in which a player's
//! forcing is worked out wave by wave with the positions of the line struck out. It shares no code with
//! `src/puzzle`, which trusts values, distances and the proof search.

mod graph;
mod walk;

use crate::common::random::Random;
use graph::{Asked, Edge, Graph};
use sowbase::game::{Game, Move};
use sowbase::games::{GameName, Rules, Seat, Setup, Visitor};
use sowbase::index::{Layer, layer_of};
use sowbase::notation::Position;
use sowbase::progress::Silent;
use sowbase::puzzle::{Filter, Judge, Limits, Miner, Solution, Stipulation};
use sowbase::retro::Plan;
use sowbase::retro::naive::NaiveTable;
use std::collections::{HashMap, HashSet};
use walk::Walk;

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
