//! Owns: unsigned machine words of 64, 128 and 256 bits under one trait.
//!
//! `u64` and `u128` are the language's own; `U256` is four `u64` limbs, little end first. The trait
//! has only what lanes need (logic, shifts, wrapping add, subtract and multiply), so that a board
//! of any size is written once and compiled for the narrowest word it fits in.

use std::fmt::Debug;
use std::hash::Hash;

/// An unsigned word that lanes are packed into. All arithmetic wraps.
pub trait Bits: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// Width in bits.
    const BITS: u32;
    /// The word zero.
    const ZERO: Self;
    /// The word with a small number in its low end.
    fn from_u64(value: u64) -> Self;
    /// The low 64 bits.
    fn low(self) -> u64;
    /// Bitwise and.
    fn and(self, other: Self) -> Self;
    /// Bitwise or.
    fn or(self, other: Self) -> Self;
    /// Bitwise not.
    fn not(self) -> Self;
    /// Sum, wrapping.
    fn add(self, other: Self) -> Self;
    /// Difference, wrapping.
    fn sub(self, other: Self) -> Self;
    /// Product, wrapping.
    fn mul(self, other: Self) -> Self;
    /// Shift towards the high end; `by` is below [`Bits::BITS`].
    fn shl(self, by: u32) -> Self;
    /// Shift towards the low end; `by` is below [`Bits::BITS`].
    fn shr(self, by: u32) -> Self;
    /// Number of zero bits below the lowest one bit; [`Bits::BITS`] for zero.
    fn trailing_zeros(self) -> u32;
}

impl Bits for u64 {
    const BITS: u32 = 64;
    const ZERO: Self = 0;
    #[inline(always)]
    fn from_u64(value: u64) -> Self {
        value
    }
    #[inline(always)]
    fn low(self) -> u64 {
        self
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self | other
    }
    #[inline(always)]
    fn not(self) -> Self {
        !self
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.wrapping_mul(other)
    }
    #[inline(always)]
    fn shl(self, by: u32) -> Self {
        self << by
    }
    #[inline(always)]
    fn shr(self, by: u32) -> Self {
        self >> by
    }
    #[inline(always)]
    fn trailing_zeros(self) -> u32 {
        self.trailing_zeros()
    }
}

impl Bits for u128 {
    const BITS: u32 = 128;
    const ZERO: Self = 0;
    #[inline(always)]
    fn from_u64(value: u64) -> Self {
        Self::from(value)
    }
    #[inline(always)]
    fn low(self) -> u64 {
        self as u64
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self | other
    }
    #[inline(always)]
    fn not(self) -> Self {
        !self
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.wrapping_mul(other)
    }
    #[inline(always)]
    fn shl(self, by: u32) -> Self {
        self << by
    }
    #[inline(always)]
    fn shr(self, by: u32) -> Self {
        self >> by
    }
    #[inline(always)]
    fn trailing_zeros(self) -> u32 {
        self.trailing_zeros()
    }
}

/// A 256-bit word: four 64-bit limbs, the least significant first.
///
/// Only the largest boards need it. Its long operations are calls, because laid out at every place
/// they were half of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct U256(pub [u64; 4]);

impl Ord for U256 {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

impl PartialOrd for U256 {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Bits for U256 {
    const BITS: u32 = 256;
    const ZERO: Self = Self([0; 4]);
    #[inline(always)]
    fn from_u64(value: u64) -> Self {
        Self([value, 0, 0, 0])
    }
    #[inline(always)]
    fn low(self) -> u64 {
        self.0[0]
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.map(|limb| !limb))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let mut carry = false;
        Self(std::array::from_fn(|i| {
            let (sum, first) = self.0[i].overflowing_add(other.0[i]);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first | second;
            sum
        }))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let mut borrow = false;
        Self(std::array::from_fn(|i| {
            let (rest, first) = self.0[i].overflowing_sub(other.0[i]);
            let (rest, second) = rest.overflowing_sub(u64::from(borrow));
            borrow = first | second;
            rest
        }))
    }
    #[inline(never)]
    fn mul(self, other: Self) -> Self {
        let mut product = [0u64; 4];
        for i in 0..4 {
            let mut carry = 0u128;
            for j in 0..4 - i {
                let term = u128::from(self.0[i]) * u128::from(other.0[j])
                    + u128::from(product[i + j])
                    + carry;
                product[i + j] = term as u64;
                carry = term >> 64;
            }
        }
        Self(product)
    }
    #[inline(never)]
    fn shl(self, by: u32) -> Self {
        let (limbs, bits) = ((by / 64) as usize, by % 64);
        Self(std::array::from_fn(|i| {
            let at = |k: usize| if k <= i { self.0[i - k] } else { 0 };
            // A shift by 64 is undefined for the machine, hence the two steps for the lower limb.
            at(limbs) << bits | (at(limbs + 1) >> 1) >> (63 - bits)
        }))
    }
    #[inline(never)]
    fn shr(self, by: u32) -> Self {
        let (limbs, bits) = ((by / 64) as usize, by % 64);
        Self(std::array::from_fn(|i| {
            let at = |k: usize| self.0.get(i + k).copied().unwrap_or(0);
            at(limbs) >> bits | (at(limbs + 1) << 1) << (63 - bits)
        }))
    }
    #[inline(always)]
    fn trailing_zeros(self) -> u32 {
        self.0
            .iter()
            .position(|&limb| limb != 0)
            .map_or(256, |i| i as u32 * 64 + self.0[i].trailing_zeros())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;
    use proptest::prelude::*;

    fn big(word: U256) -> BigUint {
        word.0
            .iter()
            .rev()
            .fold(BigUint::ZERO, |sum, &limb| (sum << 64u32) + limb)
    }

    proptest! {
        #[test]
        fn u256_agrees_with_big_integers(a: [u64; 4], b: [u64; 4], by in 0u32..256) {
            let (x, y) = (U256(a), U256(b));
            let wrap = BigUint::from(1u8) << 256u32;
            prop_assert_eq!(big(x.add(y)), (big(x) + big(y)) % &wrap);
            prop_assert_eq!(big(x.sub(y)), (big(x) + &wrap - big(y)) % &wrap);
            prop_assert_eq!(big(x.mul(y)), (big(x) * big(y)) % &wrap);
            prop_assert_eq!(big(x.shl(by)), (big(x) << by) % &wrap);
            prop_assert_eq!(big(x.shr(by)), big(x) >> by);
            prop_assert_eq!(x.cmp(&y), big(x).cmp(&big(y)));
            let low = U256::from_u64(1).shl(by);
            prop_assert_eq!(low.or(x.shl(by)).trailing_zeros(), by);
        }
    }
}
