//! The compact letter display: two systems share a letter exactly if they do not differ.
//!
//! Every letter stands for a set of systems no two of which differ, as large as can be. The letters
//! are found by the insert-and-absorb algorithm (Piepho 2004): begin with one set of all, split
//! every set that holds a pair that differs, and drop what is part of another set; sets that no
//! pair needs are dropped at the end. A set of pairs can need exponentially many such sets on the
//! way; beyond a limit, sets are found greedily instead, which may take more letters than needed
//! and is as true.

/// How many sets the algorithm may hold at a time.
const MOST_SETS: usize = 512;

/// Which systems, of `systems` in order, share a letter: one set a letter, the first systems first.
///
/// `differ` must be symmetric.
pub(super) fn letter_groups(
    systems: usize,
    differ: impl Fn(usize, usize) -> bool,
) -> Vec<Vec<usize>> {
    let sets = insert_and_absorb(systems, &differ).unwrap_or_else(|| greedy(systems, &differ));
    let mut sets: Vec<Vec<usize>> = drop_redundant(systems, sets)
        .iter()
        .map(|set| set.members().collect())
        .collect();
    sets.sort_unstable();
    sets
}

/// The name of the letter with this number: a to z, then a1 to z1, a2 and so on, so that letters
/// written in a row can always be told apart.
pub(super) fn letter_name(number: usize) -> String {
    let letter = char::from(b'a' + (number % 26) as u8);
    match number / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}

/// A set of small numbers.
#[derive(Clone, PartialEq, Eq)]
struct SystemSet(Vec<u64>);

impl SystemSet {
    fn empty(systems: usize) -> Self {
        Self(vec![0; systems.div_ceil(64)])
    }

    fn holds(&self, member: usize) -> bool {
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

    fn is_part_of(&self, other: &Self) -> bool {
        self.0
            .iter()
            .zip(&other.0)
            .all(|(own, its)| own & !its == 0)
    }

    fn members(&self) -> impl Iterator<Item = usize> {
        (0..self.0.len() * 64).filter(|&member| self.holds(member))
    }

    fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
}

/// Insert and absorb; `None` if that takes too many sets.
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
                .partition(|set| set.holds(a) && set.holds(b));
            // Of the halves of sets, none of which was part of another, only one without a can be
            // part of a set without a, and so for b: sets that were kept absorb them, or each
            // other.
            let mut halves: Vec<SystemSet> = (split.iter())
                .flat_map(|set| [set.without(a), set.without(b)])
                .collect();
            halves.sort_by_key(|half| std::cmp::Reverse(half.len()));
            for half in halves {
                if !kept.iter().any(|set| half.is_part_of(set)) {
                    kept.push(half);
                }
            }
            if kept.len() > MOST_SETS {
                return None;
            }
            sets = kept;
        }
    }
    Some(sets)
}

/// A set for each pair that does not differ and is in no set yet, made as large as can be.
fn greedy(systems: usize, differ: &impl Fn(usize, usize) -> bool) -> Vec<SystemSet> {
    let mut sets: Vec<SystemSet> = Vec::new();
    let mut covered = vec![SystemSet::empty(systems); systems];
    for a in 0..systems {
        // A system that differs from all others has a letter of its own.
        for b in a..systems {
            if covered[a].holds(b) || (a != b && differ(a, b)) {
                continue;
            }
            let mut members = vec![a];
            if b != a {
                members.push(b);
            }
            for other in 0..systems {
                let fits = |&member: &usize| member != other && !differ(member, other);
                if members.iter().all(fits) {
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

/// The sets without those of which every pair is in another set too.
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
    // The small ones go first; equal ones in a fixed order.
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

    fn shown(systems: usize, differ: impl Fn(usize, usize) -> bool) -> Vec<String> {
        let sets = letter_groups(systems, differ);
        let of = |system| {
            let letters = (0..).zip(&sets).filter(|(_, set)| set.contains(&system));
            letters.map(|(number, _)| letter_name(number)).collect()
        };
        (0..systems).map(of).collect()
    }

    #[test]
    fn the_ends_of_a_chain_differ() {
        assert_eq!(shown(3, |a, b| a.abs_diff(b) == 2), ["a", "ab", "b"]);
        assert_eq!(shown(3, |_, _| false), ["a", "a", "a"]);
        assert_eq!(shown(3, |a, b| a != b), ["a", "b", "c"]);
        assert_eq!(shown(1, |_, _| false), ["a"]);
    }

    #[test]
    fn sets_cannot_be_larger() {
        // Eight systems of which these pairs differ, counted from 1.
        let differing = [(1, 7), (1, 8), (2, 4), (2, 5), (3, 5)];
        let differ = |a: usize, b: usize| differing.contains(&(a.min(b) + 1, a.max(b) + 1));
        let sets = letter_groups(8, differ);
        // Each set holds no pair that differs, and cannot be larger.
        assert_eq!(sets.len(), 5);
        for set in &sets {
            for other in 0..8 {
                let fits = set.iter().all(|&member| !differ(member, other));
                assert_eq!(fits, set.contains(&other), "{set:?} {other}");
            }
        }
    }

    #[test]
    fn letters_past_z_can_be_told_apart() {
        assert_eq!(
            [0, 25, 26, 51, 52].map(letter_name),
            ["a", "z", "a1", "z1", "a2"]
        );
        let many = shown(60, |a, b| a != b);
        assert_eq!(many[59], "h2");
    }

    #[test]
    fn a_pattern_with_exponentially_many_sets_still_ends() {
        // Thirty pairs that differ within themselves and from nothing else: 2^30 largest sets.
        let differ = |a: usize, b: usize| a != b && a / 2 == b / 2;
        assert!(insert_and_absorb(60, &differ).is_none());
        true_display(&letter_groups(60, differ), 60, differ).unwrap();
    }

    fn true_display(
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
            true_display(&letter_groups(systems, differ), systems, differ)?;
            let greedy: Vec<Vec<usize>> = greedy(systems, &differ)
                .iter()
                .map(|set| set.members().collect())
                .collect();
            true_display(&greedy, systems, differ)?;
        }
    }
}
