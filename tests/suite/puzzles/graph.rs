//! Owns: a layer as one graph by the plain rules, and what a player can force in it, wave by wave, with
//! the positions of a line struck out.

use sowbase::game::Move;
use sowbase::games::{Seat, Setup};
use sowbase::index::Layer;
use sowbase::notation::Position;
use sowbase::plain::{PlainBoard, PlainPlay, PlainRules, PlainTurn};
use sowbase::retro::naive::NaiveTable;
use sowbase::value::Bound;
use std::collections::{HashMap, HashSet};

/// A move in the graph of a layer; captured seeds are the mover's.
pub enum Edge {
    Stays {
        to: usize,
        again: bool,
    },
    Leaves {
        to: Position,
        gain: i32,
        again: bool,
    },
    Endless,
}

/// All positions of a layer (and of the one with the sides changed), as their mover sees them.
pub struct Graph<'a> {
    pub table: &'a NaiveTable,
    pub numbers: HashMap<Vec<u8>, usize>,
    pub edges: Vec<Vec<(Move, Edge)>>,
    /// The final margin where the game is over.
    over: Vec<Option<i32>>,
    pub boards: Vec<Position>,
}

/// A position and whether the player who asks is to move.
pub type Place = (usize, bool);

impl<'a> Graph<'a> {
    pub fn new(setup: &Setup, layer: Layer, table: &'a NaiveTable) -> Self {
        let layers = match layer {
            Layer::Sides(a, b) if a != b => vec![layer, Layer::Sides(b, a)],
            _ => vec![layer],
        };
        let boards: Vec<Position> = layers
            .iter()
            .flat_map(|&layer| table.positions(layer))
            .map(|(position, _)| position)
            .collect();
        let number = |(at, position): (usize, &Position)| (position.pits.clone(), at);
        let numbers: HashMap<Vec<u8>, usize> = boards.iter().enumerate().map(number).collect();
        let rules = PlainRules::new(setup);
        let scored = setup.game().scored();
        let (mut edges, mut over) = (Vec::new(), Vec::new());
        for position in &boards {
            let mut list = Vec::new();
            let pits = |board: &PlainBoard| board.pits[..setup.pits()].to_vec();
            let turn = rules.turn(&PlainBoard::of(position), Seat::South, |choice, play| {
                let edge = match play {
                    PlainPlay::Endless { .. } if rules.endless_draws() => Edge::Endless,
                    PlainPlay::Endless { .. } => return,
                    PlainPlay::Done {
                        board,
                        captured,
                        again,
                        ..
                    } => match numbers.get(&pits(&board)) {
                        Some(&to) if captured == 0 => Edge::Stays { to, again },
                        _ => Edge::Leaves {
                            to: rules.position(&board, Seat::South),
                            gain: if scored { captured as i32 } else { 0 },
                            again,
                        },
                    },
                };
                list.push((choice, edge));
            });
            over.push(match turn {
                PlainTurn::Over { margin } => Some(margin),
                _ => None,
            });
            if let PlainTurn::Pass(board) = turn {
                let to = numbers[&pits(&board)];
                list.push((Move::PASS, Edge::Stays { to, again: false }));
            }
            edges.push(list);
        }
        Self {
            table,
            numbers,
            edges,
            over,
            boards,
        }
    }

    /// Whether the asker forces a margin of `least` from each place, in a game that ends and comes to
    /// none of `past`, within so many plies to the next capture or the end.
    pub fn forced(&self, least: i32, within: Option<u32>, past: &HashSet<Place>) -> Vec<[bool; 2]> {
        let mut known: Vec<[bool; 2]> = (0..self.boards.len())
            .map(|at| {
                [false, true].map(|asks| {
                    let margin = self.over[at].map(|m| if asks { m } else { -m });
                    !past.contains(&(at, asks)) && margin.is_some_and(|margin| margin >= least)
                })
            })
            .collect();
        for _ in 0..within.unwrap_or(u32::MAX) {
            let next: Vec<[bool; 2]> = (0..self.boards.len())
                .map(|at| {
                    [false, true].map(|asks| {
                        if past.contains(&(at, asks)) || self.over[at].is_some() {
                            return known[at][usize::from(asks)];
                        }
                        let holds =
                            |(_, edge): &(Move, Edge)| self.holds(edge, asks, least, &known);
                        let mut edges = self.edges[at].iter();
                        if asks {
                            edges.any(holds)
                        } else {
                            edges.all(holds)
                        }
                    })
                })
                .collect();
            if next == known {
                break;
            }
            known = next;
        }
        known
    }

    /// Whether the asker has it after a move, made by them if `asks`.
    pub fn holds(&self, edge: &Edge, asks: bool, least: i32, known: &[[bool; 2]]) -> bool {
        match edge {
            Edge::Endless => false,
            Edge::Stays { to, again } => known[*to][usize::from(asks == *again)],
            Edge::Leaves { to, gain, again } => {
                let value = self.table.value(to).unwrap();
                let bound = if asks == *again {
                    value.lower
                } else {
                    value.upper.negated()
                };
                let gain = if asks { *gain } else { -gain };
                bound >= Bound::Finite((least - gain) as i16)
            }
        }
    }

    /// The moves at a place of the solver, each with whether it meets the stipulation.
    pub fn moves(&self, at: usize, asked: &Asked, past: &HashSet<Place>) -> Vec<(Move, bool)> {
        let mut past = past.clone();
        past.insert((at, true));
        let edges = self.edges[at].iter();
        match *asked {
            Asked::Force { least, within } => {
                if within == Some(0) {
                    return edges.map(|(choice, _)| (*choice, false)).collect();
                }
                let known = self.forced(least, within.map(|plies| plies - 1), &past);
                edges
                    .map(|(choice, edge)| (*choice, self.holds(edge, true, least, &known)))
                    .collect()
            }
            // Held is what the defender cannot spoil, who asks for more than the solver may lose.
            Asked::Hold { least } => {
                let swapped = past.iter().map(|&(at, solver)| (at, !solver)).collect();
                let known = self.forced(1 - least, None, &swapped);
                edges
                    .map(|(choice, edge)| (*choice, !self.holds(edge, false, 1 - least, &known)))
                    .collect()
            }
        }
    }

    pub fn meets(&self, at: usize, asked: &Asked) -> bool {
        match *asked {
            Asked::Force { least, within } => self.forced(least, within, &HashSet::new())[at][1],
            Asked::Hold { least } => !self.forced(1 - least, None, &HashSet::new())[at][0],
        }
    }
}

/// What is left to be met.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Asked {
    Force { least: i32, within: Option<u32> },
    Hold { least: i32 },
}
