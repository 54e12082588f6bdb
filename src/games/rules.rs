//! Owns: the options of a game's rules as a user names them, checked against what the game offers.
//!
//! A game declares its options as data ([`RuleOption`]); command line and configuration files both
//! come through here, so that a name or value is spelled and refused in one way.

use super::GameName;
use std::fmt;

/// An option of a game's rules and the values it may take, the default first.
#[derive(Debug, PartialEq, Eq)]
pub struct RuleOption {
    /// Name as typed.
    pub name: &'static str,
    /// Values as typed; the first is the default.
    pub values: &'static [&'static str],
    /// What it changes, and whose reading it is.
    pub about: &'static str,
}

/// What every game offers.
pub const ENDLESS: RuleOption = RuleOption {
    name: "endless",
    values: &["unplayable", "draw"],
    about: "a move that never ends may not be chosen, or draws the game when chosen",
};

/// Name of the option that takes a list of moves instead of a fixed value.
pub const OPENING: &str = "opening";

/// The options of one game, all of them set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    game: GameName,
    chosen: Vec<usize>,
    opening: Vec<String>,
}

/// An option or value that the game does not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleError(String);

impl RuleError {
    pub(super) fn unknown_game(found: &str) -> Self {
        let known = || GameName::ALL.into_iter().map(GameName::as_str);
        Self(format!(
            "unknown game '{found}'; expected one of {}{}",
            known().collect::<Vec<_>>().join(", "),
            did_you_mean(found, known()),
        ))
    }
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RuleError {}

/// The known word nearest to `found`, as the end of an error message.
pub fn did_you_mean<'a>(found: &str, known: impl Iterator<Item = &'a str>) -> String {
    known
        .map(|word| (strsim::osa_distance(found, word), word))
        .filter(|(distance, word)| *distance <= word.len() / 2 + 1)
        .min()
        .map_or(String::new(), |(_, word)| {
            format!("; did you mean '{word}'?")
        })
}

impl Rules {
    /// The default rules of a game.
    pub fn new(game: GameName) -> Self {
        Self {
            game,
            chosen: vec![0; game.options().len()],
            opening: Vec::new(),
        }
    }

    /// The game whose rules these are.
    pub fn game(&self) -> GameName {
        self.game
    }

    /// Sets one option. `opening` takes move names parted by commas.
    ///
    /// # Errors
    /// When the game has no such option or the option no such value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), RuleError> {
        if name == OPENING {
            self.opening = value
                .split(',')
                .map(|word| word.trim().to_owned())
                .filter(|word| !word.is_empty())
                .collect();
            return Ok(());
        }
        let options = self.game.options();
        let Some(at) = options.iter().position(|option| option.name == name) else {
            let known = || options.iter().map(|option| option.name).chain([OPENING]);
            return Err(RuleError(format!(
                "{} has no rule '{name}'; expected one of {}{}",
                self.game,
                known().collect::<Vec<_>>().join(", "),
                did_you_mean(name, known()),
            )));
        };
        let values = options[at].values;
        let Some(chosen) = values.iter().position(|&known| known == value) else {
            return Err(RuleError(format!(
                "rule '{name}' cannot be '{value}'; expected {}{}",
                values.join(" or "),
                did_you_mean(value, values.iter().copied()),
            )));
        };
        self.chosen[at] = chosen;
        Ok(())
    }

    /// The value of an option that the game declares.
    ///
    /// # Panics
    /// When the game declares no such option.
    pub fn get(&self, name: &str) -> &'static str {
        let at = self
            .game
            .options()
            .iter()
            .position(|option| option.name == name)
            .unwrap_or_else(|| panic!("{} declares no rule '{name}'", self.game));
        self.game.options()[at].values[self.chosen[at]]
    }

    /// Names of the moves that the game opens with, in order.
    pub fn opening(&self) -> &[String] {
        &self.opening
    }

    /// Every option that is not at its default, as `name=value`, in the order declared.
    pub fn deviations(&self) -> Vec<(String, String)> {
        let fixed = self
            .game
            .options()
            .iter()
            .zip(&self.chosen)
            .filter(|&(_, &chosen)| chosen != 0)
            .map(|(option, &chosen)| (option.name.to_owned(), option.values[chosen].to_owned()));
        let opening =
            (!self.opening.is_empty()).then(|| (OPENING.to_owned(), self.opening.join(",")));
        fixed.chain(opening).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelled_rule_names_the_nearest() {
        let mut rules = Rules::new(GameName::Giuthi);
        let error = rules.set("chian", "all").unwrap_err().to_string();
        assert!(error.contains("did you mean 'chain'?"), "{error}");
        let error = rules.set("chain", "ocupied").unwrap_err().to_string();
        assert!(error.contains("did you mean 'occupied'?"), "{error}");
    }

    #[test]
    fn every_declared_value_can_be_set_and_read_back() {
        for game in GameName::ALL {
            for option in game.options() {
                for value in option.values {
                    let mut rules = Rules::new(game);
                    rules.set(option.name, value).unwrap();
                    assert_eq!(rules.get(option.name), *value);
                    let changed = rules.deviations();
                    assert_eq!(changed.is_empty(), *value == option.values[0]);
                }
            }
        }
    }
}
