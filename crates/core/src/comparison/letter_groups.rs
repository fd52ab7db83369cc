//! Compact letter display: two systems share a letter exactly if they do not differ.
//!
//! Each letter stands for a maximal set of systems without a differing pair. The insert-and-absorb
//! algorithm (Piepho 2004) finds these sets: it starts with one set of all systems, splits every
//! set that contains a differing pair, and drops sets contained in another set. Finally it drops
//! sets that no pair needs. The number of intermediate sets can grow exponentially. Beyond a limit,
//! a greedy search is used instead. Its display is also correct but may need more letters.

/// Largest number of intermediate sets before the greedy search takes over.
const MAX_SETS: usize = 512;

/// Returns the systems that share each letter of the display: one set of system indices per letter,
/// sorted.
///
/// `differ` must be symmetric.
pub(super) fn letter_groups(
    systems: usize,
    differ: impl Fn(usize, usize) -> bool,
) -> Vec<Vec<usize>> {
    let sets = insert_and_absorb(systems, &differ).unwrap_or_else(|| greedy_sets(systems, &differ));
    let mut sets: Vec<Vec<usize>> = drop_redundant(systems, sets)
        .iter()
        .map(|set| set.members().collect())
        .collect();
    sets.sort_unstable();
    sets
}

/// Returns the name of a letter by index: a to z, then a1 to z1, a2 and so on, so that a
/// concatenation of names stays unambiguous.
pub(super) fn letter_name(number: usize) -> String {
    let letter = char::from(b'a' + (number % 26) as u8);
    match number / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}

/// Bit set of system indices.
#[derive(Clone, PartialEq, Eq)]
struct SystemSet(Vec<u64>);

impl SystemSet {
    fn empty(systems: usize) -> Self {
        Self(vec![0; systems.div_ceil(64)])
    }

    fn contains(&self, member: usize) -> bool {
        self.0[member / 64] >> (member % 64) & 1 == 1
    }

    fn add(&mut self, member: usize) {
        self.0[member / 64] |= 1 << (member % 64);
    }

    fn without(&self, member: usize) -> Self {
        let mut set = self.clone();
        set.0[member / 64] &= !(1 << (member % 64));
        set
    }

    fn is_subset_of(&self, other: &Self) -> bool {
        self.0
            .iter()
            .zip(&other.0)
            .all(|(own, its)| own & !its == 0)
    }

    fn members(&self) -> impl Iterator<Item = usize> {
        (0..self.0.len() * 64).filter(|&member| self.contains(member))
    }

    fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
}

/// Runs the insert-and-absorb algorithm. Returns `None` if it needs more than [`MAX_SETS`] sets.
fn insert_and_absorb(
    systems: usize,
    differ: &impl Fn(usize, usize) -> bool,
) -> Option<Vec<SystemSet>> {
    let mut all = SystemSet::empty(systems);
    (0..systems).for_each(|system| all.add(system));
    let mut sets = vec![all];
    for a in 0..systems {
        for b in a + 1..systems {
            if !differ(a, b) {
                continue;
            }
            let (split, mut kept): (Vec<SystemSet>, Vec<SystemSet>) = sets
                .into_iter()
                .partition(|set| set.contains(a) && set.contains(b));
            // Each set that contains the differing systems a and b is split into two halves, one
            // without a and one without b. No set contained another before the split, so a half can
            // only be contained in a set that also lacks a (or b): a kept set or another half.
            // Checking these suffices.
            let mut halves: Vec<SystemSet> = (split.iter())
                .flat_map(|set| [set.without(a), set.without(b)])
                .collect();
            halves.sort_by_key(|half| std::cmp::Reverse(half.len()));
            for half in halves {
                if !kept.iter().any(|set| half.is_subset_of(set)) {
                    kept.push(half);
                }
            }
            if kept.len() > MAX_SETS {
                return None;
            }
            sets = kept;
        }
    }
    Some(sets)
}

/// Creates a maximal set of systems that do not differ for each non-differing pair that no earlier
/// set contains.
fn greedy_sets(systems: usize, differ: &impl Fn(usize, usize) -> bool) -> Vec<SystemSet> {
    let mut sets: Vec<SystemSet> = Vec::new();
    let mut covered = vec![SystemSet::empty(systems); systems];
    for a in 0..systems {
        // `b` starts at `a`, so that a system that differs from all others gets its own letter.
        for b in a..systems {
            if covered[a].contains(b) || (a != b && differ(a, b)) {
                continue;
            }
            let mut members = vec![a, b];
            members.dedup();
            for other in 0..systems {
                let can_join = |&member: &usize| member != other && !differ(member, other);
                if members.iter().all(can_join) {
                    members.push(other);
                }
            }
            let mut set = SystemSet::empty(systems);
            members.iter().for_each(|&member| set.add(member));
            for &one in &members {
                members.iter().for_each(|&other| covered[one].add(other));
            }
            sets.push(set);
        }
    }
    sets
}

/// Drops, smaller sets first, each set of systems whose pairs are all contained in sets that have
/// not been dropped.
fn drop_redundant(systems: usize, mut sets: Vec<SystemSet>) -> Vec<SystemSet> {
    let mut covers = vec![0u32; systems * systems];
    let pairs = |set: &SystemSet| -> Vec<usize> {
        let members: Vec<usize> = set.members().collect();
        let all = members
            .iter()
            .flat_map(|a| members.iter().map(move |b| (a, b)));
        all.map(|(a, b)| a * systems + b).collect()
    };
    for set in &sets {
        pairs(set).into_iter().for_each(|pair| covers[pair] += 1);
    }
    // Smaller sets are dropped first; sets of equal size in a fixed order.
    sets.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.0.cmp(&b.0)));
    sets.retain(|set| {
        let pairs = pairs(set);
        let redundant = pairs.iter().all(|&pair| covers[pair] > 1);
        if redundant {
            pairs.into_iter().for_each(|pair| covers[pair] -= 1);
        }
        !redundant
    });
    sets
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn displayed_letters(systems: usize, differ: impl Fn(usize, usize) -> bool) -> Vec<String> {
        let sets = letter_groups(systems, differ);
        let letters_of = |system| {
            let letters = (0..).zip(&sets).filter(|(_, set)| set.contains(&system));
            letters.map(|(number, _)| letter_name(number)).collect()
        };
        (0..systems).map(letters_of).collect()
    }

    #[test]
    fn systems_that_differ_share_no_letter() {
        assert_eq!(
            displayed_letters(3, |a, b| a.abs_diff(b) == 2),
            ["a", "ab", "b"]
        );
        assert_eq!(displayed_letters(3, |_, _| false), ["a", "a", "a"]);
        assert_eq!(displayed_letters(3, |a, b| a != b), ["a", "b", "c"]);
        assert_eq!(displayed_letters(1, |_, _| false), ["a"]);
    }

    #[test]
    fn letter_sets_are_maximal() {
        // Differing pairs of eight systems, counted from 1.
        let differing = [(1, 7), (1, 8), (2, 4), (2, 5), (3, 5)];
        let differ = |a: usize, b: usize| differing.contains(&(a.min(b) + 1, a.max(b) + 1));
        let sets = letter_groups(8, differ);
        // No set contains a differing pair, and no set can be extended.
        assert_eq!(sets.len(), 5);
        for set in &sets {
            for other in 0..8 {
                let fits = set.iter().all(|&member| !differ(member, other));
                assert_eq!(fits, set.contains(&other), "{set:?} {other}");
            }
        }
    }

    #[test]
    fn letters_past_z_have_unique_names() {
        assert_eq!(
            [0, 25, 26, 51, 52].map(letter_name),
            ["a", "z", "a1", "z1", "a2"]
        );
        let many = displayed_letters(60, |a, b| a != b);
        assert_eq!(many[59], "h2");
    }

    #[test]
    fn greedy_search_replaces_exponentially_many_sets() {
        // Thirty disjoint differing pairs have 2^30 maximal sets.
        let differ = |a: usize, b: usize| a != b && a / 2 == b / 2;
        assert!(insert_and_absorb(60, &differ).is_none());
        check_display(&letter_groups(60, differ), 60, differ).unwrap();
    }

    fn check_display(
        sets: &[Vec<usize>],
        systems: usize,
        differ: impl Fn(usize, usize) -> bool,
    ) -> Result<(), TestCaseError> {
        for a in 0..systems {
            prop_assert!(sets.iter().any(|set| set.contains(&a)));
            for b in a + 1..systems {
                let together = |set: &Vec<usize>| set.contains(&a) && set.contains(&b);
                prop_assert_eq!(sets.iter().any(together), !differ(a, b));
            }
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn two_systems_share_a_letter_exactly_if_they_do_not_differ(
            systems in 1..9usize,
            bits in any::<u64>(),
        ) {
            let differ = |a: usize, b: usize| {
                a != b && bits >> ((a.min(b) * 8 + a.max(b)) % 64) & 1 == 1
            };
            check_display(&letter_groups(systems, differ), systems, differ)?;
            let greedy: Vec<Vec<usize>> = greedy_sets(systems, &differ)
                .iter()
                .map(|set| set.members().collect())
                .collect();
            check_display(&greedy, systems, differ)?;
        }
    }
}
