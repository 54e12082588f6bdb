//! Files that someone has changed and made whole again: every checksum fits, so what is inside is
//! reached. Nothing panics, hangs or takes memory that was never there, and `verify` passes only what
//! says the same.
//!
//! Files are taken to pieces and put together as the docs of `sowbase::table` describe them, by code
//! of its own here.

use crate::support::{Scratch, files, job};
use proptest::prelude::*;
use proptest::sample::Index;
use sowbase::build::{Job, Options, build};
use sowbase::games::GameName;
use sowbase::index::Layer;
use sowbase::progress::Silent;
use sowbase::table::{Manifest, ProbeError, Row, Seeds, Table, verify};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;
use xxhash_rust::xxh3::{xxh3_64_with_seed, xxh3_128};

/// A layer's file in pieces, of one block a plane.
#[derive(Clone, Debug)]
struct Pieces {
    /// All of the header but its checksum.
    head: Vec<u8>,
    /// Of each plane: what its index says of the end of its block beyond where it is, and the block.
    planes: Vec<(u64, Vec<u8>)>,
    /// Bytes after the last block.
    more: Vec<u8>,
}

/// The seed of a checksum: layer, plane and block (0 for the plane's index).
fn seed(layer: Layer, plane: u64, block: u64) -> u64 {
    let [kind, a, b] = match layer {
        Layer::Total(seeds) => [0, u64::from(seeds), 0],
        Layer::Sides(own, other) => [1, own.into(), other.into()],
    };
    (kind << 62 | a << 54 | b << 46 | (plane + 1) << 40) ^ block
}

impl Pieces {
    fn of(bytes: &[u8]) -> Self {
        let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
        let text = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
        let head = 16 + text + 3 + 1 + 8 + 8;
        assert_eq!(number(head - 8), 1, "one block a plane");
        let mut at = head + 8;
        let mut planes = Vec::new();
        for _ in 0..bytes[16 + text + 3] {
            let (start, end) = (at + 24, number(at) as usize);
            planes.push((0, bytes[start..end].to_vec()));
            at = end;
        }
        assert_eq!(at + 16, bytes.len());
        Self {
            head: bytes[..head].to_vec(),
            planes,
            more: Vec::new(),
        }
    }

    /// The file, with all checksums and its hash made to fit.
    fn bytes(&self, layer: Layer) -> Vec<u8> {
        let mut out = self.head.clone();
        out.extend(xxh3_64_with_seed(&out, 0).to_le_bytes());
        for (plane, (lie, block)) in self.planes.iter().enumerate() {
            let end = (out.len() + 24 + block.len()) as u64;
            let mut index = end.wrapping_add(*lie).to_le_bytes().to_vec();
            let sum = xxh3_64_with_seed(block, seed(layer, plane as u64, 1));
            index.extend(sum.to_le_bytes());
            let sum = xxh3_64_with_seed(&index, seed(layer, plane as u64, 0));
            index.extend(sum.to_le_bytes());
            out.extend(index);
            out.extend(block);
        }
        out.extend(&self.more);
        out.extend(xxh3_128(&out).to_le_bytes());
        out
    }
}

/// A small table: its files and its values.
struct Sample {
    files: BTreeMap<String, Vec<u8>>,
    manifest: Manifest,
    rows: Vec<Row>,
    scored: bool,
}

fn rows(table: &Table) -> Vec<Row> {
    let layers = table.layers().into_iter().enumerate();
    layers
        .flat_map(|(file, (_, blocks))| (0..blocks).map(move |block| (file, block)))
        .flat_map(|(file, block)| table.rows(file, block).unwrap_or_default())
        .collect()
}

fn sample(job: &Job) -> Sample {
    let scratch = Scratch::new("forged");
    let directory = scratch.table();
    let manifest = build(job, &directory, &Options::default(), &Silent).unwrap();
    let table = Table::open(&directory).unwrap();
    Sample {
        files: files(&directory),
        rows: rows(&table),
        scored: table.setup().game().scored(),
        manifest,
    }
}

static SAMPLES: LazyLock<[Sample; 3]> = LazyLock::new(|| {
    let mut bare = job(GameName::Bosh, 2, Layer::Total(5));
    bare.distances = false;
    [
        sample(&job(GameName::Giuthi, 2, Layer::Total(6))),
        sample(&job(GameName::Hawalis, 2, Layer::Sides(3, 2))),
        sample(&bare),
    ]
});

/// What matters of a value: in win-loss games the bound that makes the outcome.
fn says(row: &Row, scored: bool) -> String {
    let value = &row.value;
    match scored {
        true => format!(
            "{} {} {:?} {:?}",
            value.lower,
            value.upper,
            value.finite_lower_distance(),
            value.finite_upper_distance()
        ),
        false => format!("{} {:?}", value.outcome(0), value.distance(0)),
    }
}

/// Does everything with a table that one does with tables.
fn survives(directory: &Path, sample: &Sample) {
    let one_line = |error: &dyn std::fmt::Display| assert!(!error.to_string().contains('\n'));
    let verified = verify(directory, &Silent);
    match Table::open(directory) {
        Err(error) => {
            one_line(&error);
            assert!(verified.is_err());
        }
        Ok(table) => {
            for row in &sample.rows {
                match table.probe(&row.position) {
                    Ok(_) => {}
                    Err(ProbeError::Table(error)) => one_line(&error),
                    Err(error) => one_line(&error),
                }
            }
            let found = rows(&table);
            let proven = verified.is_ok_and(|verdict| verdict.unwrap().faulty == 0);
            if proven && table.manifest().distances && found.len() == sample.rows.len() {
                for (found, right) in found.iter().zip(&sample.rows) {
                    let scored = sample.scored;
                    assert_eq!(says(found, scored), says(right, scored));
                }
            }
        }
    }
}

/// A copy of a table, with one layer's file replaced and the manifest made to fit it.
fn forge(sample: &Sample, at: usize, change: impl FnOnce(&mut Pieces)) -> Scratch {
    let scratch = Scratch::new("forgery");
    let directory = scratch.table();
    fs::create_dir_all(&directory).unwrap();
    for (name, bytes) in &sample.files {
        fs::write(directory.join(name), bytes).unwrap();
    }
    let mut manifest = sample.manifest.clone();
    let entry = &mut manifest.layers[at];
    let path = directory.join(format!("{}.sow", entry.layer));
    let mut pieces = Pieces::of(&fs::read(&path).unwrap());
    change(&mut pieces);
    let layer = match entry.layer.split_once('-') {
        Some((own, other)) => Layer::Sides(own.parse().unwrap(), other.parse().unwrap()),
        None => Layer::Total(entry.layer.parse().unwrap()),
    };
    let bytes = pieces.bytes(layer);
    entry.bytes = bytes.len() as u64;
    let tail = bytes[bytes.len() - 16..].try_into().unwrap();
    entry.hash = format!("{:032x}", u128::from_le_bytes(tail));
    fs::write(&path, bytes).unwrap();
    manifest.write(&directory).unwrap();
    scratch
}

#[test]
fn files_are_put_together_as_the_docs_say() {
    for sample in &*SAMPLES {
        for (name, bytes) in &sample.files {
            let Some(layer) = name.strip_suffix(".sow") else {
                continue;
            };
            let at = sample.manifest.layers.iter();
            let at = at.clone().position(|entry| entry.layer == layer).unwrap();
            let scratch = forge(sample, at, |_| ());
            assert_eq!(&fs::read(scratch.table().join(name)).unwrap(), bytes);
            survives(&scratch.table(), sample);
            let verdict = verify(&scratch.table(), &Silent).unwrap().unwrap();
            assert_eq!((verdict.faulty, sample.rows.is_empty()), (0, false));
        }
    }
}

/// A change to bytes: where (as a share of them), how, and with what.
type Change = (Index, u8, Vec<u8>);

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let some = prop::collection::vec(any::<u8>(), 1..24);
    prop::collection::vec((any::<Index>(), 0..6u8, some), 1..4)
}

fn apply(bytes: &mut Vec<u8>, changes: &[Change]) {
    for (at, how, new) in changes {
        let at = at.index(bytes.len() + 1);
        match how {
            0 => drop(bytes.splice(at..at, new.iter().copied())),
            1 => bytes.truncate(at),
            2 => drop(bytes.drain(at..(at + new.len()).min(bytes.len()))),
            3 => bytes[at..].iter_mut().for_each(|byte| *byte = new[0]),
            _ => {
                for (byte, new) in bytes[at..].iter_mut().zip(new) {
                    *byte = *new;
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn forged_blocks_do_no_harm(
        sample in 0..3usize, layer in any::<Index>(), plane in any::<Index>(), changes in changes(),
    ) {
        let sample = &SAMPLES[sample];
        let scratch = forge(sample, layer.index(sample.manifest.layers.len()), |pieces| {
            let plane = plane.index(pieces.planes.len());
            apply(&mut pieces.planes[plane].1, &changes);
        });
        survives(&scratch.table(), sample);
    }

    #[test]
    fn forged_headers_and_indexes_do_no_harm(
        sample in 0..3usize, layer in any::<Index>(), changes in changes(),
        lies in prop::collection::vec(prop_oneof![Just(0), 1..64u64, any::<u64>()], 2),
        more in prop::collection::vec(any::<u8>(), 0..40), whole in any::<bool>(),
    ) {
        let sample = &SAMPLES[sample];
        let scratch = forge(sample, layer.index(sample.manifest.layers.len()), |pieces| {
            if !whole {
                apply(&mut pieces.head, &changes);
            }
            for (plane, lie) in pieces.planes.iter_mut().zip(lies) {
                plane.0 = lie;
            }
            pieces.more = more;
        });
        survives(&scratch.table(), sample);
    }

    #[test]
    fn forged_manifests_do_no_harm(
        sample in 0..3usize, field in 0..10u8, number in prop_oneof![0..40u64, any::<u64>()],
        pair in any::<[u8; 2]>(), masks in any::<[u16; 2]>(), layer in any::<Index>(), text in ".{0,12}",
    ) {
        let sample = &SAMPLES[sample];
        let scratch = forge(sample, 0, |_| ());
        let mut manifest = sample.manifest.clone();
        let layer = layer.index(manifest.layers.len());
        // TOML's integers have a sign.
        let number = number & u64::MAX >> 1;
        match field {
            0 => manifest.columns = number as usize,
            1 => manifest.seeds = Seeds::Total(pair[0]),
            2 => manifest.seeds = Seeds::Sides(pair),
            3 => manifest.closed = masks,
            4 => drop(manifest.rules.insert(text.clone(), text)),
            5 => manifest.layers[layer].positions = number,
            6 => manifest.layers[layer].bytes = number,
            7 => manifest.layers[layer].layer = text,
            8 => manifest.game = text,
            _ => manifest.layers.swap(layer, number as usize % sample.manifest.layers.len()),
        }
        manifest.write(&scratch.table()).unwrap();
        survives(&scratch.table(), sample);
    }
}

#[test]
fn numbers_of_any_size_take_no_memory_and_no_time() {
    let sample = &SAMPLES[0];
    let largest = sample.manifest.layers.len() - 1;
    let text = u32::from_le_bytes(sample.files["6.sow"][12..16].try_into().unwrap());
    let positions = 16 + text as usize + 4;
    let mut forgeries = Vec::new();
    for number in [u64::MAX, 1 << 62, 1 << 40, 1 << 32] {
        for at in [12, positions, positions + 8] {
            forgeries.push(forge(sample, largest, |pieces| {
                let room = (pieces.head.len() - at).min(8);
                pieces.head[at..at + room].copy_from_slice(&number.to_le_bytes()[..room]);
            }));
        }
        forgeries.push(forge(sample, largest, |pieces| pieces.planes[0].0 = number));
    }
    for (columns, seeds) in [(10, 255), (10, 60), (1 << 40, 6)] {
        let forgery = forge(sample, 0, |_| ());
        let mut manifest = sample.manifest.clone();
        (manifest.columns, manifest.seeds) = (columns, Seeds::Total(seeds));
        manifest.write(&forgery.table()).unwrap();
        forgeries.push(forgery);
    }
    for forgery in forgeries {
        // A gigabyte of addresses and ten seconds.
        let line = format!(
            "ulimit -v 1000000; exec timeout 10 '{}' verify '{}' --threads 1",
            env!("CARGO_BIN_EXE_sowbase"),
            forgery.table().display(),
        );
        let run = Command::new("bash").args(["-c", &line]).output().unwrap();
        let said = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(4), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}
