//! Owns: what can be typed during a game: names of moves, and commands with their help.
//!
//! Pits have one letter, so commands have at least two; as much of one as is unmistakable will do.

/// A command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    /// The moves that can be made.
    Moves,
    /// The best move.
    Hint,
    /// What every move is worth.
    Values,
    /// A line of best play.
    Line,
    /// The board again.
    Board,
    /// The last choice back.
    Undo,
    /// The program moves instead of the user.
    Go,
    /// The other side.
    Swap,
    /// The position and moves as text.
    Position,
    /// From the beginning.
    New,
    /// What can be typed.
    Help,
    /// The end.
    Quit,
}

/// Every command: its name and what it does.
pub const COMMANDS: &[(Command, &str, &str)] = &[
    (Command::Moves, "moves", "the moves that you can make"),
    (Command::Hint, "hint", "the best move and what it brings"),
    (Command::Values, "values", "what every move is worth"),
    (Command::Line, "line", "best play from here on"),
    (Command::Board, "board", "the board again"),
    (Command::Undo, "undo", "takes your last move back"),
    (Command::Go, "go", "the program moves for you, once"),
    (
        Command::Swap,
        "swap",
        "changes sides: the program moves now",
    ),
    (
        Command::Position,
        "position",
        "the position and the moves as text, for other commands",
    ),
    (Command::New, "new", "begins again"),
    (Command::Help, "help", "this list"),
    (Command::Quit, "quit", "leaves the game"),
];

/// What a line means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Typed {
    /// A move that can be made.
    Move(String),
    /// A command.
    Command(Command),
    /// Nothing.
    Blank,
    /// Neither; the nearest command or move, if there is one near.
    Unknown(Option<String>),
}

/// Reads a line, when the moves called `moves` can be made on a side of `pits` pits.
pub fn read(line: &str, moves: &[String], pits: usize) -> Typed {
    let word = line.trim();
    if word.is_empty() {
        return Typed::Blank;
    }
    if moves.iter().any(|name| name == word) {
        return Typed::Move(word.to_owned());
    }
    let lower = word.to_lowercase();
    // Caps lock is no reason to refuse a move; but a side of more pits than the alphabet has letters
    // names two pits by one letter, and then the other pit must not be played for the one typed.
    if pits <= 26
        && let Some(name) = moves.iter().find(|name| **name == lower)
    {
        return Typed::Move(name.clone());
    }
    if lower == "?" {
        return Typed::Command(Command::Help);
    }
    if lower == "exit" {
        return Typed::Command(Command::Quit);
    }
    let starts = |name: &str| lower.len() >= 2 && name.starts_with(&lower);
    let mut fits = COMMANDS.iter().filter(|(_, name, _)| starts(name));
    if let (Some((command, ..)), None) = (fits.next(), fits.next()) {
        return Typed::Command(*command);
    }
    Typed::Unknown(nearest(&lower, moves))
}

/// The move or command that looks most like a word.
fn nearest(word: &str, moves: &[String]) -> Option<String> {
    // A pit without its direction, or with one too many, is one of very few moves: the list says more.
    if word.chars().count() < 3 {
        return None;
    }
    let names = COMMANDS.iter().map(|(_, name, _)| *name);
    names
        .chain(moves.iter().map(String::as_str))
        .map(|name| (strsim::jaro_winkler(word, name), name))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, name)| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_come_before_commands_and_short_words_do() {
        let moves = ["a+".to_owned(), "h".to_owned()];
        assert_eq!(read(" a+ ", &moves, 5), Typed::Move("a+".to_owned()));
        assert_eq!(read("h", &moves, 5), Typed::Move("h".to_owned()));
        assert_eq!(read("A+", &moves, 5), Typed::Move("a+".to_owned()));
        let wide = ["a".to_owned(), "C".to_owned()];
        assert_eq!(read("C", &wide, 32), Typed::Move("C".to_owned()));
        assert_eq!(read("A", &wide, 32), Typed::Unknown(None));
        assert_eq!(read("c", &wide, 32), Typed::Unknown(None));
        assert_eq!(read("hi", &moves, 5), Typed::Command(Command::Hint));
        assert_eq!(read("HELP", &moves, 5), Typed::Command(Command::Help));
        assert_eq!(read("?", &moves, 5), Typed::Command(Command::Help));
        assert_eq!(read("q", &moves, 5), Typed::Unknown(None));
        assert_eq!(read("", &moves, 5), Typed::Blank);
        assert_eq!(read("a-", &moves, 5), Typed::Unknown(None));
        let near = Typed::Unknown(Some("values".to_owned()));
        assert_eq!(read("valeus", &moves, 5), near);
    }

    #[test]
    fn every_command_is_known_by_two_letters_or_its_name() {
        for (command, name, _) in COMMANDS {
            assert_eq!(read(name, &[], 5), Typed::Command(*command), "{name}");
            assert!(name.len() >= 2);
        }
    }
}
