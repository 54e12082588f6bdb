//! A table that is built further than before is the one that would have been built at once, byte by byte.

use crate::support::{Scratch, assert_same, built, files, job};
use sowbase::build::{LOCK, Options, build};
use sowbase::games::GameName;
use sowbase::index::Layer;
use sowbase::progress::Silent;

/// The layer files that were there before are the same afterwards and not written anew.
fn grows(game: GameName, columns: usize, tops: &[Layer]) {
    let (step_by_step, at_once) = (Scratch::new("grown"), Scratch::new("at-once"));
    for &top in tops {
        let before = step_by_step.table();
        let times = |name: &str| {
            before
                .join(name)
                .metadata()
                .and_then(|file| file.modified())
        };
        let old: Vec<_> = match before.exists() {
            true => files(&before).into_keys().collect(),
            false => Vec::new(),
        };
        let old: Vec<_> = old.iter().filter(|name| name.ends_with(".sow")).collect();
        let written: Vec<_> = old
            .iter()
            .map(|name| times(name).expect("a file"))
            .collect();
        built(&job(game, columns, top), &before);
        for (name, written) in old.into_iter().zip(written) {
            assert_eq!(times(name).expect("still there"), written, "{name}");
        }
    }
    let last = *tops.last().expect("a layer");
    built(&job(game, columns, last), &at_once.table());
    let (grown, at_once) = (files(&step_by_step.table()), files(&at_once.table()));
    assert_same(&grown, &at_once, &format!("{game} {tops:?}"));
}

#[test]
fn a_table_grows_to_the_same_bytes() {
    let total = |seeds: &[u8]| seeds.iter().map(|&s| Layer::Total(s)).collect::<Vec<_>>();
    grows(GameName::Bosh, 3, &total(&[0, 5, 6, 9]));
    grows(GameName::Giuthi, 2, &total(&[3, 8]));
    grows(GameName::Hus, 2, &total(&[4, 6]));
    let sides = |own, other| Layer::Sides(own, other);
    grows(GameName::Hawalis, 2, &[sides(5, 4), sides(5, 5)]);
    grows(
        GameName::Hawalis,
        2,
        &[sides(0, 0), sides(1, 0), sides(1, 1)],
    );
}

/// What cannot become the larger table by adding layers at its end stays as it was.
#[test]
fn a_table_neither_shrinks_nor_is_mixed() {
    let refused = |game, columns, there, wanted| {
        let scratch = Scratch::new("refused");
        built(&job(game, columns, there), &scratch.table());
        let before = files(&scratch.table());
        let wanted = job(game, columns, wanted);
        let error = build(&wanted, &scratch.table(), &Options::default(), &Silent);
        let error = error.expect_err("another table").to_string();
        assert!(error.contains("--out"), "{error}");
        let mut after = files(&scratch.table());
        after.remove(LOCK);
        assert_same(&after, &before, "refused");
    };
    refused(GameName::Bosh, 2, Layer::Total(6), Layer::Total(5));
    refused(GameName::Hawalis, 2, Layer::Sides(3, 3), Layer::Sides(3, 2));
    refused(GameName::Hawalis, 2, Layer::Sides(3, 3), Layer::Sides(4, 3));
}
