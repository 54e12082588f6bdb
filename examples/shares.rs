//! How many large positions are proven with tables of small ones:
//! `shares GAME COLUMNS TOP FROM TO POSITIONS SECONDS THREADS [MIB] [played]`.
//!
//! TOP is the largest layer that is solved beforehand (`12`, or `5-5` a side), FROM and TO the layers
//! of the positions, which are spread evenly over them; with `played` they are those that games of
//! random moves from the usual start first come to, which are less one-sided. For each position: who wins (`outcome`) and
//! both bounds (`value`), each with SECONDS of time. The figures of docs/search.md are
//!
//! ```text
//! cargo run --release --example shares giuthi 6 12 20 24 50 60 2
//! cargo run --release --example shares giuthi 6 12 20 24 50 60 2 1024 played
//! cargo run --release --example shares hawalis 7 5-5 8-8 8-8 40 60 2
//! ```

use sowbase::game::{Game, Play, Turn};
use sowbase::games::{GameName, Rules, Setup, Visitor};
use sowbase::index::{Index, Layer, layer_of};
use sowbase::notation::Position;
use sowbase::progress::Silent;
use sowbase::retro::Plan;
use sowbase::search::{Goal, Limits, Prover, Source};
use std::time::{Duration, Instant};

struct Shares {
    top: Layer,
    layers: Vec<Layer>,
    positions: usize,
    time: Duration,
    threads: usize,
    bytes: u64,
    /// Where games of random moves begin, if they give the positions.
    start: Option<Position>,
}

/// Plays random moves from `board` until a layer of `layers` is reached; `None` if it never is.
fn played<G: Game>(
    game: &G,
    mut board: G::Board,
    layers: &[Layer],
    random: &mut u64,
) -> Option<G::Board> {
    for _ in 0..1000 {
        if layers.contains(&layer_of(game.shape(), board)) {
            return Some(board);
        }
        let mut next = Vec::new();
        let turn = game.expand(board, |_, play| {
            if let Play::Done(played) = play {
                next.push(played.board);
            }
        });
        board = match turn {
            Turn::Moves => {
                // xorshift64: the same games each time.
                *random ^= *random << 13;
                *random ^= *random >> 7;
                *random ^= *random << 17;
                next[(*random >> 33) as usize % next.len()]
            }
            Turn::Pass(board) => board,
            Turn::Over { .. } => return None,
        };
    }
    None
}

/// Says how many were proven and the median time.
fn summarise(times: &mut [Vec<f64>; 2]) {
    for (what, times) in ["outcome", "value"].into_iter().zip(times) {
        times.sort_by(f64::total_cmp);
        let proven = times.iter().filter(|time| time.is_finite()).count();
        if let Some(median) = times.get(times.len() / 2) {
            println!(
                "# {what}: {proven} of {} proven, median {median:.2} s",
                times.len()
            );
        }
    }
}

impl Visitor for Shares {
    type Output = ();

    fn visit<G: Game>(self, game: &G) {
        let start = Instant::now();
        let plan = Plan::new(game, self.top).expect("layers that can be solved");
        let store = plan.solve(game, &Silent).expect("nothing stops it");
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "# layers up to {} in {seconds:.1} s: {} positions",
            self.top, plan.positions
        );
        let covered = store.index().layer(store.index().unrank(self.top, 0));
        assert_eq!(covered, self.top);
        let most = self.layers.iter().copied().max().expect("a layer");
        let index = Index::<G::Board>::new(game.shape(), most).expect("positions can be numbered");
        let inside = |board: G::Board| match (index.layer(board), self.top) {
            (Layer::Total(seeds), Layer::Total(top)) => seeds <= top,
            (Layer::Sides(own, other), Layer::Sides(a, b)) => {
                own.max(other) <= a.max(b) && own.min(other) <= a.min(b)
            }
            _ => false,
        };
        let values = |board| inside(board).then(|| store.value::<G>(board)).flatten();
        let source: &Source<'_, G::Board> = &values;
        let mut times = [Vec::new(), Vec::new()];
        let mut random = 1;
        for sample in 0..self.positions {
            let layer = self.layers[sample % self.layers.len()];
            let all = u128::from(index.positions(layer));
            // Even and the same each time: multiples of the golden section.
            let place = (sample as u128 + 1) * 11_400_714_819_323_198_485 % (1 << 64);
            let board = match &self.start {
                None => index.unrank(layer, ((all * place) >> 64) as u64),
                Some(start) => loop {
                    let start = start.board(game);
                    if let Some(board) = played(game, start, &self.layers, &mut random) {
                        break board;
                    }
                },
            };
            let layer = index.layer(board);
            for (goal, times) in [Goal::Outcome, Goal::Bounds].into_iter().zip(&mut times) {
                if goal == Goal::Bounds && !G::SCORED {
                    continue;
                }
                let prover = Prover::new(game, layer, self.bytes).expect("few seeds");
                let start = Instant::now();
                let limits = Limits {
                    threads: self.threads,
                    deadline: Some(start + self.time),
                };
                let proof = prover.prove((board, 0), goal, &[], Some(source), limits, &Silent);
                let seconds = start.elapsed().as_secs_f64();
                let found = match goal {
                    Goal::Outcome => proof.outcome(0).is_some(),
                    _ => proof.value().is_some(),
                };
                println!(
                    "{layer} {goal:?} {} {seconds:.2} s {} expanded, {:?} {:?}",
                    if found { "proven" } else { "open" },
                    proof.expanded,
                    proof.lower(),
                    proof.upper(),
                );
                times.push(if found { seconds } else { f64::INFINITY });
            }
        }
        summarise(&mut times);
    }
}

fn layer(text: &str) -> Layer {
    let number = |text: &str| text.parse().expect("a number of seeds");
    match text.split_once('-') {
        Some((own, other)) => Layer::Sides(number(own), number(other)),
        None => Layer::Total(number(text)),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [
        game,
        columns,
        top,
        from,
        to,
        positions,
        seconds,
        threads,
        rest @ ..,
    ] = &arguments[..]
    else {
        panic!("usage: shares GAME COLUMNS TOP FROM TO POSITIONS SECONDS THREADS [MIB] [played]");
    };
    let game: GameName = game.parse().expect("a game");
    let setup = Setup::new(columns.parse().expect("columns"), Rules::new(game)).expect("a setup");
    let layers = match (layer(from), layer(to)) {
        (Layer::Total(from), Layer::Total(to)) => (from..=to).map(Layer::Total).collect(),
        (from, _) => vec![from],
    };
    let mib: u64 = rest.first().map_or(1024, |mib| mib.parse().expect("MiB"));
    let shares = Shares {
        top: layer(top),
        positions: positions.parse().expect("a number of positions"),
        time: Duration::from_secs(seconds.parse().expect("seconds")),
        threads: threads.parse().expect("threads"),
        bytes: mib << 20,
        start: rest
            .get(1)
            .map(|_| Position::start(&setup, game.usual_seeds()).expect("few seeds")),
        layers,
    };
    let start = shares.start.as_ref().map_or(0, Position::seeds);
    let layers = shares.layers.iter().map(|layer| layer.seeds());
    let seeds = layers.fold(start, u32::max);
    setup.visit(seeds, shares).expect("a board");
}
