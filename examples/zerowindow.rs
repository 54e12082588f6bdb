//! Depth-first proof-number search against iterated zero-window search, on the same questions:
//! `zerowindow GAME COLUMNS LAYER POSITIONS SECONDS`.
//!
//! The question is whether the mover can force a win in a game that ends. The zero-window search asks
//! it with alpha-beta of one answer (yes, no, not within this depth) to depths 1, 2, 3 and so on, with
//! a table of what is proven at all, what is refuted at all, and what was open at which depth. It is
//! right about repetition in the plain way: what leans on a position above the node is not kept.
//! Moves are tried in the order of the seeds taken. Both run on one thread without tables.

use ahash::AHashMap;
use sowbase::game::{Game, Play, Turn};
use sowbase::games::{GameName, Rules, Setup, Visitor};
use sowbase::index::{Index, Layer};
use sowbase::progress::Silent;
use sowbase::search::{Goal, Limits, Prover};
use std::cmp::Reverse;
use std::time::{Duration, Instant};

/// Seconds of processor time that this program has taken (Linux; 0 elsewhere): on a machine with other
/// work it says more than the clock.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(") ").next().unwrap_or_default().split(' ');
    let ticks = fields
        .skip(11)
        .take(2)
        .filter_map(|ticks| ticks.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

/// Entries of the table of the zero-window search, some 100 bytes each.
const MOST: usize = 10_000_000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    Open,
}

/// What is kept of a board, whoever asks, and what is lacking: an answer, or the depth that left it
/// open.
#[derive(Clone, Copy)]
struct Kept {
    answer: Answer,
    depth: u32,
}

/// Answer and the least place on the path that a "no" or "open" leans on.
type Found = (Answer, usize);

struct ZeroWindow<'a, G: Game> {
    game: &'a G,
    table: AHashMap<(G::Board, bool, i32), Kept>,
    path: Vec<(G::Board, bool, i32)>,
    nodes: u64,
    end: Instant,
}

impl<G: Game> ZeroWindow<'_, G> {
    /// Where the moves lead, what they take and whether they keep the turn; those that take most come
    /// first. Or the final margin.
    fn moves(&self, board: G::Board) -> Result<Vec<(G::Board, i32, bool)>, i32> {
        let mut moves = Vec::new();
        let turn = self.game.expand(board, |_, play| {
            if let Play::Done(played) = play {
                let gain = if G::SCORED { played.captured as i32 } else { 0 };
                moves.push((played.board, gain, played.again));
            }
        });
        match turn {
            Turn::Over { margin } => return Err(margin),
            Turn::Pass(board) => moves.push((board, 0, false)),
            Turn::Moves => {}
        }
        moves.sort_by_key(|(_, gain, again)| Reverse((*gain, *again)));
        Ok(moves)
    }

    /// Whether the asker can come out `need` ahead of what both have now.
    fn node(&mut self, board: G::Board, asks: bool, need: i32, depth: u32) -> Found {
        let key = (board, asks, need);
        if let Some(at) = self
            .path
            .iter()
            .rposition(|on| on.0 == board && on.1 == asks)
        {
            return (Answer::No, at);
        }
        match self.table.get(&key) {
            Some(kept) if kept.answer != Answer::Open => return (kept.answer, usize::MAX),
            Some(kept) if kept.depth >= depth => return (Answer::Open, usize::MAX),
            _ if depth == 0 || Instant::now() >= self.end => return (Answer::Open, usize::MAX),
            _ => {}
        }
        self.nodes += 1;
        let moves = match self.moves(board) {
            Ok(moves) => moves,
            Err(margin) => {
                let own = if asks { margin } else { -margin };
                let answer = if own >= need { Answer::Yes } else { Answer::No };
                return (answer, usize::MAX);
            }
        };
        // For the asker one yes is enough, for the other one no.
        let (enough, all) = if asks {
            (Answer::Yes, Answer::No)
        } else {
            (Answer::No, Answer::Yes)
        };
        let here = self.path.len();
        self.path.push(key);
        let (mut result, mut leans) = (all, usize::MAX);
        for (board, gain, again) in moves {
            let need = need - if asks { gain } else { -gain };
            let (answer, least) = self.node(board, asks == again, need, depth - 1);
            if answer == enough {
                (result, leans) = (enough, least);
                break;
            }
            leans = leans.min(least);
            if answer == Answer::Open {
                result = Answer::Open;
            }
        }
        self.path.pop();
        // A place of its own path is no condition: whoever is led back there has failed.
        if leans >= here {
            leans = usize::MAX;
        }
        if (result == Answer::Yes || leans == usize::MAX) && self.table.len() < MOST {
            let answer = result;
            self.table.insert(key, Kept { answer, depth });
        }
        (
            result,
            if result == Answer::Yes {
                usize::MAX
            } else {
                leans
            },
        )
    }
}

struct Compare {
    layer: Layer,
    positions: u64,
    time: Duration,
}

impl Visitor for Compare {
    type Output = ();

    fn visit<G: Game>(self, game: &G) {
        let index = Index::<G::Board>::new(game.shape(), self.layer).expect("an index");
        let all = u128::from(index.positions(self.layer));
        let mut totals = [(0, 0u64, 0f64); 2];
        for sample in 0..self.positions {
            let place = u128::from(sample + 1) * 11_400_714_819_323_198_485 % (1 << 64);
            let board = index.unrank(self.layer, ((all * place) >> 64) as u64);
            let (start, before) = (Instant::now(), cpu());
            let mut window = ZeroWindow {
                game,
                table: AHashMap::new(),
                path: Vec::new(),
                nodes: 0,
                end: start + self.time,
            };
            let mut answer = Answer::Open;
            let mut depth = 0;
            while answer == Answer::Open && Instant::now() < window.end {
                depth += 1;
                answer = window.node(board, true, 1, depth).0;
            }
            let by_window = (answer, window.nodes, cpu() - before);
            let prover = Prover::new(game, self.layer, 1 << 30).expect("few seeds");
            let (start, before) = (Instant::now(), cpu());
            let limits = Limits {
                threads: 1,
                deadline: Some(start + self.time),
            };
            let proof = prover.prove((board, 0), Goal::Wins, &[], None, limits, &Silent);
            let answer = match proof.bracket().wins(0) {
                Some(true) => Answer::Yes,
                Some(false) => Answer::No,
                None => Answer::Open,
            };
            let by_numbers = (answer, proof.expanded, cpu() - before);
            let both = by_window.0 != Answer::Open && answer != Answer::Open;
            assert!(!both || by_window.0 == answer, "they disagree on {board:?}");
            for ((answer, nodes, seconds), total) in
                [by_window, by_numbers].into_iter().zip(&mut totals)
            {
                total.0 += usize::from(answer != Answer::Open);
                total.1 += nodes;
                total.2 += seconds;
            }
        }
        for (name, (answered, nodes, seconds)) in
            ["zero-window", "proof-number"].into_iter().zip(totals)
        {
            println!(
                "{name}: {answered} of {} answered, {nodes} positions expanded, {seconds:.1} s of processor time",
                self.positions
            );
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, columns, layer, positions, seconds] = &arguments[..] else {
        panic!("usage: zerowindow GAME COLUMNS LAYER POSITIONS SECONDS");
    };
    let game: GameName = game.parse().expect("a game");
    let setup = Setup::new(columns.parse().expect("columns"), Rules::new(game)).expect("a setup");
    let number = |text: &str| text.parse().expect("a number of seeds");
    let compare = Compare {
        layer: match layer.split_once('-') {
            Some((own, other)) => Layer::Sides(number(own), number(other)),
            None => Layer::Total(number(layer)),
        },
        positions: positions.parse().expect("a number of positions"),
        time: Duration::from_secs(seconds.parse().expect("seconds")),
    };
    let seeds = compare.layer.seeds();
    let run = move || setup.visit(seeds, compare).expect("a board");
    // One frame a ply.
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(run);
    thread.expect("a thread").join().expect("no panic");
}
