//! Curves of power and stability, from a file or from the scores themselves.

use clap::Args;
use partita_core::Scores;
use partita_core::plan::{Extrapolation, Point, Sampling, TCurves, Wanted};
use partita_formats::curves::{self, Cell};
use partita_formats::{Source, Warning};
use rayon::prelude::*;

use super::{PlanArgs, remark};
use crate::failure::Failure;
use crate::progress;

/// What the curves should reach.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Power and stability")]
pub(super) struct CurvesArgs {
    /// The share of pairs of systems that should differ significantly
    #[arg(long, value_name = "SHARE,...", value_delimiter = ',')]
    pub(super) power: Vec<f64>,
    /// The share of pairs that should do so again with other queries
    #[arg(long, value_name = "SHARE,...", value_delimiter = ',')]
    pub(super) stable: Vec<f64>,
    /// The curves, as `partita reliability --format json` prints them; without them, those of the
    /// t-test are sampled from the scores
    #[arg(long = "curves", value_name = "FILE")]
    pub(super) file: Option<String>,
    /// Only the curves of this test; may be given many times
    #[arg(long, value_name = "TEST")]
    pub(super) test: Vec<String>,
    /// How many times queries are sampled for the curves of the t-test
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(super) trials: u32,
}

/// The cells of a file of curves.
pub(super) struct CurvesFile {
    name: String,
    cells: Vec<Cell>,
}

impl CurvesArgs {
    pub(super) fn read(&self) -> Result<Option<CurvesFile>, Failure> {
        let Some(file) = &self.file else {
            if let Some(test) = self.test.iter().find(|test| *test != "t") {
                let message = format!("without --curves there are no curves of the test `{test}`");
                return Err(Failure::input(message)
                    .hint("`partita reliability --format json` prints curves of any test"));
            }
            return Ok(None);
        };
        let source = Source::open(file)?;
        let cells = curves::read(&source)?;
        let name = source.name().to_owned();
        for test in &self.test {
            if !cells.iter().any(|cell| cell.test == *test) {
                let mut tests: Vec<&str> = cells.iter().map(|cell| cell.test.as_str()).collect();
                tests.sort_unstable();
                tests.dedup();
                let message = format!("{name}: there are no cells of the test `{test}`");
                return Err(
                    Failure::input(message).hint(format!("the tests are: {}", tests.join(", ")))
                );
            }
        }
        Ok(Some(CurvesFile { name, cells }))
    }
}

/// What a curve says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Power,
    Stable,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Power => "power",
            Self::Stable => "stable",
        }
    }
}

/// A curve of a test, and what is wanted of it.
pub(super) struct Curve {
    pub(super) test: String,
    pub(super) kind: Kind,
    /// Whether the interval knows of the choice of queries.
    pub(super) resampled: bool,
    pub(super) extrapolation: Extrapolation,
    pub(super) wanted: Vec<Wanted>,
}

/// The groups of queries that are left out in turn.
const GROUPS: usize = 10;

/// The curves of a measure.
pub(super) fn curves_of(
    args: &PlanArgs,
    file: &str,
    scores: &Scores,
    cells: Option<&CurvesFile>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Curve>, Failure> {
    let wanted = [
        (Kind::Power, &args.curves.power),
        (Kind::Stable, &args.curves.stable),
    ];
    let asked = wanted.iter().any(|(_, shares)| !shares.is_empty());
    let curves = match cells {
        Some(cells) => from_file(args, scores, cells, &wanted)?,
        None if asked => sampled(args, file, scores, &wanted)?,
        None => return Ok(Vec::new()),
    };
    let place = cells.map_or(file, |cells| &cells.name);
    for curve in &curves {
        for wanted in &curve.wanted {
            if let Some(message) = caution(scores.measure(), curve, wanted) {
                warnings.push(remark(place, message));
            }
        }
    }
    Ok(curves)
}

fn from_file(
    args: &PlanArgs,
    scores: &Scores,
    file: &CurvesFile,
    wanted: &[(Kind, &Vec<f64>)],
) -> Result<Vec<Curve>, Failure> {
    let of_measure = |cell: &&Cell| cell.measure == scores.measure();
    let cells: Vec<&Cell> = file.cells.iter().filter(of_measure).collect();
    if cells.is_empty() {
        let message = format!(
            "{}: there are no cells of the measure `{}`",
            file.name,
            scores.measure()
        );
        return Err(Failure::input(message).hint("the curves must be of the same scores"));
    }
    let mut tests: Vec<&str> = Vec::new();
    for cell in &cells {
        let chosen = args.curves.test.is_empty() || args.curves.test.contains(&cell.test);
        if chosen && !tests.contains(&cell.test.as_str()) {
            tests.push(&cell.test);
        }
    }
    let mut curves = Vec::new();
    for test in tests {
        for (kind, shares) in wanted {
            let share = |cell: &Cell| match kind {
                Kind::Power => Some(cell.power),
                Kind::Stable => cell.stable,
            };
            let points: Vec<Point> = cells
                .iter()
                .filter(|cell| cell.test == test)
                .filter_map(|cell| {
                    let size = cell.size;
                    share(cell).map(|share| Point { size, share })
                })
                .collect();
            // A curve that nobody asked for may be missing.
            if points.is_empty() && shares.is_empty() {
                continue;
            }
            match Extrapolation::of(&points) {
                Ok(extrapolation) => curves.push(Curve {
                    test: test.to_owned(),
                    kind: *kind,
                    resampled: false,
                    wanted: shares
                        .iter()
                        .map(|&s| extrapolation.queries_for(s))
                        .collect(),
                    extrapolation,
                }),
                Err(_) if shares.is_empty() => {}
                Err(error) => {
                    let message = format!(
                        "{}: {} of {test} by {}: {error}",
                        file.name,
                        kind.name(),
                        scores.measure()
                    );
                    return Err(Failure::input(message));
                }
            }
        }
    }
    Ok(curves)
}

fn sampled(
    args: &PlanArgs,
    file: &str,
    scores: &Scores,
    wanted: &[(Kind, &Vec<f64>)],
) -> Result<Vec<Curve>, Failure> {
    let sampling = Sampling {
        alpha: args.test.alpha,
        trials: args.curves.trials as usize,
        seed: args.seed,
    };
    let groups = GROUPS.min(scores.queries().len());
    let progress = progress::bar(groups + 1, "sampling queries");
    // The first is of all queries, the others lack a group each.
    let curves = (0..=groups).into_par_iter().map(|number| {
        let curves = match number.checked_sub(1) {
            None => TCurves::of(scores, sampling),
            Some(group) => TCurves::without_group(scores, group, groups, sampling),
        };
        progress.inc(1);
        curves.map_err(Failure::ours)
    });
    let sampled = curves.collect::<Result<Vec<TCurves>, Failure>>();
    progress.finish_and_clear();
    let sampled = sampled?;
    let Some((all, left_out)) = sampled.split_first() else {
        return Ok(Vec::new());
    };
    let mut curves = Vec::new();
    for (kind, shares) in wanted {
        let points = |curves: &TCurves| match kind {
            Kind::Power => curves.power.clone(),
            Kind::Stable => curves.stable.clone(),
        };
        match Extrapolation::of(&points(all)) {
            Ok(extrapolation) => {
                let others = left_out
                    .iter()
                    .map(|other| Extrapolation::of(&points(other)));
                // A curve that falls when some queries are left out cannot be jackknifed.
                let others: Vec<Extrapolation> =
                    others.collect::<Result<_, _>>().unwrap_or_default();
                let confidence = args.confidence;
                let need =
                    |&share: &f64| extrapolation.queries_for_left_out(share, &others, confidence);
                curves.push(Curve {
                    test: "t".to_owned(),
                    kind: *kind,
                    resampled: !others.is_empty(),
                    wanted: shares.iter().map(need).collect(),
                    extrapolation,
                });
            }
            Err(_) if shares.is_empty() => {}
            Err(error) => {
                let message = format!(
                    "{file}: {} of the t-test by {}: {error}",
                    kind.name(),
                    scores.measure()
                );
                return Err(Failure::input(message)
                    .hint("sizes begin at 5 queries, and stability takes two sets of them"));
            }
        }
    }
    Ok(curves)
}

/// What there is to say against an answer.
fn caution(measure: &str, curve: &Curve, wanted: &Wanted) -> Option<String> {
    use partita_core::plan::curves::Reach;

    let largest = curve.extrapolation.largest();
    let what = format!(
        "{measure}, {} {} of {}",
        curve.kind.name(),
        wanted.share,
        curve.test
    );
    let ceiling = curve.extrapolation.best().ceiling();
    match wanted.reach {
        Reach::Observed | Reach::Near => None,
        Reach::Far => Some(format!(
            "{what}: {} queries are {:.1} times the {largest} observed: a rough guess",
            wanted.queries.value,
            wanted.queries.value / largest as f64
        )),
        Reach::Beyond if ceiling <= wanted.share => Some(format!(
            "{what}: the curve levels off at {ceiling:.2}, so no number of queries is given"
        )),
        Reach::Beyond => Some(format!(
            "{what}: that needs more than 10 times the {largest} queries observed, which no curve \
             can tell: no number is given"
        )),
    }
}
