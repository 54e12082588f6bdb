//! Tables that lack layers: which is said wherever all of a table is asked about, and built.

use crate::support::{Scratch, assert_same, built, files, job};
use sowbase::cli::{Failure, Kind};
use sowbase::games::GameName;
use sowbase::index::Layer;
use sowbase::table::{MANIFEST, Manifest, Table};
use std::fs;
use std::path::Path;

/// Runs a command; its output, its notes and how it ended.
fn run(args: &[&str]) -> (String, Vec<String>, Result<(), Failure>) {
    let (mut out, notes) = (Vec::new(), std::sync::Mutex::new(Vec::new()));
    let args = std::iter::once("sowbase").chain(args.iter().copied());
    let note = |line: &str| notes.lock().unwrap().push(line.to_owned());
    let ended = sowbase::cli::run(args, &mut out, &note);
    (
        String::from_utf8(out).unwrap(),
        notes.into_inner().unwrap(),
        ended,
    )
}

/// A table whose building was stopped before the last `missing` layers, and their names.
fn stopped(scratch: &Scratch, game: GameName, top: Layer, missing: usize) -> (String, Vec<String>) {
    let directory = scratch.table();
    built(&job(game, 2, top), &directory);
    let mut manifest = Manifest::read(&directory).unwrap();
    let gone = manifest.layers.split_off(manifest.layers.len() - missing);
    let names: Vec<String> = gone.into_iter().map(|entry| entry.layer).collect();
    for name in &names {
        fs::remove_file(directory.join(format!("{name}.sow"))).unwrap();
    }
    manifest.write(&directory).unwrap();
    (directory.to_str().unwrap().to_owned(), names)
}

#[test]
fn an_unfinished_table_is_called_so() {
    for (game, top, missing, whole, layers) in [
        (GameName::Giuthi, Layer::Total(6), 2, 7, "layers 5 to 6 are"),
        (GameName::Bosh, Layer::Total(4), 1, 5, "layer 4 is"),
        (GameName::Hus, Layer::Total(3), 4, 4, "layers 0 to 3 are"),
    ] {
        let scratch = Scratch::new("unfinished");
        let (table, names) = stopped(&scratch, game, top, missing);
        let lacking = Table::open(table.as_ref()).unwrap().missing();
        let lacking: Vec<String> = lacking.iter().map(Layer::to_string).collect();
        assert_eq!(lacking, names, "{game}");
        let (said, _, ended) = run(&["verify", &table]);
        let of = format!("{} of {whole} layers, ", whole - missing);
        assert!(said.contains(&of) && said.contains("all proven"), "{said}");
        let failure = ended.unwrap_err();
        assert_eq!(failure.kind(), Kind::Limit, "{failure}");
        let message = failure.to_string();
        assert!(
            message.contains(&format!("is unfinished: {layers} not built yet")),
            "{message}"
        );
        assert!(message.contains("'sowbase build'"), "{message}");
        let (said, _, ended) = run(&["stats", &table]);
        assert!(ended.is_ok() && said.contains(layers), "{said}");
        let (said, _, _) = run(&["stats", &table, "--json"]);
        let stats: serde_json::Value = serde_json::from_str(&said).unwrap();
        assert_eq!(stats["missing"], serde_json::Value::from(names));
        let (_, notes, ended) = run(&["export", &table, "--format", "csv", "--out", "-"]);
        assert!(ended.is_ok() && notes[0].contains(layers), "{notes:?}");
    }
}

/// Layers of a level come together.
#[test]
fn a_table_by_sides_lacks_whole_levels() {
    let scratch = Scratch::new("sides");
    let (table, names) = stopped(&scratch, GameName::Hawalis, Layer::Sides(2, 1), 2);
    let lacking = Table::open(table.as_ref()).unwrap().missing();
    let lacking: Vec<String> = lacking.iter().map(Layer::to_string).collect();
    assert_eq!(lacking, names);
    assert_eq!(run(&["verify", &table]).2.unwrap_err().kind(), Kind::Limit);
}

#[test]
fn a_finished_table_is_not() {
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/tables/giuthi-2x3");
    assert!(Table::open(table.as_ref()).unwrap().missing().is_empty());
    let (said, notes, ended) = run(&["verify", table]);
    assert!(ended.is_ok() && notes.is_empty(), "{notes:?}");
    assert!(
        said.contains(": 13 layers, 18,564 positions, all proven"),
        "{said}"
    );
    let (said, _, _) = run(&["stats", table, "--json"]);
    assert!(!said.contains("missing"), "{said}");
}

/// What the advice says helps.
#[test]
fn a_layer_whose_file_is_gone_is_built_again() {
    for (game, top, gone) in [
        (GameName::Giuthi, Layer::Total(6), "4.sow"),
        (GameName::Giuthi, Layer::Total(6), "6.sow"),
        (GameName::Hawalis, Layer::Sides(2, 2), "1-2.sow"),
        (GameName::Hus, Layer::Total(3), "1.sow"),
    ] {
        let scratch = Scratch::new("gone");
        let directory = scratch.table();
        let job = job(game, 2, top);
        built(&job, &directory);
        let wanted = files(&directory);
        let path = directory.join(gone);
        fs::remove_file(&path).unwrap();
        let (_, _, ended) = run(&["verify", directory.to_str().unwrap()]);
        let failure = ended.unwrap_err();
        assert_eq!(failure.kind(), Kind::Damaged);
        let message = failure.to_string();
        assert!(message.starts_with(path.to_str().unwrap()), "{message}");
        assert!(
            message.contains("found no file; run the build again"),
            "{message}"
        );
        built(&job, &directory);
        assert_same(&files(&directory), &wanted, gone);
    }
}

/// Rules in messages are in the words of solver-configs.
#[test]
fn a_table_of_something_else_is_told_in_words() {
    let scratch = Scratch::new("words");
    let config = |name: &str, text: &str| {
        let path = scratch.0.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let open = config(
        "open.toml",
        "game = \"bosh\"\ncolumns = 3\n[table]\nseeds = 4\n",
    );
    let closed = config(
        "closed.toml",
        "game = \"bosh\"\ncolumns = 3\nclosed = { north = \"bc\" }\n[rules]\nskip-origin = true\n[table]\nseeds = 5\ndistances = false\n",
    );
    let table = scratch.table();
    let table = table.to_str().unwrap();
    run(&["build", &closed, "--out", table]).2.unwrap();
    let words = "bosh, columns = 3, closed = { north = \"bc\" }, skip-origin = true";
    let plain = "bosh, columns = 3";
    let failure = run(&["build", &open, "--out", table]).2.unwrap_err();
    assert_eq!(failure.kind(), Kind::Damaged);
    let said = failure.to_string();
    let expected = format!(
        "expected {plain}, seeds = 4, distances = true, found {words}, seeds = 5, distances = false;"
    );
    assert!(said.contains(&expected), "{said}");
    let (_, notes, _) = run(&["moves", "bosh", "1,0,1/1,1,0 S", "--tables", table]);
    assert!(
        notes[0].contains(&format!("expected {plain}, found {words}")),
        "{notes:?}"
    );
    let failure = run(&["probe", table, "1,0,1/1,1,0 S"]).2.unwrap_err();
    assert_eq!(failure.kind(), Kind::Usage);
    let said = failure.to_string();
    assert!(
        said.contains("of 3 columns, closed = { north = \"bc\" }, found one of 3 columns"),
        "{said}"
    );
    let (said, _, _) = run(&["stats", table]);
    assert!(said.contains("closed = { north = \"bc\" }"), "{said}");
    // A layer of the other table in its place.
    let other = scratch.0.join("other");
    run(&["build", &open, "--out", other.to_str().unwrap()])
        .2
        .unwrap();
    fs::copy(other.join("3.sow"), Path::new(table).join("3.sow")).unwrap();
    let said = run(&["verify", table]).2.unwrap_err().to_string();
    assert!(
        said.contains(&format!("expected {words}, found {plain};")),
        "{said}"
    );
    assert!(
        !said.contains("coder=") && !said.contains(MANIFEST),
        "{said}"
    );
}
