//! Search on positions of all games, each with the answer that it must give.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use sowbase::game::Game;
use sowbase::games::{GameName, Rules, Visitor};
use sowbase::index::layer_of;
use sowbase::notation::{Position, parse_position};
use sowbase::progress::Silent;
use sowbase::search::{Analyser, Goal, Limits, Prover};
use sowbase::value::Outcome;

const MIB: u64 = 1 << 20;

/// Positions with who wins and how deep to look.
const POSITIONS: [(GameName, &str, Outcome, u32); 4] = [
    (GameName::Giuthi, "2,2,2,2,2/2,2,2,2,2 S", Outcome::Win, 8),
    (GameName::Bosh, "2,2,2,2,2/2,2,2,2,2 S", Outcome::Win, 12),
    (
        GameName::Hawalis,
        "2,2,2/2,2,2/2,2,2/2,2,2 S",
        Outcome::Win,
        12,
    ),
    (
        GameName::Hus,
        "2,2,2/2,0,0/0,0,2/2,2,2 S",
        Outcome::Loss,
        10,
    ),
];

struct Bench<'a> {
    criterion: &'a mut Criterion,
    name: GameName,
    position: &'a Position,
    outcome: Outcome,
    depth: u32,
}

impl Visitor for Bench<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: &G) {
        let board = self.position.board(game);
        let layer = layer_of(game.shape(), board);
        let limits = Limits::threads(1);
        let mut group = self.criterion.benchmark_group(self.name.as_str());
        group.sample_size(10);
        group.bench_function("proof", |bench| {
            bench.iter_batched_ref(
                || Prover::new(game, layer, 16 * MIB).expect("few seeds"),
                |prover| {
                    let proof = prover.prove((board, 0), Goal::Outcome, &[], None, limits, &Silent);
                    assert_eq!(proof.outcome(0), Some(self.outcome));
                },
                BatchSize::PerIteration,
            );
        });
        let mut nodes = None;
        group.bench_function(format!("{} plies", self.depth), |bench| {
            bench.iter_batched_ref(
                || Analyser::new(game, 16 * MIB),
                |analyser| {
                    let asked = (board, 0);
                    let found =
                        analyser.analyse(asked, self.depth, None, limits, &Silent, &mut |_| {});
                    assert_eq!(found.depth, self.depth);
                    // On one thread the work is the same each time.
                    assert_eq!(*nodes.get_or_insert(found.nodes), found.nodes);
                },
                BatchSize::PerIteration,
            );
        });
        group.finish();
    }
}

fn positions(criterion: &mut Criterion) {
    for (name, text, outcome, depth) in POSITIONS {
        let (setup, position) = parse_position(text, &Rules::new(name)).expect("a position");
        let bench = Bench {
            criterion,
            name,
            position: &position,
            outcome,
            depth,
        };
        setup.visit(position.seeds(), bench).expect("a board");
    }
}

criterion_group!(benches, positions);
criterion_main!(benches);
