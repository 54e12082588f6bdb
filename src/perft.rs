//! Owns: counting paths of play, the standard check that two rule implementations agree.
//!
//! Nothing is remembered between nodes: the count is a test of the rules and of their speed, and a
//! cache would hide both. The parallel version opens the first plies into a frontier of boards and
//! counts below each; addition does not care for order, so the number of threads changes nothing.

use crate::board::Board;
use crate::game::{Game, Play, Turn};
use crate::progress::{Progress, Silent};
use rayon::prelude::*;

/// Deepest count. The recursion is one frame a ply, so that a line without end (a turn that goes
/// round for ever) would otherwise run out of stack rather than of patience.
pub const MAX_DEPTH: u32 = 1000;

/// Boards that the parallel version wants before it parts the work.
const FRONTIER: usize = 512;

/// Plies from the end down to which a count asks whether it is to stop: below it is done at once.
const ASK: u32 = 4;

/// Why there is no count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Uncounted {
    /// 64 bits cannot hold the number.
    TooMany,
    /// Told to stop.
    Stopped,
}

/// Paths of exactly `depth` plies from `board`; `None` when 64 bits cannot hold their number.
///
/// A pass is a ply. A move that may not be chosen because it never ends is not counted; where it may
/// be chosen it ends the game, so it counts as the last ply only. A finished game has no
/// continuations.
pub fn perft<G: Game>(game: &G, board: G::Board, depth: u32) -> Option<u64> {
    count(game, board, depth, &Silent).ok()
}

fn count<G: Game>(
    game: &G,
    board: G::Board,
    depth: u32,
    progress: &impl Progress,
) -> Result<u64, Uncounted> {
    if depth == 0 {
        return Ok(1);
    }
    if depth >= ASK && progress.stopped() {
        return Err(Uncounted::Stopped);
    }
    let mut sum = Ok(0u64);
    let mut add = |paths: Result<u64, Uncounted>| {
        sum = sum.and_then(|sum| sum.checked_add(paths?).ok_or(Uncounted::TooMany));
    };
    let turn = game.expand(board, |_, play| match play {
        Play::Done(_) if depth == 1 => add(Ok(1)),
        Play::Done(played) => add(count(game, played.board, depth - 1, progress)),
        Play::Endless { .. } => add(Ok(u64::from(depth == 1 && game.endless_draws()))),
    });
    match turn {
        Turn::Moves => sum,
        Turn::Pass(board) => count(game, board, depth - 1, progress),
        Turn::Over { .. } => Ok(0),
    }
}

/// The same number, counted by all threads of the pool that this runs in.
pub fn perft_parallel<G: Game>(game: &G, board: G::Board, depth: u32) -> Option<u64> {
    perft_watched(game, board, depth, &Silent).ok()
}

/// [`perft_parallel`] that tells of its progress, a unit a board below which all is counted, and can be
/// stopped.
///
/// # Errors
/// Why there is no number.
pub fn perft_watched<G: Game>(
    game: &G,
    board: G::Board,
    depth: u32,
    progress: &impl Progress,
) -> Result<u64, Uncounted> {
    let mut frontier = vec![board];
    let mut depth = depth;
    while depth > 1 && frontier.len() < FRONTIER && !frontier.is_empty() {
        frontier = frontier
            .iter()
            .flat_map(|&board| successors(game, board))
            .collect();
        depth -= 1;
    }
    progress.begin("counting below the first", frontier.len() as u64);
    let sum = frontier
        .par_iter()
        .map(|&board| {
            let paths = count(game, board, depth, progress);
            progress.advance(1);
            paths
        })
        .try_reduce(|| 0, |a, b| a.checked_add(b).ok_or(Uncounted::TooMany));
    progress.end();
    sum
}

/// Boards after every ply that does not end the game, in the order of moves.
fn successors<G: Game>(game: &G, board: G::Board) -> Vec<G::Board>
where
    G::Board: Board,
{
    let mut after = Vec::new();
    let turn = game.expand(board, |_, play| {
        if let Play::Done(played) = play {
            after.push(played.board);
        }
    });
    match turn {
        Turn::Moves => after,
        Turn::Pass(board) => vec![board],
        Turn::Over { .. } => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{GameName, Rules, Setup, Visitor};
    use crate::notation::{Position, parse_position};

    struct Count<'a>(&'a Position, u32);

    impl Visitor for Count<'_> {
        type Output = [Option<u64>; 2];
        fn visit<G: Game>(self, game: &G) -> Self::Output {
            let board = self.0.board(game);
            [
                perft(game, board, self.1),
                perft_parallel(game, board, self.1),
            ]
        }
    }

    fn paths(game: GameName, rule: Option<(&str, &str)>, text: &str, depth: u32) -> u64 {
        let mut rules = Rules::new(game);
        if let Some((name, value)) = rule {
            rules.set(name, value).unwrap();
        }
        let (setup, position) = parse_position(text, &rules).unwrap();
        let [alone, together] = setup
            .visit(position.seeds(), Count(&position, depth))
            .unwrap();
        assert_eq!(alone, together, "{text}");
        alone.unwrap()
    }

    #[test]
    fn both_ways_agree_on_start_positions() {
        for (game, depth, expected) in [
            (GameName::Giuthi, 4, 31_924),
            (GameName::Bosh, 7, 9_280),
            (GameName::Hawalis, 4, 12_626),
            (GameName::Hus, 4, 11_350),
        ] {
            let setup = Setup::new(game.usual_columns(), Rules::new(game)).unwrap();
            let position = Position::start(&setup, game.usual_seeds()).unwrap();
            let both = setup
                .visit(position.seeds(), Count(&position, depth))
                .unwrap();
            assert_eq!(both, [Some(expected); 2], "{game}");
        }
    }

    #[test]
    fn nothing_is_one_path_and_a_finished_game_has_none() {
        assert_eq!(paths(GameName::Bosh, None, "0,0/1,0 S", 0), 1);
        assert_eq!(paths(GameName::Giuthi, None, "1,0/0,1 S", 0), 1);
        assert_eq!(paths(GameName::Giuthi, None, "1,0/0,1 S", 1), 0);
        assert_eq!(paths(GameName::Giuthi, None, "1,0/0,1 S", 5), 0);
    }

    #[test]
    fn a_pass_is_a_ply() {
        let text = "0,3,0,2,1/0,0,1,0,1 S";
        assert_eq!(paths(GameName::Giuthi, None, text, 1), 1);
        assert_eq!(paths(GameName::Giuthi, None, text, 2), 4);
    }

    #[test]
    fn an_endless_move_counts_as_the_last_ply_and_only_where_it_may_be_chosen() {
        // All of South's moves but `a` (which never ends) are legal in either case.
        let text = "1,2,0,1,0/1,0,1,0,1 S";
        let draw = Some(("endless", "draw"));
        let without = paths(GameName::Bosh, None, text, 1);
        assert_eq!(paths(GameName::Bosh, draw, text, 1), without + 1);
        // One ply before the last it has ended the game, so the paths that go on are the same.
        let two_plies = paths(GameName::Bosh, None, text, 2);
        assert!(paths(GameName::Bosh, draw, text, 2) >= two_plies);
        let only = "0,0,0,0,0,0,0/0,0,0,0,0,0,0/1,2,0,1,0,1,0/2,0,1,0,1,0,1 S";
        let moves = [1, 2].map(|depth| paths(GameName::Hawalis, draw, only, depth));
        assert_eq!(moves, [2, 0]);
    }

    /// Stops at once.
    struct Stopped;

    impl Progress for Stopped {
        fn begin(&self, _: &str, _: u64) {}
        fn advance(&self, _: u64) {}
        fn end(&self) {}
        fn stopped(&self) -> bool {
            true
        }
    }

    struct Watched<'a>(&'a Position, u32);

    impl Visitor for Watched<'_> {
        type Output = Result<u64, Uncounted>;
        fn visit<G: Game>(self, game: &G) -> Self::Output {
            perft_watched(game, self.0.board(game), self.1, &Stopped)
        }
    }

    #[test]
    fn a_count_that_is_told_to_stop_gives_no_number() {
        let setup = Setup::new(8, Rules::new(GameName::Hus)).unwrap();
        let position = Position::start(&setup, 2).unwrap();
        // Deep enough to take for ever.
        let found = setup.visit(position.seeds(), Watched(&position, 60));
        assert_eq!(found.unwrap(), Err(Uncounted::Stopped));
    }
}
