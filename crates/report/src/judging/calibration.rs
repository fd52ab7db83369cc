//! How it is shown whether what is said to be likely happens as often as is said.

use std::io;

use partita_judging::simulate::{Calibrated, CalibratedStrategy, CalibrationBin, OddsCalibration};

use crate::figure::{Curve, CurvePanel, Curves, Figure, curves_figure};
use crate::sheet::write_rows;
use crate::table::{integer, number, right, text};
use crate::words::plural;
use crate::{Cell, Document, Present, Sheet};

/// How far probabilities came true.
#[derive(Clone, Copy, Debug)]
pub struct CalibrationView<'a>(pub &'a OddsCalibration);

/// A tenth of what was said, with the strategy and the subject.
type Row<'a> = (&'a str, &'static str, &'a CalibrationBin);

/// The two things of which probabilities are said.
type Subject = (&'static str, fn(&CalibratedStrategy) -> &Calibrated);

const SUBJECTS: [Subject; 2] = [
    ("order", |strategy| &strategy.order),
    ("relations", |strategy| &strategy.relations),
];

impl Present for CalibrationView<'_> {
    fn csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        let keys = [
            "strategy", "of", "from", "to", "pairs", "said", "happened", "lower", "upper",
        ];
        let mut rows: Vec<[Cell; 9]> = Vec::new();
        for strategy in &self.0.strategies {
            for (subject, of) in SUBJECTS {
                rows.extend(of(strategy).bins.iter().map(|bin| {
                    [
                        (&strategy.strategy).into(),
                        subject.into(),
                        bin.from.into(),
                        bin.to.into(),
                        bin.pairs.into(),
                        bin.said.into(),
                        bin.happened.mean.into(),
                        bin.happened.lower.into(),
                        bin.happened.upper.into(),
                    ]
                }));
            }
        }
        write_rows(keys, rows, place)
    }

    fn document(&self) -> Document {
        let result = self.0;
        let errors = Sheet::<CalibratedStrategy>::new()
            .table_field(text("Strategy"), |of| of.strategy.clone())
            .table_field(number("Votes", 0), |of| of.votes)
            .table_field(number("Order: error", 3), |of| of.order.expected_error)
            .table_field(number("log loss", 3), |of| of.order.log_loss)
            .table_field(number("Relations: error", 3), |of| {
                of.relations.expected_error
            })
            .table_field(number("log loss", 3), |of| of.relations.log_loss)
            .table_field(number("Pair spread", 2), |of| of.pair_spread);
        let rows = result.strategies.iter().flat_map(|strategy| {
            SUBJECTS.into_iter().flat_map(move |(subject, of)| {
                let bins = of(strategy).bins.iter();
                bins.map(move |bin| (strategy.strategy.as_str(), subject, bin))
            })
        });
        let bins = Sheet::new()
            .table_field(text("Strategy"), |row: &Row<'_>| row.0)
            .table_field(text("Of"), |row| row.1)
            .table_field(integer("Pairs"), |(_, _, bin)| bin.pairs)
            .table_field(number("Said", 2), |(_, _, bin)| bin.said)
            .table_field(number("Happened", 2), |(_, _, bin)| bin.happened.mean)
            .table_field(right("95%"), |(_, _, bin)| {
                let (lower, upper) = (bin.happened.lower, bin.happened.upper);
                format!("{lower:.2} to {upper:.2}")
            })
            .table(rows);
        Document::new()
            .table(errors.table(&result.strategies))
            .note(format!(
                "Error: by how much what was said differs from what happened, in the mean over tenths. {} \
                 of {} items, {} judged together, seed {}.",
                plural(result.lists, "list"),
                sizes(result.items),
                result.lists_per_campaign,
                result.seed
            ))
            .table(bins)
            .note(format!(
                "Order: that of two items of different worth the one is better. Relations: that {} new \
                 votes on a pair decide it as is likeliest.",
                result.votes_per_pair
            ))
    }
}

fn sizes([least, most]: [usize; 2]) -> String {
    if least == most {
        least.to_string()
    } else {
        format!("{least} to {most}")
    }
}

/// Points of fewer pairs are not drawn: they show luck.
const ENOUGH: usize = 20;

/// A reliability diagram: how often things happened against how likely they were said to be, with a
/// panel for the order and one for the relations of pairs.
pub fn calibration_figure(result: &OddsCalibration) -> Figure {
    let panel = |(title, of): (&str, fn(&CalibratedStrategy) -> &Calibrated)| {
        let curve = |strategy: &CalibratedStrategy| {
            let bins = of(strategy).bins.iter().filter(|bin| bin.pairs >= ENOUGH);
            let (points, band) = bins
                .map(|bin| {
                    let happened = bin.happened;
                    ((bin.said, happened.mean), (happened.lower, happened.upper))
                })
                .unzip();
            Curve {
                name: strategy.strategy.clone(),
                points,
                band: Some(band),
            }
        };
        let ideal = Curve {
            name: "as said".to_owned(),
            points: vec![(LEAST_SAID, LEAST_SAID), (1.0, 1.0)],
            band: None,
        };
        let curves = result.strategies.iter().map(curve);
        CurvePanel {
            title: title.to_owned(),
            curves: curves.chain([ideal]).collect(),
            references: Vec::new(),
        }
    };
    let [(_, order), (_, relations)] = SUBJECTS;
    let panels = [
        ("Which of two items is better", order),
        ("How new votes decide a pair", relations),
    ];
    let curves = Curves {
        title: "What was said to be likely, and what happened".to_owned(),
        x_label: "probability that was said, with 95% intervals over lists".to_owned(),
        y_label: "share that happened".to_owned(),
        percent: true,
        panels: panels.map(panel).into(),
    };
    curves_figure(&curves).expect("shares are numbers, and each point has an interval")
}

/// No likeliest relation of three is less likely.
const LEAST_SAID: f64 = 1.0 / 3.0;
