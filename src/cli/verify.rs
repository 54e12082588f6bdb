//! Owns: `sowbase verify`: checksums, then the proof of every position.

use super::Notes;
use super::build::failure;
use super::failure::{Failure, Kind};
use super::flags::parse_threads;
use super::machine::with_threads;
use super::stop::Stopping;
use super::units::show_count;
use crate::table::{Table, Verdict, verify};
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

/// Checks every byte of a table, then proves every value in it by the plain rules
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct VerifyArgs {
    /// Directory of the table
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Threads to work with [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,
}

const EXAMPLES: &str = "\
Example:
  sowbase verify tables/giuthi-2x3

Exit code 3 when a value is wrong, 4 when a file is damaged.";

/// Runs the command.
pub fn run(args: &VerifyArgs, out: &mut impl Write, notes: &Notes<'_>) -> Result<(), Failure> {
    let table = Table::open(&args.directory).map_err(|error| failure(&error))?;
    let progress = Stopping::new(notes)?;
    let start = Instant::now();
    let verdict = with_threads(args.threads, || verify(&args.directory, &progress))?
        .map_err(|error| failure(&error))?
        .ok_or_else(|| Failure::new(Kind::Limit, "stopped before everything was verified"))?;
    write_faults(&table, &verdict, out)?;
    if verdict.faulty > 0 {
        let faulty = show_count(verdict.faulty);
        let positions = show_count(verdict.positions);
        return Err(Failure::new(
            Kind::No,
            format!("{faulty} of {positions} positions have a wrong value; build the table again"),
        ));
    }
    let done = match verdict.proven {
        true => "proven",
        false => "consistent (without distances in the table no more can be said)",
    };
    writeln!(
        out,
        "{}: {} layers, {} positions, all {done}, in {:.1} s",
        args.directory.display(),
        verdict.layers,
        show_count(verdict.positions),
        start.elapsed().as_secs_f64(),
    )?;
    Ok(())
}

fn write_faults(table: &Table, verdict: &Verdict, out: &mut impl Write) -> Result<(), Failure> {
    for fault in &verdict.faults {
        writeln!(
            out,
            "layer {}, rank {}, '{}': {}",
            fault.layer,
            fault.rank,
            fault.position.text(table.setup()),
            fault.what,
        )?;
    }
    Ok(())
}
