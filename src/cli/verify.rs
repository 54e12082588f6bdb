//! Owns: `sowbase verify`: checksums, then the proof of every position.

use super::Notes;
use super::build::failure;
use super::failure::{Failure, Kind};
use super::flags::parse_threads;
use super::machine::with_threads;
use super::stats::unfinished;
use super::stop::Stopping;
use super::units::{counted, show_count};
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

Exit code 3 when a value is wrong, 4 when a file is damaged, 5 when layers of the table are still to be built:
then those that are there were verified.";

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
        let (faulty, have) = (
            show_count(verdict.faulty),
            match verdict.faulty {
                1 => "has",
                _ => "have",
            },
        );
        let positions = counted(verdict.positions, "position");
        return Err(Failure::new(
            Kind::No,
            format!("{faulty} of {positions} {have} a wrong value; build the table again"),
        ));
    }
    let done = match verdict.proven {
        true => "proven",
        false => "consistent (without distances in the table no more can be said)",
    };
    let missing = unfinished(&table);
    let layers = match table.missing().len() {
        0 => counted(verdict.layers as u64, "layer"),
        more => {
            let all = counted((verdict.layers + more) as u64, "layer");
            format!("{} of {all}", verdict.layers)
        }
    };
    writeln!(
        out,
        "{}: {layers}, {}, all {done}, in {:.1} s",
        args.directory.display(),
        counted(verdict.positions, "position"),
        start.elapsed().as_secs_f64(),
    )?;
    match missing {
        None => Ok(()),
        Some(missing) => Err(Failure::new(
            Kind::Limit,
            format!("{missing}; what is built is {done}"),
        )),
    }
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
