//! Owns: guessing the next bit from many contexts at once (context mixing).
//!
//! Every context remembers how often a bit was 1; a small network learns which contexts to trust and
//! mixes their guesses (M. Mahoney, "Adaptive weighing of context models for lossless data
//! compression", 2005). All of it is integer arithmetic, so that a block decodes to the same bytes on
//! every machine. A mixer starts ignorant in every block: blocks stay independent of each other.
//!
//! Each bit waits for the one before, so what counts is how few instructions lie between: the network
//! is in 16 bits, which the compiler multiplies eight at a time, curves are looked up, and the bits of
//! one symbol share a line of the cache.

use super::coder::Stream;

/// Most contexts: each gives two numbers to the network.
const MOST: usize = 8;

/// Numbers that the network takes: how likely each context says a 1 is, and the same weighed by
/// experience. Those that no context gives stay 0.
const INPUTS: usize = 2 * MOST;

/// Bits of a context's table, and of a line in it.
const TABLE_BITS: u32 = 17;
const LINE_BITS: u32 = 4;

/// Bits behind the point of a weight.
const WEIGHT_BITS: u32 = 14;

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

/// What would be worked out for every bit.
struct Curves {
    /// [`squash`] of evidence + 2048.
    squash: Vec<u16>,
    /// Undoes it for probabilities of 4096.
    stretch: Vec<i16>,
    /// By experience, of 65536: 1 / (n + 1.5).
    rate: Vec<i32>,
    /// How fast the network learns from its error, by how often it has.
    step: Vec<i32>,
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
            squash: (-2048..2048).map(|at| squash(at) as u16).collect(),
            stretch,
            rate: (0..=LIMIT as i32).map(|n| 131_072 / (2 * n + 3)).collect(),
            step: (0..1024).map(|n| 10 + 2000 / (n + 40)).collect(),
        }
    }
}

/// A predictor over `N` contexts, at most [`MOST`], that learns as it goes.
pub struct Mixer<const N: usize> {
    curves: Curves,
    /// By context: probability in the upper 22 bits, experience in the lower 10.
    tables: Vec<u32>,
    weights: Vec<[i16; INPUTS]>,
    seen: Vec<u16>,
}

const UNSEEN: u32 = 1 << 31;

impl<const N: usize> Mixer<N> {
    /// An ignorant predictor.
    pub fn new() -> Self {
        const { assert!(N <= MOST) }
        Self {
            curves: Curves::new(),
            tables: vec![UNSEEN; N << TABLE_BITS],
            weights: vec![Self::TRUST; SELECTORS],
            seen: vec![0; SELECTORS],
        }
    }

    /// What every context is trusted with at first: together a little more than each says, for they
    /// agree for different reasons.
    const TRUST: [i16; INPUTS] = {
        let mut weights = [0; INPUTS];
        let mut context = 0;
        while context < N {
            weights[context] = ((13 << WEIGHT_BITS) / (10 * N)) as i16;
            context += 1;
        }
        weights
    };

    /// Forgets everything.
    pub fn reset(&mut self) {
        self.tables.fill(UNSEEN);
        self.weights.fill(Self::TRUST);
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
        let curves = &self.curves;
        let mut places = [0usize; N];
        let mut slots = [0u32; N];
        let mut inputs = [0i16; INPUTS];
        for i in 0..N {
            let line = (contexts[i] ^ (node >> LINE_BITS).wrapping_mul(0x9E37_79B1))
                .wrapping_mul(0x85EB_CA6B)
                >> (32 - TABLE_BITS + LINE_BITS);
            let at = (line << LINE_BITS) | (node & ((1 << LINE_BITS) - 1));
            places[i] = i << TABLE_BITS | at as usize;
            let slot = self.tables[places[i]];
            slots[i] = slot;
            inputs[i] = curves.stretch[(slot >> 20) as usize];
            let experience = (slot & 1023).min(30) as i32;
            inputs[MOST + i] = ((((slot >> 16) as i32 - (1 << 15)) * experience) >> 10) as i16;
        }
        let weights = &mut self.weights[selector];
        let mut evidence = 0i32;
        for i in 0..INPUTS {
            evidence += i32::from(inputs[i]) * i32::from(weights[i]);
        }
        let evidence = (evidence >> WEIGHT_BITS).clamp(-2047, 2047);
        let guess = i32::from(curves.squash[(evidence + 2048) as usize]);
        let bit = stream.code(bit, guess as u32);

        let error = (i32::from(bit) << 16) - i32::from(bit) - guess;
        let seen = &mut self.seen[selector];
        let step = (error * curves.step[usize::from(*seen)]) >> (4 + 16 - WEIGHT_BITS);
        let step = step.clamp(-32_767, 32_767);
        *seen = (*seen + 1).min(1023);
        for i in 0..INPUTS {
            let change = (i32::from(inputs[i]) * step) >> 16;
            weights[i] = weights[i].saturating_add(change as i16);
        }
        let target = if bit { (1i64 << 22) - 1 } else { 0 };
        for i in 0..N {
            let experience = slots[i] & 1023;
            let probability = i64::from(slots[i] >> 10);
            let rate = i64::from(curves.rate[experience as usize]);
            let moved = ((target - probability) * rate) >> 16;
            let slot = ((probability + moved) as u32) << 10 | (experience + 1).min(LIMIT);
            self.tables[places[i]] = slot;
        }
        bit
    }
}
