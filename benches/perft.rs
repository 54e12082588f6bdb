//! Moves made a second in perft from usual start positions, single-threaded, by game and board width.
//!
//! The count is asserted in every run, so that a faster wrong answer cannot pass. A "move made" is a
//! node below the root.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sowbase::game::Game;
use sowbase::games::{GameName, Rules, Setup, Visitor};
use sowbase::notation::Position;
use sowbase::perft::perft;
use std::hint::black_box;

struct Case {
    game: GameName,
    columns: usize,
    seeds: u32,
    depth: u32,
    /// Paths of each depth from 1 to `depth`; `tests/cases/perft.csv`.
    counts: &'static [u64],
}

const CASES: [Case; 4] = [
    Case {
        game: GameName::Giuthi,
        columns: 8,
        seeds: 8,
        depth: 5,
        counts: &[16, 220, 2736, 31924, 368012],
    },
    Case {
        game: GameName::Bosh,
        columns: 5,
        seeds: 4,
        depth: 9,
        counts: &[5, 19, 79, 266, 864, 2881, 9280, 27823, 83989],
    },
    Case {
        game: GameName::Hawalis,
        columns: 7,
        seeds: 2,
        depth: 5,
        counts: &[14, 182, 1539, 12626, 80250],
    },
    Case {
        game: GameName::Hus,
        columns: 8,
        seeds: 2,
        depth: 5,
        counts: &[12, 144, 1244, 11350, 77105],
    },
];

struct Run<'a, 'b>(&'a Case, &'b mut Criterion);

impl Visitor for Run<'_, '_> {
    type Output = ();

    fn visit<G: Game>(self, game: &G) {
        let Self(case, criterion) = self;
        let setup = Setup::new(case.columns, Rules::new(case.game)).expect("a setup");
        let board = Position::start(&setup, case.seeds)
            .expect("a board")
            .board(game);
        let mut group = criterion.benchmark_group("perft");
        group.throughput(Throughput::Elements(case.counts.iter().sum()));
        group.sample_size(20);
        let name = format!("{}-{}x{}", case.game, case.columns, case.seeds);
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let count = perft(game, black_box(board), case.depth);
                assert_eq!(count, case.counts.last().copied());
            });
        });
        group.finish();
    }
}

fn all(criterion: &mut Criterion) {
    for case in &CASES {
        let setup = Setup::new(case.columns, Rules::new(case.game)).expect("a setup");
        let total = Position::start(&setup, case.seeds)
            .expect("a start")
            .seeds();
        setup.visit(total, Run(case, criterion)).expect("a board");
    }
}

criterion_group!(benches, all);
criterion_main!(benches);
