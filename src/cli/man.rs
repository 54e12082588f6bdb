//! Owns: `sowbase man`: manual pages from the definition of the command line.

use super::Cli;
use super::failure::Failure;
use clap::CommandFactory;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

/// Writes the manual: the main page to standard output, or a page for every command to a directory
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ManArgs {
    /// Directory to write a page for every command into; made when it is not there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  sowbase man > sowbase.1
  sowbase man --out man";

/// Runs the command.
pub fn run(args: &ManArgs, out: &mut impl Write) -> Result<(), Failure> {
    let command = Cli::command();
    let Some(dir) = &args.out else {
        return Ok(clap_mangen::Man::new(command).render(out)?);
    };
    fs::create_dir_all(dir)
        .and_then(|()| clap_mangen::generate_to(command, dir))
        .map_err(|error| Failure::writing(dir, "--out", &error))
}
