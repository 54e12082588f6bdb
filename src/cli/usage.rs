//! Owns: what the argument parser says, brought into the program's own form: one line, exit code 2.
//!
//! The parser writes several lines for a mistake; scripts and people get one. The commonest mistake
//! here, a position with spaces and no quotes, is told apart from an argument too many.

use super::failure::Failure;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::io::Write;

/// Prints help or version where that was asked for; any other parse error becomes a failure.
///
/// # Errors
/// The failure to report.
pub fn explain(error: &clap::Error, out: &mut impl Write) -> Result<(), Failure> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            write!(out, "{}", error.render())?;
            Ok(out.flush()?)
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => Err(Failure::usage(
            "expected a command, found none; see 'sowbase --help'",
        )),
        _ => Err(Failure::usage(message(error))),
    }
}

/// What the parser has to say before it shows the usage, in one line with a remedy.
fn message(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let said = text.strip_prefix("error: ").unwrap_or(&text);
    let said = said.split("\n\nUsage:").next().unwrap_or(said);
    let said = said
        .split("\n\nFor more information")
        .next()
        .unwrap_or(said);
    let mut line = String::new();
    for part in said.lines().map(str::trim).filter(|part| !part.is_empty()) {
        line.push_str(match part.starts_with("tip:") {
            _ if line.is_empty() => "",
            true => "; ",
            false => " ",
        });
        line.push_str(part);
    }
    line.push_str(if forgot_quotes(error, &text) {
        "; a position with spaces is one argument: write it in quotes, 'ROWS SIDE CAPTURED'"
    } else {
        "; see --help"
    });
    line
}

/// Whether the offending argument looks like a word of a position, or one that a position without
/// quotes has pushed out of its place.
fn forgot_quotes(error: &clap::Error, text: &str) -> bool {
    let word = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.as_str()),
        _ => None,
    };
    let extra = error.kind() == ErrorKind::UnknownArgument
        && text.contains("<POSITION>")
        && word(ContextKind::InvalidArg).is_some_and(|word| !word.starts_with('-'));
    extra || matches!(word(ContextKind::InvalidValue), Some("S" | "N"))
}
