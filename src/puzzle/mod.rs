//! Owns: puzzles: what they ask, whether they are sound, how they are solved, and finding them.
//!
//! # What a puzzle asks
//!
//! The player to move is the *solver*, the other the *defender*. A [`Stipulation`] is one of
//!
//! - `win`: the solver wins, what was captured before the puzzle counted in;
//! - `draw`: the solver draws, and cannot win;
//! - `gain N`: the solver takes at least N seeds more than the defender from here to the end, whatever
//!   was captured before (games with a score only);
//! - `win in K`, `gain N in K`: the same is certain after at most K plies, or there is a capture by then
//!   after which it is: `L_K` of DESIGN section 2 reaches it. A pass is a ply.
//!
//! A line of play ends with the game, or in a draw when a position (pits and player to move) comes up
//! again: positions that play has passed since the last capture count, from the puzzle's position on,
//! which itself has no past. `win` and `gain` are for a game that ends: a repetition meets neither.
//!
//! A move *meets* a stipulation when what is left of it can still be met against every defence: less
//! what the move captures, less a ply. Going back to a position of the line draws, and a move that wins
//! only by way of such a position does not win.
//!
//! # What is said of one
//!
//! - **key**: a first move that meets the stipulation. A move where there is no other is no choice and
//!   still the key; a puzzle that begins with a forced pass has none.
//! - **refutation** of any other first move: a reply after which it can no longer be met. Where the
//!   solver moves again there is no reply, and nothing refutes it but the solver's lack of a good move.
//! - **try**: a first move that fails to a single refutation among several replies.
//! - **cook**: a key beside the one intended (`key` in the file); without one intended every key beside
//!   the first is one.
//! - **dual**: a later choice of the solver, in a main line, between several moves that meet it. Moves
//!   by which the solver goes on in the same turn are choices like others; a pass is none.
//! - **main line**: the defender makes the replies that concede least (by the margin that the solver can
//!   then force, or for a draw by the least that the defender can then hold), of these the ones that
//!   hold out longest to the next capture or the end; all of them where they are equal. The solver, in
//!   a choice, plays for most and then for the quickest.
//! - **sound**: the stipulation can be met and there is exactly one key, the intended one if that is
//!   named. Duals are told and do not make a puzzle unsound, unless one asks for that.

mod aim;
mod file;
mod judge;
mod measure;
mod mine;
mod solution;

pub use aim::{Aim, Stipulation, StipulationError};
pub use file::{Puzzle, PuzzleError, parse, write};
pub use judge::{Doubt, Judge, Node};
pub use measure::Measure;
pub use mine::{Candidate, Filter, Miner};
pub use solution::{End, First, Limits, Solution, Step};
