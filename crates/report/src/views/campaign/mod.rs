//! Views of campaigns and of their answers, one file per kind of result.

mod action_effect;
mod answer_intake;
mod batches;
mod decisions;
mod exports;
mod question_sheets;
mod reference_comparison;
mod screening;
mod simulation;
mod status;

pub use answer_intake::AnswerIntakeView;
pub use exports::{
    first_name_with_blanks, write_answers_csv, write_grades_csv, write_left_right_pairs,
    write_rankings_csv, write_relation_probabilities_csv, write_winner_pairs,
};
pub use question_sheets::QuestionSheetView;
pub use simulation::quality_figures;

use partita_judging::Currency;

/// Formats a share in whole percents.
fn percent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}

/// Returns the heading of a column of costs, with the currency if it is known.
pub(crate) fn cost_heading(currency: Option<Currency>) -> String {
    currency.map_or("Cost".to_owned(), |currency| format!("Cost ({currency})"))
}

/// Formats an amount of money, with the currency if it is known.
pub(crate) fn money(amount: f64, currency: Option<Currency>) -> String {
    match currency {
        Some(currency) => format!("{amount:.2} {currency}"),
        None => format!("{amount:.2}"),
    }
}
