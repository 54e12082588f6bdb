//! Owns: asking for a line: with editing, history and completion on a terminal, plainly elsewhere.

use super::command::COMMANDS;
use crate::cli::failure::{Failure, Kind, one_line};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::io::{self, BufRead, IsTerminal, Write};

/// What came of asking.
pub enum Line {
    /// A line.
    Typed(String),
    /// Ctrl-C.
    Interrupted,
    /// The end of the input.
    End,
}

/// Asks the user.
pub enum Prompt {
    /// On a terminal.
    Terminal(Box<Editor<Names, MemHistory>>),
    /// Lines from a file or a pipe, which are shown as if they had been typed.
    Plain,
}

impl Prompt {
    /// The way of asking that fits the input.
    ///
    /// # Errors
    /// When the terminal cannot be set up.
    pub fn new() -> Result<Self, Failure> {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Ok(Self::Plain);
        }
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .build();
        let mut editor = Editor::with_history(config, MemHistory::new()).map_err(trouble)?;
        editor.set_helper(Some(Names(Vec::new())));
        Ok(Self::Terminal(Box::new(editor)))
    }

    /// Asks for a line, with the names of `moves` to complete it from.
    ///
    /// # Errors
    /// When the input cannot be read.
    pub fn ask(
        &mut self,
        prompt: &str,
        moves: &[String],
        out: &mut impl Write,
    ) -> Result<Line, Failure> {
        out.write_all(if matches!(self, Self::Plain) {
            prompt.as_bytes()
        } else {
            b""
        })?;
        out.flush()?;
        let editor = match self {
            Self::Terminal(editor) => editor,
            Self::Plain => {
                let mut bytes = Vec::new();
                let read = io::stdin().lock().read_until(b'\n', &mut bytes);
                let read =
                    read.map_err(|error| Failure::usage(format!("standard input: {error}")))?;
                let line = String::from_utf8_lossy(&bytes).into_owned();
                writeln!(out, "{}", one_line(line.trim_end()))?;
                return Ok(if read == 0 {
                    Line::End
                } else {
                    Line::Typed(line)
                });
            }
        };
        if let Some(names) = editor.helper_mut() {
            names.0.clear();
            names.0.extend_from_slice(moves);
        }
        match editor.readline(prompt) {
            Ok(line) => {
                if !line.trim().is_empty() {
                    editor.add_history_entry(line.trim()).map_err(trouble)?;
                }
                Ok(Line::Typed(line))
            }
            Err(ReadlineError::Interrupted) => Ok(Line::Interrupted),
            Err(ReadlineError::Eof) => Ok(Line::End),
            Err(error) => Err(trouble(error)),
        }
    }
}

#[allow(clippy::needless_pass_by_value)] // as `map_err` gives it
fn trouble(error: ReadlineError) -> Failure {
    Failure::new(
        Kind::Other,
        format!("cannot read from the terminal: {error}"),
    )
}

/// The names of moves; with those of commands they complete what is typed.
pub struct Names(Vec<String>);

impl Completer for Names {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let from = line.len() - line.trim_start().len();
        let begun = line.get(from.min(at)..at).unwrap_or_default();
        let commands = COMMANDS.iter().map(|(_, name, _)| (*name).to_owned());
        let names = self.0.iter().cloned().chain(commands);
        let fits = names.filter(|name| name.starts_with(begun));
        Ok((from, fits.collect()))
    }
}

impl Hinter for Names {
    type Hint = String;
}

impl Highlighter for Names {}
impl Validator for Names {}
impl Helper for Names {}
