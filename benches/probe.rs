//! Probes a second on one thread: warm (every block decoded), many at once, and cold (a block decoded
//! for every probe). Every sum of answers is asserted, so that a faster wrong answer cannot pass.
//!
//! The tables are those that the project carries. The cache of a larger table is no different, but
//! the processor's own caches are: there a probe also waits for memory.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sowbase::game::Game;
use sowbase::games::Visitor;
use sowbase::notation::Position;
use sowbase::table::{CACHE, Reader, Table};
use sowbase::value::Value;
use std::hint::black_box;
use std::path::Path;

/// Tables, by what is particular: two-row with two bounds, four-row in tiles with outcomes.
const TABLES: [&str; 2] = ["bosh-2x3", "hawalis-4x2"];

/// Positions probed in an iteration: warm, and cold.
const PROBES: [usize; 2] = [20_000, 8];

fn open(name: &str, cache: u64) -> Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables");
    Table::open_with(&path.join(name), cache).expect("a table of the project")
}

/// Positions from all over a table with their values, in no order.
fn sample(table: &Table) -> Vec<(Position, Value)> {
    let mut all = Vec::new();
    for (file, (_, blocks)) in table.layers().into_iter().enumerate() {
        for block in 0..blocks {
            let rows = table.rows(file, block).expect("a sound block");
            all.extend(rows.into_iter().map(|row| (row.position, row.value)));
        }
    }
    let mut state = 5u64;
    let mut random = || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % all.len()
    };
    let picked: Vec<usize> = (0..PROBES[0]).map(|_| random()).collect();
    picked.into_iter().map(|at| all[at].clone()).collect()
}

/// What stands for all answers together.
fn sum(values: impl Iterator<Item = Value>) -> i64 {
    let number = |value: Value| {
        i64::from(value.margin(0)) * 7
            + i64::from(value.lower_distance)
            + i64::from(value.upper_distance)
    };
    values.map(number).sum()
}

/// Probes by board, as solvers and searches do, which have no positions.
struct ByBoard<'a>(
    &'a str,
    &'a Table,
    &'a [(Position, Value)],
    &'a mut Criterion,
);

impl Visitor for ByBoard<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: &G) {
        let Self(name, table, sample, criterion) = self;
        let (setup, manifest) = (table.setup(), table.manifest());
        let reader =
            Reader::open(table.directory(), manifest, setup, game, CACHE).expect("a table");
        let boards: Vec<G::Board> = sample.iter().map(|(at, _)| at.board(game)).collect();
        let wanted = sum(sample.iter().map(|(_, value)| *value));
        let probe = |board: &G::Board| reader.value(*board).expect("sound").expect("covered");
        let mut group = criterion.benchmark_group(format!("probe {name}"));
        group.throughput(Throughput::Elements(boards.len() as u64));
        group.bench_function("warm, Reader::value", |bench| {
            bench.iter(|| assert_eq!(sum(black_box(&boards).iter().map(probe)), wanted));
        });
        group.finish();
    }
}

fn all(criterion: &mut Criterion) {
    for name in TABLES {
        let table = open(name, CACHE);
        let sample = sample(&table);
        let positions: Vec<Position> = sample
            .iter()
            .map(|(position, _)| position.clone())
            .collect();
        let wanted = |probes: usize| sum(sample[..probes].iter().map(|(_, value)| *value));
        let mut group = criterion.benchmark_group(format!("probe {name}"));
        let probe = |position: &Position| table.probe(position).expect("a value");
        let warm = wanted(positions.len());
        group.throughput(Throughput::Elements(positions.len() as u64));
        group.bench_function("warm, Table::probe", |bench| {
            bench.iter(|| assert_eq!(sum(black_box(&positions).iter().map(probe)), warm));
        });
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let one = one.expect("a thread");
        group.bench_function("warm, Table::probe_all", |bench| {
            bench.iter(|| {
                let found = one.install(|| table.probe_all(black_box(&positions)));
                assert_eq!(
                    sum(found.into_iter().map(|value| value.expect("a value"))),
                    warm
                );
            });
        });
        let [_, probes] = PROBES;
        let (cold, wanted) = (open(name, 0), wanted(probes));
        let probe = |position: &Position| cold.probe(position).expect("a value");
        group.throughput(Throughput::Elements(probes as u64));
        group.sample_size(10);
        group.bench_function("cold, Table::probe", |bench| {
            bench.iter(|| assert_eq!(sum(positions[..probes].iter().map(probe)), wanted));
        });
        group.finish();
        let seeds = table.top().seeds();
        let by_board = ByBoard(name, &table, &sample, criterion);
        table.setup().visit(seeds, by_board).expect("a board");
    }
}

criterion_group!(benches, all);
criterion_main!(benches);
