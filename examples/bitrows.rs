//! Solves all Hawalis layers up to sides of A and B seeds and prints positions a second.
//!
//! `bitrows COLUMNS A B [outcomes|distances|planes|bounds] [THREADS]`; the last line is one JSON object.
//! `distances` counts positions by distance; `planes` also keeps every distance of the level at work.

use sowbase::game::OwnSide;
use sowbase::games::{GameName, OwnSideVisitor, Rules, Setup};
use sowbase::index::Layer;
use sowbase::progress::Silent;
use sowbase::retro::bitrows::{BitRows, Patch, Planes, Sink, Wanted};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

struct Run {
    sides: (u8, u8),
    wanted: Wanted,
    what: String,
    columns: usize,
}

impl OwnSideVisitor for Run {
    type Output = ();

    fn visit<G: OwnSide>(self, game: &G) {
        let (a, b) = self.sides;
        let start = Instant::now();
        let rows = BitRows::new(game, a.max(b).into()).expect("sides can be tabulated");
        let tabulated = start.elapsed().as_secs_f64();
        let planned = rows.bytes(self.sides, self.wanted);
        let kept: Mutex<BTreeMap<Layer, Arc<Planes>>> = Mutex::default();
        let keep = |patch: &Patch<'_>| {
            let planes = {
                let mut kept = kept.lock().expect("no thread panics");
                let planes = kept.entry(patch.layer);
                let new = || Arc::new(Planes::new(patch.layer, patch.grid));
                Arc::clone(planes.or_insert_with(new))
            };
            planes.take(patch);
        };
        let sink = (self.what == "planes").then_some(&keep as &dyn Sink);
        let mut last = start;
        let tallies = rows
            .solve_all(self.sides, self.wanted, sink, &Silent, |layer, bits| {
                kept.lock().expect("no thread panics").remove(&layer);
                let now = Instant::now();
                let positions = bits.rows() * bits.columns();
                if positions > 10_000_000 {
                    eprintln!("{layer}: {positions} in {:?}", now - last);
                }
                last = now;
            })
            .expect("nothing stops it");
        let seconds = start.elapsed().as_secs_f64();
        for layer in Layer::Sides(a, b).level() {
            let t = &tallies[&layer];
            eprintln!("{layer}: {t:?}");
        }
        let positions: u64 = tallies.values().map(|tally| tally.positions).sum();
        println!(
            "{{\"work\":\"hawalis 4x{} to {a}-{b}, {}\",\"positions\":{positions},\"seconds\":{seconds:.3},\"tables_seconds\":{tabulated:.3},\"threads\":{},\"per_second\":{:.0},\"planned_bytes\":{planned}}}",
            self.columns,
            self.what,
            rayon::current_num_threads(),
            positions as f64 / seconds,
        );
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [columns, a, b, rest @ ..] = &arguments[..] else {
        return Err(
            "usage: bitrows COLUMNS A B [outcomes|distances|planes|bounds] [THREADS]".into(),
        );
    };
    let what = rest.first().map_or("outcomes", String::as_str);
    let wanted = Wanted {
        distances: what == "distances",
        bounds: what == "bounds",
    };
    if let Some(threads) = rest.get(1) {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads.parse()?)
            .build_global()?;
    }
    let (columns, a, b): (usize, u8, u8) = (columns.parse()?, a.parse()?, b.parse()?);
    let setup = Setup::new(columns, Rules::new(GameName::Hawalis))?;
    let run = Run {
        sides: (a, b),
        wanted,
        what: what.to_owned(),
        columns,
    };
    setup.visit_own_side(u32::from(a) + u32::from(b), run)?;
    Ok(())
}
