//! `probe` from standard input: answers in the order of questions, whatever the threads; and what it
//! says when one cannot be answered.

use serde_json::Value;
use sowbase::table::Table;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn carried(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tables")
        .join(name)
}

/// Runs `probe TABLE -` with more arguments, and the lines on its input.
fn probe(table: &str, more: &[&str], lines: &[String]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sowbase"))
        .arg("probe")
        .arg(carried(table))
        .arg("-")
        .args(more)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let text = lines.join("\n");
    let writer = std::thread::spawn(move || {
        // A child that stops at a line that it cannot read need not read the others.
        let _ = input.write_all(text.as_bytes());
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// Positions of a table, those of different layers mixed.
fn positions(name: &str, step: usize) -> Vec<String> {
    let table = Table::open(&carried(name)).unwrap();
    let mut all = Vec::new();
    for (file, (_, blocks)) in table.layers().into_iter().enumerate() {
        for block in 0..blocks {
            let rows = table.rows(file, block).unwrap();
            let texts = rows.iter().map(|row| row.position.text(table.setup()));
            all.extend(texts);
        }
    }
    (0..all.len())
        .map(|i| all[i * step % all.len()].clone())
        .collect()
}

fn json(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn answers_come_in_the_order_of_questions() {
    let wanted = positions("giuthi-2x3", 7919);
    assert!(wanted.len() > 10_000);
    // Text, JSON and blank lines in turn.
    let lines: Vec<String> = wanted
        .iter()
        .enumerate()
        .map(|(i, text)| match i % 3 {
            0 => format!("{{\"position\": \"{text}\", \"note\": {i}}}"),
            1 => format!("{text}\n"),
            _ => text.clone(),
        })
        .collect();
    let one = probe(
        "giuthi-2x3",
        &["--json", "--brief", "--threads", "1"],
        &lines,
    );
    let many = probe(
        "giuthi-2x3",
        &["--json", "--brief", "--threads", "8"],
        &lines,
    );
    assert_eq!(one.stdout, many.stdout);
    let found = json(&one);
    let texts: Vec<&str> = found
        .iter()
        .map(|answer| answer["position"].as_str().unwrap())
        .collect();
    assert_eq!(texts, wanted);
}

#[test]
fn moves_and_lines_come_with_the_same_values() {
    for name in ["giuthi-2x3", "hawalis-4x2"] {
        let lines: Vec<String> = positions(name, 7919).into_iter().take(3000).collect();
        let brief = json(&probe(name, &["--json", "--brief"], &lines));
        let all = probe(name, &["--json"], &lines);
        let full = json(&all);
        assert_eq!((brief.len(), full.len()), (lines.len(), lines.len()));
        // So little memory that blocks come and go.
        let few = probe(name, &["--json", "--memory", "100KiB"], &lines[..60]);
        assert!(few.status.success() && all.stdout.starts_with(&few.stdout));
        let mut with_moves = 0;
        for (mut brief, mut full) in brief.into_iter().zip(full) {
            with_moves += usize::from(!full["moves"].as_array().unwrap().is_empty());
            for key in ["moves", "line", "line_end"] {
                for answer in [&mut brief, &mut full] {
                    answer.as_object_mut().unwrap().remove(key).unwrap();
                }
            }
            assert_eq!(brief, full);
        }
        assert!(with_moves > lines.len() / 2);
    }
}

#[test]
fn a_line_that_is_no_position_is_named_after_the_answers_before_it() {
    for (line, word) in [
        ("nonsense", "'nonsense'"),
        ("{\"pos\": 1}", "a key \"position\""),
        ("{", "expected JSON"),
        (
            "1,1/1,1 S",
            "expected a position of 3 columns, found one of 2 columns",
        ),
    ] {
        for more in [&["--json"][..], &["--json", "--brief"], &[]] {
            let mut lines: Vec<String> = positions("giuthi-2x3", 7919);
            lines.truncate(50);
            lines.insert(20, line.to_owned());
            // Lines without a question are counted and not answered.
            lines.insert(7, String::new());
            let output = probe("giuthi-2x3", more, &lines);
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{line}: {said}");
            assert!(said.contains(word) && said.lines().count() == 1, "{said}");
            assert!(said.contains("standard input, line 22, "), "{said}");
            let answers = output.stdout.iter().filter(|&&byte| byte == b'\n');
            assert_eq!(answers.count(), 20, "{line}");
        }
    }
}

#[test]
fn positions_that_are_not_covered_are_told_in_their_place_and_passed_over() {
    let covered: Vec<String> = positions("giuthi-2x3", 7919).into_iter().take(40).collect();
    let mut lines = covered.clone();
    let beyond = "9,9,9/9,9,9 S";
    for at in [0, 10, 42] {
        lines.insert(at, beyond.to_owned());
    }
    for more in [&["--json"][..], &["--json", "--brief"], &[]] {
        let output = probe("giuthi-2x3", more, &lines);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{said}");
        assert!(said.contains("does not cover 3 of 43 positions"), "{said}");
        let answers = String::from_utf8(output.stdout).unwrap();
        let answers: Vec<&str> = answers.lines().collect();
        assert_eq!(answers.len(), lines.len());
        let alone = probe("giuthi-2x3", more, &covered);
        let alone = String::from_utf8(alone.stdout).unwrap();
        let others = answers
            .iter()
            .zip(&lines)
            .filter(|(_, line)| *line != beyond);
        assert!(others.map(|(answer, _)| *answer).eq(alone.lines()));
        let answer = answers[10];
        assert!(
            answer.contains(beyond) && answer.contains("the table goes up to 12"),
            "{answer}"
        );
        if more.is_empty() {
            continue;
        }
        let answer: Value = serde_json::from_str(answer).unwrap();
        assert_eq!(answer["game"], "giuthi");
        assert_eq!(
            (&answer["outcome"], &answer["proved"]),
            (&"unknown".into(), &false.into())
        );
        assert!(answer["error"].is_string(), "{answer}");
    }
}

#[test]
fn each_question_is_answered_before_the_next_is_asked() {
    for more in [&[][..], &["--json", "--brief"], &["--json"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_sowbase"))
            .arg("probe")
            .arg(carried("giuthi-2x3"))
            .arg("-")
            .args(more)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
        // An answer that never comes makes this test hang, which is what its user would see.
        for question in ["1,0,2/0,1,1 S", "1,0,2/0,2,1 N", "0,0,2/0,1,1 S"] {
            // A question may come in pieces.
            let (begin, rest) = question.split_at(5);
            input.write_all(begin.as_bytes()).unwrap();
            input.write_all(format!("{rest}\n").as_bytes()).unwrap();
            let answer = answers.next().unwrap().unwrap();
            assert!(answer.contains(question), "{answer}");
        }
        drop(input);
        assert!(answers.next().is_none());
        assert!(child.wait().unwrap().success());
    }
}
