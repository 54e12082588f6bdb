//! Owns: sizes and durations as people write them (`512MiB`, `2h`).
//!
//! Both are a whole number and a unit without a space between; anything else is refused with the
//! spelling that would do, because a misread limit is found out only hours later.

use std::time::Duration;

/// A unit and what it multiplies by.
type Unit = (&'static str, u64);

const SIZES: &[Unit] = &[
    ("B", 1),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
];
const DURATIONS: &[Unit] = &[("s", 1), ("m", 60), ("h", 3600)];

/// Reads a size in bytes, such as `512MiB` or `16GiB`.
///
/// # Errors
/// When the text is not a whole number with one of the units.
pub fn parse_size(text: &str) -> Result<u64, String> {
    parse(text, SIZES, "a size such as 512MiB or 16GiB")
}

/// Reads a duration, such as `20s`, `5m` or `2h`.
///
/// # Errors
/// When the text is not a whole number with one of the units.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    parse(text, DURATIONS, "a duration such as 20s, 5m or 2h").map(Duration::from_secs)
}

fn parse(text: &str, units: &[Unit], expected: &str) -> Result<u64, String> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let names = || {
        units
            .iter()
            .map(|(name, _)| *name)
            .collect::<Vec<_>>()
            .join(", ")
    };
    if number.is_empty() {
        return Err(format!(
            "expected {expected}, found no number; write a whole number and one of {}",
            names(),
        ));
    }
    let Some((_, factor)) = units.iter().find(|(name, _)| *name == unit) else {
        let found = if unit.is_empty() {
            "no unit".to_owned()
        } else {
            format!("unit '{unit}'")
        };
        return Err(format!(
            "expected {expected}, found {found}; write one of {} after the number",
            names(),
        ));
    };
    match number
        .parse::<u64>()
        .ok()
        .and_then(|n| n.checked_mul(*factor))
    {
        Some(0) => Err(format!(
            "expected {expected}, found zero; give at least 1{unit}"
        )),
        Some(value) => Ok(value),
        None => Err(format!(
            "expected {expected}, found more than 2^64; give a smaller number"
        )),
    }
}

/// Writes a size with the largest unit that leaves a number of at least one.
pub fn show_size(bytes: u64) -> String {
    let (unit, factor) = SIZES
        .iter()
        .rev()
        .find(|(_, factor)| bytes >= *factor)
        .unwrap_or(&SIZES[0]);
    if *factor == 1 {
        format!("{bytes} {unit}")
    } else {
        format!("{:.1} {unit}", bytes as f64 / *factor as f64)
    }
}

/// Writes a duration with its two largest units, to the second.
pub fn show_duration(duration: Duration) -> String {
    let seconds = duration.as_secs_f64().round() as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s}s"),
        (0, m, s) => format!("{m}m {s}s"),
        (h @ 1..=47, m, _) => format!("{h}h {m}m"),
        (h, ..) => format!("{}d {}h", h / 24, h % 24),
    }
}

/// Writes a count with its digits in groups of three.
pub fn show_count(count: u64) -> String {
    let digits = count.to_string();
    let mut shown = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// A number of things, in words.
pub fn counted(number: impl Into<u64>, thing: &str) -> String {
    match number.into() {
        1 => format!("1 {thing}"),
        number => format!("{} {thing}s", show_count(number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_durations_are_read() {
        assert_eq!(parse_size("512MiB"), Ok(512 << 20));
        assert_eq!(parse_size("16GiB"), Ok(16 << 30));
        assert_eq!(parse_size("1B"), Ok(1));
        assert_eq!(parse_duration("20s"), Ok(Duration::from_secs(20)));
        assert_eq!(parse_duration("5m"), Ok(Duration::from_secs(300)));
        assert_eq!(parse_duration("2h"), Ok(Duration::from_secs(7200)));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, part) in [
            ("", "no number"),
            ("MiB", "no number"),
            ("-5MiB", "no number"),
            ("12", "no unit"),
            ("12MB", "unit 'MB'"),
            ("1.5GiB", "unit '.5GiB'"),
            ("0GiB", "zero"),
            ("99999999999999999999GiB", "2^64"),
            ("18446744073709551615TiB", "2^64"),
        ] {
            let error = parse_size(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert!(parse_duration("5d").unwrap_err().contains("unit 'd'"));
    }

    #[test]
    fn figures_are_written_for_people() {
        assert_eq!(show_size(0), "0 B");
        assert_eq!(show_size(1023), "1023 B");
        assert_eq!(show_size(1536), "1.5 KiB");
        assert_eq!(show_size(3 << 30), "3.0 GiB");
        let shown = |seconds| show_duration(Duration::from_secs(seconds));
        assert_eq!(
            [0, 59, 60, 3599, 3600, 172_799, 180_000].map(shown),
            ["0s", "59s", "1m 0s", "59m 59s", "1h 0m", "47h 59m", "2d 2h"]
        );
        assert_eq!(show_count(0), "0");
        assert_eq!(show_count(999), "999");
        assert_eq!(show_count(1_234_567), "1,234,567");
    }
}
