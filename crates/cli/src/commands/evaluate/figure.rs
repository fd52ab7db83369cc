//! The figure of dynamic recall.

use partita_core::measure::{average_dynamic_recall, dynamic_recall, found_by_position};
use partita_report::{
    MAX_PANELS, RecallCurve, RecallPanel, dynamic_recall_figure, mean_recall_figure,
};

use super::results::{Results, RunResult};
use crate::failure::Failure;

/// Draws the dynamic recall of every run: a panel for each query, or the mean over them where
/// they are too many.
pub(super) fn draw(results: &Results) -> Result<String, Failure> {
    let mut panels = Vec::new();
    for (query, (name, judged)) in results.truth.iter().enumerate() {
        let n = judged.list().len();
        if n == 0 {
            continue;
        }
        let empty = partita_core::Ranking::default();
        let curve = |run: &RunResult| {
            let ranking = run
                .run
                .as_ref()
                .and_then(|run| run.ranking(query))
                .unwrap_or(&empty);
            let adr = average_dynamic_recall(judged, ranking).unwrap_or(0.0);
            let found = found_by_position(judged, ranking, n);
            let recall = dynamic_recall(judged, ranking, n);
            RecallCurve::new(run.scores.run.clone(), adr, found, recall).map_err(Failure::ours)
        };
        let curves = results
            .runs
            .iter()
            .map(curve)
            .collect::<Result<Vec<_>, _>>()?;
        let ends = judged.list().group_ends().to_vec();
        panels.push(RecallPanel::new(name, ends, curves).map_err(Failure::ours)?);
    }
    let figure = match panels.len() <= MAX_PANELS {
        true => dynamic_recall_figure(&panels),
        false => mean_recall_figure(&panels),
    };
    Ok(figure.to_svg())
}
