//! How deep the analysis search sees from a start position, and how fast:
//! `depth GAME COLUMNS SEEDS SECONDS THREADS [MIB]`.
//!
//! Processor time is Linux's count for the whole program; on a machine with other work the nodes a
//! second of it say more than those by the clock.

use sowbase::game::Game;
use sowbase::games::{Rules, Setup, Visitor};
use sowbase::notation::Position;
use sowbase::progress::Silent;
use sowbase::search::{Analyser, Limits};
use std::time::{Duration, Instant};

/// Seconds of processor time that this program has taken (Linux; 0 elsewhere).
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(") ").next().unwrap_or_default().split(' ');
    let ticks = fields
        .skip(11)
        .take(2)
        .filter_map(|ticks| ticks.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

struct Depth {
    position: Position,
    time: Duration,
    threads: usize,
    bytes: u64,
}

impl Visitor for Depth {
    type Output = ();

    fn visit<G: Game>(self, game: &G) {
        let analyser = Analyser::new(game, self.bytes);
        let start = Instant::now();
        let before = cpu();
        let limits = Limits {
            threads: self.threads,
            deadline: Some(start + self.time),
        };
        let asked = (self.position.board(game), 0);
        let told = |nodes: u64| {
            let (clock, processor) = (start.elapsed().as_secs_f64(), cpu() - before);
            format!(
                "{nodes} nodes, {clock:.1} s by the clock ({:.2} M nodes/s), {processor:.1} s of processor time ({:.2} M nodes/s)",
                nodes as f64 / clock / 1e6,
                nodes as f64 / processor / 1e6,
            )
        };
        let found = analyser.analyse(asked, u32::MAX, None, limits, &Silent, &mut |found| {
            println!(
                "depth {}: margin {:+.2}, {}",
                found.depth,
                found.margin,
                told(found.nodes)
            );
        });
        println!(
            "# {} threads: depth {}, {}",
            self.threads,
            found.depth,
            told(found.nodes)
        );
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, columns, seeds, seconds, threads, rest @ ..] = &arguments[..] else {
        panic!("usage: depth GAME COLUMNS SEEDS SECONDS THREADS [MIB]");
    };
    let rules = Rules::new(game.parse().expect("a game"));
    let setup = Setup::new(columns.parse().expect("columns"), rules).expect("a setup");
    let position = Position::start(&setup, seeds.parse().expect("seeds")).expect("few seeds");
    let mib: u64 = rest.first().map_or(64, |mib| mib.parse().expect("MiB"));
    let depth = Depth {
        time: Duration::from_secs(seconds.parse().expect("seconds")),
        threads: threads.parse().expect("threads"),
        bytes: mib << 20,
        position,
    };
    let seeds = depth.position.seeds();
    setup.visit(seeds, depth).expect("a board");
}
