//! Owns: counting paths of play, the standard check that two rule implementations agree.
//!
//! Nothing is remembered between nodes: the count is a test of the rules and of their speed, and a
//! cache would hide both. The parallel version opens the first plies into a frontier of boards and
//! counts below each; addition does not care for order, so the number of threads changes nothing.

use crate::board::Board;
use crate::game::{Game, Play, Turn};
use rayon::prelude::*;

/// Deepest count. The recursion is one frame a ply, so that a line without end (a turn that goes
/// round for ever) would otherwise run out of stack rather than of patience.
pub const MAX_DEPTH: u32 = 1000;

/// Boards that the parallel version wants before it parts the work.
const FRONTIER: usize = 512;

/// Paths of exactly `depth` plies from `board`; `None` when 64 bits cannot hold their number.
///
/// A pass is a ply. A move that may not be chosen because it never ends is not counted; where it may
/// be chosen it ends the game, so it counts as the last ply only. A finished game has no
/// continuations.
pub fn perft<G: Game>(game: &G, board: G::Board, depth: u32) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let mut count = Some(0u64);
    let mut add = |paths: Option<u64>| {
        count = count.and_then(|count| count.checked_add(paths?));
    };
    let turn = game.expand(board, |_, play| match play {
        Play::Done(_) if depth == 1 => add(Some(1)),
        Play::Done(played) => add(perft(game, played.board, depth - 1)),
        Play::Endless { .. } => add(Some(u64::from(depth == 1 && game.endless_draws()))),
    });
    match turn {
        Turn::Moves => count,
        Turn::Pass(board) => perft(game, board, depth - 1),
        Turn::Over { .. } => Some(0),
    }
}

/// The same number, counted by all threads of the pool that this runs in.
pub fn perft_parallel<G: Game>(game: &G, board: G::Board, depth: u32) -> Option<u64> {
    let mut frontier = vec![board];
    let mut depth = depth;
    while depth > 1 && frontier.len() < FRONTIER && !frontier.is_empty() {
        frontier = frontier
            .iter()
            .flat_map(|&board| successors(game, board))
            .collect();
        depth -= 1;
    }
    frontier
        .par_iter()
        .map(|&board| perft(game, board, depth))
        .try_reduce(|| 0, u64::checked_add)
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

    fn count(game: GameName, rule: Option<(&str, &str)>, text: &str, depth: u32) -> u64 {
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
        assert_eq!(count(GameName::Bosh, None, "0,0/1,0 S", 0), 1);
        assert_eq!(count(GameName::Giuthi, None, "1,0/0,1 S", 0), 1);
        assert_eq!(count(GameName::Giuthi, None, "1,0/0,1 S", 1), 0);
        assert_eq!(count(GameName::Giuthi, None, "1,0/0,1 S", 5), 0);
    }

    #[test]
    fn a_pass_is_a_ply() {
        let text = "0,3,0,2,1/0,0,1,0,1 S";
        assert_eq!(count(GameName::Giuthi, None, text, 1), 1);
        assert_eq!(count(GameName::Giuthi, None, text, 2), 4);
    }

    #[test]
    fn an_endless_move_counts_as_the_last_ply_and_only_where_it_may_be_chosen() {
        // All of South's moves but `a` (which never ends) are legal in either case.
        let text = "1,2,0,1,0/1,0,1,0,1 S";
        let draw = Some(("endless", "draw"));
        let without = count(GameName::Bosh, None, text, 1);
        assert_eq!(count(GameName::Bosh, draw, text, 1), without + 1);
        // One ply before the last it has ended the game, so the paths that go on are the same.
        let two_plies = count(GameName::Bosh, None, text, 2);
        assert!(count(GameName::Bosh, draw, text, 2) >= two_plies);
        let only = "0,0,0,0,0,0,0/0,0,0,0,0,0,0/1,2,0,1,0,1,0/2,0,1,0,1,0,1 S";
        let moves = [1, 2].map(|depth| count(GameName::Hawalis, draw, only, depth));
        assert_eq!(moves, [2, 0]);
    }
}
