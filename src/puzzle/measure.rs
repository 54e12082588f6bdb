//! Owns: how much a position is worth setting as a puzzle.
//!
//! A number made of what solvers find hard or pleasing, so that mined puzzles can be ranked; nothing
//! depends on it but their order. In points:
//!
//! | | |
//! |---|---|
//! | each ply to the next capture or the end, up to 30 | 2 |
//! | each first move that fails | 3 |
//! | a key that captures nothing, though another move captures | 8 |
//! | each seed that the largest capture takes and that is thrown away with the result, up to 10 | 2 |
//! | a key after which the solver moves again | 4 |
//! | each seed on the board | −1 |

/// What a puzzle is like.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Measure {
    /// Plies to the next capture or the end; 0 for a draw.
    pub plies: u32,
    /// First moves that fail.
    pub failing: u32,
    /// Seeds that the key captures.
    pub captures: u32,
    /// Seeds that the largest capture takes.
    pub greed: u32,
    /// Whether the moves that capture most all fail.
    pub sacrifice: bool,
    /// Whether the solver moves again after the key.
    pub again: bool,
    /// Seeds on the board.
    pub seeds: u32,
}

impl Measure {
    /// Whether the key captures nothing, though another move captures.
    pub fn is_quiet(&self) -> bool {
        self.captures == 0 && self.greed > 0
    }

    /// The points.
    pub fn points(&self) -> i32 {
        let given = if self.sacrifice {
            self.greed.min(10)
        } else {
            0
        };
        let points = 2 * self.plies.min(30)
            + 3 * self.failing
            + 8 * u32::from(self.is_quiet())
            + 2 * given
            + 4 * u32::from(self.again);
        points as i32 - self.seeds as i32
    }
}
