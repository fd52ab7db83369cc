//! Box plots of the lists that the six functions build (Figures 3 and 4 of the paper).

use partita_core::truth::{Aggregation, ListStudy};
use partita_report::{BoxPlots, box_plot_figure};

use super::Study;
use crate::failure::Failure;

/// What is measured of a list.
type Quantity = fn(&ListStudy) -> Option<f64>;

pub(super) fn draw(study: &Study) -> Result<String, Failure> {
    let title = match study.lists.len() {
        1 => "Six aggregation functions over 1 list".to_owned(),
        count => format!("Six aggregation functions over {count} lists"),
    };
    let names = Aggregation::EVERY.map(|function| function.to_string());
    let mut plots = BoxPlots::new(title, names).map_err(Failure::ours)?;
    let panels: [(&str, Quantity); 3] = [
        ("ADR-1 consistency", |list| list.adr_1),
        ("ADR-2 consistency", |list| list.adr_2),
        ("items per group", |list| list.items_per_group),
    ];
    for (label, value) in panels {
        let of_function = |function: usize| {
            let lists = study.lists.iter().map(|lists| &lists[function]);
            lists.filter_map(value).collect::<Vec<f64>>()
        };
        let samples = (0..Aggregation::EVERY.len()).map(of_function).collect();
        plots.push(label, samples).map_err(Failure::ours)?;
    }
    Ok(box_plot_figure(&plots).to_svg())
}
