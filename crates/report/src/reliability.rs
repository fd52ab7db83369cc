//! How a study of reliability is shown. Shares are percentages of all comparisons.

use std::collections::BTreeSet;
use std::io;

use partita_core::reliability::{
    Cell as Found, Discriminative, PowerAndStability, Reliability, Shares, Smaller, Stability,
    Tested,
};

use crate::figure::{Curve, CurvePanel, Curves, Figure, curves_figure};
use crate::table::{integer, number, text};
use crate::words::count;
use crate::{Document, Present, Sheet, Table};

/// A study, with all classes of conflicts at every size and the best query sets if `details`.
#[derive(Clone, Copy, Debug)]
pub struct ReliabilityView<'a> {
    /// The study.
    pub result: &'a Reliability,
    /// Whether all is shown.
    pub details: bool,
}

impl Present for ReliabilityView<'_> {
    fn csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        cells_sheet(self.result.seed).csv(&self.result.cells, place)
    }

    fn document(&self) -> Document {
        let result = self.result;
        let answer = tests(result).into_iter().map(|test| answer(result, test));
        let mut document = answer.fold(Document::new(), Document::note);
        document = document
            .table(table_1(result))
            .notes(legend(result))
            .notes(
                tests(result)
                    .into_iter()
                    .filter_map(|test| hopeless(result, test)),
            )
            .note(drawn(result));
        for test in tests(result) {
            let caption = format!("Power: significant pairs in %, {}", in_words(test));
            let power = |shares: &Shares| Some(shares.power);
            document = document.table(by_size(result, test, power).with_caption(caption));
            let conflicts = by_size(result, test, conflicts);
            if !conflicts.rows().is_empty() {
                let caption = format!("Conflicts in %, {}", in_words(test));
                document = document.table(conflicts.with_caption(caption));
            }
        }
        let classes = classes(result);
        if !classes.rows().is_empty() {
            document = document.table(classes);
        }
        if !self.details {
            return document.hint(
                "--details prints significant pairs by level, all sizes, and the best query sets.",
            );
        }
        document = document.table(discriminative(result));
        for row in &result.smaller {
            let what = format!("{}, {}", row.tested.measure, in_words(&row.tested));
            let cells = || result.cells.iter().filter(|cell| cell.tested == row.tested);
            let caption = format!("{what}: shares in %, missed and further pairs per trial");
            document = document.table(details_sheet().table(cells()).with_caption(caption));
            let smaller = cells().filter(|cell| cell.size < row.queries);
            let caption = format!("{what}: best query sets");
            document = document.table(best_sets().table(smaller).with_caption(caption));
        }
        document
    }
}

/// A test in words: `friedman-tukey at 0.05`.
fn in_words(test: &Tested) -> String {
    match &test.correction {
        Some(correction) => format!("{} at {} ({correction})", test.test, test.alpha),
        None => format!("{} at {}", test.test, test.alpha),
    }
}

/// The share of the significant pairs that may be missed without a word of caution.
const FEW: f64 = 0.05;

/// What a test says of the evaluation, and what to do about it.
fn answer(result: &Reliability, test: &Tested) -> String {
    let rows = Vec::from_iter(of_test(result, test));
    let range = |values: Vec<f64>, unit: &str| {
        let ends = values.iter().copied();
        let least = ends.clone().fold(f64::INFINITY, f64::min);
        let most = ends.fold(0.0, f64::max);
        let [least, most] = [least, most].map(|value| format!("{value:.0}"));
        if least == most {
            format!("{least}{unit}")
        } else {
            format!("{least} to {most}{unit}")
        }
    };
    let queries = rows.iter().map(|row| row.all.size).max().unwrap_or(0);
    let power = rows.iter().map(|row| 100.0 * row.all.power).collect();
    let mut words = format!(
        "With {}, {} finds that {} of the pairs of systems differ",
        count(queries, "query", "queries"),
        in_words(test),
        range(power, "%")
    );
    let halves = Vec::from_iter(rows.iter().filter_map(|row| row.half));
    // Where a test finds nothing there is nothing to confirm.
    if let Some(half) = halves
        .first()
        .filter(|_| halves.iter().any(|half| half.power > 0.0))
    {
        let unstable = halves.iter().map(|half| 100.0 * half.conflicts).collect();
        words += &format!(
            "; with {} each, a second evaluation would not confirm {} of the comparisons",
            count(half.size, "query", "queries"),
            range(unstable, "%")
        );
    }
    let smaller = result.smaller.iter().filter(|row| same(&row.tested, test));
    let smaller = Vec::from_iter(smaller);
    let miss = plural_of(result.miss, "pair");
    let enough = |row: &&Smaller| row.size.filter(|size| *size < row.queries);
    let sizes: Option<Vec<usize>> = smaller.iter().map(enough).collect();
    let significant = smaller.iter().map(|row| row.significant as f64);
    let found = range(significant.clone().collect(), "");
    let fewest = significant.clone().fold(f64::INFINITY, f64::min);
    let most = significant.fold(0.0, f64::max);
    let by_all = if smaller.len() > 1 {
        " by every measure"
    } else {
        ""
    };
    words += &match sizes.and_then(|sizes| sizes.into_iter().max()) {
        _ if !smaller.iter().any(|row| is_telling(row)) => match most {
            0.0 => ". Ask more queries: no pair differs significantly.".to_owned(),
            _ => format!(
                ". Ask more queries: so few significant pairs ({found}) do not say how many are enough."
            ),
        },
        Some(enough) if result.miss <= FEW * fewest => format!(
            ". Fewer would do: {} would have missed at most {} of the {found} significant pairs on \
             average.",
            count(enough, "query", "queries"),
            result.miss
        ),
        Some(enough) => format!(
            ". Keep all of them, unless so many may be missed: {} would have missed up to {} of the \
             {found} significant pairs on average.",
            count(enough, "query", "queries"),
            result.miss
        ),
        None => format!(
            ". Keep all of them: no smaller number that was tried misses at most {miss} on \
             average{by_all}."
        ),
    };
    words
}

/// Whether more pairs are significant than may be missed, so that not to miss more says something.
fn is_telling(row: &Smaller) -> bool {
    row.significant as f64 > row.may_miss
}

fn plural_of(number: f64, noun: &str) -> String {
    if number == 1.0 {
        format!("1 {noun}")
    } else {
        format!("{number} {noun}s")
    }
}

/// The rows of a test.
fn of_test<'a>(
    result: &'a Reliability,
    test: &'a Tested,
) -> impl Iterator<Item = &'a PowerAndStability> {
    let rows = result.table_1.iter();
    rows.filter(move |row| same(&row.tested, test))
}

/// What the columns of the main table are.
fn legend(result: &Reliability) -> Vec<String> {
    let pairs = result.measures.first().map_or(0, |measure| measure.pairs);
    let mut legend = vec![format!(
        "Power: the pairs of systems that differ significantly, in % of all {pairs}."
    )];
    if result.table_1.iter().any(|row| row.half.is_some()) {
        legend.push(
            "Conflicts: pairs that one set of queries finds to differ and another one of the same \
             size does not confirm. Stable: pairs that both find; with all queries, their power \
             less the conflicts of the smaller sets (Urbano et al. 2011)."
                .to_owned(),
        );
    }
    legend.push(format!(
        "Enough: the fewest queries that miss, on average, at most {} that all queries find.",
        plural_of(result.miss, "pair")
    ));
    legend
}

/// What a test cannot find with few queries.
fn hopeless(result: &Reliability, test: &Tested) -> Option<String> {
    let mut rows = of_test(result, test);
    let fewest = rows.find_map(|row| row.possible_from);
    let sizes = result.cells.iter().filter(|cell| same(&cell.tested, test));
    let in_vain = |size: usize| fewest.is_none_or(|fewest| size < fewest);
    let sizes: BTreeSet<usize> = sizes
        .map(|cell| cell.size)
        .filter(|size| in_vain(*size))
        .collect();
    let largest = sizes.last()?;
    let what = in_words(test);
    Some(match fewest {
        Some(fewest) => format!(
            "Power 0 with {}: {what} finds nothing on fewer than {fewest}, as no p-value can be \
             below its level.",
            count(*largest, "query", "queries")
        ),
        None => format!("Power 0: no p-value of {what} can be below its level."),
    })
}

fn conflicts(shares: &Shares) -> Option<f64> {
    Some(shares.stability.as_ref()?.conflicts)
}

/// The tests, each once.
fn tests(result: &Reliability) -> Vec<&Tested> {
    let first = result.measures.first();
    let is_first = |tested: &&Tested| first.is_some_and(|first| first.measure == tested.measure);
    let tests = result.table_1.iter().map(|row| &row.tested);
    tests.filter(is_first).collect()
}

/// Whether two are of the same test.
fn same(one: &Tested, other: &Tested) -> bool {
    (&one.test, one.alpha, &one.correction) == (&other.test, other.alpha, &other.correction)
}

fn percent(share: impl Into<Option<f64>>) -> Option<f64> {
    share.into().map(|share| 100.0 * share)
}

/// A row per size, a column per measure.
fn by_size(result: &Reliability, test: &Tested, value: impl Fn(&Shares) -> Option<f64>) -> Table {
    let of_test = |cell: &&Found| same(&cell.tested, test);
    let cells = result.cells.iter().filter(of_test);
    let sizes: BTreeSet<usize> = cells.map(|cell| cell.size).collect();
    let measures = result.measures.iter().map(|m| number(m.measure.clone(), 1));
    let mut table = Table::new([integer("Queries")].into_iter().chain(measures));
    for size in sizes {
        let of_measure = |measure: &str| {
            let is_it = |cell: &&Found| cell.size == size && cell.tested.measure == measure;
            let mut cells = result.cells.iter().filter(of_test);
            value(&cells.find(is_it)?.shares)
        };
        let values = result.measures.iter().map(|m| of_measure(&m.measure));
        let values: Vec<Option<f64>> = values.collect();
        if values.iter().any(Option::is_some) {
            let cells = values.into_iter().map(|value| percent(value).into());
            table.push([size.into()].into_iter().chain(cells));
        }
    }
    table
}

/// A share of the stability of a cell in percent, if it has one.
fn share<S: Into<Option<f64>>>(of: fn(&Stability) -> S) -> impl Fn(&Found) -> Option<f64> {
    move |cell| percent(of(cell.shares.stability.as_ref()?))
}

/// A row per measure, test and size.
fn cells_sheet(seed: u64) -> Sheet<'static, Found> {
    let mut sheet = tested_sheet(|cell: &Found| &cell.tested)
        .csv_field("size", |cell| cell.size)
        .csv_field("trials", |cell| cell.shares.trials)
        .csv_field("seed", move |_| seed)
        .csv_field("power", |cell| cell.shares.power)
        .csv_field("power_error", |cell| cell.shares.power_error);
    type Field = (&'static str, fn(&Stability) -> Option<f64>);
    let of_samples: [Field; 11] = [
        ("lack_of_power", |s| Some(s.lack_of_power)),
        ("swap", |s| Some(s.swap)),
        ("significant_swap", |s| Some(s.significant_swap)),
        ("conflicts", |s| Some(s.conflicts)),
        ("conflicts_error", |s| s.conflicts_error),
        ("exclusive_or", |s| Some(s.exclusive_or)),
        ("stable", |s| Some(s.stable)),
        ("mirror_lack_of_power", |s| Some(s.mirror.lack_of_power)),
        ("mirror_swap", |s| Some(s.mirror.swap)),
        ("own_swap", |s| Some(s.own_swap)),
        ("swaps_of_conflicts", |s| s.swaps.of_conflicts),
    ];
    for (key, value) in of_samples {
        sheet = sheet.csv_field(key, move |cell| {
            cell.shares.stability.as_ref().and_then(value)
        });
    }
    sheet
        .csv_field("against_mean", |cell| cell.shares.against_mean)
        .csv_field("missed", |cell| cell.shares.missed.mean)
        .csv_field("missed_deviation", |cell| cell.shares.missed.deviation)
        .csv_field("fewest_missed", |cell| cell.shares.missed.fewest)
        .csv_field("most_missed", |cell| cell.shares.missed.most)
        .csv_field("nothing_missed", |cell| cell.shares.missed.none)
        .csv_field("more", |cell| cell.shares.more)
        .csv_field("reversed", |cell| cell.shares.missed.reversed)
        .csv_field("best_trial", |cell| cell.shares.best_trial)
}

/// The columns that say what was tested.
fn tested_sheet<R>(of: impl Fn(&R) -> &Tested + Copy + 'static) -> Sheet<'static, R> {
    Sheet::new()
        .field("measure", text("Measure"), move |row| {
            of(row).measure.clone()
        })
        .table_field(text("Test"), move |row| of(row).to_string())
        .csv_field("test", move |row| of(row).test.clone())
        .csv_field("alpha", move |row| of(row).alpha)
        .csv_field("correction", move |row| of(row).correction.clone())
}

/// What the conflicts at the largest size with second samples are.
fn classes(result: &Reliability) -> Table {
    let sheet = tested_sheet(|cell: &Found| &cell.tested)
        .table_field(integer("Queries"), |cell| cell.size)
        .table_field(number("Lack of power", 2), share(|s| s.lack_of_power))
        .table_field(number("Swap", 3), share(|s| s.swap))
        .table_field(number("Significant swap", 3), share(|s| s.significant_swap))
        .table_field(number("Conflicts", 2), share(|s| s.conflicts))
        .table_field(
            number("Swaps in % of conflicts", 2),
            share(|s| s.swaps.of_conflicts),
        )
        .table_field(number("Exclusive or", 2), share(|s| s.exclusive_or));
    let halves = result.table_1.iter().filter_map(|row| {
        let size = row.half?.size;
        let mut cells = result.cells.iter();
        cells.find(|cell| cell.size == size && cell.tested == row.tested)
    });
    sheet
        .table(halves)
        .with_caption("Conflicts in % of comparisons, by kind")
        .with_keys(3)
}

/// The share of significant pairs on all queries at every level.
fn discriminative(result: &Reliability) -> Table {
    let mut sheet = Sheet::new()
        .table_field(text("Measure"), |row: &Discriminative| {
            row.tested.measure.clone()
        })
        .table_field(text("Test"), |row| row.tested.procedure());
    let levels = result.discriminative.first();
    for (place, level) in levels.iter().flat_map(|row| &row.shares).enumerate() {
        let column = number(level.alpha.to_string(), 1);
        sheet = sheet.table_field(column, move |row| percent(row.shares[place].share));
    }
    sheet
        .table(&result.discriminative)
        .with_caption("Significant pairs on all queries in %, by level")
}

/// Table 1 of Urbano, Martín, Marrero and Morato (2011), with how many queries are enough.
fn table_1(result: &Reliability) -> Table {
    let only = |sizes: BTreeSet<usize>| match Vec::from_iter(sizes)[..] {
        [size] => format!(", {size} queries"),
        _ => String::new(),
    };
    let rows = || result.table_1.iter();
    let half = only(rows().filter_map(|row| Some(row.half?.size)).collect());
    let all = only(rows().map(|row| row.all.size).collect());
    let enough = |row: &PowerAndStability| {
        let mut smaller = result.smaller.iter();
        let of_row = smaller.find(|one| one.tested == row.tested)?;
        of_row.size.filter(|_| is_telling(of_row))
    };
    let halved = rows().any(|row| row.half.is_some());
    let sheet = Sheet::new()
        .table_field(text("Measure"), |row: &PowerAndStability| {
            row.tested.measure.clone()
        })
        .table_field(number(format!("Power{all}"), 1), |row| {
            percent(row.all.power)
        })
        .when(halved, |sheet| {
            sheet
                .table_field(number("Stable", 1), |row| percent(row.all.stable))
                .table_field(number(format!("Power{half}"), 1), |row| {
                    percent(row.half.map(|half| half.power))
                })
                .table_field(number("Conflicts", 1), |row| {
                    percent(row.half.map(|half| half.conflicts))
                })
                .table_field(number("Stable", 1), |row| {
                    percent(row.half.map(|half| half.stable))
                })
        })
        .table_field(integer("Enough"), enough);
    let groups = tests(result).into_iter();
    let groups = groups.map(|test| (in_words(test), of_test(result, test)));
    sheet
        .grouped(groups)
        .with_caption("Power and stability in % of comparisons")
}

/// Everything about a test, a row per size.
fn details_sheet() -> Sheet<'static, Found> {
    Sheet::new()
        .table_field(integer("Queries"), |cell: &Found| cell.size)
        .table_field(integer("Trials"), |cell| cell.shares.trials)
        .table_field(number("Power", 2), |cell| percent(cell.shares.power))
        .table_field(number("±", 2), |cell| percent(cell.shares.power_error))
        .table_field(number("Lack of power", 2), share(|s| s.lack_of_power))
        .table_field(number("Swap", 3), share(|s| s.swap))
        .table_field(number("Significant swap", 3), share(|s| s.significant_swap))
        .table_field(number("Conflicts", 2), share(|s| s.conflicts))
        .table_field(number("±", 2), share(|s| s.conflicts_error))
        .table_field(number("Stable", 2), share(|s| s.stable))
        .table_field(number("Exclusive or", 2), share(|s| s.exclusive_or))
        .table_field(number("Missed", 1), |cell| cell.shares.missed.mean)
        .table_field(number("More", 1), |cell| cell.shares.more)
}

/// The query set of every size that misses the fewest pairs.
fn best_sets() -> Sheet<'static, Found> {
    Sheet::new()
        .table_field(integer("Queries"), |cell: &Found| cell.size)
        .table_field(integer("Missed"), |cell| cell.shares.missed.fewest)
        .table_field(text("The set drawn that misses fewest"), |cell| {
            cell.best_queries.join(" ")
        })
}

/// How query sets were drawn.
fn drawn(result: &Reliability) -> String {
    let strata = result.measures.first().and_then(|m| m.strata.as_ref());
    let how = match strata {
        Some(strata) => format!("drawn evenly from {} strata", strata.len()),
        None => "not stratified".to_owned(),
    };
    let (trials, seed) = (result.trials, result.seed);
    format!("{trials} query sets of each size, {how}; seed {seed}.")
}

/// The share of significant pairs against the number of queries (Urbano, Martín, Marrero and Morato
/// 2011, Figures 1 and 2), with that of the first test and measure on all queries as a reference.
pub fn power_figure(result: &Reliability) -> Figure {
    let reference = |row: &PowerAndStability| Some((row.all.power, row.all.size));
    let words = [
        "Pairs of systems that differ significantly, by the number of queries",
        "queries",
        "significant pairs",
    ];
    by_queries(result, words, |shares| Some(shares.power), reference)
}

/// Conflicts against the number of queries (Figures 3 and 4), with those of the first test and
/// measure at their largest size as a reference.
pub fn conflicts_figure(result: &Reliability) -> Figure {
    let reference = |row: &PowerAndStability| row.half.map(|half| (half.conflicts, half.size));
    let words = [
        "Pairs of systems on which two sets of queries conflict, by their size",
        "queries in each set",
        "conflicts",
    ];
    by_queries(result, words, conflicts, reference)
}

/// The share of significant pairs on all queries, at levels up to 0.1.
pub fn discrimination_figure(result: &Reliability) -> Figure {
    let points = |tested: &Tested| {
        let mut rows = result.discriminative.iter();
        let row = rows.find(|row| row.tested == *tested);
        let levels = (1..=50).map(|step| f64::from(step) * 0.002);
        let share = |alpha| (alpha, row.map_or(0.0, |row| row.share_at(alpha)));
        levels.map(share).collect()
    };
    let words = [
        "Pairs of systems that differ significantly on all queries, by the level",
        "significance level",
        "significant pairs",
    ];
    // These hold at any level, so titles name none.
    draw(result, words, Tested::procedure, points, None)
}

fn by_queries(
    result: &Reliability,
    words: [&str; 3],
    value: impl Fn(&Shares) -> Option<f64>,
    reference: impl Fn(&PowerAndStability) -> Option<(f64, usize)>,
) -> Figure {
    let points = |tested: &Tested| {
        let cells = result.cells.iter().filter(|cell| cell.tested == *tested);
        let points = cells.filter_map(|cell| Some((cell.size as f64, value(&cell.shares)?)));
        points.collect()
    };
    let reference = result.table_1.first().and_then(|row| {
        let (value, queries) = reference(row)?;
        let Tested { measure, test, .. } = &row.tested;
        Some((value, format!("{test} of {measure}, {queries} queries")))
    });
    let title = |tested: &Tested| format!("{}, alpha {}", tested.procedure(), tested.alpha);
    draw(result, words, title, points, reference)
}

/// A panel per test, a curve per measure, with a title and what x and y are.
fn draw(
    result: &Reliability,
    words: [&str; 3],
    title: impl Fn(&Tested) -> String,
    points: impl Fn(&Tested) -> Vec<(f64, f64)>,
    reference: Option<(f64, String)>,
) -> Figure {
    let curve = |row: &PowerAndStability| Curve {
        name: row.tested.measure.clone(),
        points: points(&row.tested),
        band: None,
    };
    let panel = |test: &Tested| {
        let rows = result.table_1.iter().filter(|row| same(&row.tested, test));
        CurvePanel {
            title: title(test),
            curves: rows.map(curve).collect(),
            references: reference.iter().cloned().collect(),
        }
    };
    let panels = tests(result).into_iter().map(panel).collect();
    let [title, x_label, y_label] = words.map(str::to_owned);
    let curves = Curves {
        title,
        x_label,
        y_label,
        percent: true,
        panels,
    };
    curves_figure(&curves).expect("shares are numbers, and sizes rise")
}
