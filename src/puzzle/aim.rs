//! Owns: what a puzzle asks for, as text and as a question about bounds that play carries along.

use std::fmt;
use std::str::FromStr;

/// What the solver is to do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stipulation {
    /// Win, perhaps within so many plies.
    Win(Option<u32>),
    /// Draw and no more.
    Draw,
    /// Take at least so many seeds more than the defender, perhaps within so many plies.
    Gain(i32, Option<u32>),
}

/// Text that is no stipulation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StipulationError(String);

impl fmt::Display for StipulationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found: String = self
            .0
            .chars()
            .take(40)
            .flat_map(char::escape_debug)
            .collect();
        write!(
            f,
            "expected 'win', 'draw', 'gain N', 'win in K' or 'gain N in K' with N and K from 1 to 9999, found '{found}'"
        )
    }
}

impl std::error::Error for StipulationError {}

impl FromStr for Stipulation {
    type Err = StipulationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |text: &str| {
            let digits = (1..=4).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
            let number = digits.then(|| text.parse::<u32>().ok()).flatten();
            number.filter(|&number| number > 0)
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let found = match words[..] {
            ["win"] => Some(Self::Win(None)),
            ["draw"] => Some(Self::Draw),
            ["win", "in", plies] => number(plies).map(|plies| Self::Win(Some(plies))),
            ["gain", seeds] => number(seeds).map(|seeds| Self::Gain(seeds as i32, None)),
            ["gain", seeds, "in", plies] => number(seeds)
                .zip(number(plies))
                .map(|(seeds, plies)| Self::Gain(seeds as i32, Some(plies))),
            _ => None,
        };
        found.ok_or_else(|| StipulationError(text.to_owned()))
    }
}

impl fmt::Display for Stipulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let within = |f: &mut fmt::Formatter<'_>, plies: &Option<u32>| match plies {
            Some(plies) => write!(f, " in {plies}"),
            None => Ok(()),
        };
        match self {
            Self::Win(plies) => {
                f.write_str("win")?;
                within(f, plies)
            }
            Self::Draw => f.write_str("draw"),
            Self::Gain(seeds, plies) => {
                write!(f, "gain {seeds}")?;
                within(f, plies)
            }
        }
    }
}

/// What is left of a stipulation at a point of play, for the solver, over all that is still to be won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Aim {
    /// Force a margin of at least `least` in a game that ends.
    Force {
        /// The margin.
        least: i32,
        /// Certain within so many plies, if that is asked for.
        within: Option<u32>,
    },
    /// Keep the defender from forcing less than `least`.
    Hold {
        /// The margin.
        least: i32,
    },
}

impl Aim {
    /// What a stipulation asks of a solver who is `lead` seeds ahead (0 in games without a score).
    pub fn new(stipulation: Stipulation, lead: i32) -> Self {
        match stipulation {
            Stipulation::Win(within) => Self::Force {
                least: 1 - lead,
                within,
            },
            Stipulation::Draw => Self::Hold { least: -lead },
            Stipulation::Gain(least, within) => Self::Force { least, within },
        }
    }

    /// What is left after a move that gives the solver `gain` seeds (less than 0 where it takes them);
    /// `captures` says whether it captures, after which plies no longer count.
    pub fn after(self, gain: i32, captures: bool) -> Self {
        match self {
            Self::Force { least, within } => Self::Force {
                least: least - gain,
                within: within
                    .filter(|_| !captures)
                    .map(|plies| plies.saturating_sub(1)),
            },
            Self::Hold { least } => Self::Hold {
                least: least - gain,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_comes_back() {
        for text in ["win", "draw", "gain 12", "win in 7", "gain 3 in 15"] {
            assert_eq!(text.parse::<Stipulation>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "lose",
            "win in",
            "gain",
            "gain 0",
            "draw in 4",
            "win in -1",
            "gain 3 in",
        ] {
            assert!(text.parse::<Stipulation>().is_err(), "{text}");
        }
    }
}
