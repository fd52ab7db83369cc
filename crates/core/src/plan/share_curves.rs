//! The curves of power and stability that a plan is asked for: observed elsewhere, or sampled.

use partita_stats::named::Named;

use super::curves::CurveError;
use super::request::{Curve, CurveKind, Observed, Request};
use super::{Extrapolation, PlanningError, Point, Sampling, TCurves, Wanted};
use crate::Scores;
use crate::work::Work;

/// The groups of queries that are left out in turn.
const GROUPS: usize = 10;

/// A curve as it is answered, and how it goes on.
pub(super) type ShareCurve = (Curve, Extrapolation);

/// The curves of a measure.
pub(super) fn curves_of(
    request: &Request,
    scores: &Scores,
    observed: Option<&[Observed]>,
    work: &dyn Work,
) -> Result<Vec<ShareCurve>, PlanningError> {
    match observed {
        Some(observed) => observed_curves(request, scores, observed),
        None if request.power.is_empty() && request.stable.is_empty() => Ok(Vec::new()),
        None => sampled_curves(request, scores, work),
    }
}

/// The curve through these points, unless it cannot be had and nobody asked for it. `answer` says
/// whether queries were resampled, and what is wanted.
fn curve(
    (request, scores): (&Request, &Scores),
    (test, of): (&str, CurveKind),
    points: &[Point],
    answer: impl Fn(&Extrapolation) -> Result<(bool, Vec<Wanted>), CurveError>,
) -> Result<Option<ShareCurve>, PlanningError> {
    let refused = |source| PlanningError::Curve {
        measure: scores.measure().to_owned(),
        test: test.to_owned(),
        of,
        source,
    };
    let extrapolation = match Extrapolation::of(points) {
        Ok(extrapolation) => extrapolation,
        Err(_) if request.shares(of).is_empty() => return Ok(None),
        Err(source) => return Err(refused(source)),
    };
    let (queries_resampled, wanted) = answer(&extrapolation).map_err(refused)?;
    let curve = Curve {
        test: test.to_owned(),
        of,
        largest_size: extrapolation.largest(),
        queries_resampled,
        fits: extrapolation.fits().to_vec(),
        taken: *extrapolation.best(),
        wanted,
    };
    Ok(Some((curve, extrapolation)))
}

fn observed_curves(
    request: &Request,
    scores: &Scores,
    observed: &[Observed],
) -> Result<Vec<ShareCurve>, PlanningError> {
    let measure = scores.measure();
    let of_measure: Vec<&Observed> = (observed.iter())
        .filter(|point| point.measure == measure)
        .collect();
    if of_measure.is_empty() {
        return Err(PlanningError::OtherMeasures(measure.to_owned()));
    }
    let mut tests: Vec<&str> = Vec::new();
    for point in &of_measure {
        if !tests.contains(&point.test.as_str()) {
            tests.push(&point.test);
        }
    }
    let mut curves = Vec::new();
    for test in tests {
        for &of in CurveKind::ALL {
            let point = |observed: &&Observed| {
                let share = match of {
                    CurveKind::Power => Some(observed.power),
                    CurveKind::Stable => observed.stable,
                };
                let size = observed.size;
                share.map(|share| Point { size, share })
            };
            let of_test = of_measure.iter().filter(|point| point.test == test);
            let points: Vec<Point> = of_test.filter_map(point).collect();
            curves.extend(curve((request, scores), (test, of), &points, |curve| {
                let wanted = request.shares(of).iter();
                Ok((false, wanted.map(|&s| curve.queries_for(s)).collect()))
            })?);
        }
    }
    Ok(curves)
}

fn sampled_curves(
    request: &Request,
    scores: &Scores,
    work: &dyn Work,
) -> Result<Vec<ShareCurve>, PlanningError> {
    let sampling = Sampling {
        alpha: request.alpha,
        trials: request.trials,
        seed: request.seed,
    };
    let (systems, queries) = (scores.systems().len() as u64, scores.queries().len() as u64);
    let groups = GROUPS.min(scores.queries().len());
    let each = (request.trials as u64)
        .saturating_mul(systems * systems / 2)
        .saturating_mul(queries * queries / 2);
    work.afford(each.saturating_mul(groups as u64 + 1))?;
    // The first is of all queries, the others lack a group each.
    let sampled = work.map("sampling queries", groups + 1, |number| {
        match number.checked_sub(1) {
            None => TCurves::of(scores, sampling),
            Some(group) => TCurves::without_group(scores, group, groups, sampling),
        }
    })?;
    let sampled = sampled.into_iter().collect::<Result<Vec<TCurves>, _>>()?;
    let (all, left_out) = sampled.split_first().expect("all queries were sampled");
    let mut curves = Vec::new();
    for &of in CurveKind::ALL {
        let points = |curves: &TCurves| match of {
            CurveKind::Power => curves.power.clone(),
            CurveKind::Stable => curves.stable.clone(),
        };
        curves.extend(curve(
            (request, scores),
            ("t", of),
            &points(all),
            |curve| {
                let others = left_out.iter().map(|o| Extrapolation::of(&points(o)));
                // A curve that falls when some queries are left out cannot be jackknifed.
                let others: Vec<Extrapolation> = match others.collect() {
                    Err(CurveError::Falls) => Vec::new(),
                    others => others?,
                };
                let need = |&s: &f64| curve.queries_for_left_out(s, &others, request.confidence);
                let wanted = request.shares(of).iter().map(need).collect();
                Ok((!others.is_empty(), wanted))
            },
        )?);
    }
    Ok(curves)
}
