//! The proof search against solved layers: same bounds, same outcome, whatever its table's size, its
//! threads, and the layers it is given.

use sowbase::board::Layering;
use sowbase::game::Game;
use sowbase::games::{GameName, Rules, Setup, Visitor};
use sowbase::index::Layer;
use sowbase::progress::Silent;
use sowbase::retro::{Plan, Store};
use sowbase::search::{Goal, Limits, Prover, Source};
use sowbase::value::Value;

/// Positions of one layer to be proven.
struct Check {
    layer: Layer,
    samples: u64,
    bytes: u64,
    threads: usize,
    /// Layers with at most so many seeds are given as exact values.
    given: Option<u32>,
}

impl Check {
    fn position<G: Game>(&self, prover: &Prover<'_, G>, store: &Store<G::Board>, board: G::Board) {
        let exact = store.value::<G>(board).unwrap();
        let source = |board| -> Option<Value> {
            let layer = store.index().layer(board);
            self.given
                .filter(|&most| layer.seeds() <= most)
                .and_then(|_| store.value::<G>(board))
        };
        let source: &Source<'_, G::Board> = &source;
        let limits = Limits::threads(self.threads);
        for lead in if G::SCORED { &[0, 3][..] } else { &[0] } {
            let proof = prover.prove(
                (board, *lead),
                Goal::Bounds,
                &[],
                Some(source),
                limits,
                &Silent,
            );
            assert_eq!(
                proof.outcome(*lead),
                Some(exact.outcome(*lead)),
                "{board:?}"
            );
            if G::SCORED {
                let value = proof.value().expect("both bounds are found");
                assert_eq!(
                    (value.lower, value.upper),
                    (exact.lower, exact.upper),
                    "{board:?}"
                );
                assert_eq!(proof.margin(*lead), Some(exact.margin(*lead)));
            }
        }
    }
}

impl Visitor for &Check {
    type Output = ();

    fn visit<G: Game>(self, game: &G) {
        let plan = Plan::new(game, self.layer).unwrap();
        let store = plan.solve(game, &Silent).unwrap();
        let prover = Prover::new(game, self.layer, self.bytes);
        let positions = store.index().positions(self.layer);
        // A fixed walk over the layer by a step that shares no factor with most sizes.
        let step = (positions as f64 * 0.618_033_988) as u64 | 1;
        for sample in 0..self.samples.min(positions) {
            let rank = (u128::from(sample) * u128::from(step) % u128::from(positions)) as u64;
            self.position(&prover, &store, store.index().unrank(self.layer, rank));
        }
        assert_eq!(game.shape().layering == Layering::Total, G::SCORED);
    }
}

fn boards() -> Vec<(GameName, usize, Layer)> {
    vec![
        (GameName::Giuthi, 3, Layer::Total(9)),
        (GameName::Giuthi, 4, Layer::Total(8)),
        (GameName::Giuthi, 5, Layer::Total(7)),
        (GameName::Bosh, 3, Layer::Total(9)),
        (GameName::Bosh, 4, Layer::Total(8)),
        (GameName::Bosh, 5, Layer::Total(7)),
        (GameName::Hawalis, 3, Layer::Sides(5, 5)),
        (GameName::Hawalis, 4, Layer::Sides(4, 5)),
        (GameName::Hus, 2, Layer::Total(10)),
        (GameName::Hus, 3, Layer::Total(8)),
    ]
}

fn run(samples: u64, bytes: u64, threads: usize, given: Option<u32>) {
    for (game, columns, layer) in boards() {
        let setup = Setup::new(columns, Rules::new(game)).unwrap();
        let check = Check {
            layer,
            samples,
            bytes,
            threads,
            given,
        };
        let before = std::time::Instant::now();
        setup.visit(layer.seeds(), &check).unwrap();
        eprintln!("{game} {columns} {layer}: {:?}", before.elapsed());
    }
}

#[test]
fn a_small_table_is_enough() {
    run(200, 1 << 20, 1, None);
}

#[test]
fn given_layers_change_nothing() {
    run(200, 1 << 20, 1, Some(4));
}

#[test]
fn threads_change_nothing() {
    run(100, 1 << 24, 2, None);
    run(50, 1 << 24, 8, Some(3));
}
