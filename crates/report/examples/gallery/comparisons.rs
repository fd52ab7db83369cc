//! Made-up systems, compared in every way.

use partita_report::{
    CriticalDifference, Curve, CurvePanel, Curves, Figure, FigureError, Hasse, MatrixCell,
    PairwiseMatrix, critical_difference_figure, curves_figure, hasse_figure,
    pairwise_matrix_figure,
};

use super::Stream;

const LONG: [&str; 4] = [
    "a system with a very long name indeed that nobody would want to read twice",
    "旋律の類似度（編集距離）による検索システム、第二版の改良型と評価実験",
    "<b>&amp; \"quotes\"</b>",
    "мелодическое сходство",
];

/// Systems with mean scores, and the least difference that is significant.
struct Systems {
    names: Vec<String>,
    means: Vec<f64>,
    least: f64,
    /// Some differences are larger or smaller than they should be.
    noise: f64,
    seed: u64,
}

impl Systems {
    fn new(count: usize, least: f64, noise: f64, seed: u64) -> Self {
        let mut stream = Stream(seed);
        let names = (0..count).map(|i| match count {
            60.. => format!("bm25 k1={:.1} b=0.{i:02}", 0.3 + 0.1 * (i % 9) as f64),
            _ => format!("{}{}{}", letter(i * 7), letter(i * 11 + 3), 1 + i % 4),
        });
        Self {
            names: names.collect(),
            means: (0..count)
                .map(|_| 0.2 + 0.25 * (stream.next() + stream.next()))
                .collect(),
            least,
            noise,
            seed,
        }
    }

    fn named(self, names: &[&str]) -> Self {
        let names = names.iter().cycle().zip(0..self.names.len());
        Self {
            names: names.map(|(name, i)| format!("{name} {i}")).collect(),
            ..self
        }
    }

    /// The difference of two systems as a test sees it, in units of the least
    /// significant one.
    fn seen(&self, i: usize, j: usize) -> f64 {
        let (low, high) = (i.min(j) as u64, i.max(j) as u64);
        let mut stream = Stream(self.seed + 1000 * low + 7 * high);
        stream.next();
        let shake = 1.0 + self.noise * (stream.next() - 0.5);
        (self.means[i] - self.means[j]) / self.least * shake
    }

    fn better(&self, i: usize, j: usize) -> bool {
        self.seen(i, j) > 1.0
    }

    fn differ(&self, i: usize, j: usize) -> bool {
        self.better(i, j) || self.better(j, i)
    }

    fn with_means(&self, factor: f64) -> Vec<(String, f64)> {
        let means = self.means.iter().map(|mean| mean * factor);
        self.names.iter().cloned().zip(means).collect()
    }

    /// The maximal sets without differences, by trying to grow each set.
    fn cliques(&self) -> Vec<Vec<usize>> {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|one, other| self.means[*one].total_cmp(&self.means[*other]));
        let mut found: Vec<Vec<usize>> = Vec::new();
        for (place, first) in order.iter().enumerate() {
            let mut clique = vec![*first];
            let candidates = order[place..].iter().chain(&order[..place]);
            for other in candidates {
                let alike = clique
                    .iter()
                    .all(|c| c != other && !self.differ(*c, *other));
                if alike {
                    clique.push(*other);
                }
            }
            clique.sort_unstable();
            if !found.contains(&clique) {
                found.push(clique);
            }
        }
        found
    }

    fn diagram(&self, title: &str, difference: bool) -> Result<Figure, FigureError> {
        let factor = 1.5 * self.names.len() as f64;
        critical_difference_figure(&CriticalDifference {
            title: title.to_owned(),
            systems: self.with_means(factor),
            critical_difference: difference.then_some(self.least * factor),
            cliques: self.cliques(),
        })
    }

    fn matrix(&self, title: &str, missing: usize) -> Result<Figure, FigureError> {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|one, other| self.means[*other].total_cmp(&self.means[*one]));
        let cell = |i: usize, j: usize| {
            let absent = missing > 0 && (i + j).is_multiple_of(missing);
            (i != j && !absent).then(|| {
                let seen = self.seen(i, j);
                MatrixCell {
                    p: 0.05 / (seen * seen * seen).abs().max(0.06),
                    difference: self.means[i] - self.means[j],
                    significant: seen.abs() > 1.0,
                }
            })
        };
        let rows = order
            .iter()
            .map(|i| order.iter().map(|j| cell(*i, *j)).collect());
        pairwise_matrix_figure(&PairwiseMatrix {
            title: title.to_owned(),
            systems: order.iter().map(|i| self.names[*i].clone()).collect(),
            cells: rows.collect(),
        })
    }

    fn hasse(&self, title: &str) -> Result<Figure, FigureError> {
        let all = 0..self.names.len();
        // Noise can make "better" lead over others to what is not worse; the
        // diagram wants an order, so that the ways count.
        let mut better: Vec<Vec<bool>> = all
            .clone()
            .map(|i| all.clone().map(|j| self.better(i, j)).collect())
            .collect();
        for k in all.clone() {
            for i in all.clone() {
                for j in all.clone() {
                    better[i][j] |= better[i][k] && better[k][j];
                }
            }
        }
        let pairs = all.clone().flat_map(|i| all.clone().map(move |j| (i, j)));
        let direct = |(i, j): &(usize, usize)| {
            better[*i][*j] && !all.clone().any(|k| better[*i][k] && better[k][*j])
        };
        hasse_figure(&Hasse {
            title: title.to_owned(),
            systems: self.with_means(1.0),
            edges: pairs.filter(direct).collect(),
        })
    }
}

fn letter(number: usize) -> char {
    char::from(b'A' + (number % 26) as u8)
}

/// Curves as in Urbano et al. (2011), Fig. 1: power by the number of queries.
fn power(panels: &[&str], names: &[&str], bands: bool) -> Curves {
    let mut stream = Stream(5);
    let panels = panels.iter().zip(1_u8..).map(|(title, number)| {
        let curves: Vec<Curve> = names
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
                Curve {
                    name: (*name).to_owned(),
                    band: bands.then(|| points.iter().map(around).collect()),
                    points,
                }
            })
            .collect();
        let references = curves.iter().take(2).map(|curve| {
            let last = curve.points.last().map_or(0.0, |point| point.1);
            (last, curve.name.clone())
        });
        CurvePanel {
            title: (*title).to_owned(),
            references: references.collect(),
            curves,
        }
    });
    Curves {
        title: "Power by number of queries".to_owned(),
        x_label: "number of queries".to_owned(),
        y_label: "pairs with a significant difference".to_owned(),
        percent: true,
        panels: panels.collect(),
    }
}

fn odd_curves() -> Curves {
    let curve = |name: &str, points: &[(f64, f64)]| Curve {
        name: name.to_owned(),
        points: points.to_vec(),
        band: Some(points.iter().map(|(_, y)| (y - 0.1, y + 0.2)).collect()),
    };
    Curves {
        title: "One point, equal points, none, and a name that is far too long for a title of a \
                figure of this width"
            .to_owned(),
        x_label: "x".to_owned(),
        y_label: "y, which has negative values and a long label".to_owned(),
        percent: false,
        panels: vec![
            CurvePanel {
                title: LONG[0].to_owned(),
                curves: vec![
                    curve("one", &[(2.0, -0.3)]),
                    curve(LONG[1], &[(1.0, 0.5), (2.0, 0.5), (3.0, 0.5)]),
                    curve(LONG[2], &[(3.0, 0.9), (1.0, -0.8), (2.0, 0.0)]),
                ],
                references: vec![
                    (0.5, LONG[0].to_owned()),
                    (0.48, "near".to_owned()),
                    (0.46, "nearer".to_owned()),
                    (0.44, "too near".to_owned()),
                    (0.43, "far too near".to_owned()),
                ],
            },
            CurvePanel {
                title: "none".to_owned(),
                curves: vec![],
                references: vec![],
            },
        ],
    }
}

fn many_points() -> Curves {
    let mut stream = Stream(8);
    let curve = |i: usize| {
        let mut y = 1e6;
        let walk = (0..2000).map(|x| {
            y += 4000.0 * (stream.next() - 0.48);
            (f64::from(x), y)
        });
        Curve {
            name: format!("walk {i}"),
            points: walk.collect(),
            band: None,
        }
    };
    Curves {
        title: "Many points".to_owned(),
        x_label: "step".to_owned(),
        y_label: "height".to_owned(),
        percent: false,
        panels: vec![CurvePanel {
            title: "walks".to_owned(),
            curves: (0..14).map(curve).collect(),
            references: vec![(1e6, "start".to_owned())],
        }],
    }
}

pub(super) fn figures() -> Result<Vec<(&'static str, Figure)>, FigureError> {
    let two = Systems::new(2, 0.3, 0.0, 1);
    let six = Systems::new(6, 0.12, 0.0, 2);
    let fifteen = Systems::new(15, 0.08, 0.0, 3);
    let noisy = Systems::new(15, 0.08, 1.2, 3);
    let sixty = Systems::new(60, 0.06, 0.0, 4);
    let noisy_sixty = Systems::new(60, 0.06, 0.8, 4);
    let alike = Systems::new(60, 9.0, 0.0, 4);
    let long = Systems::new(9, 0.1, 0.0, 6).named(&LONG);
    let many = Systems::new(130, 0.06, 0.2, 7);
    let ties = Systems {
        means: vec![0.5; 7],
        ..Systems::new(7, 0.1, 0.0, 1)
    };
    let cycle = hasse_figure(&Hasse {
        title: "Better than".to_owned(),
        systems: fifteen.with_means(1.0),
        edges: vec![(0, 1), (1, 2), (2, 3), (3, 1)],
    })?;
    let mirex = "Friedman and Tukey’s HSD, AG@5";
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
        ("cd-2", two.diagram("Two systems", true)?),
        ("cd-6", six.diagram(mirex, true)?),
        ("cd-15", fifteen.diagram(mirex, true)?),
        ("cd-15-pairwise", noisy.diagram("Wilcoxon, Holm", false)?),
        ("cd-60", sixty.diagram(mirex, true)?),
        ("cd-60-pairwise", noisy_sixty.diagram(mirex, false)?),
        ("cd-60-alike", alike.diagram(mirex, true)?),
        ("cd-long-names", long.diagram(LONG[0], true)?),
        ("cd-ties", ties.diagram("All the same", true)?),
        ("matrix-2", two.matrix("Two systems", 0)?),
        ("matrix-6", six.matrix("Wilcoxon, Holm", 7)?),
        ("matrix-15", fifteen.matrix("Wilcoxon, Holm", 0)?),
        (
            "matrix-20",
            Systems::new(20, 0.08, 0.9, 3).matrix("Twenty", 0)?,
        ),
        (
            "matrix-40",
            Systems::new(40, 0.08, 0.9, 3).matrix("Forty", 13)?,
        ),
        ("matrix-60", sixty.matrix("Wilcoxon, Holm", 0)?),
        ("matrix-130", many.matrix("Wilcoxon, Holm", 17)?),
        ("matrix-long-names", long.matrix(LONG[0], 0)?),
        ("hasse-2", two.hasse("Two systems")?),
        ("hasse-6", six.hasse(mirex)?),
        ("hasse-15", fifteen.hasse(mirex)?),
        ("hasse-15-pairwise", noisy.hasse("Wilcoxon, Holm")?),
        ("hasse-60", sixty.hasse(mirex)?),
        ("hasse-60-pairwise", noisy_sixty.hasse(mirex)?),
        ("hasse-60-alike", alike.hasse(mirex)?),
        ("hasse-long-names", long.hasse(LONG[0])?),
        ("hasse-cycle", cycle),
        (
            "curves-power",
            curves_figure(&power(&judgments, &measures, false))?,
        ),
        (
            "curves-bands",
            curves_figure(&power(&judgments[..1], &measures[..3], true))?,
        ),
        (
            "curves-four",
            curves_figure(&power(&tests[..4], &measures, false))?,
        ),
        (
            "curves-seven",
            curves_figure(&power(&tests, &measures, true))?,
        ),
        ("curves-odd", curves_figure(&odd_curves())?),
        ("curves-many-points", curves_figure(&many_points())?),
        ("curves-none", curves_figure(&power(&[], &[], false))?),
    ])
}
