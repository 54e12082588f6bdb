//! The lock-free table of scores against a `DashMap` with `ahash`, in the same search on the same
//! positions: `transpositions [MIB] [THREADS]`.
//!
//! The search is a plain alpha-beta to a fixed depth with iterative deepening, so that what differs
//! is the table alone; the positions are those of `sowbase bench` that have a depth. A `DashMap` has
//! no fixed size: it takes no more entries once it holds as many as the other table has room for,
//! counted at 32 bytes each (key, entry, control byte, a load of at most 7/8).

use dashmap::DashMap;
use sowbase::board::{Board, Lanes};
use sowbase::game::{Game, Play, Turn};
use sowbase::games::{Rules, Setup, Visitor};
use sowbase::notation::{Position, parse_position};
use sowbase::search::scores::{Entry, Kind, NO_MOVE, Scores};
use std::hash::{BuildHasher, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

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

trait Table: Sync {
    fn get(&self, key: u64) -> Option<Entry>;
    fn put(&self, key: u64, entry: Entry);
}

impl Table for Scores {
    fn get(&self, key: u64) -> Option<Entry> {
        Self::get(self, key)
    }
    fn put(&self, key: u64, entry: Entry) {
        Self::put(self, key, entry);
    }
}

struct Dashed {
    map: DashMap<u64, Entry, ahash::RandomState>,
    most: usize,
    full: AtomicUsize,
}

impl Table for Dashed {
    fn get(&self, key: u64) -> Option<Entry> {
        self.map.get(&key).map(|entry| *entry)
    }
    fn put(&self, key: u64, entry: Entry) {
        if let Some(mut old) = self.map.get_mut(&key) {
            *old = entry;
        } else if self.full.load(Ordering::Relaxed) < self.most {
            self.map.insert(key, entry);
            self.full.fetch_add(1, Ordering::Relaxed);
        }
    }
}

struct Search<'a, G: Game, T> {
    game: &'a G,
    table: &'a T,
    hasher: &'a ahash::RandomState,
    pits: usize,
    nodes: u64,
}

impl<G: Game, T: Table> Search<'_, G, T> {
    fn key(&self, board: G::Board, lead: i32) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        std::hash::Hash::hash(&board, &mut hasher);
        hasher.write_i32(lead);
        hasher.finish()
    }

    fn evaluate(&self, board: G::Board, lead: i32) -> i32 {
        let sum = |ring: usize, pits: usize| board.ring(ring).prefix_sums().get(pits - 1) as i32;
        if G::Board::RINGS == 2 {
            sum(0, self.pits) - sum(1, self.pits)
        } else {
            5 * lead + 2 * sum(0, self.pits / 2) - sum(0, self.pits)
        }
    }

    /// Fail-soft alpha-beta. The moves that keep the turn cost depth like all others.
    fn node(
        &mut self,
        (board, lead): (G::Board, i32),
        depth: u8,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        self.nodes += 1;
        if depth == 0 {
            return self.evaluate(board, lead);
        }
        let key = self.key(board, lead);
        let entry = self.table.get(key);
        if let Some(entry) = entry.filter(|entry| entry.depth >= depth) {
            let score = i32::from(entry.score);
            match entry.kind {
                Kind::Exactly => return score,
                Kind::AtLeast if score >= beta => return score,
                Kind::AtMost if score <= alpha => return score,
                _ => {}
            }
        }
        let mut moves: Vec<_> = self.game.candidates(board).collect();
        let first = entry.map_or(NO_MOVE, |entry| entry.choice);
        moves.sort_by_key(|choice| choice.code() != first);
        let (before, mut best, mut chosen) = (alpha, -30_000, NO_MOVE);
        for choice in moves {
            let Play::Done(played) = self.game.play(board, choice) else {
                continue;
            };
            let lead = lead + if G::SCORED { played.captured as i32 } else { 0 };
            let score = if played.again {
                self.node((played.board, lead), depth - 1, alpha, beta)
            } else {
                -self.node((played.board, -lead), depth - 1, -beta, -alpha)
            };
            if score > best {
                (best, chosen) = (score, choice.code());
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }
        if chosen == NO_MOVE {
            return match self.game.stuck(board) {
                Turn::Over { margin } if G::SCORED => 5 * (margin + lead),
                Turn::Over { margin } => margin * 1000,
                _ => self.evaluate(board, lead),
            };
        }
        let kind = match best {
            score if score >= beta => Kind::AtLeast,
            score if score > before => Kind::Exactly,
            _ => Kind::AtMost,
        };
        let entry = Entry {
            score: best as i16,
            depth,
            kind,
            choice: chosen,
        };
        self.table.put(key, entry);
        best
    }
}

struct Compare<'a> {
    position: &'a Position,
    depth: u8,
    bytes: u64,
    threads: usize,
}

impl Compare<'_> {
    /// Score, nodes of all threads, seconds by the clock and of processor time.
    fn run<G: Game, T: Table>(&self, game: &G, table: &T) -> (i32, u64, [f64; 2]) {
        let board = self.position.board(game);
        let hasher = ahash::RandomState::with_seeds(1, 2, 3, 4);
        let (start, before) = (Instant::now(), cpu());
        let work = |thread: usize| {
            let mut search = Search {
                game,
                table,
                hasher: &hasher,
                pits: game.shape().pits,
                nodes: 0,
            };
            let mut score = 0;
            // Every other thread is a ply ahead, as in the analysis search.
            for depth in 1 + thread as u8 % 2..=self.depth {
                score = search.node((board, self.position.lead()), depth, -30_000, 30_000);
            }
            (score, search.nodes)
        };
        let (score, nodes) = std::thread::scope(|scope| {
            let others: Vec<_> = (1..self.threads)
                .map(|t| scope.spawn(move || work(t)))
                .collect();
            let (score, nodes) = work(0);
            let others = others
                .into_iter()
                .map(|other| other.join().expect("no panic").1);
            (score, nodes + others.sum::<u64>())
        });
        (
            score,
            nodes,
            [start.elapsed().as_secs_f64(), cpu() - before],
        )
    }
}

impl Visitor for Compare<'_> {
    type Output = [(i32, u64, [f64; 2]); 2];

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        let free = self.run(game, &Scores::new(self.bytes));
        let most = (self.bytes / 32) as usize;
        let map = DashMap::with_capacity_and_hasher(most, ahash::RandomState::new());
        let full = AtomicUsize::new(0);
        [free, self.run(game, &Dashed { map, most, full })]
    }
}

fn main() {
    let arguments: Vec<u64> = std::env::args()
        .skip(1)
        .map(|text| text.parse().expect("usage: transpositions [MIB] [THREADS]"))
        .collect();
    let mib = arguments.first().copied().unwrap_or(64);
    let threads = arguments.get(1).map_or(1, |&threads| threads as usize);
    let mut totals = [(0u64, [0f64; 2]); 2];
    for line in include_str!("../benches/positions.jsonl").lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let Some(depth) = case["depth"].as_u64() else {
            continue;
        };
        let game = case["game"]
            .as_str()
            .expect("a game")
            .parse()
            .expect("a game");
        let rules = Rules::new(game);
        let number = |key: &str| case.get(key).and_then(serde_json::Value::as_u64);
        let (setup, position) = match case["position"].as_str().expect("a position") {
            "start" => {
                let columns = number("columns").map_or(game.usual_columns(), |n| n as usize);
                let setup = Setup::new(columns, rules).expect("a board");
                let seeds = number("seeds").map_or(game.usual_seeds(), |n| n as u32);
                let position = Position::start(&setup, seeds).expect("few seeds");
                (setup, position)
            }
            text => parse_position(text, &rules).expect("a position"),
        };
        let compare = Compare {
            position: &position,
            depth: depth as u8,
            bytes: mib << 20,
            threads,
        };
        let found = setup.visit(position.seeds(), compare).expect("a board");
        for ((score, nodes, seconds), total) in found.into_iter().zip(&mut totals) {
            print!("{game} score {score} {nodes} nodes {:.2} s; ", seconds[1]);
            total.0 += nodes;
            total.1[0] += seconds[0];
            total.1[1] += seconds[1];
        }
        println!();
    }
    for (name, (nodes, seconds)) in ["lock-free", "dashmap"].into_iter().zip(totals) {
        println!(
            "# {name}: {nodes} nodes, {:.2} s by the clock, {:.2} s of processor time, {:.2} M nodes a second of that",
            seconds[0],
            seconds[1],
            nodes as f64 / seconds[1] / 1e6
        );
    }
}
