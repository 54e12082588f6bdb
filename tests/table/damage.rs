//! Damage of every kind is noticed, and never gives a wrong value.

use crate::support::{Scratch, built, files, job};
use sowbase::games::{GameName, Rules, Setup};
use sowbase::index::Layer;
use sowbase::notation::Position;
use sowbase::progress::Silent;
use sowbase::table::{ProbeError, Row, Table, TableError, Trouble, verify};
use std::fs;
use std::path::Path;

/// All positions of a table with their values.
fn rows(directory: &Path) -> Vec<Row> {
    let table = Table::open(directory).unwrap();
    let layers = table.layers().into_iter().enumerate();
    layers
        .flat_map(|(file, (_, blocks))| (0..blocks).map(move |block| (file, block)))
        .flat_map(|(file, block)| table.rows(file, block).unwrap())
        .collect()
}

/// Probes everything: right or refused.
fn probes_are_right(directory: &Path, rows: &[Row]) {
    let Ok(table) = Table::open(directory) else {
        return;
    };
    let positions: Vec<Position> = rows.iter().map(|row| row.position.clone()).collect();
    for (row, found) in rows.iter().zip(table.probe_all(&positions)) {
        match found {
            Ok(value) => assert_eq!(value, row.value),
            Err(ProbeError::Table(_) | ProbeError::NotCovered { .. }) => {}
            Err(other) => panic!("{other}"),
        }
    }
}

fn verify_fails(directory: &Path) -> TableError {
    verify(directory, &Silent).expect_err("damage must be noticed")
}

#[test]
fn every_flipped_byte_and_every_cut_is_noticed() {
    let scratch = Scratch::new("flips");
    let directory = scratch.table();
    built(&job(GameName::Giuthi, 2, Layer::Total(4)), &directory);
    let all = rows(&directory);
    for (name, bytes) in files(&directory) {
        let path = directory.join(&name);
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            fs::write(&path, &flipped).unwrap();
            verify_fails(&directory);
            probes_are_right(&directory, &all);
        }
        for length in 0..bytes.len() {
            fs::write(&path, &bytes[..length]).unwrap();
            verify_fails(&directory);
            if length % 16 == 0 {
                probes_are_right(&directory, &all);
            }
        }
        let mut longer = bytes.clone();
        longer.push(0);
        fs::write(&path, &longer).unwrap();
        verify_fails(&directory);
        fs::remove_file(&path).unwrap();
        verify_fails(&directory);
        fs::write(&path, &bytes).unwrap();
    }
    assert_eq!(verify(&directory, &Silent).unwrap().unwrap().faulty, 0);
}

/// The error is one line and has exit code 4.
fn is_foreign(directory: &Path) {
    let error = verify_fails(directory);
    assert!(
        matches!(error.trouble, Trouble::Foreign | Trouble::Damaged),
        "{error}"
    );
    assert!(!error.to_string().contains('\n'));
    let args = ["sowbase", "verify", directory.to_str().unwrap()];
    let failure = sowbase::cli::run(args, &mut Vec::new(), &|_| ()).unwrap_err();
    assert_eq!(failure.code(), 4, "{failure}");
}

#[test]
fn files_of_another_table_are_refused() {
    let [ours, wider, draws] = [(2, false), (3, false), (2, true)].map(|(columns, draws)| {
        let scratch = Scratch::new("foreign");
        let mut rules = Rules::new(GameName::Giuthi);
        if draws {
            rules.set("endless", "draw").unwrap();
        }
        let mut job = job(GameName::Giuthi, columns, Layer::Total(5));
        job.setup = Setup::new(columns, rules).unwrap();
        built(&job, &scratch.table());
        scratch
    });
    let (directory, mine) = (ours.table(), files(&ours.table()));
    for other in [&wider, &draws] {
        let theirs = files(&other.table());
        fs::write(directory.join("4.sow"), &theirs["4.sow"]).unwrap();
        is_foreign(&directory);
    }
    fs::write(directory.join("4.sow"), &mine["5.sow"]).unwrap();
    is_foreign(&directory);
    let mut newer = mine["4.sow"].clone();
    newer[8] = 2;
    fs::write(directory.join("4.sow"), &newer).unwrap();
    is_foreign(&directory);
    assert!(verify_fails(&directory).to_string().contains("version 2"));
    fs::write(directory.join("4.sow"), &mine["4.sow"]).unwrap();
    verify(&directory, &Silent).unwrap();
}

#[test]
fn nonsense_in_place_of_files_is_refused() {
    let scratch = Scratch::new("nonsense");
    let directory = scratch.table();
    built(&job(GameName::Hawalis, 2, Layer::Sides(2, 2)), &directory);
    let all = rows(&directory);
    let mut state = 7u64;
    for (name, bytes) in files(&directory) {
        for round in 0..60usize {
            let mut bytes = bytes.clone();
            // Numbers of all sizes over any eight bytes, and runs of noise.
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let at = (state >> 33) as usize % bytes.len();
            let noise = match round % 4 {
                0 => [0xff; 8],
                1 => [0; 8],
                2 => (1u64 << (round % 64)).to_le_bytes(),
                _ => state.to_le_bytes(),
            };
            for (byte, noise) in bytes[at..].iter_mut().zip(noise) {
                *byte = noise;
            }
            fs::write(directory.join(&name), &bytes).unwrap();
            probes_are_right(&directory, &all);
            let _ = verify(&directory, &Silent);
        }
        fs::write(directory.join(&name), &bytes).unwrap();
    }
}
