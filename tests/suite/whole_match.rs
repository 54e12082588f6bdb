//! A match of Bosh as one graph, written from RULES alone: every position of every round with what is
//! taken, what is in hand and who opened it, and every state between rounds. Two reachability problems
//! on it, one a player, say who wins; nothing is shared with `sowbase::rounds`, which is held against it.

use ahash::AHashMap;
use sowbase::games::{GameName, Rules, Seat, Setup};
use sowbase::plain::{MAX_PITS, PlainBoard, PlainPlay, PlainRules, PlainTurn};

/// A match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bout<'a> {
    pub columns: usize,
    /// Seeds that fill a pit.
    pub seeds: usize,
    /// Options that are not at their default.
    pub options: &'a [(&'a str, &'a str)],
}

/// What a state between rounds is worth: rounds within which South, and North, can force to have won.
pub type Worth = [Option<u32>; 2];

/// A state between rounds: what South owns, and who opens.
pub type Between = (usize, Seat);

/// Most pits of a board.
const PITS: usize = 10;

/// A position of a round. Small, for of the largest match there are many millions.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    between: u8,
    mover: Seat,
    taken: [u8; 2],
    pits: [u8; 10],
}

/// Who chooses at a node, and where its edges begin; they end where those of the next one begin.
struct Node {
    from: u32,
    chooser: Seat,
    /// An endless move may be chosen, which draws.
    drawable: bool,
}

struct Graph<'a> {
    bout: Bout<'a>,
    rules: Rules,
    /// States between rounds come first, by their number.
    nodes: Vec<Node>,
    edges: Vec<u32>,
    numbers: AHashMap<Key, u32>,
    /// All positions in the order of their numbers.
    keys: Vec<Key>,
}

const SEATS: [Seat; 2] = [Seat::South, Seat::North];

impl<'a> Bout<'a> {
    pub fn rules(&self) -> Rules {
        let mut rules = Rules::new(GameName::Bosh);
        for (name, value) in self.options {
            rules.set(name, value).expect("an option of Bosh");
        }
        rules
    }

    pub fn total(&self) -> usize {
        2 * self.columns * self.seeds
    }

    /// All states between rounds.
    pub fn betweens(&self) -> impl Iterator<Item = Between> {
        (0..=self.total()).flat_map(|south| SEATS.map(|opener| (south, opener)))
    }

    fn number(&self, (south, opener): Between) -> u8 {
        u8::try_from(2 * south + opener as usize).expect("few seeds")
    }

    /// Who has won, if somebody has fewer seeds than fill a pit.
    fn won(&self, south: usize) -> Option<Seat> {
        if south < self.seeds {
            Some(Seat::North)
        } else if self.total() - south < self.seeds {
            Some(Seat::South)
        } else {
            None
        }
    }

    /// The worth of every state between rounds, in the order of [`Bout::betweens`].
    pub fn solve(&self) -> Vec<Worth> {
        let mut graph = Graph {
            bout: *self,
            rules: self.rules(),
            nodes: Vec::new(),
            edges: Vec::new(),
            numbers: AHashMap::new(),
            keys: Vec::new(),
        };
        graph.grow();
        let [south, north] = SEATS.map(|seat| graph.reach(seat));
        south.into_iter().zip(north).map(|(s, n)| [s, n]).collect()
    }
}

impl Graph<'_> {
    /// Pits that a player fills: which are open, in the player's own order, and seeds left in hand.
    fn fill(&self, owned: usize) -> (Vec<bool>, usize) {
        let columns = self.bout.columns;
        let mut open = vec![false; columns];
        let mut hand = owned;
        let order: Vec<usize> = match self.rules.get("fill") {
            "right" => (0..columns).rev().collect(),
            _ => (0..columns).collect(),
        };
        for pit in order {
            if hand >= self.bout.seeds {
                hand -= self.bout.seeds;
                open[pit] = true;
            }
        }
        (open, hand)
    }

    fn number(&mut self, key: Key, betweens: u32) -> u32 {
        let next = betweens + self.numbers.len() as u32;
        *self.numbers.entry(key).or_insert_with(|| {
            self.keys.push(key);
            next
        })
    }

    fn node(&mut self, chooser: Seat, targets: &[u32], drawable: bool) {
        self.nodes.push(Node {
            from: u32::try_from(self.edges.len()).expect("few edges"),
            chooser,
            drawable,
        });
        self.edges.extend_from_slice(targets);
    }

    fn targets(&self, at: usize) -> &[u32] {
        let to = self.nodes.get(at + 1);
        let to = to.map_or(self.edges.len(), |next| next.from as usize);
        &self.edges[self.nodes[at].from as usize..to]
    }

    fn grow(&mut self) {
        let bout = self.bout;
        let betweens: Vec<Between> = bout.betweens().collect();
        let count = betweens.len() as u32;
        let columns = bout.columns;
        let mut boards = Vec::new();
        for &(south, opener) in &betweens {
            let (open_south, hand_south) = self.fill(south);
            let (open_north, hand_north) = self.fill(bout.total() - south);
            let closed = [&open_south, &open_north].map(|open| {
                let bit = |(pit, open): (usize, &bool)| u16::from(!*open) << pit;
                open.iter().enumerate().map(bit).sum::<u16>()
            });
            let setup = Setup::with_closed(columns, self.rules.clone(), closed).expect("a board");
            boards.push((PlainRules::new(&setup), [hand_south, hand_north]));
            if bout.won(south).is_some() {
                self.node(opener, &[], false);
                continue;
            }
            let mut pits = [0; PITS];
            let (own, other) = match opener {
                Seat::South => (&open_south, &open_north),
                Seat::North => (&open_north, &open_south),
            };
            for (pit, open) in own.iter().chain(other).enumerate() {
                pits[pit] = if *open { bout.seeds as u8 } else { 0 };
            }
            let key = Key {
                between: bout.number((south, opener)),
                mover: opener,
                taken: [0, 0],
                pits,
            };
            let start = self.number(key, count);
            self.node(opener, &[start], false);
        }
        let mut done = 0;
        while done < self.keys.len() {
            let key = self.keys[done];
            done += 1;
            self.expand(key, &boards, count);
        }
    }

    fn expand(&mut self, key: Key, boards: &[(PlainRules, [usize; 2])], count: u32) {
        let (rules, hands) = &boards[key.between as usize];
        let mut pits = [0; MAX_PITS];
        pits[..PITS].copy_from_slice(&key.pits);
        let (mut targets, mut drawable) = (Vec::new(), false);
        let turn = rules.turn(&PlainBoard { pits }, key.mover, |_, play| match play {
            PlainPlay::Endless { .. } => drawable |= rules.endless_draws(),
            PlainPlay::Done {
                board, captured, ..
            } => {
                let mut next = Key {
                    mover: key.mover.other(),
                    ..key
                };
                next.pits.copy_from_slice(&board.pits[..PITS]);
                next.taken[key.mover as usize] += captured as u8;
                targets.push(next);
            }
        });
        let mut numbers: Vec<u32> = Vec::new();
        if turn == PlainTurn::Moves {
            for next in targets {
                numbers.push(self.number(next, count));
            }
        } else {
            let mut taken = key.taken.map(usize::from);
            taken[key.mover.other() as usize] +=
                key.pits.iter().map(|&p| usize::from(p)).sum::<usize>();
            let opener = SEATS[key.between as usize % 2];
            numbers.push(self.after_round(opener, taken, *hands));
        }
        self.node(key.mover, &numbers, drawable);
    }

    /// The state between rounds after one.
    fn after_round(&self, opener: Seat, taken: [usize; 2], hands: [usize; 2]) -> u32 {
        let winner = match taken[0].cmp(&taken[1]) {
            std::cmp::Ordering::Greater => Some(Seat::South),
            std::cmp::Ordering::Less => Some(Seat::North),
            std::cmp::Ordering::Equal => None,
        };
        let next = match (self.rules.get("first-player"), winner) {
            ("winner", Some(winner)) => winner,
            ("loser", Some(winner)) => winner.other(),
            _ => opener.other(),
        };
        u32::from(self.bout.number((hands[0] + taken[0], next)))
    }

    /// Rounds within which a player can force to have won, for every state between rounds: rounds are
    /// counted by letting a state between rounds be won only after all positions within rounds have
    /// settled.
    fn reach(&self, seat: Seat) -> Vec<Option<u32>> {
        let betweens: Vec<Between> = self.bout.betweens().collect();
        let mut won = vec![false; self.nodes.len()];
        let mut within: Vec<Option<u32>> = vec![None; betweens.len()];
        for (at, (south, _)) in betweens.iter().enumerate() {
            if self.bout.won(*south) == Some(seat) {
                (won[at], within[at]) = (true, Some(0));
            }
        }
        for rounds in 1.. {
            let mut changed = true;
            while changed {
                changed = false;
                for at in (betweens.len()..self.nodes.len()).rev() {
                    let node = &self.nodes[at];
                    if won[at] {
                        continue;
                    }
                    let mut targets = self.targets(at).iter();
                    won[at] = match node.chooser == seat {
                        true => targets.any(|&to| won[to as usize]),
                        false => !node.drawable && targets.all(|&to| won[to as usize]),
                    };
                    changed |= won[at];
                }
            }
            let mut grown = false;
            for at in 0..betweens.len() {
                let round = self.targets(at).first();
                if !won[at] && round.is_some_and(|&start| won[start as usize]) {
                    within[at] = Some(rounds);
                    grown = true;
                }
            }
            for at in 0..betweens.len() {
                won[at] = within[at].is_some();
            }
            if !grown {
                return within;
            }
        }
        within
    }
}
