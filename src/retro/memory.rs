//! Owns: hints to the machine about large memory: huge pages and prefetching.
//!
//! Solvers read values in no order. With small pages nearly every such read also misses the
//! processor's list of pages, 20 ns instead of 12 each; and one that is not asked for ahead waits for
//! the memory, some 200 ns. Both hints are unsafe calls that change no content; where they are
//! not heeded only time is lost.

/// Reads in a loop are asked for so many steps ahead: enough to cover the wait, few enough to stay in
/// a core's own cache.
pub const AHEAD: usize = 16;

/// Hints that an item will be read soon; places past the end are ignored.
#[inline(always)]
pub fn prefetch<T>(items: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(item) = items.get(at) {
        // Safety: prefetching is a hint that cannot fault, and every such machine has SSE.
        #[allow(unsafe_code)]
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, at);
}

/// Room for so many items, not yet touched, in huge pages where the system gives them.
pub fn room<T>(items: usize) -> Vec<T> {
    let room = Vec::with_capacity(items);
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 4096;
        const WORTH_IT: usize = 1 << 20;
        let start = (room.as_ptr() as usize).next_multiple_of(PAGE);
        let end = room.as_ptr() as usize + items * size_of::<T>();
        let length = end.saturating_sub(start) / PAGE * PAGE;
        if length >= WORTH_IT {
            // Safety: the range lies within one allocation, and the advice changes no content; if it
            // is refused, nothing is lost.
            #[allow(unsafe_code)]
            unsafe {
                libc::madvise(start as *mut libc::c_void, length, libc::MADV_HUGEPAGE);
            }
        }
    }
    room
}

/// So many copies of an item.
pub fn filled<T: Copy>(item: T, items: usize) -> Vec<T> {
    let mut all = room(items);
    all.resize(items, item);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_changes_nothing() {
        for items in [0, 1, 5_000_000] {
            let all = filled([3u8, 4], items);
            assert!(all.len() == items && all.iter().all(|item| *item == [3, 4]));
        }
    }
}
