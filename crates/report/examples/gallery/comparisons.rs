//! Gallery figures that compare synthetic systems: all kinds of comparison figures and line charts.

use partita_core::ScoreMatrix;
use partita_core::comparison::{Comparison, ComparisonOptions, compare};
use partita_core::work::SequentialWork;
use partita_report::{
    ComparisonFigureKind, Figure, FigureError, LineChart, LinePanel, LineSeries,
    critical_difference_figure, hasse_figure, line_chart_figure, pairwise_matrix_figure,
};

use super::Stream;

/// System names that are long, use other scripts, or contain characters that XML must escape.
const DIFFICULT_NAMES: [&str; 4] = [
    "a system with a very long name indeed that nobody would want to read twice",
    "旋律の類似度（編集距離）による検索システム、第二版の改良型と評価実験",
    "<b>&amp; \"quotes\"</b>",
    "мелодическое сходство",
];

/// Synthetic systems, each with a mean score around which its scores on queries vary at random.
struct Systems {
    names: Vec<String>,
    means: Vec<f64>,
    /// Width of the interval of a system's random scores, in units of the score.
    noise: f64,
    seed: u64,
}

impl Systems {
    fn new(count: usize, noise: f64, seed: u64) -> Self {
        let mut stream = Stream(seed);
        let names = (0..count).map(|i| match count {
            60.. => format!("bm25 k1={:.1} b=0.{i:02}", 0.3 + 0.1 * (i % 9) as f64),
            _ => format!("{}{}{i}", letter(i * 7), letter(i * 11 + 3)),
        });
        Self {
            names: names.collect(),
            means: (0..count)
                .map(|_| 0.2 + 0.25 * (stream.next() + stream.next()))
                .collect(),
            noise,
            seed,
        }
    }

    fn with_names(self, names: &[&str]) -> Self {
        let names = names.iter().cycle().zip(0..self.names.len());
        Self {
            names: names.map(|(name, i)| format!("{name} {i}")).collect(),
            ..self
        }
    }

    /// Compares random scores on 30 queries by a test: all pairs if `all` is true, otherwise every
    /// system with the first one as the baseline.
    fn compared(&self, title: &str, test: &str, all: bool) -> Comparison {
        let mut stream = Stream(self.seed + 1000);
        let mut values = Vec::new();
        for _ in 0..30 {
            let scores = self.means.iter();
            values.extend(scores.map(|mean| mean + self.noise * (stream.next() - 0.5)));
        }
        let queries = (1..=30).map(|query| query.to_string());
        let scores = ScoreMatrix::new(title, self.names.clone(), queries, values);
        let settings = ComparisonOptions {
            baselines: if all {
                Vec::new()
            } else {
                vec![self.names[0].clone()]
            },
            ..ComparisonOptions::default()
        };
        compare(&scores.expect("scores"), test, &settings, &SequentialWork).expect("a comparison")
    }

    fn figure_of_kind(
        &self,
        kind: ComparisonFigureKind,
        test: &str,
    ) -> Result<Figure, FigureError> {
        let all = kind != ComparisonFigureKind::Forest;
        kind.draw(&self.compared("AG@5", test, all))
    }

    fn diagram(&self, title: &str, test: &str) -> Result<Figure, FigureError> {
        critical_difference_figure(&self.compared(title, test, true))
    }

    fn matrix(&self, title: &str) -> Result<Figure, FigureError> {
        pairwise_matrix_figure(&self.compared(title, "t", true))
    }

    fn hasse(&self, title: &str) -> Result<Figure, FigureError> {
        hasse_figure(&self.compared(title, "t", true))
    }
}

fn letter(number: usize) -> char {
    char::from(b'A' + (number % 26) as u8)
}

/// Creates a line chart like Urbano et al. (2011), Fig. 1, from synthetic data: the share of
/// significant pairs by number of queries, with interval bands if `bands` is true.
fn power(panels: &[&str], names: &[&str], bands: bool) -> LineChart {
    let mut stream = Stream(5);
    let panels = panels.iter().zip(1_u8..).map(|(title, number)| {
        let curves: Vec<LineSeries> = names
            .iter()
            .zip(0_u8..)
            .map(|(name, place)| {
                let top = 0.62 - 0.05 * f64::from(place) - 0.03 * f64::from(number);
                let points: Vec<(f64, f64)> = (1..=20)
                    .map(|step| {
                        let queries = 5.0 * f64::from(step);
                        let power = top * queries / (queries + 14.0);
                        (queries, power + 0.006 * stream.next())
                    })
                    .collect();
                let around = |(x, y): &(f64, f64)| (y - 0.2 / x.sqrt(), y + 0.2 / x.sqrt());
                LineSeries {
                    name: (*name).to_owned(),
                    band: bands.then(|| points.iter().map(around).collect()),
                    points,
                }
            })
            .collect();
        let references = curves.iter().take(2).map(|curve| {
            let last = curve.points.last().map_or(0.0, |point| point.1);
            (last, format!("{} of all queries", curve.name))
        });
        LinePanel {
            title: (*title).to_owned(),
            references: references.collect(),
            curves,
        }
    });
    LineChart {
        title: "Power by number of queries".to_owned(),
        x_label: "number of queries".to_owned(),
        y_label: "pairs with a significant difference".to_owned(),
        y_is_percent: true,
        panels: panels.collect(),
    }
}

fn odd_curves() -> LineChart {
    let curve = |name: &str, points: &[(f64, f64)]| LineSeries {
        name: name.to_owned(),
        points: points.to_vec(),
        band: Some(points.iter().map(|(_, y)| (y - 0.1, y + 0.2)).collect()),
    };
    LineChart {
        title: "One point, equal points, none, and a name that is far too long for a title of a \
                figure of this width"
            .to_owned(),
        x_label: "x".to_owned(),
        y_label: "y, which has negative values and a long label".to_owned(),
        y_is_percent: false,
        panels: vec![
            LinePanel {
                title: DIFFICULT_NAMES[0].to_owned(),
                curves: vec![
                    curve("one", &[(2.0, -0.3)]),
                    curve(DIFFICULT_NAMES[1], &[(1.0, 0.5), (2.0, 0.5), (3.0, 0.5)]),
                    curve(DIFFICULT_NAMES[2], &[(3.0, 0.9), (1.0, -0.8), (2.0, 0.0)]),
                ],
                references: vec![
                    (0.5, DIFFICULT_NAMES[0].to_owned()),
                    (0.48, "near".to_owned()),
                    (0.46, "nearer".to_owned()),
                    (0.44, "too near".to_owned()),
                    (0.43, "far too near".to_owned()),
                ],
            },
            LinePanel {
                title: "none".to_owned(),
                curves: vec![],
                references: vec![],
            },
        ],
    }
}

fn many_points() -> LineChart {
    let mut stream = Stream(8);
    let curve = |i: usize| {
        let mut y = 1e6;
        let walk = (0..2000).map(|x| {
            y += 4000.0 * (stream.next() - 0.48);
            (f64::from(x), y)
        });
        LineSeries {
            name: format!("walk {i}"),
            points: walk.collect(),
            band: None,
        }
    };
    LineChart {
        title: "Many points".to_owned(),
        x_label: "step".to_owned(),
        y_label: "height".to_owned(),
        y_is_percent: false,
        panels: vec![LinePanel {
            title: "walks".to_owned(),
            curves: (0..14).map(curve).collect(),
            references: vec![(1e6, "start".to_owned())],
        }],
    }
}

pub(super) fn figures() -> Result<Vec<(&'static str, Figure)>, FigureError> {
    let two = Systems::new(2, 0.3, 1);
    let six = Systems::new(6, 0.3, 2);
    let fifteen = Systems::new(15, 0.3, 3);
    let noisy = Systems::new(15, 0.6, 3);
    let sixty = Systems::new(60, 0.2, 4);
    let most = Systems::new(25, 0.2, 4);
    let noisy_most = Systems::new(25, 0.6, 4);
    let alike = Systems::new(25, 20.0, 4);
    let long = Systems::new(9, 0.3, 6).with_names(&DIFFICULT_NAMES);
    let many = Systems::new(130, 0.3, 7);
    let ties = Systems {
        means: vec![0.5; 7],
        ..Systems::new(7, 0.1, 1)
    };
    let circle = {
        let mut found = fifteen.compared("Better than", "sign", true);
        let names = found.systems[..3].iter().map(|system| system.name.clone());
        let circles = vec![names.collect()];
        if let Some(hasse) = &mut found.hasse {
            hasse.cycles = circles;
        }
        hasse_figure(&found)?
    };
    let (mirex, tukey) = ("AG@5", "friedman-tukey");
    let (judgments, measures) = (["Broad", "Fine"], ["AG@5", "NDCG@5", "ANDCG@5", "ADR@5"]);
    let tests = [
        "FT",
        "W1",
        "t",
        "sign",
        "permutation",
        "bootstrap",
        "Nemenyi",
    ];
    Ok(vec![
        ("cd-2", two.diagram("Two systems", tukey)?),
        ("cd-6", six.diagram(mirex, tukey)?),
        ("cd-15", fifteen.diagram(mirex, tukey)?),
        ("cd-15-pairwise", noisy.diagram(mirex, "wilcoxon")?),
        ("cd-25", most.diagram(mirex, tukey)?),
        ("cd-25-pairwise", noisy_most.diagram(mirex, "wilcoxon")?),
        ("cd-25-alike", alike.diagram(mirex, tukey)?),
        ("cd-long-names", long.diagram(DIFFICULT_NAMES[0], tukey)?),
        ("cd-ties", ties.diagram("All the same", tukey)?),
        (
            "means-6",
            six.figure_of_kind(ComparisonFigureKind::Means, "t")?,
        ),
        (
            "means-15",
            noisy.figure_of_kind(ComparisonFigureKind::Means, "t")?,
        ),
        (
            "forest-6",
            six.figure_of_kind(ComparisonFigureKind::Forest, "t")?,
        ),
        (
            "forest-60",
            sixty.figure_of_kind(ComparisonFigureKind::Forest, "t")?,
        ),
        (
            "forest-long-names",
            long.figure_of_kind(ComparisonFigureKind::Forest, "t")?,
        ),
        (
            "mean-ranks-15",
            fifteen.figure_of_kind(ComparisonFigureKind::MeanRanks, tukey)?,
        ),
        (
            "mean-ranks-60",
            sixty.figure_of_kind(ComparisonFigureKind::MeanRanks, tukey)?,
        ),
        ("matrix-2", two.matrix("Two systems")?),
        ("matrix-6", six.matrix(mirex)?),
        ("matrix-15", fifteen.matrix(mirex)?),
        ("matrix-20", Systems::new(20, 0.5, 3).matrix("Twenty")?),
        ("matrix-40", Systems::new(40, 0.5, 3).matrix("Forty")?),
        ("matrix-60", sixty.matrix(mirex)?),
        ("matrix-130", many.matrix(mirex)?),
        ("matrix-long-names", long.matrix(DIFFICULT_NAMES[0])?),
        ("hasse-2", two.hasse("Two systems")?),
        ("hasse-6", six.hasse(mirex)?),
        ("hasse-15", fifteen.hasse(mirex)?),
        ("hasse-15-pairwise", noisy.hasse(mirex)?),
        ("hasse-25", most.hasse(mirex)?),
        ("hasse-25-pairwise", noisy_most.hasse(mirex)?),
        ("hasse-25-alike", alike.hasse(mirex)?),
        ("hasse-long-names", long.hasse(DIFFICULT_NAMES[0])?),
        ("hasse-circle", circle),
        (
            "curves-power",
            line_chart_figure(&power(&judgments, &measures, false))?,
        ),
        (
            "curves-bands",
            line_chart_figure(&power(&judgments[..1], &measures[..3], true))?,
        ),
        (
            "curves-four",
            line_chart_figure(&power(&tests[..4], &measures, false))?,
        ),
        (
            "curves-seven",
            line_chart_figure(&power(&tests, &measures, true))?,
        ),
        ("curves-odd", line_chart_figure(&odd_curves())?),
        ("curves-many-points", line_chart_figure(&many_points())?),
        ("curves-none", line_chart_figure(&power(&[], &[], false))?),
    ])
}
