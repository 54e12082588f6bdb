//! The wave solver's parts and a whole level, each with the answer that it must give.
//!
//! One lap, one rank, a step of a walk and all moves of a position, alone and in batches, over the same layer of Bosh 2x5; then
//! that layer solved from those below it, with all edges kept and with none.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sowbase::batch::Batch;
use sowbase::board::{Direction, Lanes, P64x6, Ring};
use sowbase::game::{Game, Play};
use sowbase::games::{GameName, Rules, Setup, Visitor};
use sowbase::index::{Layer, RingIndex};
use sowbase::progress::Silent;
use sowbase::retro::{Forgetful, Level, Plan, solve_level};
use std::hint::black_box;

const LAYER: Layer = Layer::Total(14);
/// C(23, 9).
const POSITIONS: u64 = 817_190;
/// Legal moves of all positions of the layer, and seeds that they take.
const MOVES: [u64; 2] = [2_484_380, 3_755_050];

struct OnBosh<'a>(&'a mut Criterion);

impl Visitor for OnBosh<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: &G) {
        let plan = Plan::new(game, LAYER).expect("a plan");
        let store = plan.solve(game, &Silent).expect("a solution");
        let wanted = store.layer(LAYER).expect("solved").clone();
        let level = Level::new(store.index(), &[LAYER]);
        let mut group = self.0.benchmark_group("bosh 2x5, 14 seeds");
        group.sample_size(10);
        group.throughput(Throughput::Elements(POSITIONS));
        group.bench_function("walk and rank", |bench| {
            bench.iter(|| {
                let boards = store.index().walk(LAYER, 0..POSITIONS);
                let sum: u64 = boards.map(|board| store.index().rank(board)).sum();
                assert_eq!(sum, POSITIONS * (POSITIONS - 1) / 2);
            });
        });
        group.bench_function("expand", |bench| {
            bench.iter(|| {
                let mut found = [0; 2];
                for board in store.index().walk(LAYER, 0..POSITIONS) {
                    game.expand(board, |_, play| {
                        if let Play::Done(played) = play {
                            found[0] += 1;
                            found[1] += u64::from(played.captured);
                        }
                    });
                }
                assert_eq!(found, MOVES);
            });
        });
        group.bench_function("expand in batches", |bench| {
            bench.iter(|| {
                let mut found = [0; 2];
                let mut batch = Batch::default();
                let mut play = |batch: &mut Batch<G::Board, ()>| {
                    batch.play(game, |_, plays| {
                        for play in plays {
                            if let Play::Done(played) = play {
                                found[0] += 1;
                                found[1] += u64::from(played.captured);
                            }
                        }
                    });
                };
                for board in store.index().walk(LAYER, 0..POSITIONS) {
                    batch.push(game, board, ());
                    if batch.is_full() {
                        play(&mut batch);
                    }
                }
                play(&mut batch);
                assert_eq!(found, MOVES);
            });
        });
        for (name, room) in [("level, all edges kept", u64::MAX), ("level, none kept", 0)] {
            group.bench_function(name, |bench| {
                bench.iter(|| {
                    let solved = solve_level(game, &store, &level, room, &Silent, &mut Forgetful);
                    assert!(solved.expect("nothing stops it")[0].1 == wanted);
                });
            });
        }
        group.finish();
    }
}

fn levels(criterion: &mut Criterion) {
    let setup = Setup::new(5, Rules::new(GameName::Bosh)).expect("five columns");
    setup.visit(14, OnBosh(criterion)).expect("few seeds");
}

/// Seeds of a lap from each pit in turn, for every way to place 8 seeds on 10 pits.
fn laps(criterion: &mut Criterion) {
    let (pits, seeds) = (10, 8);
    let ring = Ring::<P64x6>::new(pits, false);
    let index = RingIndex::<P64x6>::new(pits, seeds).expect("few ways");
    let words: Vec<P64x6> = (0..index.ways(seeds))
        .map(|rank| index.unrank(rank, seeds))
        .collect();
    let mut group = criterion.benchmark_group("lap");
    group.throughput(Throughput::Elements((words.len() * pits) as u64));
    group.bench_function("10 pits", |bench| {
        bench.iter(|| {
            let mut total = 0u64;
            for &word in black_box(&words) {
                for pit in 0..pits {
                    let hand = word.get(pit);
                    if hand > 0 {
                        let (after, _) = ring.lap(word, pit, hand, Direction::Ccw);
                        total += u64::from(index.seeds(after));
                    }
                }
            }
            // Of each pit, as many ways as leave it not empty: those of one seed less.
            assert_eq!(
                total,
                u64::from(seeds) * pits as u64 * index.ways(seeds - 1)
            );
        });
    });
    group.finish();
}

criterion_group!(benches, laps, levels);
criterion_main!(benches);
