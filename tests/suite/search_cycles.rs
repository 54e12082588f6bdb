//! Positions made of long cycles, where a search that takes no heed of history is wrong.
//!
//! `data/search-cycles.jsonl` holds positions with the bounds that the layer solver gives. The proof
//! search finds those bounds. A plain depth-first search that keeps every answer in a table, be it
//! true only on the path on which it was found, denies on each of them something that can be forced.

use serde_json::json;
use sowbase::game::{Game, Play, Turn};
use sowbase::games::{GameName, Rules, Seat, Setup, Visitor};
use sowbase::index::{Layer, layer_of};
use sowbase::notation::{Position, parse_position};
use sowbase::progress::Silent;
use sowbase::retro::Plan;
use sowbase::search::{Goal, Limits, Proof, Prover};
use sowbase::value::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/search-cycles.jsonl")
}

fn prove<G: Game>(game: &G, board: G::Board) -> Proof {
    let prover = Prover::new(game, layer_of(game.shape(), board), 1 << 16).unwrap();
    let limits = Limits::threads(1);
    prover.prove((board, 0), Goal::Bounds, &[], None, limits, &Silent)
}

/// Depth-first search with a table and without heed of history: what is on the path counts as a
/// failure for the asker, and every answer is kept whatever it leant on.
struct Naive<'a, G: Game> {
    game: &'a G,
    /// By board, whether its mover asks, and what the asker lacks; `false` while on the path.
    table: HashMap<(G::Board, bool, i32), bool>,
}

impl<G: Game> Naive<'_, G> {
    /// Whether the asker can force `need` more units than they lose of `stake`.
    fn can(&mut self, board: G::Board, asks: bool, need: i32) -> bool {
        if let Some(&known) = self.table.get(&(board, asks, need)) {
            return known;
        }
        self.table.insert((board, asks, need), false);
        let mut boards = Vec::new();
        let turn = self.game.expand(board, |_, play| {
            if let Play::Done(played) = play {
                let gain = if G::SCORED { played.captured as i32 } else { 0 };
                boards.push((played.board, gain, played.again));
            }
        });
        let mut after = |(board, gain, again): (G::Board, i32, bool)| {
            let gain = if asks { gain } else { -gain };
            self.can(board, asks == again, need - gain)
        };
        let result = match turn {
            Turn::Over { margin } => need <= if asks { margin } else { -margin },
            Turn::Pass(board) => after((board, 0, false)),
            Turn::Moves if asks => boards.into_iter().any(after),
            Turn::Moves => boards.into_iter().all(after),
        };
        self.table.insert((board, asks, need), result);
        result
    }
}

/// Whether the naive search says that a bound which is true can be forced: the mover's `lower`, or
/// the opponent's `upper` (in win-loss games the outcome, by whoever wins). `None` for a draw or an
/// infinite bound, which nobody forces.
fn naive<G: Game>(game: &G, board: G::Board, value: &Value, mover: bool) -> Option<bool> {
    let bound = if mover {
        value.lower
    } else {
        value.upper.negated()
    };
    let need = i32::from(bound.finite()?);
    if !G::SCORED && need < 1 {
        return None;
    }
    let table = HashMap::new();
    Some(Naive { game, table }.can(board, mover, need))
}

/// The bounds as text, or the outcome in win-loss games.
fn answer<G: Game>(proof: &Proof) -> String {
    if G::SCORED {
        assert!(proof.value().is_some());
        format!("{} {}", proof.lower()[0], proof.upper()[0])
    } else {
        proof.outcome(0).expect("proven").to_string()
    }
}

struct Answers<'a>(&'a Position);

impl Visitor for Answers<'_> {
    type Output = (String, [Option<bool>; 2]);

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        let board = self.0.board(game);
        let proof = prove(game, board);
        let value = Value {
            lower: proof.lower()[0],
            upper: proof.upper()[1],
            ..Value::OPEN
        };
        let naive = [true, false].map(|mover| naive(game, board, &value, mover));
        (answer::<G>(&proof), naive)
    }
}

#[test]
fn heed_of_history_is_needed_and_taken() {
    let text = std::fs::read_to_string(file()).unwrap();
    assert!(text.lines().count() >= 200);
    for line in text.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let game: GameName = case["game"].as_str().unwrap().parse().unwrap();
        let position = case["position"].as_str().unwrap();
        let (setup, position) = parse_position(position, &Rules::new(game)).unwrap();
        let (found, naive) = setup.visit(position.seeds(), Answers(&position)).unwrap();
        assert_eq!(case["bounds"], found.as_str(), "{line}");
        // It denies what can be forced.
        assert!(naive.contains(&Some(false)), "{line}");
    }
}

/// Lists positions of a layer that mislead the naive search.
struct Mine<'a> {
    setup: &'a Setup,
    layer: Layer,
    most: usize,
}

impl Visitor for Mine<'_> {
    type Output = Vec<String>;

    fn visit<G: Game>(self, game: &G) -> Vec<String> {
        let plan = Plan::new(game, self.layer).unwrap();
        let store = plan.solve(game, &Silent).unwrap();
        let mut lines = Vec::new();
        let positions = store.index().positions(self.layer);
        let step = (positions as f64 * 0.618_033_988) as u64 | 1;
        for sample in 0..positions.min(2_000) {
            let board = store.index().unrank(self.layer, sample * step % positions);
            let value = store.value::<G>(board).unwrap();
            let exact = if G::SCORED {
                format!("{} {}", value.lower, value.upper)
            } else {
                value.outcome(0).to_string()
            };
            let naive = [true, false].map(|mover| naive(game, board, &value, mover));
            if !naive.contains(&Some(false)) {
                continue;
            }
            let mut pits = vec![0; self.setup.pits()];
            game.unpack(board, 0, &mut pits);
            let position = Position {
                pits,
                seat: Seat::South,
                captured: None,
            };
            let text = position.text(self.setup);
            let game = self.setup.game().as_str();
            lines.push(json!({"game": game, "position": text, "bounds": exact}).to_string());
            if lines.len() == self.most {
                break;
            }
        }
        lines
    }
}

/// Writes the file anew: `cargo test --release --test suite search_cycles -- --ignored`.
#[test]
#[ignore = "writes the file that the other test reads"]
fn mine() {
    let mut lines = Vec::new();
    for (game, columns, layer) in [
        (GameName::Giuthi, 3, Layer::Total(9)),
        (GameName::Giuthi, 3, Layer::Total(12)),
        (GameName::Giuthi, 4, Layer::Total(10)),
        (GameName::Giuthi, 4, Layer::Total(11)),
        (GameName::Giuthi, 5, Layer::Total(9)),
        (GameName::Bosh, 4, Layer::Total(10)),
        (GameName::Bosh, 5, Layer::Total(9)),
        (GameName::Hawalis, 3, Layer::Sides(5, 5)),
        (GameName::Hawalis, 4, Layer::Sides(4, 4)),
        (GameName::Hus, 3, Layer::Total(8)),
    ] {
        let setup = Setup::new(columns, Rules::new(game)).unwrap();
        let most = 60;
        let mine = Mine {
            setup: &setup,
            layer,
            most,
        };
        let found = setup.visit(layer.seeds(), mine).unwrap();
        eprintln!("{game} {columns} {layer}: {}", found.len());
        lines.extend(found);
    }
    std::fs::write(file(), lines.join("\n") + "\n").unwrap();
}
