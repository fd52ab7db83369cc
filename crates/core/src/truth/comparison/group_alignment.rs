//! Maximum-weight alignment of the groups of two lists.

/// Aligned groups of two lists, counted from 1: one of each, or one group and the several groups
/// that it was split into or merged from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupAlignment {
    /// Group numbers in the first list.
    pub first: Vec<usize>,
    /// Group numbers in the second list.
    pub second: Vec<usize>,
}

/// Returns the alignment that covers the two groups of an item: `first` in the first list and
/// `second` in the second.
///
/// The parts of a split or merged group need not be adjacent. A group between two parts is covered
/// too, although most of its items come from elsewhere.
pub(crate) fn find_alignment(
    aligned: &[GroupAlignment],
    [first, second]: [usize; 2],
) -> Option<&GroupAlignment> {
    let spans = |groups: &[usize], group: usize| {
        let ends = groups.first().zip(groups.last());
        ends.is_some_and(|(from, to)| (*from..=*to).contains(&group))
    };
    let found = aligned.partition_point(|block| block.first.last().is_some_and(|&g| g < first));
    let block = aligned.get(found)?;
    (spans(&block.first, first) && spans(&block.second, second)).then_some(block)
}

/// Last step of the best alignment of a prefix of the first list with a prefix of the second.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum LastStep {
    /// The last group of the first list is not aligned.
    #[default]
    WithoutFirst,
    /// The last group of the second list is not aligned.
    WithoutSecond,
    /// The last groups of the two lists are aligned with each other.
    Pair,
    /// The last group of the second list is the last part of the last group of the first.
    Split,
    /// The last group of the first list is the last part that was merged into the last group of the
    /// second.
    Merge,
}

/// Cell of the dynamic programming table of the alignment: the last step, and flags for splits and
/// merges that began earlier.
#[derive(Clone, Copy, Default)]
struct AlignmentCell {
    last_step: LastStep,
    /// True if a split of the group of the first list began at an earlier group of the second list.
    split_goes_on: bool,
    /// True if a merge into the group of the second list began at an earlier group of the first.
    merge_goes_on: bool,
    /// True if most items of this cell's group in the second list come from its group in the first
    /// list.
    is_part: bool,
    /// True if most items of this cell's group in the first list went to its group in the second
    /// list.
    is_source: bool,
}

/// Aligns the groups of two lists so that as many items as possible are in aligned groups. `both`
/// holds, for each item that is in both lists, its group in each list. A group of the second list
/// is part of a split group of the first list if more than half of its items that are in both lists
/// come from that group. Merges are defined likewise, with the lists exchanged.
///
/// The algorithm is a weighted longest common subsequence with two more states: an open split and
/// an open merge. Time and memory are proportional to the product of the numbers of groups.
pub(crate) fn align_groups(both: &[[usize; 2]]) -> Vec<GroupAlignment> {
    // Groups that share no item with the other list are ignored.
    let numbers = [0, 1].map(|list| {
        let mut numbers: Vec<usize> = both.iter().map(|groups| groups[list]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    });
    let place = |list: usize, group: usize| numbers[list].partition_point(|&g| g < group);
    let mut members = vec![Vec::new(); numbers[0].len()];
    let mut sizes = [0, 1].map(|list| vec![0u64; numbers[list].len()]);
    for &[first, second] in both {
        let (first, second) = (place(0, first), place(1, second));
        members[first].push(second);
        sizes[0][first] += 1;
        sizes[1][second] += 1;
    }
    let cells = fill_table(&members, &sizes);
    trace_back(&cells, &numbers)
}

/// Fills the dynamic programming table of the alignment, one row per group of the first list.
/// `members` holds, for each group of the first list, the second-list groups of its items.
fn fill_table(members: &[Vec<usize>], sizes: &[Vec<u64>; 2]) -> Vec<Vec<AlignmentCell>> {
    let width = sizes[1].len();
    // Largest numbers of aligned items in the previous and in the current row; column 0 is before
    // the first group.
    let mut above = vec![0u64; width + 1];
    let mut best = vec![0u64; width + 1];
    let mut open_merge = vec![0u64; width + 1];
    let mut shared = vec![0u64; width];
    let mut cells = Vec::with_capacity(members.len());
    for (size, members) in sizes[0].iter().zip(members) {
        members.iter().for_each(|&second| shared[second] += 1);
        let mut row = vec![AlignmentCell::default(); width];
        let mut open_split = 0;
        for (j, cell) in row.iter_mut().enumerate() {
            let common = shared[j];
            cell.is_part = 2 * common > sizes[1][j];
            cell.is_source = 2 * common > *size;
            let before = above[j];
            cell.split_goes_on = j > 0 && open_split >= before;
            open_split = open_split.max(before) + if cell.is_part { common } else { 0 };
            cell.merge_goes_on = !cells.is_empty() && open_merge[j + 1] >= before;
            open_merge[j + 1] =
                open_merge[j + 1].max(before) + if cell.is_source { common } else { 0 };
            let options = [
                (true, above[j + 1], LastStep::WithoutFirst),
                (true, best[j], LastStep::WithoutSecond),
                (cell.is_part, open_split, LastStep::Split),
                (cell.is_source, open_merge[j + 1], LastStep::Merge),
                (common > 0, before + common, LastStep::Pair),
            ];
            // Of options with equal weight the last one is chosen: aligned groups are preferred to
            // unaligned ones, and a pair to a split or merge with a single part.
            let (mut weight, mut chosen) = (0, LastStep::WithoutFirst);
            for (is_possible, with, step) in options {
                if is_possible && with >= weight {
                    (weight, chosen) = (with, step);
                }
            }
            (best[j + 1], cell.last_step) = (weight, chosen);
        }
        members.iter().for_each(|&second| shared[second] = 0);
        std::mem::swap(&mut above, &mut best);
        cells.push(row);
    }
    cells
}

/// Traces the best alignment back from the end of the dynamic programming table.
fn trace_back(cells: &[Vec<AlignmentCell>], numbers: &[Vec<usize>; 2]) -> Vec<GroupAlignment> {
    let (mut i, mut j) = (cells.len(), numbers[1].len());
    let mut aligned = Vec::new();
    let mut push = |first: Vec<usize>, second: Vec<usize>| {
        let name = |list: usize, groups: Vec<usize>| -> Vec<usize> {
            let groups = groups.into_iter().rev();
            groups.map(|group| numbers[list][group]).collect()
        };
        let block = GroupAlignment {
            first: name(0, first),
            second: name(1, second),
        };
        if !block.first.is_empty() && !block.second.is_empty() {
            aligned.push(block);
        }
    };
    while i > 0 && j > 0 {
        match cells[i - 1][j - 1].last_step {
            LastStep::WithoutFirst => i -= 1,
            LastStep::WithoutSecond => j -= 1,
            LastStep::Pair => {
                push(vec![i - 1], vec![j - 1]);
                (i, j) = (i - 1, j - 1);
            }
            LastStep::Split => {
                let mut parts = Vec::new();
                loop {
                    let cell = cells[i - 1][j - 1];
                    if cell.is_part {
                        parts.push(j - 1);
                    }
                    j -= 1;
                    if !cell.split_goes_on {
                        break;
                    }
                }
                i -= 1;
                push(vec![i], parts);
            }
            LastStep::Merge => {
                let mut sources = Vec::new();
                loop {
                    let cell = cells[i - 1][j - 1];
                    if cell.is_source {
                        sources.push(i - 1);
                    }
                    i -= 1;
                    if !cell.merge_goes_on {
                        break;
                    }
                }
                j -= 1;
                push(sources, vec![j]);
            }
        }
    }
    aligned.reverse();
    aligned
}
