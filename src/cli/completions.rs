//! Owns: `sowbase completions`: a completion script from the definition of the command line.

use super::Cli;
use super::failure::Failure;
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::Write;

/// Writes a completion script for a shell to standard output
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

const EXAMPLES: &str = "\
Example:
  sowbase completions bash > sowbase.bash";

/// Runs the command.
pub fn run(args: &CompletionsArgs, out: &mut impl Write) -> Result<(), Failure> {
    // The generator panics when it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "sowbase", &mut script);
    Ok(out.write_all(&script)?)
}
