//! Owns: what the program knows about a game in progress: values from tables, from layers that it
//! solves when they take no longer than a move may, else from search.
//!
//! The positions that have been on the board count, because coming back to one is a draw: where there
//! are any since the last capture a search answers, which looks up what lies below. What it cannot
//! settle in time is told as if the game began here.

use super::record::Record;
use crate::analysis::analyse;
use crate::cli::Notes;
use crate::cli::effort;
use crate::cli::failure::{Failure, Kind};
use crate::cli::report::{Report, Stopped, lead};
use crate::cli::tables::Tables;
use crate::cli::watch::{Until, Watch};
use crate::game::Game;
use crate::index::layer_of;
use crate::retro::{Plan, Store};
use crate::search::{Question, Seeker, Source};
use crate::value::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What Ctrl-C does while the program works.
const REMARK: &str = "Ctrl-C: now";

/// Most memory for a search, which starts afresh with every move.
const SEARCH_MEMORY: u64 = 1 << 30;

/// Knows what moves are worth.
pub struct Adviser<'a, G: Game> {
    pub game: &'a G,
    pub tables: &'a Tables<G>,
    /// Layers solved for this game.
    pub layers: Option<Store<G::Board>>,
    /// Bytes to work with.
    pub memory: u64,
    /// Time for an answer.
    pub time: Duration,
    /// Set by Ctrl-C, taken back here.
    pub stop: Arc<AtomicBool>,
    pub notes: &'a Notes<'a>,
}

/// What there is to say about a position.
pub struct Advice {
    /// Its value and moves, as far as they are known.
    pub report: Report,
    /// Whether values are those of a game that begins here, though this one began before.
    pub as_if_new: bool,
    /// Whether Ctrl-C cut it short.
    pub interrupted: bool,
}

impl Advice {
    /// The move to make: that of best play, else what is expected to be best and not known to be worse.
    pub fn choice(&self) -> Option<&str> {
        if let Some(ply) = self.report.line.first() {
            return Some(&ply.name);
        }
        let (moves, lead) = (&self.report.moves, self.report.lead);
        let sure = moves.iter().map(|m| m.bracket.margins(lead)[0]).max()?;
        let possible = |name: &str| {
            let mut named = moves.iter().filter(|m| m.ply.name == name);
            named.any(|m| m.bracket.margins(lead)[1] >= sure)
        };
        let search = self.report.search.as_ref();
        let expected = search.and_then(|search| search.expected.as_ref()?.line.first());
        let expected = expected.filter(|name| possible(name)).map(String::as_str);
        expected.or_else(|| {
            let best = moves.iter().max_by_key(|m| m.bracket.margins(lead));
            best.map(|m| m.ply.name.as_str())
        })
    }
}

impl<G: Game> Adviser<'_, G> {
    fn value(&self, board: G::Board) -> Option<Value> {
        let solved = |store: &Store<G::Board>| store.value::<G>(board);
        let layers = self.layers.as_ref().and_then(solved);
        layers.or_else(|| self.tables.value(board))
    }

    /// Finds out about the position that a game has come to.
    ///
    /// # Errors
    /// When a table cannot be read or no search can be set up.
    pub fn advise(&mut self, record: &Record) -> Result<Advice, Failure> {
        let board = record.position().board(self.game);
        self.solve_layers(board);
        let covered = self.value(board).is_some();
        let past = record.past(self.game);
        let fresh = |this: &Self| {
            let lead = lead::<G>(record.position());
            let analysis = analyse(this.game, board, lead, &|board| this.value(board));
            Report::new(this.game, record.target(), &analysis)
        };
        let (report, as_if_new) = if covered && past.is_empty() {
            (fresh(self), false)
        } else {
            let sought = self.search(record)?;
            let settled = sought.value.is_some() || !sought.line.is_empty();
            match covered && !settled {
                true => (fresh(self), true),
                false => (sought, false),
            }
        };
        self.tables.sound()?;
        let interrupted = self.stop.swap(false, Ordering::Relaxed);
        Ok(Advice {
            report,
            as_if_new,
            interrupted,
        })
    }

    /// Solves the layers that a board needs if nothing covers it and they take no longer than a move.
    fn solve_layers(&mut self, board: G::Board) {
        if self.value(board).is_some() {
            return;
        }
        let layer = layer_of(self.game.shape(), board);
        let Ok(plan) = Plan::new(self.game, layer) else {
            return;
        };
        let quick = effort::seconds(plan.positions) <= self.time.as_secs();
        let Ok(needed) = effort::afford(self.game, &plan, self.memory / 2) else {
            return;
        };
        if !quick {
            return;
        }
        let stop = Arc::clone(&self.stop);
        let watch = Watch::heeding(stop, self.notes, None, REMARK);
        let until = Until {
            progress: &watch,
            deadline: Instant::now().checked_add(2 * self.time),
        };
        // When it is stopped a search has to do.
        let room = self.memory / 2 - needed.least;
        self.layers = plan.solve_with(self.game, room, &until).ok();
        watch.clear();
    }

    fn search(&self, record: &Record) -> Result<Report, Failure> {
        let start = Instant::now();
        let deadline = start.checked_add(self.time);
        let stop = Arc::clone(&self.stop);
        let watch = Watch::heeding(stop, self.notes, Some(self.time), REMARK);
        let values = |board| match watch.over(deadline) {
            true => None,
            false => self.value(board),
        };
        let source: &Source<'_, G::Board> = &values;
        let board = record.position().board(self.game);
        let lead = lead::<G>(record.position());
        let layer = layer_of(self.game.shape(), board);
        let memory = (self.memory / 4)
            .min(SEARCH_MEMORY)
            .min(effort::fills(self.time));
        let threads = rayon::current_num_threads();
        let seeker = Seeker::new(self.game, layer, memory, Some(source), threads, &watch)
            .map_err(|error| Failure::new(Kind::Limit, error))?;
        let past = record.past(self.game);
        let past = Some(&past[..]).filter(|past| !past.is_empty());
        let sought = seeker.seek(Question { board, lead, past }, deadline);
        watch.clear();
        let by = if watch.interrupted() {
            Stopped::ByUser
        } else {
            Stopped::ByTime
        };
        let why = (start.elapsed(), by);
        Ok(Report::sought(self.game, record.target(), &sought, why))
    }
}
