//! Owns: turning bits and their probabilities into bytes and back (binary arithmetic coding).
//!
//! A carry-free range coder on 32 bits. Decoding cannot fail: past its end a stream reads as zeros,
//! so hostile bytes give wrong bits but neither a panic nor a loop; checksums tell them apart.

/// Probabilities are of a 1, in 1/65536; both 0 and 65536 are out of range.
pub type Probability = u32;

/// Writes bits.
#[derive(Debug)]
pub struct Encoder {
    low: u32,
    high: u32,
    out: Vec<u8>,
}

impl Encoder {
    /// An empty stream.
    pub fn new() -> Self {
        Self {
            low: 0,
            high: u32::MAX,
            out: Vec::new(),
        }
    }

    /// The last byte of the stream still missing; the decoder reads zeros behind it.
    pub fn finish(mut self) -> Vec<u8> {
        // The ends differ in their first byte, so this byte and zeros lie between them.
        self.out.push((self.high >> 24) as u8);
        self.out
    }
}

/// Reads bits.
#[derive(Debug)]
pub struct Decoder<'a> {
    low: u32,
    high: u32,
    at: u32,
    rest: std::slice::Iter<'a, u8>,
}

impl<'a> Decoder<'a> {
    /// Reads what an [`Encoder`] wrote.
    pub fn new(bytes: &'a [u8]) -> Self {
        let mut rest = bytes.iter();
        let at = (0..4).fold(0, |at, _| at << 8 | next(&mut rest));
        Self {
            low: 0,
            high: u32::MAX,
            at,
            rest,
        }
    }
}

#[inline(always)]
fn next(rest: &mut std::slice::Iter<'_, u8>) -> u32 {
    rest.next().copied().map_or(0, u32::from)
}

#[inline(always)]
fn split(low: u32, high: u32, one: Probability) -> u32 {
    low + ((u64::from(high - low) * u64::from(one)) >> 16) as u32
}

/// Either end of a stream: both ends run the same modelling code, so that they cannot part.
pub trait Stream {
    /// Codes a bit: the encoder takes `bit`, the decoder ignores it and gives its own.
    fn code(&mut self, bit: bool, one: Probability) -> bool;
}

impl Stream for Encoder {
    #[inline(always)]
    fn code(&mut self, bit: bool, one: Probability) -> bool {
        let middle = split(self.low, self.high, one);
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
        while (self.low ^ self.high) >> 24 == 0 {
            self.out.push((self.high >> 24) as u8);
            self.low <<= 8;
            self.high = self.high << 8 | 255;
        }
        bit
    }
}

impl Stream for Decoder<'_> {
    #[inline(always)]
    fn code(&mut self, _: bool, one: Probability) -> bool {
        let middle = split(self.low, self.high, one);
        let bit = self.at <= middle;
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
        while (self.low ^ self.high) >> 24 == 0 {
            self.low <<= 8;
            self.high = self.high << 8 | 255;
            self.at = self.at << 8 | next(&mut self.rest);
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_back_at_every_probability() {
        let mut state = 1u64;
        let mut random = || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) as u32
        };
        let bits: Vec<(bool, Probability)> = (0..100_000)
            .map(|i| match i % 3 {
                0 => (random() % 2 == 0, 1 + random() % 65535),
                1 => (random() % 5000 == 0, 22),
                _ => (random() % 5000 != 0, 65514),
            })
            .collect();
        let mut encoder = Encoder::new();
        for &(bit, one) in &bits {
            encoder.code(bit, one);
        }
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes);
        for &(bit, one) in &bits {
            assert_eq!(decoder.code(false, one), bit);
        }
    }
}
