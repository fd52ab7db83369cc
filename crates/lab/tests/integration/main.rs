//! Studies on simulated and recorded answers.

mod odds;
mod prediction;
mod program;
mod saving;
mod worlds;
