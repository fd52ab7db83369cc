//! Lists made from made-up rankings, and what box plots make of many of them.

use partita_report::{
    BoxPlotError, BoxPlots, Figure, ListAudit, ListError, ListItem, box_plot_figure, list_figure,
};

use super::Stream;

/// A list as its makers see it: ranks in order, and which items differ.
struct List {
    ranks: Vec<Vec<f64>>,
    names: Vec<String>,
    group_ends: Vec<usize>,
    differ: Vec<Vec<bool>>,
}

/// How the list is cut into groups: at an item that differs from all of the
/// group, from any of it, or from the one before.
#[derive(Clone, Copy, PartialEq)]
enum Cut {
    All,
    Any,
    Previous,
}

impl List {
    /// `people` rank `items` that are hard to tell apart when `noise` is large;
    /// later items are left out by some.
    fn new(items: usize, people: usize, noise: f64, (cut, z): (Cut, f64), seed: u64) -> Self {
        let mut stream = Stream(seed);
        let mut ranks = vec![Vec::new(); items];
        for _ in 0..people {
            let mut order: Vec<(f64, usize)> = (0..items)
                .map(|item| {
                    let shake: f64 = (0..4).map(|_| stream.next() - 0.5).sum();
                    // Some items are as good as the one before.
                    (((item * 2 / 3) as f64) + noise * shake, item)
                })
                .collect();
            order.sort_by(|one, other| one.0.total_cmp(&other.0));
            let mut rank = 0.0;
            for (_, item) in order {
                if stream.next() > 0.6 * item as f64 / items as f64 {
                    rank += 1.0;
                    ranks[item].push(rank);
                }
            }
        }
        let median = |sample: &[f64]| {
            let mut sorted = sample.to_vec();
            sorted.sort_by(f64::total_cmp);
            sorted.get(sorted.len() / 2).copied().unwrap_or(f64::MAX)
        };
        let mut named: Vec<(String, Vec<f64>)> = ranks
            .into_iter()
            .enumerate()
            .map(|(item, ranks)| (incipit(item, seed), ranks))
            .collect();
        named.sort_by(|one, other| median(&one.1).total_cmp(&median(&other.1)));
        let (names, ranks): (Vec<String>, Vec<Vec<f64>>) = named.into_iter().unzip();
        let differ: Vec<Vec<bool>> = ranks
            .iter()
            .map(|one| ranks.iter().map(|other| differs(one, other, z)).collect())
            .collect();
        let (mut group_ends, mut start) = (Vec::new(), 0);
        for item in 1..items {
            let mut group = start..item;
            let new = match cut {
                Cut::All => group.all(|before| differ[before][item]),
                Cut::Any => group.any(|before| differ[before][item]),
                Cut::Previous => differ[item - 1][item],
            };
            if new {
                group_ends.push(item);
                start = item;
            }
        }
        group_ends.push(items);
        Self {
            ranks,
            names,
            group_ends,
            differ,
        }
    }

    fn group_end(&self, item: usize) -> usize {
        let group = self.group_ends.partition_point(|end| *end <= item);
        self.group_ends[group]
    }

    /// Urbano et al. 2010, section 4.1.
    fn consistency(&self) -> f64 {
        let items = self.ranks.len();
        let positions = items - 1;
        let values = (0..positions).map(|pivot| {
            let (mut both, mut either) = (0.0, 0.0);
            for other in (0..items).filter(|other| *other != pivot) {
                let expanded = other < self.group_end(pivot);
                let correct = other < pivot || !self.differ[pivot][other];
                both += f64::from(u8::from(expanded && correct));
                either += f64::from(u8::from(expanded || correct));
            }
            if either > 0.0 { both / either } else { 1.0 }
        });
        values.sum::<f64>() / positions as f64
    }

    fn audit(&self, query: &str, name: impl Fn(&str) -> String) -> Result<ListAudit, ListError> {
        let (mut intra, mut inter) = (Vec::new(), Vec::new());
        for earlier in 0..self.ranks.len() {
            for later in earlier + 1..self.ranks.len() {
                let same_group = later < self.group_end(earlier);
                match (same_group, self.differ[earlier][later]) {
                    (true, true) => intra.push((earlier, later)),
                    (false, false) => inter.push((earlier, later)),
                    _ => {}
                }
            }
        }
        let named = self.names.iter().zip(&self.ranks);
        let items: Result<Vec<_>, _> = named
            .map(|(item, ranks)| ListItem::new(name(item), ranks.clone()))
            .collect();
        ListAudit::new(query, items?, self.group_ends.clone())?
            .with_inconsistent_pairs(intra, inter)?
            .with_consistency(self.consistency(), 0.5 + self.consistency() / 2.0)
    }
}

fn incipit(item: usize, seed: u64) -> String {
    let number = (item as u64 * 7919 + seed * 104_729) % 1_000_000;
    format!(
        "{}.{:03}.{:03}-1.1.1",
        [190, 450, 600, 700][item % 4],
        number / 1000,
        number % 1000
    )
}

/// Whether two samples differ by the normal form of the Mann-Whitney test.
fn differs(one: &[f64], other: &[f64], z: f64) -> bool {
    let (m, n) = (one.len() as f64, other.len() as f64);
    let u: f64 = one
        .iter()
        .flat_map(|x| other.iter().map(move |y| (x, y)))
        .map(|(x, y)| match x.total_cmp(y) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 1.0,
        })
        .sum();
    (u - m * n / 2.0).abs() > z * (m * n * (m + n + 1.0) / 12.0).sqrt()
}

const TWO_TAILED: f64 = 1.15;
const ONE_TAILED: f64 = 0.674;

pub(super) fn list_figures() -> Result<Vec<(&'static str, Figure)>, ListError> {
    let all_2 = (Cut::All, TWO_TAILED);
    let any_1 = (Cut::Any, ONE_TAILED);
    let query = "190.011.224-1.1.1";
    let note = "Groups by All-2; items differ by a two-tailed Mann-Whitney U test, alpha 0.25";
    let plain = |list: List| list.audit(query, str::to_owned);
    let long = |name: &str| format!("{name}: a melody with a long name <&> 旋律の類似度");
    let nobody = ListAudit::new(
        "an item that nobody ranked, one that one person ranked, equal ranks, half ranks",
        vec![
            ListItem::new("not ranked", vec![])?,
            ListItem::new("once", vec![2.0])?,
            ListItem::new("equal", vec![3.0; 12])?,
            ListItem::new("half", vec![0.5, 1.5, 1.5, 4.0])?,
        ],
        vec![1, 3, 4],
    )?;
    let names = ["A", "B", "C", "D", "E", "F"];
    let paper: Result<Vec<_>, _> = (0..)
        .zip(names)
        .map(|(place, name)| {
            let ranks = (0..15).map(|i| f64::from((place + (i * 7 + place) % 3).clamp(1, 6)));
            ListItem::new(name, ranks.collect())
        })
        .collect();
    let paper = ListAudit::new("⟨(A, B), (C), (D, E, F)⟩", paper?, vec![2, 3, 6])?
        .with_inconsistent_pairs(vec![(3, 5)], vec![(0, 2)])?
        .with_consistency(0.86, 0.86)?;
    let audits = [
        ("list-paper", paper),
        ("list-3", plain(List::new(3, 35, 3.0, all_2, 1))?),
        (
            "list-12",
            plain(List::new(12, 35, 5.0, all_2, 2))?.with_note(note),
        ),
        (
            "list-24",
            plain(List::new(24, 35, 9.0, all_2, 3))?.with_note(note),
        ),
        ("list-40", plain(List::new(40, 35, 12.0, any_1, 4))?),
        (
            "list-60",
            plain(List::new(60, 35, 22.0, all_2, 5))?.with_note(note),
        ),
        ("list-60-any", plain(List::new(60, 20, 22.0, any_1, 6))?),
        ("list-130", plain(List::new(130, 20, 40.0, all_2, 6))?),
        (
            "list-long-names",
            List::new(14, 1200, 5.0, all_2, 7).audit(&long(query), long)?,
        ),
        ("list-odd-items", nobody),
        (
            "list-one-item",
            ListAudit::new("q", vec![ListItem::new("A", vec![1.0, 1.0])?], vec![1])?,
        ),
    ];
    Ok(audits
        .iter()
        .map(|(name, audit)| (*name, list_figure(audit)))
        .collect())
}

/// Consistency and items per group of some lists for six functions.
pub(super) fn box_figures() -> Result<Vec<(&'static str, Figure)>, BoxPlotError> {
    let functions = [
        ("All-2", (Cut::All, TWO_TAILED)),
        ("Any-2", (Cut::Any, TWO_TAILED)),
        ("Prev-2", (Cut::Previous, TWO_TAILED)),
        ("All-1", (Cut::All, ONE_TAILED)),
        ("Any-1", (Cut::Any, ONE_TAILED)),
        ("Prev-1", (Cut::Previous, ONE_TAILED)),
    ];
    let lists = |how: (Cut, f64)| {
        (1..=11).map(move |seed| List::new(5 + 3 * seed as usize, 30, 6.0, how, seed))
    };
    let consistency: Vec<Vec<f64>> = functions
        .iter()
        .map(|(_, how)| lists(*how).map(|list| list.consistency()).collect())
        .collect();
    let sizes: Vec<Vec<f64>> = functions
        .iter()
        .map(|(_, how)| {
            let sizes = lists(*how).map(|l| l.ranks.len() as f64 / l.group_ends.len() as f64);
            sizes.collect()
        })
        .collect();
    let names = functions.map(|(name, _)| name);
    let study = |panels: usize| -> Result<Figure, BoxPlotError> {
        let mut plots = BoxPlots::new("Six aggregation functions over 11 lists", names)?;
        let halved = |sample: &Vec<f64>| sample.iter().map(|v| 0.5 + v / 2.0).collect();
        let all = [
            ("ADR-1 consistency", consistency.clone()),
            ("items per group", sizes.clone()),
            (
                "ADR-2 consistency",
                consistency.iter().map(halved).collect(),
            ),
            ("items", sizes.clone()),
        ];
        for (label, samples) in all.into_iter().take(panels) {
            plots.push(label, samples)?;
        }
        Ok(box_plot_figure(&plots))
    };
    let mut odd = BoxPlots::new(
        "Few values, equal values, none, and values far away",
        [
            "one",
            "two",
            "four",
            "equal",
            "none",
            "outliers",
            "a category with a long name",
        ],
    )?;
    let mut stream = Stream(9);
    let mut many: Vec<f64> = (0..200).map(|_| 0.4 + 0.2 * stream.next()).collect();
    many.extend([0.0, 0.02, 0.05, 1.0, 0.95, 0.95]);
    odd.push(
        "a quantity",
        vec![
            vec![0.5],
            vec![0.3, 0.6],
            vec![0.2, 0.3, 0.6, 0.7],
            vec![0.4; 9],
            vec![],
            many,
            vec![0.5, 0.6, 0.65, 0.7, 0.72, 0.9],
        ],
    )?;
    odd.push("all equal", vec![vec![1.0]; 7])?;
    let mut wide = BoxPlots::new(
        "Many systems",
        (0..64).map(|number| format!("bm25 with k1=0.9 and b=0.{number:02}")),
    )?;
    let scores = (0..64).map(|number| {
        (0..50)
            .map(|_| 1e5 * (stream.next() + stream.next() - 0.01 * f64::from(number)))
            .collect()
    });
    wide.push(
        "a quantity with large values and a name that is far too long for its axis",
        scores.collect(),
    )?;
    let mut one = BoxPlots::new("One category", ["all lists"])?;
    one.push("consistency", vec![consistency.concat()])?;
    Ok(vec![
        ("boxes-one-panel", study(1)?),
        ("boxes-two-panels", study(2)?),
        ("boxes-three-panels", study(3)?),
        ("boxes-four-panels", study(4)?),
        ("boxes-odd-samples", box_plot_figure(&odd)),
        ("boxes-many-categories", box_plot_figure(&wide)),
        ("boxes-one-category", box_plot_figure(&one)),
        ("boxes-none", study(0)?),
    ])
}
