//! Owns: lines from standard input, in batches of what has come.
//!
//! A program that asks through a pipe may wait for each answer before it asks on, and a file of a
//! million lines is answered best in large batches. So a thread of its own reads, and a batch is
//! whatever it has read by the time that the batch before is answered: one line, or very many.

use std::io::{self, BufRead};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// How long a batch waits for more lines: nobody notices, and a file's first batch is a whole one.
const GRACE: Duration = Duration::from_millis(2);

/// Pieces read ahead, each one read of the system.
const AHEAD: usize = 64;

/// Lines as they come.
pub struct Lines {
    pieces: Receiver<io::Result<Vec<String>>>,
    most: usize,
    /// What ended the input, kept until the lines before it are handed out.
    trouble: Option<io::Error>,
}

impl Lines {
    /// Begins to read `input`; batches hold about `most` lines at most.
    pub fn read(input: impl BufRead + Send + 'static, most: usize) -> Self {
        let (send, pieces) = sync_channel(AHEAD);
        thread::spawn(move || {
            let mut input = input;
            loop {
                let piece = piece(&mut input);
                let last = !matches!(&piece, Ok(lines) if !lines.is_empty());
                // Nobody listens any more when the command has failed.
                if send.send(piece).is_err() || last {
                    return;
                }
            }
        });
        Self {
            pieces,
            most,
            trouble: None,
        }
    }

    /// The next lines, at least one; `None` at the end of the input.
    ///
    /// # Errors
    /// When the input cannot be read or is not text.
    pub fn batch(&mut self) -> io::Result<Option<Vec<String>>> {
        if let Some(trouble) = self.trouble.take() {
            return Err(trouble);
        }
        let mut batch = match self.pieces.recv() {
            Ok(first) => first?,
            Err(_) => return Ok(None),
        };
        while !batch.is_empty() && batch.len() < self.most {
            match self.pieces.recv_timeout(GRACE) {
                Ok(Ok(more)) if more.is_empty() => break,
                Ok(Ok(more)) => batch.extend(more),
                Ok(Err(trouble)) => {
                    self.trouble = Some(trouble);
                    break;
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(Some(batch).filter(|batch| !batch.is_empty()))
    }
}

/// What one read of the system brings, and the rest of its last line; empty at the end of the input.
fn piece(input: &mut impl BufRead) -> io::Result<Vec<String>> {
    let here = input.fill_buf()?;
    // Without a line end the rest of the line is still on its way, or never comes.
    let whole = here.iter().rposition(|&byte| byte == b'\n');
    let mut bytes = Vec::new();
    match whole {
        Some(end) => {
            bytes.extend_from_slice(&here[..=end]);
            input.consume(end + 1);
        }
        None => _ = input.read_until(b'\n', &mut bytes)?,
    }
    let lines = bytes.split_inclusive(|&byte| byte == b'\n');
    // What is not text is no position either, and is told as such with the line.
    Ok(lines
        .map(|line| String::from_utf8_lossy(line).trim_end().to_owned())
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn all(input: &'static [u8], most: usize) -> Vec<String> {
        let mut lines = Lines::read(Cursor::new(input), most);
        let mut found = Vec::new();
        while let Some(batch) = lines.batch().unwrap() {
            found.extend(batch);
        }
        found
    }

    #[test]
    fn every_line_comes_once_and_in_order() {
        assert_eq!(all(b"", 10), [""; 0]);
        assert_eq!(all(b"one", 10), ["one"]);
        assert_eq!(all(b"one\r\n\ntwo\n", 10), ["one", "", "two"]);
        assert_eq!(all(b"one\ntwo", 1), ["one", "two"]);
        assert_eq!(all(b"\xff\n", 1), ["\u{fffd}"]);
    }
}
