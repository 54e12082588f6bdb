//! Owns: the conversation of a game: whose turn it is, what is shown, what each command does.

use super::You;
use super::adviser::{Advice, Adviser};
use super::command::{COMMANDS, Command, Typed, read};
use super::paint::Paint;
use super::prompt::{Line, Prompt};
use super::record::{Ending, Made, Record};
use crate::cli::drawing::draw;
use crate::cli::failure::{Failure, one_line};
use crate::cli::moves::title;
use crate::cli::report::{moves_table, result_words, value_words, write_line};
use crate::cli::units::counted;
use crate::game::Game;
use crate::games::Seat;
use crate::notation::move_name;
use std::io::Write;

/// Said where values take no account of what was on the board before.
const AS_IF_NEW: &str = "(As if the game began here: what coming back to an earlier position would \
change could not be settled in the time; --time gives more.)";

/// A game with somebody.
pub struct Session<'a, 'o, G: Game, W: Write> {
    pub game: &'a G,
    pub you: You,
    pub record: Record,
    pub adviser: Adviser<'a, G>,
    pub paint: Paint,
    pub out: &'o mut W,
}

/// Whether to go on.
#[derive(PartialEq, Eq)]
enum Then {
    Ask,
    Show,
    Leave,
}

impl<G: Game, W: Write> Session<'_, '_, G, W> {
    /// Plays until the user leaves, or the input or a game without a user ends.
    ///
    /// # Errors
    /// When a table or the input cannot be read, or the output not written.
    pub fn run(mut self, prompt: &mut Prompt) -> Result<(), Failure> {
        self.greet()?;
        self.show()?;
        loop {
            let ending = self.record.ending(self.game);
            let then = if let Some(ending) = ending {
                self.tell_ending(ending)?;
                if self.you == You::Neither {
                    break;
                }
                self.ask(prompt)?
            } else if self.forced_pass() {
                self.make("pass")?;
                Then::Show
            } else if self.you.plays(self.record.position().seat) {
                self.ask(prompt)?
            } else {
                self.reply()?;
                Then::Show
            };
            match then {
                Then::Show => self.show()?,
                Then::Ask => {}
                Then::Leave => break,
            }
        }
        if !self.record.plies().is_empty() {
            writeln!(self.out, "The game: {}", self.moves_played())?;
        }
        Ok(())
    }

    fn greet(&mut self) -> Result<(), Failure> {
        let who = match self.you {
            You::South => "You play South, the lower rows.",
            You::North => "You play North, the upper rows.",
            You::Both => "You play both sides.",
            You::Neither => "The program plays both sides.",
        };
        let title = title(self.record.setup(), self.record.position());
        writeln!(self.out, "{}\n{who}", self.paint.strong(title))?;
        if self.you != You::Neither {
            let how = "Type the name of a pit's move to make it, 'help' for what else there is.";
            writeln!(self.out, "{how}")?;
        }
        Ok(())
    }

    fn show(&mut self) -> Result<(), Failure> {
        writeln!(self.out)?;
        draw(self.out, self.record.setup(), self.record.position())?;
        Ok(writeln!(self.out)?)
    }

    fn names(&self) -> Vec<String> {
        if self.record.ending(self.game).is_some() {
            return Vec::new();
        }
        let seat = self.record.position().seat;
        let name = |choice| move_name(self.record.setup(), seat, choice);
        let choices = self.record.choices(self.game);
        choices.iter().map(|found| name(found.choice)).collect()
    }

    fn forced_pass(&self) -> bool {
        self.names() == ["pass"]
    }

    /// Asks until something happens.
    fn ask(&mut self, prompt: &mut Prompt) -> Result<Then, Failure> {
        let mut interrupted = false;
        loop {
            let names = self.names();
            let text = match names.is_empty() {
                true => "> ".to_owned(),
                false => format!("{}> ", self.record.position().seat),
            };
            match prompt.ask(&text, &names, self.out)? {
                Line::End => return Ok(Then::Leave),
                Line::Interrupted if interrupted => return Ok(Then::Leave),
                Line::Interrupted => {
                    interrupted = true;
                    writeln!(self.out, "Once more, or 'quit', to leave the game.")?;
                }
                Line::Typed(line) => {
                    interrupted = false;
                    let typed = read(&line, &names, self.record.setup().pits() / 2);
                    let then = self.answer(&typed, &line)?;
                    self.out.flush()?;
                    if then != Then::Ask {
                        return Ok(then);
                    }
                }
            }
        }
    }

    fn answer(&mut self, typed: &Typed, line: &str) -> Result<Then, Failure> {
        match typed {
            Typed::Blank => {}
            Typed::Move(name) => {
                self.make(name)?;
                return Ok(Then::Show);
            }
            Typed::Command(command) => return self.obey(*command),
            Typed::Unknown(near) => self.unknown(line.trim(), near.as_deref())?,
        }
        Ok(Then::Ask)
    }

    fn unknown(&mut self, word: &str, near: Option<&str>) -> Result<(), Failure> {
        let line = one_line(word);
        let mut shown: String = line.chars().take(40).collect();
        if shown.len() < line.len() {
            shown.push('…');
        }
        let mut words = format!("'{shown}' is neither a move that you can make nor a command");
        match near {
            Some(near) => words.push_str(&format!("; did you mean '{near}'?")),
            None => words.push('.'),
        }
        writeln!(self.out, "{}", self.paint.wrong(words))?;
        self.list_moves()
    }

    fn list_moves(&mut self) -> Result<(), Failure> {
        let names = self.names();
        let line = match names.is_empty() {
            true => "The game is over: 'undo', 'new' or 'quit'.".to_owned(),
            false => format!("Moves: {}. 'help' lists the commands.", names.join(" ")),
        };
        Ok(writeln!(self.out, "{line}")?)
    }

    fn obey(&mut self, command: Command) -> Result<Then, Failure> {
        match command {
            Command::Moves => self.list_moves()?,
            Command::Board => return Ok(Then::Show),
            Command::Help => self.help()?,
            Command::Position => self.position()?,
            Command::Quit => return Ok(Then::Leave),
            Command::New => {
                self.record.restart();
                return Ok(Then::Show);
            }
            Command::Undo => return self.undo(),
            Command::Swap => {
                self.you = match self.you {
                    You::South => You::North,
                    You::North => You::South,
                    both => both,
                };
                let who = match self.you {
                    You::South | You::North => "You play the other side now.",
                    _ => "You play both sides already.",
                };
                writeln!(self.out, "{who}")?;
                return Ok(Then::Show);
            }
            Command::Hint | Command::Values | Command::Line | Command::Go
                if self.names().is_empty() =>
            {
                self.list_moves()?;
            }
            Command::Hint => self.hint()?,
            Command::Values => self.values()?,
            Command::Line => self.line()?,
            Command::Go => {
                self.reply()?;
                return Ok(Then::Show);
            }
        }
        Ok(Then::Ask)
    }

    fn help(&mut self) -> Result<(), Failure> {
        for (_, name, about) in COMMANDS {
            writeln!(
                self.out,
                "  {}  {about}",
                self.paint.strong(format!("{name:<8}"))
            )?;
        }
        writeln!(
            self.out,
            "\nThe first two letters of a command will do. Pits are named by the letters beside them"
        )?;
        if self.game.two_way() {
            writeln!(
                self.out,
                "and a move is a pit with the direction of its first lap: + counter-clockwise, - clockwise."
            )?;
        } else {
            writeln!(
                self.out,
                "and a move is the letter of the pit that is lifted."
            )?;
        }
        Ok(())
    }

    fn moves_played(&self) -> String {
        let names: Vec<&str> = self
            .record
            .plies()
            .iter()
            .map(|made| made.name.as_str())
            .collect();
        names.join(",")
    }

    fn position(&mut self) -> Result<(), Failure> {
        let setup = self.record.setup();
        let now = self.record.position().text(setup);
        writeln!(self.out, "Position: {now}")?;
        if !self.record.plies().is_empty() {
            let start = self.record.start().text(setup);
            writeln!(self.out, "reached from {start} by {}", self.moves_played())?;
        }
        Ok(())
    }

    /// Takes back what was played since the user's last choice, and that.
    fn undo(&mut self) -> Result<Then, Failure> {
        let you = self.you;
        let chose = |made: &Made| you.plays(made.seat) && made.name != "pass";
        if !self.record.plies().iter().any(chose) {
            writeln!(self.out, "There is no move of yours to take back.")?;
            return Ok(Then::Ask);
        }
        while let Some(made) = self.record.undo() {
            if chose(&made) {
                break;
            }
        }
        Ok(Then::Show)
    }

    fn advise(&mut self) -> Result<Advice, Failure> {
        self.out.flush()?;
        self.adviser.advise(&self.record)
    }

    fn hint(&mut self) -> Result<(), Failure> {
        let advice = self.advise()?;
        let (report, seat) = (&advice.report, self.record.position().seat);
        let Some(name) = advice.choice() else {
            return self.list_moves();
        };
        let chosen = report.moves.iter().find(|found| found.ply.name == name);
        let value = chosen.and_then(|found| found.value);
        let why = match value {
            Some(value) => result_words(seat, value.margin(report.lead), G::SCORED),
            None => "looks best, which is not proven".to_owned(),
        };
        writeln!(self.out, "{}: {why}.", self.paint.strong(name))?;
        self.caution(&advice)
    }

    fn values(&mut self) -> Result<(), Failure> {
        let advice = self.advise()?;
        moves_table(self.record.target(), &advice.report).write(self.out)?;
        writeln!(
            self.out,
            "{}",
            value_words(self.record.target(), &advice.report)
        )?;
        self.caution(&advice)
    }

    fn line(&mut self) -> Result<(), Failure> {
        let advice = self.advise()?;
        if advice.report.line.is_empty() {
            writeln!(
                self.out,
                "{}",
                value_words(self.record.target(), &advice.report)
            )?;
        } else {
            write_line(self.out, self.record.target(), &advice.report, false)?;
        }
        self.caution(&advice)
    }

    fn caution(&mut self, advice: &Advice) -> Result<(), Failure> {
        if advice.as_if_new {
            writeln!(self.out, "{AS_IF_NEW}")?;
        }
        Ok(())
    }

    /// The program moves.
    fn reply(&mut self) -> Result<(), Failure> {
        let advice = self.advise()?;
        if advice.interrupted && self.you == You::Neither {
            self.you = You::Both;
            writeln!(
                self.out,
                "Stopped: you play both sides now, 'swap' and 'go' are for you."
            )?;
            return Ok(());
        }
        let first = self.names().first().cloned();
        let name = advice.choice().map(str::to_owned).or(first);
        name.map_or(Ok(()), |name| self.make(&name))
    }

    /// Makes a move and tells it.
    fn make(&mut self, name: &str) -> Result<(), Failure> {
        let Some(made) = self.record.make(self.game, name) else {
            return Ok(());
        };
        let mut words = match &made.name[..] {
            "pass" => format!("{} has no move and passes", made.seat),
            name => format!("{} plays {name}", made.seat),
        };
        if made.laps > 1 {
            words.push_str(&format!(", {} laps", made.laps));
        }
        if made.endless {
            words.push_str(", which never ends");
        } else if made.captured > 0 {
            words.push_str(&format!(", takes {}", counted(made.captured, "seed")));
        }
        if made.again {
            words.push_str(", and moves again");
        }
        let yours = self.you.plays(made.seat);
        let painted = if yours {
            words
        } else {
            self.paint.other(words)
        };
        Ok(writeln!(self.out, "{painted}.")?)
    }

    fn tell_ending(&mut self, ending: Ending) -> Result<(), Failure> {
        let words = match ending {
            Ending::Endless => "A move that never ends: the game is a draw.".to_owned(),
            Ending::Repetition { first: 0 } => {
                "The position that the game began with is on the board again: a draw.".to_owned()
            }
            Ending::Repetition { first } => format!(
                "The position after ply {first} ({}) is on the board again: a draw.",
                self.record.plies()[first - 1].name,
            ),
            Ending::Over { margin } => {
                let result = result_words(Seat::South, margin, G::SCORED);
                format!("No move is left and the game is over: {result}.")
            }
        };
        writeln!(self.out, "{}", self.paint.strong(words))?;
        if self.you != You::Neither {
            writeln!(
                self.out,
                "'undo' takes your last move back, 'new' begins again, 'quit' leaves."
            )?;
        }
        Ok(())
    }
}
