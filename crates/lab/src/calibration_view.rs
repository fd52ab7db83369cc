//! Table and figure of a calibration study.

use partita_report::{
    Alignment, Column, ColumnSet, Document, Figure, LineChart, LinePanel, LineSeries,
    line_chart_figure, phrases,
};

use crate::calibration::{
    CalibrationBin, CalibrationResult, ProbabilityCalibration, StrategyCalibration,
};

/// Table row: strategy name, `order` or `relations`, and bin.
type CalibrationRow<'a> = (&'a str, &'static str, &'a CalibrationBin);

/// Predicted quantity: its name, and the function that returns its calibration.
type PredictedQuantity = (&'static str, fn(&StrategyCalibration) -> &CalibrationResult);

/// Predicted quantities: order of the two items of a pair, and decision by new votes.
const PREDICTED_QUANTITIES: [PredictedQuantity; 2] = [
    ("order", |strategy| &strategy.order),
    ("relations", |strategy| &strategy.relations),
];

/// Creates the tables of a calibration study: calibration errors of each strategy, and predicted
/// and observed frequencies by bin.
pub fn calibration_document(result: &ProbabilityCalibration) -> Document {
    let errors = ColumnSet::<StrategyCalibration>::new()
        .table_field(Column::text("Strategy"), |of| of.strategy.clone())
        .table_field(Column::number("Votes", 0), |of| of.votes)
        .table_field(Column::number("Order: error", 3), |of| {
            of.order.expected_error
        })
        .table_field(Column::number("log loss", 3), |of| of.order.log_loss)
        .table_field(Column::number("Relations: error", 3), |of| {
            of.relations.expected_error
        })
        .table_field(Column::number("log loss", 3), |of| of.relations.log_loss)
        .table_field(Column::number("Pair spread", 2), |of| of.pair_spread)
        .table_field(Column::number("Lapses", 3), |of| of.best_lapse_rate);
    let rows = result.strategies.iter().flat_map(|strategy| {
        PREDICTED_QUANTITIES
            .into_iter()
            .flat_map(move |(subject, of)| {
                let bins = of(strategy).bins.iter();
                bins.map(move |bin| (strategy.strategy.as_str(), subject, bin))
            })
    });
    let bins = ColumnSet::new()
        .table_field(Column::text("Strategy"), |row: &CalibrationRow<'_>| row.0)
        .table_field(Column::text("Of"), |row| row.1)
        .table_field(Column::integer("Pairs"), |(_, _, bin)| bin.pairs)
        .table_field(Column::number("Predicted", 2), |(_, _, bin)| bin.predicted)
        .table_field(Column::number("Observed", 2), |(_, _, bin)| {
            bin.observed.mean
        })
        .table_field(
            Column::text("95%").with_alignment(Alignment::Right),
            |(_, _, bin)| match bin.observed.interval() {
                Some((lower, upper)) => format!("{lower:.2} to {upper:.2}"),
                None => String::new(),
            },
        )
        .to_table(rows);
    let [least, most] = result.items;
    Document::new()
        .table(errors.to_table(&result.strategies))
        .note(format!(
            "Error: expected calibration error over tenths. Lapses: likeliest lapse rate. {} of {least} to {most} items, {} judged together, \
             seed {}.",
            phrases::count_noun(result.lists, "list", "lists"),
            result.lists_per_campaign,
            result.seed
        ))
        .table(bins)
        .note(format!(
            "Order: which of two items of different worth is better. Relations: how {} new votes decide a pair.",
            result.votes_per_pair
        ))
}

/// Minimum number of pairs of a bin that is plotted; with fewer pairs, noise dominates.
const MIN_PAIRS: usize = 20;

/// Draws a reliability diagram: observed frequencies against predicted probabilities, with one
/// panel for the order of pairs and one for their decisions by new votes.
///
/// # Panics
/// Never panics: shares are numbers, and each point has an interval.
pub fn calibration_figure(result: &ProbabilityCalibration) -> Figure {
    let panel = |(title, of): (&str, fn(&StrategyCalibration) -> &CalibrationResult)| {
        let curve = |strategy: &StrategyCalibration| {
            let bins = of(strategy)
                .bins
                .iter()
                .filter(|bin| bin.pairs >= MIN_PAIRS);
            let (points, band) = bins
                .map(|bin| {
                    let happened = bin.observed;
                    (
                        (bin.predicted, happened.mean),
                        happened
                            .interval()
                            .unwrap_or((happened.mean, happened.mean)),
                    )
                })
                .unzip();
            LineSeries {
                name: strategy.strategy.clone(),
                points,
                band: Some(band),
            }
        };
        let ideal = LineSeries {
            name: "calibrated".to_owned(),
            points: vec![(MIN_TOP_PROBABILITY, MIN_TOP_PROBABILITY), (1.0, 1.0)],
            band: None,
        };
        let curves = result.strategies.iter().map(curve);
        LinePanel {
            title: title.to_owned(),
            curves: curves.chain([ideal]).collect(),
            references: Vec::new(),
        }
    };
    let [(_, order), (_, relations)] = PREDICTED_QUANTITIES;
    let panels = [
        ("Which of two items is better", order),
        ("How new votes decide a pair", relations),
    ];
    let curves = LineChart {
        title: "Predicted probabilities and observed shares".to_owned(),
        x_label: "predicted probability, with 95% intervals over lists".to_owned(),
        y_label: "observed share".to_owned(),
        y_is_percent: true,
        panels: panels.map(panel).into(),
    };
    line_chart_figure(&curves).expect("shares are numbers, and each point has an interval")
}

/// Smallest possible probability of the most likely of three decisions, where the line of perfect
/// calibration starts.
const MIN_TOP_PROBABILITY: f64 = 1.0 / 3.0;
