//! Owns: vector width.
//!
//! The kernels are safe loops over arrays of words. Compiled for the oldest machine of a kind they
//! use its narrow vectors; compiled a second time with wider ones allowed, the same source gives the
//! same answers faster. Entering that second copy is unsafe for one reason only: the machine must
//! have the instructions, which is asked just before.

/// Work that is compiled once for each vector width. `run` and what it calls in its inner loops must
/// be inlined, or they keep the narrow vectors.
pub trait Kernel {
    /// What comes out.
    type Output;
    /// Does the work.
    fn run(self) -> Self::Output;
}

/// Runs a kernel with the widest vectors that the machine has.
#[cfg(target_arch = "x86_64")]
#[inline]
pub fn run<K: Kernel>(kernel: K) -> K::Output {
    if is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
    {
        // Safety: the machine has every feature that the function is compiled for.
        #[allow(unsafe_code)]
        unsafe {
            with_avx2(kernel)
        }
    } else {
        kernel.run()
    }
}

/// Runs a kernel; this kind of machine has one vector width.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub fn run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn with_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(test)]
mod tests {
    use super::super::grid::{BLOCK, Row};
    use super::super::transpose::transpose;
    use super::*;

    struct Turn(Box<[Row; BLOCK]>);

    impl Kernel for Turn {
        type Output = Box<[Row; BLOCK]>;
        #[inline(always)]
        fn run(mut self) -> Self::Output {
            transpose(&mut self.0);
            self.0
        }
    }

    #[test]
    fn every_width_gives_the_same() {
        let mut state = 7u64;
        let block = Box::new(std::array::from_fn(|_| {
            Row(std::array::from_fn(|_| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
                state ^ state >> 31
            }))
        }));
        assert_eq!(run(Turn(block.clone())), Turn(block).run());
    }
}
