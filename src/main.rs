//! Owns: exit codes, and nothing else (DESIGN section 5).

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut out = BufWriter::new(io::stdout());
    let result = sowbase::cli::run(std::env::args_os(), &mut out, &|line| say(line));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // What was written before is part of the answer (exit code 5 prints what it has).
            let _ = out.flush();
            if failure.kind() != sowbase::cli::Kind::ClosedPipe {
                say(&format!("sowbase: {failure}"));
            }
            ExitCode::from(failure.code())
        }
    }
}

/// Writes a line to stderr; one that is closed is nobody's loss.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
