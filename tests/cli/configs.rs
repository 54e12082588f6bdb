//! Solver-configs: every file of the project is read, and nonsense is refused in one line.

use crate::support::Nonsense;
use sowbase::config::Config;
use std::path::Path;

/// The project's own configs, by name.
fn files() -> Vec<(String, String)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("solver-configs");
    let mut files: Vec<(String, String)> = std::fs::read_dir(dir)
        .expect("solver-configs")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("UTF-8");
            (path.display().to_string(), text)
        })
        .collect();
    files.sort();
    files
}

#[test]
fn every_file_is_read() {
    let files = files();
    assert!(files.len() >= 4);
    for (name, text) in files {
        let config = Config::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let game = config.setup.game().as_str();
        assert!(name.contains(game), "{name} is about {game}");
    }
}

#[test]
fn ten_thousand_configs() {
    let files = files();
    let mut nonsense = Nonsense(4);
    let mut read = 0;
    for round in 0..10_000 {
        let text = match round % 4 {
            0 => nonsense.text(),
            _ => {
                let (_, text) = &files[nonsense.below(files.len())];
                nonsense.mutated(text)
            }
        };
        match Config::parse(&text) {
            Ok(_) => read += 1,
            Err(error) => {
                let message = error.to_string();
                assert!(message.lines().count() == 1, "{text:?}: {message}");
            }
        }
    }
    assert!((100..9_900).contains(&read), "{read} of 10000 were configs");
}

#[test]
fn deep_nesting_is_refused_not_followed() {
    for (open, close) in [("[", "]"), ("{a=", "}")] {
        let text = format!("game = {}{}", open.repeat(100_000), close.repeat(100_000));
        assert!(Config::parse(&text).is_err());
    }
}
