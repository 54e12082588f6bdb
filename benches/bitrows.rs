//! The bit-row solver's parts and the whole of it, each with the answer that it must give.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use sowbase::game::OwnSide;
use sowbase::games::{GameName, OwnSideVisitor, Rules, Setup};
use sowbase::index::Layer;
use sowbase::progress::Silent;
use sowbase::retro::bitrows::{Ask, BitRows, BitStore, Counts, Row, Sink, Wanted, turn_block};
use std::hint::black_box;

/// Positions won, lost.
const FIVE_FOUR: [u64; 2] = [13_149_148, 7_237_846];

struct OnTheUsualBoard<'a>(&'a mut Criterion);

impl OwnSideVisitor for OnTheUsualBoard<'_> {
    type Output = ();

    fn visit<G: OwnSide>(self, game: &G) {
        let rows = BitRows::new(game, 5).expect("sides can be tabulated");
        let mut lower = BitStore::default();
        rows.solve_all((5, 4), Wanted::default(), None, &Silent, |layer, bits| {
            lower.insert(layer, bits.clone());
        })
        .expect("nothing stops it");
        let layer = Layer::Sides(5, 4);
        let positions = 2 * rows.positions(layer);
        let mut group = self.0.benchmark_group("hawalis 4x7, 5-4 and 4-5");
        group.sample_size(10);
        group.throughput(Throughput::Elements(positions));
        let start = || {
            let solver = rows.level(&lower, (5, 4), Ask::Outcome, None, &Silent);
            solver.expect("nothing stops it")
        };
        group.bench_function("captures", |bench| bench.iter(start));
        group.bench_function("first wave", |bench| {
            bench.iter_batched_ref(
                start,
                |solver| assert!(solver.step().expect("nothing stops it")),
                BatchSize::PerIteration,
            );
        });
        group.bench_function("second wave", |bench| {
            let after_one = || {
                let mut solver = start();
                assert!(solver.step().expect("nothing stops it"));
                solver
            };
            bench.iter_batched_ref(
                after_one,
                |solver| assert!(solver.step().expect("nothing stops it")),
                BatchSize::PerIteration,
            );
        });
        let level = |sink: Option<&dyn Sink>| {
            let solved = rows.solve(&lower, (5, 4), Ask::Outcome, sink, &Silent);
            let solved = solved.expect("nothing stops it");
            assert_eq!(solved[0].0, layer);
            assert_eq!(solved[0].1.count(), FIVE_FOUR);
        };
        group.bench_function("level, outcomes", |bench| bench.iter(|| level(None)));
        group.bench_function("level, distances counted", |bench| {
            bench.iter(|| level(Some(&Counts::default())));
        });
        group.finish();
    }
}

fn levels(criterion: &mut Criterion) {
    let setup = Setup::new(7, Rules::new(GameName::Hawalis)).expect("seven columns");
    setup
        .visit_own_side(10, OnTheUsualBoard(criterion))
        .expect("few seeds");
}

fn transpose(criterion: &mut Criterion) {
    let block: [Row; 64] =
        std::array::from_fn(|i| Row(std::array::from_fn(|t| 0x9E37 << ((i + t) % 48))));
    let mut group = criterion.benchmark_group("transpose");
    group.throughput(Throughput::Elements(64 * 512));
    group.bench_function("64 rows of 512", |bench| {
        let mut turned = block;
        bench.iter(|| {
            turn_block(black_box(&mut turned));
            turn_block(black_box(&mut turned));
            assert!(turned[5] == block[5]);
        });
    });
    group.finish();
}

criterion_group!(benches, transpose, levels);
criterion_main!(benches);
