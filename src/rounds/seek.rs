//! Owns: whether a set of ends can be forced from one position, with the values of all positions at hand.
//!
//! Bounds answer most positions of a round ([`super::forced_by_bounds`], which holds at any of them): only
//! those that they leave open are looked into, and what can be come to from there through such. That is a
//! graph far smaller than a layer; its least fixpoint is the answer for every position in it.

use super::{Answer, Role, Values, answer_within};
use crate::game::{Game, Play, Turn};
use crate::index::layer_of;
use crate::progress::Progress;
use crate::value::{Bound, Value};
use ahash::AHashMap;

/// Bytes that a position takes while it is looked into, edges included: an estimate.
pub const SPOT: u64 = 160;

/// Positions between two looks at whether to stop.
const BATCH: usize = 1 << 12;

/// A position as the asker sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Spot<B> {
    /// The board.
    pub board: B,
    /// Whether the asker is to move.
    pub asker_moves: bool,
    /// Seeds that the asker has taken.
    pub taken: u32,
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsought {
    /// More positions than allowed.
    TooMany,
    /// A value is missing.
    Missing,
    /// Work was stopped.
    Stopped,
}

/// One question about a round, to be asked at any of its positions.
pub struct Seek<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The values of all positions.
    pub values: &'a Values<G::Board>,
    /// Is told of positions that are looked into.
    pub progress: &'a dyn Progress,
    /// By the seeds that the asker takes.
    pub targets: Vec<bool>,
    /// Most positions to look into.
    pub most: usize,
    /// What is known of positions that bounds leave open.
    pub known: AHashMap<Spot<G::Board>, bool>,
}

/// The set of an asker's own takes, where `targets` are those of the opener.
pub fn own_targets(role: Role, targets: &[bool]) -> Vec<bool> {
    match role {
        Role::Opener => targets.to_vec(),
        Role::Replier => targets.iter().rev().copied().collect(),
    }
}

/// A position that is looked into.
struct Node {
    asker: bool,
    /// Moves to such positions that have not come out for the asker.
    open: u32,
    won: bool,
}

/// What is looked into.
struct Graph<B> {
    spots: Vec<Spot<B>>,
    numbers: AHashMap<Spot<B>, u32>,
    nodes: Vec<Node>,
    /// Moves between them, where from and where to.
    edges: Vec<[u32; 2]>,
}

impl<G: Game> Seek<'_, G> {
    /// Whether the asker can force an end in the set.
    ///
    /// # Errors
    /// When a value is missing, there are more positions than allowed, or work is stopped.
    pub fn forces(&mut self, spot: Spot<G::Board>) -> Result<bool, Unsought> {
        match self.told(spot)? {
            Answer::Yes => return Ok(true),
            Answer::No => return Ok(false),
            Answer::Open => {}
        }
        let graph = self.explore(spot)?;
        let won = settle(graph.nodes, &graph.edges);
        self.known.extend(graph.spots.into_iter().zip(won));
        Ok(self.known[&spot])
    }

    /// What is known of a position without looking into it.
    fn told(&self, spot: Spot<G::Board>) -> Result<Answer, Unsought> {
        if let Some(won) = self.known.get(&spot) {
            return Ok(if *won { Answer::Yes } else { Answer::No });
        }
        let value: Value = (self.values)(spot.board).ok_or(Unsought::Missing)?;
        let left = self.left(spot);
        let own = match spot.asker_moves {
            true => value.lower,
            false => value.upper.negated(),
        };
        let Bound::Finite(margin) = own else {
            return Ok(Answer::No);
        };
        let share = (i32::from(margin) + left as i32) as u32 / 2;
        let takes = &self.targets[spot.taken as usize..=(spot.taken + left) as usize];
        Ok(answer_within(takes, share as usize))
    }

    fn left(&self, spot: Spot<G::Board>) -> u32 {
        layer_of(self.game.shape(), spot.board).seeds()
    }

    fn explore(&self, from: Spot<G::Board>) -> Result<Graph<G::Board>, Unsought> {
        let mut graph = Graph {
            spots: vec![from],
            numbers: AHashMap::from_iter([(from, 0)]),
            nodes: Vec::new(),
            edges: Vec::new(),
        };
        while graph.nodes.len() < graph.spots.len() {
            let at = graph.nodes.len();
            if at.is_multiple_of(BATCH) {
                self.progress.advance(BATCH as u64);
                if self.progress.stopped() {
                    return Err(Unsought::Stopped);
                }
            }
            if graph.spots.len() + self.known.len() > self.most {
                return Err(Unsought::TooMany);
            }
            let node = self.look_into(graph.spots[at], at as u32, &mut graph)?;
            graph.nodes.push(node);
        }
        Ok(graph)
    }

    fn look_into(
        &self,
        spot: Spot<G::Board>,
        at: u32,
        graph: &mut Graph<G::Board>,
    ) -> Result<Node, Unsought> {
        let asker = spot.asker_moves;
        let (mut next, mut endless) = (Vec::new(), false);
        let turn = self.game.expand(spot.board, |_, play| match play {
            Play::Endless { .. } => endless = true,
            Play::Done(played) => next.push(Spot {
                board: played.board,
                asker_moves: asker == played.again,
                taken: spot.taken + if asker { played.captured } else { 0 },
            }),
        });
        let done = |won: bool| Node {
            asker,
            open: u32::from(!won),
            won,
        };
        if !matches!(turn, Turn::Moves) {
            // Whoever is stuck leaves all seeds to the other.
            let more = if asker { 0 } else { self.left(spot) };
            return Ok(done(self.targets[(spot.taken + more) as usize]));
        }
        if endless && self.game.endless_draws() && !asker {
            return Ok(done(false));
        }
        let from = graph.edges.len();
        for next in next {
            match (self.told(next)?, asker) {
                (Answer::Yes, true) | (Answer::No, false) => {
                    // One such move says it all.
                    graph.edges.truncate(from);
                    return Ok(done(asker));
                }
                (Answer::Open, _) => {
                    let new = graph.spots.len() as u32;
                    let to = *graph.numbers.entry(next).or_insert(new);
                    if to == new {
                        graph.spots.push(next);
                    }
                    graph.edges.push([at, to]);
                }
                _ => {}
            }
        }
        let open = (graph.edges.len() - from) as u32;
        Ok(Node {
            asker,
            open,
            won: !asker && open == 0,
        })
    }
}

/// Which nodes the asker wins: backwards from those that are won.
fn settle(mut nodes: Vec<Node>, edges: &[[u32; 2]]) -> Vec<bool> {
    // The moves that lead to a node, side by side.
    let mut starts = vec![0usize; nodes.len() + 1];
    for [_, to] in edges {
        starts[*to as usize + 1] += 1;
    }
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let mut fill = starts.clone();
    let mut before = vec![0u32; edges.len()];
    for [from, to] in edges {
        before[fill[*to as usize]] = *from;
        fill[*to as usize] += 1;
    }
    let won = |(at, node): (usize, &Node)| node.won.then_some(at);
    let mut waiting: Vec<usize> = nodes.iter().enumerate().filter_map(won).collect();
    while let Some(at) = waiting.pop() {
        for &from in &before[starts[at]..starts[at + 1]] {
            let node = &mut nodes[from as usize];
            if node.won {
                continue;
            }
            node.open -= 1;
            if node.asker || node.open == 0 {
                node.won = true;
                waiting.push(from as usize);
            }
        }
    }
    nodes.into_iter().map(|node| node.won).collect()
}
