//! The proof search against solved layers: same bounds, same outcome, whatever its table's size, its
//! threads, and the layers it is given; and with a past against the definition.

use sowbase::game::{Game, Play, Turn};
use sowbase::games::{GameName, Rules, Setup, Visitor};
use sowbase::index::{Layer, layer_of};
use sowbase::notation::{Position, parse_position};
use sowbase::progress::Silent;
use sowbase::retro::{Plan, Store};
use sowbase::search::{Goal, Limits, Past, Proof, Prover, Source};
use sowbase::value::{Bound, Outcome, Value};
use std::collections::HashMap;

/// How positions are to be proven.
#[derive(Clone, Copy)]
struct Means {
    bytes: u64,
    threads: usize,
    /// Layers with at most so many seeds are given as exact values.
    given: Option<u32>,
}

/// Positions of one layer to be proven, each by all means.
struct Check<'a> {
    layer: Layer,
    samples: u64,
    means: &'a [Means],
}

fn agrees<G: Game>(proof: &Proof, exact: &Value, lead: i32, what: &dyn std::fmt::Debug) {
    assert_eq!(proof.outcome(lead), Some(exact.outcome(lead)), "{what:?}");
    if G::SCORED {
        let value = proof.value().expect("both bounds are found");
        let (found, right) = ((value.lower, value.upper), (exact.lower, exact.upper));
        assert_eq!(found, right, "{what:?}");
        assert_eq!(proof.margin(lead), Some(exact.margin(lead)), "{what:?}");
    }
}

impl Check<'_> {
    fn by<G: Game>(&self, game: &G, store: &Store<G::Board>, means: Means) {
        let prover = Prover::new(game, self.layer, means.bytes).unwrap();
        let positions = store.index().positions(self.layer);
        let source = |board| -> Option<Value> {
            let seeds = store.index().layer(board).seeds();
            (seeds <= means.given?).then(|| store.value::<G>(board))?
        };
        let source: &Source<'_, G::Board> = &source;
        let limits = Limits::threads(means.threads);
        // A fixed walk over the layer by a step that shares no factor with most sizes.
        let step = (positions as f64 * 0.618_033_988) as u64 | 1;
        for sample in 0..self.samples {
            let rank = (u128::from(sample) * u128::from(step) % u128::from(positions)) as u64;
            let board = store.index().unrank(self.layer, rank);
            let exact = store.value::<G>(board).unwrap();
            let lead = if G::SCORED {
                [0, 3, -2][sample as usize % 3]
            } else {
                0
            };
            let asked = (board, lead);
            let proof = prover.prove(asked, Goal::Bounds, &[], Some(source), limits, &Silent);
            agrees::<G>(&proof, &exact, lead, &board);
        }
    }
}

impl Visitor for Check<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: &G) {
        let plan = Plan::new(game, self.layer).unwrap();
        let store = plan.solve(game, &Silent).unwrap();
        for &means in self.means {
            self.by(game, &store, means);
        }
    }
}

/// Layers and how many of their positions are proven: two thousand a game.
fn boards() -> Vec<(GameName, usize, Layer, u64)> {
    vec![
        (GameName::Giuthi, 3, Layer::Total(9), 700),
        (GameName::Giuthi, 4, Layer::Total(8), 700),
        (GameName::Giuthi, 5, Layer::Total(7), 700),
        (GameName::Bosh, 3, Layer::Total(9), 700),
        (GameName::Bosh, 4, Layer::Total(8), 700),
        (GameName::Bosh, 5, Layer::Total(7), 700),
        (GameName::Hawalis, 3, Layer::Sides(5, 5), 1000),
        (GameName::Hawalis, 4, Layer::Sides(4, 5), 1000),
        (GameName::Hus, 2, Layer::Total(10), 1000),
        (GameName::Hus, 3, Layer::Total(8), 1000),
    ]
}

fn run(means: &[Means]) {
    for (game, columns, layer, samples) in boards() {
        let setup = Setup::new(columns, Rules::new(game)).unwrap();
        let check = Check {
            layer,
            samples,
            means,
        };
        setup.visit(layer.seeds(), check).unwrap();
    }
}

const MIB: u64 = 1 << 20;

fn means(bytes: u64, threads: usize, given: Option<u32>) -> Means {
    Means {
        bytes,
        threads,
        given,
    }
}

#[test]
fn a_small_table_is_enough() {
    run(&[means(MIB, 1, None), means(MIB, 1, Some(4))]);
}

#[test]
fn threads_change_nothing() {
    let four = Some(4);
    run(&[
        means(MIB, 2, None),
        means(MIB, 8, None),
        means(MIB, 2, four),
        means(MIB, 8, four),
    ]);
}

#[test]
fn a_table_of_almost_nothing_is_enough() {
    run(&[means(0, 1, Some(4))]);
}

/// With tables of a gigabyte, which not every machine that runs the tests has to spare:
/// `cargo test --release --test suite gigabyte -- --ignored`.
#[test]
#[ignore = "takes a gigabyte of memory"]
fn a_gigabyte_changes_nothing() {
    let all =
        [1, 2, 8].map(|threads| [None, Some(4)].map(|given| means(1024 * MIB, threads, given)));
    run(all.as_flattened());
}

struct ProofOf<'a>(&'a Position);

impl Visitor for ProofOf<'_> {
    type Output = (Option<Outcome>, [Bound; 2]);

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        let board = self.0.board(game);
        let prover = Prover::new(game, layer_of(game.shape(), board), MIB).unwrap();
        let limits = Limits::threads(1);
        let proof = prover.prove((board, 0), Goal::Bounds, &[], None, limits, &Silent);
        (proof.outcome(0), [proof.lower()[0], proof.upper()[1]])
    }
}

#[test]
fn every_sampled_value_is_proven() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/values.jsonl");
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let game: GameName = case["game"].as_str().unwrap().parse().unwrap();
        let text = case["position"].as_str().unwrap();
        let (setup, position) = parse_position(text, &Rules::new(game)).unwrap();
        let (outcome, bounds) = setup.visit(position.seeds(), ProofOf(&position)).unwrap();
        assert_eq!(case["outcome"], outcome.unwrap().as_str(), "{line}");
        let shown = bounds.map(|bound| match bound.finite() {
            Some(margin) => serde_json::json!(margin),
            None => serde_json::json!(bound.to_string()),
        });
        if game.scored() {
            assert_eq!(
                [&case["lower"], &case["upper"]],
                [&shown[0], &shown[1]],
                "{line}"
            );
        }
    }
}

/// Where the moves of a position lead: its number, seeds taken, and whether the same player moves.
type Edges = Vec<(usize, i16, bool)>;

/// DESIGN section 2 with a past, by its own words: positions of the past have no value that anyone
/// could force.
fn with_past<G: Game>(game: &G, root: G::Board, past: &[Past<G::Board>]) -> Value {
    type Key<B> = (B, bool);
    let mut found: Vec<Key<G::Board>> = vec![(root, true)];
    let mut numbers = HashMap::from([((root, true), 0)]);
    // Successors as place, gain, and whether the same player moves again.
    let mut next: Vec<Result<Edges, i16>> = Vec::new();
    while let Some(&(board, mine)) = found.get(next.len()) {
        let mut list = Vec::new();
        let turn = game.expand(board, |_, play| {
            if let Play::Done(played) = play {
                let gain = if G::SCORED { played.captured as i16 } else { 0 };
                list.push((played.board, gain, played.again));
            }
        });
        let over = match turn {
            Turn::Over { margin } => Some(margin as i16),
            Turn::Pass(board) => {
                list.push((board, 0, false));
                None
            }
            Turn::Moves => None,
        };
        let places = list.into_iter().map(|(board, gain, again)| {
            let key = (board, mine == again);
            let place = *numbers.entry(key).or_insert_with(|| {
                found.push(key);
                found.len() - 1
            });
            (place, gain, again)
        });
        next.push(over.map_or(Ok(places.collect()), Err));
    }
    let is_past = |&(board, mine): &Key<G::Board>| {
        past.iter()
            .any(|past| (past.board, past.same_mover) == (board, mine))
    };
    let mut values = vec![(Bound::MinusInfinity, Bound::PlusInfinity); found.len()];
    loop {
        let step = |at: usize| match &next[at] {
            _ if is_past(&found[at]) => values[at],
            Err(margin) => (Bound::Finite(*margin), Bound::Finite(*margin)),
            Ok(list) => {
                let through = |&(to, gain, again): &(usize, i16, bool)| {
                    let (lower, upper): (Bound, Bound) = values[to];
                    let own = if again {
                        (lower, upper)
                    } else {
                        (upper.negated(), lower.negated())
                    };
                    (own.0.plus(gain), own.1.plus(gain))
                };
                let lower = list.iter().map(|to| through(to).0).max();
                let upper = list.iter().map(|to| through(to).1).max();
                (lower.unwrap(), upper.unwrap())
            }
        };
        let after: Vec<_> = (0..found.len()).map(step).collect();
        if after == values {
            let (lower, upper) = values[0];
            return Value {
                lower,
                upper,
                ..Value::OPEN
            };
        }
        values = after;
    }
}

struct PastCheck {
    layer: Layer,
}

impl Visitor for PastCheck {
    /// Positions tried, and those whose value the past changes.
    type Output = [usize; 2];

    fn visit<G: Game>(self, game: &G) -> [usize; 2] {
        let plan = Plan::new(game, self.layer).unwrap();
        let store = plan.solve(game, &Silent).unwrap();
        let prover = Prover::new(game, self.layer, MIB).unwrap();
        let positions = store.index().positions(self.layer);
        let mut counts = [0; 2];
        for sample in 0..500u64 {
            let mut board = store.index().unrank(self.layer, sample * 7_919 % positions);
            let mut path = vec![(board, true)];
            let mut mine = true;
            for ply in 0..8 {
                let mut quiet = Vec::new();
                game.expand(board, |_, play| match play {
                    Play::Done(played) if played.captured == 0 => quiet.push(played),
                    _ => {}
                });
                let Some(played) = quiet.get((sample as usize + ply) % quiet.len().max(1)) else {
                    break;
                };
                board = played.board;
                mine ^= !played.again;
                if path.contains(&(board, mine)) {
                    break;
                }
                path.push((board, mine));
            }
            let (root, last) = path.pop().unwrap();
            let past: Vec<_> = path
                .into_iter()
                .map(|(board, mine)| Past {
                    board,
                    same_mover: mine == last,
                })
                .collect();
            let exact = with_past(game, root, &past);
            let limits = Limits::threads(2);
            let proof = prover.prove((root, 0), Goal::Bounds, &past, None, limits, &Silent);
            agrees::<G>(&proof, &exact, 0, &root);
            let fresh = store.value::<G>(root).unwrap();
            counts[0] += 1;
            counts[1] += usize::from((fresh.lower, fresh.upper) != (exact.lower, exact.upper));
        }
        counts
    }
}

#[test]
fn a_past_counts_as_the_definition_has_it() {
    let mut changed = 0;
    for (game, columns, layer) in [
        (GameName::Giuthi, 3, Layer::Total(7)),
        (GameName::Giuthi, 4, Layer::Total(6)),
        (GameName::Bosh, 3, Layer::Total(7)),
        (GameName::Hawalis, 2, Layer::Sides(4, 4)),
        (GameName::Hus, 2, Layer::Total(8)),
    ] {
        let setup = Setup::new(columns, Rules::new(game)).unwrap();
        let counts = setup.visit(layer.seeds(), PastCheck { layer }).unwrap();
        assert_eq!(counts[0], 500);
        changed += counts[1];
    }
    assert!(
        changed >= 10,
        "a past that changes nothing tests nothing: {changed}"
    );
}
