//! Owns: guessing the next bit from many contexts at once (context mixing).
//!
//! Every context remembers how often a bit was 1; a small network learns which contexts to trust and
//! mixes their guesses (M. Mahoney, "Adaptive weighing of context models for lossless data
//! compression", 2005). All of it is integer arithmetic, so that a block decodes to the same bytes on
//! every machine. A mixer starts ignorant in every block: blocks stay independent of each other.

use super::coder::Stream;

/// Guesses a context gives: how likely a 1 is, and the same weighed by experience.
const INPUTS: usize = 2;
/// Bits of a context's table.
const TABLE_BITS: u32 = 16;
/// Sets of weights per kind of bit.
pub const SELECTORS: usize = 1024;
/// Experience after which a context no longer learns more slowly.
const LIMIT: u32 = 255;

/// 65536 / (1 + e^(−x / 256)) for x = −2048, −1920 … 2048.
const SQUASH: [i32; 33] = [
    22, 36, 60, 98, 162, 267, 439, 720, 1179, 1921, 3108, 4971, 7812, 11955, 17625, 24743, 32768,
    40793, 47911, 53581, 57724, 60565, 62428, 63615, 64357, 64816, 65097, 65269, 65374, 65438,
    65476, 65500, 65514,
];

/// The probability (of 65536) that a sum of evidence stands for.
fn squash(evidence: i32) -> i32 {
    let at = evidence.clamp(-2047, 2047) + 2048;
    let (cell, rest) = ((at >> 7) as usize, at & 127);
    (SQUASH[cell] * (128 - rest) + SQUASH[cell + 1] * rest + 64) >> 7
}

/// Undoes [`squash`] for probabilities of 4096, and 1 / (n + 1.5) for learning.
struct Curves {
    stretch: Vec<i16>,
    rate: Vec<i64>,
}

impl Curves {
    fn new() -> Self {
        let mut stretch = Vec::with_capacity(4096);
        for evidence in -2047..=2047i16 {
            let until = (squash(evidence.into()) >> 4) as usize;
            while stretch.len() <= until.min(4095) {
                stretch.push(evidence);
            }
        }
        stretch.resize(4096, 2047);
        Self {
            stretch,
            rate: (0..=i64::from(LIMIT))
                .map(|n| 131_072 / (2 * n + 3))
                .collect(),
        }
    }
}

/// A predictor over `N` contexts that learns as it goes.
pub struct Mixer<const N: usize> {
    curves: Curves,
    /// By context: probability in the upper 22 bits, experience in the lower 10.
    tables: Vec<u32>,
    weights: Vec<[[i32; INPUTS]; N]>,
    seen: Vec<u16>,
}

const UNSEEN: u32 = 1 << 31;

impl<const N: usize> Mixer<N> {
    /// An ignorant predictor.
    pub fn new() -> Self {
        Self {
            curves: Curves::new(),
            tables: vec![UNSEEN; N << TABLE_BITS],
            weights: vec![[[Self::TRUST, 0]; N]; SELECTORS],
            seen: vec![0; SELECTORS],
        }
    }

    /// What every context is trusted with at first: together a little more than each says, for they
    /// agree for different reasons.
    const TRUST: i32 = (65_536.0 * 1.3) as i32 / N as i32;

    /// Forgets everything.
    pub fn reset(&mut self) {
        self.tables.fill(UNSEEN);
        self.weights.fill([[Self::TRUST, 0]; N]);
        self.seen.fill(0);
    }

    /// Codes one bit. `contexts` are hashes of what is known, `node` which of a position's bits this
    /// is, `selector` (below [`SELECTORS`]) which weights mix it.
    #[inline(always)]
    pub fn code(
        &mut self,
        stream: &mut impl Stream,
        contexts: &[u32; N],
        node: u32,
        selector: usize,
        bit: bool,
    ) -> bool {
        let mut places = [0usize; N];
        let mut inputs = [[0i32; INPUTS]; N];
        let mut evidence = 0i64;
        let weights = &mut self.weights[selector];
        for i in 0..N {
            // Bits that are coded one after the other lie side by side.
            let hash =
                (contexts[i] ^ (node >> 3).wrapping_mul(0x9E37_79B1)).wrapping_mul(0x85EB_CA6B);
            let line = (hash >> (32 - TABLE_BITS + 3)) << 3;
            let place = i << TABLE_BITS | (line | node & 7) as usize;
            let slot = self.tables[place];
            let experience = (slot & 1023).min(30) as i32;
            let probability = (slot >> 10) as i32;
            places[i] = place;
            inputs[i] = [
                self.curves.stretch[(slot >> 20) as usize].into(),
                ((i64::from(probability - (1 << 21)) * i64::from(experience)) >> 16) as i32,
            ];
            evidence += i64::from(inputs[i][0]) * i64::from(weights[i][0])
                + i64::from(inputs[i][1]) * i64::from(weights[i][1]);
        }
        let guess = squash((evidence >> 16).clamp(-2047, 2047) as i32);
        let bit = stream.code(bit, guess as u32);
        let error = (i32::from(bit) << 16) - i32::from(bit) - guess;
        let seen = &mut self.seen[selector];
        let rate = 10 + 2000 / (i32::from(*seen) + 40);
        *seen = seen.saturating_add(1);
        let step = (error * rate) >> 4;
        for i in 0..N {
            for k in 0..INPUTS {
                let change = (i64::from(inputs[i][k]) * i64::from(step) + 0x8000) >> 16;
                weights[i][k] = (weights[i][k] + change as i32).clamp(-(1 << 20), 1 << 20);
            }
            let slot = &mut self.tables[places[i]];
            let experience = *slot & 1023;
            let target = if bit { (1i64 << 22) - 1 } else { 0 };
            let probability = i64::from(*slot >> 10);
            let moved = ((target - probability) * self.curves.rate[experience as usize]) >> 16;
            *slot = ((probability + moved) as u32) << 10 | (experience + 1).min(LIMIT);
        }
        bit
    }
}
