//! Judging through its public interface: strategies, campaigns, lists and analyses of answers.

mod agreement;
mod analysis;
mod audit;
mod bootstrap;
mod campaign;
mod grades;
mod model_strategies;
mod properties;
mod reference_values;
mod row_order;
mod screening;
mod screening_signals;
mod simulated_campaign;
mod sort_barriers;
mod strategies;
mod worked_examples;
