//! Owns: the counts of a layer that `stats` prints and manifests keep (DESIGN section 5).
//!
//! Counted at lead 0 for the player to move. Tallies of parts add up to that of the whole.

use crate::value::{Bound, Outcome, Value};
use serde::{Deserialize, Serialize};

/// What a set of positions is worth, counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// All positions.
    pub positions: u64,
    /// Won for the player to move.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost for the player to move.
    pub losses: u64,
    /// With two different bounds.
    pub lower_ne_upper: u64,
    /// With `lower` −∞.
    pub lower_infinite: u64,
    /// With `upper` +∞.
    pub upper_infinite: u64,
    /// Greatest distance of a decided position.
    pub max_distance: u64,
    /// Sum of the distances of decided positions.
    pub sum_distance: u64,
}

impl Tally {
    /// Counts one position.
    pub fn count(&mut self, value: &Value) {
        self.positions += 1;
        match value.outcome(0) {
            Outcome::Win => self.wins += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Loss => self.losses += 1,
        }
        self.lower_ne_upper += u64::from(value.lower != value.upper);
        self.lower_infinite += u64::from(value.lower == Bound::MinusInfinity);
        self.upper_infinite += u64::from(value.upper == Bound::PlusInfinity);
        if let Some(distance) = value.distance(0) {
            self.max_distance = self.max_distance.max(distance.into());
            self.sum_distance += u64::from(distance);
        }
    }

    /// The tally of both sets of positions together.
    pub fn plus(self, other: Self) -> Self {
        Self {
            positions: self.positions + other.positions,
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            lower_ne_upper: self.lower_ne_upper + other.lower_ne_upper,
            lower_infinite: self.lower_infinite + other.lower_infinite,
            upper_infinite: self.upper_infinite + other.upper_infinite,
            max_distance: self.max_distance.max(other.max_distance),
            sum_distance: self.sum_distance + other.sum_distance,
        }
    }
}
