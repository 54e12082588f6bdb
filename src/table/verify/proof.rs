//! Owns: the proof of one position (the argument is in [`super`]).

use super::{Fault, NAMED, Values};
use crate::game::Game;
use crate::games::{Seat, Setup};
use crate::index::Layer;
use crate::plain::{Pits, PlainBoard, PlainPlay, PlainRules, PlainTurn};
use crate::table::block::has_distance;
use crate::table::probe::seat_of;
use crate::table::read::{Reader, stake};
use crate::tally::Tally;
use crate::value::{
    Bound, Code, Distance, MINUS_INFINITY, PLUS_INFINITY, continued, decode, encode, opposed,
};
use ahash::AHashMap;
use std::ops::Range;

/// A move as the proof sees it.
#[derive(Clone, Copy, Debug)]
struct Reply {
    /// What it gives to either bound of the mover.
    codes: [Code; 2],
    /// Where it leads, if it stays in the level.
    stays: Option<Place>,
}

/// A position of the level.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Place {
    file: usize,
    rank: u64,
    /// Which of its bounds (0 `lower`, 1 `upper`) the mover's `lower` comes from: 1 unless the same
    /// player moves again.
    lower_from: usize,
}

impl Place {
    /// Which bound there the mover's `bound` comes from.
    fn bound(&self, bound: usize) -> usize {
        bound ^ self.lower_from
    }
}

/// Proves positions of a level.
pub struct Prover<'a, G: Game> {
    reader: &'a Reader<G>,
    rules: PlainRules,
    layers: &'a [Values],
    pits: usize,
    seats: usize,
}

/// What a bound reaches in how many plies, as far as it was asked.
type Known = AHashMap<(usize, u64, usize, Code, Distance), bool>;

impl<'a, G: Game> Prover<'a, G> {
    /// For the highest level of `layers`, which are the table's from the lowest up.
    pub fn new(reader: &'a Reader<G>, setup: &Setup, layers: &'a [Values]) -> Self {
        Self {
            reader,
            rules: PlainRules::new(setup),
            layers,
            pits: reader.pits(),
            seats: reader.game().shape().seats,
        }
    }

    /// Positions of a layer.
    pub fn positions(&self, file: usize) -> u64 {
        self.layers[file].codes.len() as u64
    }

    fn layer(&self, file: usize) -> Layer {
        self.reader.files()[file].layer
    }

    /// Counts a layer.
    pub fn tally(&self, file: usize, values: &Values) -> Tally {
        let mut tally = Tally::default();
        for (rank, &codes) in values.codes.iter().enumerate() {
            let distances = values.distances.get(rank).copied().unwrap_or([0; 2]);
            tally.count(&self.reader.value_of(file, (codes, distances)));
        }
        tally
    }

    /// Proves the positions at `ranks`: how many are faulty, and the first of them.
    pub fn prove(&self, file: usize, ranks: Range<u64>) -> (u64, Vec<Fault>) {
        let layer = self.layer(file);
        let (mut faulty, mut faults) = (0, Vec::new());
        let mut replies = Vec::new();
        let walk = self.reader.index().walk(layer, ranks.clone());
        for (rank, board) in ranks.zip(walk) {
            let (plain, seat) = self.plain(board);
            let Err(what) = self.position(file, rank, &plain, seat, &mut replies) else {
                continue;
            };
            faulty += 1;
            if faults.len() < NAMED {
                faults.push(Fault {
                    layer,
                    rank,
                    position: self.rules.position(&plain, seat),
                    what,
                });
            }
        }
        (faulty, faults)
    }

    fn plain(&self, board: G::Board) -> (PlainBoard, Seat) {
        let seat = seat_of(self.reader.game(), board, self.seats);
        let mut pits: Pits = [0; crate::plain::MAX_PITS];
        self.reader
            .game()
            .unpack(board, seat as usize, &mut pits[..self.pits]);
        (PlainBoard { pits }, seat)
    }

    /// Plays all moves; the final margin if there are none and the game is over.
    fn replies(
        &self,
        file: usize,
        board: &PlainBoard,
        seat: Seat,
        replies: &mut Vec<Reply>,
    ) -> Option<i32> {
        let stake = stake::<G>(self.layer(file));
        replies.clear();
        let mut endless = false;
        let turn = self.rules.turn(board, seat, |_, play| match play {
            PlainPlay::Endless { .. } => endless = true,
            PlainPlay::Done {
                board,
                captured,
                again,
                ..
            } => replies.push(self.reply(&board, seat, captured, again, stake)),
        });
        match turn {
            PlainTurn::Moves => {
                if endless && self.rules.endless_draws() {
                    replies.push(Reply {
                        codes: [MINUS_INFINITY, PLUS_INFINITY],
                        stays: None,
                    });
                }
                None
            }
            PlainTurn::Pass(board) => {
                replies.push(self.reply(&board, seat, 0, false, stake));
                None
            }
            PlainTurn::Over { margin } => Some(margin),
        }
    }

    fn reply(
        &self,
        board: &PlainBoard,
        seat: Seat,
        captured: u32,
        again: bool,
        stake: u32,
    ) -> Reply {
        let next = if again { seat } else { seat.other() };
        let packed = self
            .reader
            .game()
            .pack(&board.pits[..self.pits], next as usize);
        let index = self.reader.index();
        let (layer, rank) = (index.layer(packed), index.rank(packed));
        // Every layer that play comes to from a layer of the table is in the table.
        let file = self.reader.file(layer).unwrap_or(usize::MAX);
        let codes = self
            .layers
            .get(file)
            .map(|values| values.codes[rank as usize]);
        let [lower, upper] = codes.unwrap_or([MINUS_INFINITY, PLUS_INFINITY]);
        let gain = if G::SCORED { captured } else { 0 };
        Reply {
            codes: if again {
                [continued(lower, gain), continued(upper, gain)]
            } else {
                [opposed(upper, stake), opposed(lower, stake)]
            },
            stays: (captured == 0).then_some(Place {
                file,
                rank,
                lower_from: usize::from(!again),
            }),
        }
    }

    /// Proves one position.
    fn position(
        &self,
        file: usize,
        rank: u64,
        board: &PlainBoard,
        seat: Seat,
        replies: &mut Vec<Reply>,
    ) -> Result<(), String> {
        let values = &self.layers[file];
        let codes = values.codes[rank as usize];
        let stake = stake::<G>(self.layer(file));
        let show = |code: Code| decode(code, stake).to_string();
        let over = self.replies(file, board, seat, replies);
        for (bound, name) in [(0, "lower"), (1, "upper")] {
            let best = match over {
                Some(margin) => encode(Bound::Finite(margin as i16), stake),
                None => replies
                    .iter()
                    .map(|reply| reply.codes[bound])
                    .max()
                    .unwrap_or(MINUS_INFINITY),
            };
            if codes[bound] != best {
                let (stored, best) = (show(codes[bound]), show(best));
                return Err(format!(
                    "{name} is stored as {stored}, its moves give {best}"
                ));
            }
        }
        if values.distances.is_empty() {
            return Ok(());
        }
        let distances = values.distances[rank as usize];
        for (bound, name) in [(0, "lower"), (1, "upper")] {
            let stored = distances[bound];
            if !has_distance(G::SCORED, codes, bound) || over.is_some() {
                if stored != 0 {
                    return Err(format!(
                        "distance of {name} is stored as {stored}, it should be 0"
                    ));
                }
                continue;
            }
            self.distance(bound, codes[bound], stored, replies)
                .map_err(|right| format!("distance of {name} is stored as {stored}, {right}"))?;
        }
        Ok(())
    }

    /// The stored distance of a bound at a place.
    fn stored(&self, place: Place, bound: usize) -> Distance {
        self.layers[place.file].distances[place.rank as usize][place.bound(bound)]
    }

    /// Proves a distance, (b) and (c).
    fn distance(
        &self,
        bound: usize,
        code: Code,
        stored: Distance,
        replies: &[Reply],
    ) -> Result<(), String> {
        let keeping = replies.iter().filter(|reply| reply.codes[bound] == code);
        let times = keeping.map(|reply| reply.stays.map_or(0, |place| self.stored(place, bound)));
        if bound == 0 {
            let least = times.min().map_or(0, |least| u32::from(least) + 1);
            return match u32::from(stored) == least {
                true => Ok(()),
                false => Err(format!("its moves give {least}")),
            };
        }
        let greatest = times.max().map_or(0, |greatest| u32::from(greatest) + 1);
        if u32::from(stored) < greatest {
            return Err(format!("its moves give {greatest} or more"));
        }
        // Replies that are better for the owner must have given as much in time, and where no reply
        // that keeps the bound takes so long, one of them must be why.
        let mut known = Known::default();
        let mut late = u32::from(stored) == greatest;
        let better = |reply: &&Reply| reply.codes[bound] < code && reply.stays.is_some();
        for reply in replies.iter().filter(better) {
            let Some(limit) = stored.checked_sub(1) else {
                return Err("a reply takes longer".to_owned());
            };
            if !self.reaches(reply, bound, code, limit, &mut known) {
                return Err("a reply takes longer".to_owned());
            }
            late = late || limit == 0 || !self.reaches(reply, bound, code, limit - 1, &mut known);
        }
        if late {
            Ok(())
        } else {
            Err("all replies are sooner".to_owned())
        }
    }

    /// Whether a reply gives the mover's bound at least what the owner asks for within `limit` plies:
    /// at least `code` for `lower` (0), at most for `upper` (1).
    fn reaches(
        &self,
        reply: &Reply,
        bound: usize,
        code: Code,
        limit: Distance,
        known: &mut Known,
    ) -> bool {
        let enough = |found: Code| {
            if bound == 0 {
                found >= code
            } else {
                found <= code
            }
        };
        if !enough(reply.codes[bound]) {
            return false;
        }
        let Some(place) = reply.stays else {
            return true;
        };
        let there = place.bound(bound);
        let stake = stake::<G>(self.layer(place.file));
        let wanted = if place.lower_from == 1 {
            opposed(code, stake)
        } else {
            code
        };
        if self.stored(place, bound) <= limit {
            return true;
        }
        if reply.codes[bound] == code || limit == 0 {
            return false;
        }
        let key = (place.file, place.rank, there, wanted, limit);
        if let Some(&answer) = known.get(&key) {
            return answer;
        }
        let board = self
            .reader
            .index()
            .unrank(self.layer(place.file), place.rank);
        let (plain, seat) = self.plain(board);
        let mut replies = Vec::new();
        self.replies(place.file, &plain, seat, &mut replies);
        let mut ask = |reply: &Reply| self.reaches(reply, there, wanted, limit - 1, known);
        let answer = if there == 0 {
            replies.iter().any(&mut ask)
        } else {
            replies.iter().all(&mut ask)
        };
        known.insert(key, answer);
        answer
    }
}
