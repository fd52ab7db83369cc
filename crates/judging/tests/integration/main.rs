//! Judging as its users see it: strategies, campaigns and what answers say.

mod agreement;
mod audit;
mod barriers;
mod campaign;
mod model_strategies;
mod properties;
mod reference_values;
mod row_order;
mod screening;
mod screening_signals;
mod simulated;
mod strategies;
mod studies;
mod trust;
mod worked;
