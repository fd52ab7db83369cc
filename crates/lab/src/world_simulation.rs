//! Comparison of strategies in a simulated world.

use partita_core::work::Work;
use partita_judging::simulate::{
    LISTS_PER_CAMPAIGN, ListUnderStudy, Simulation, SimulationError, SimulationRequest,
    simulate_lists,
};
use serde::Serialize;

use crate::worlds::{World, WorldList};

/// Result of simulating strategies in a world.
#[derive(Clone, Debug, Serialize)]
pub struct WorldSimulation {
    /// Name of the simulated world.
    pub world: String,
    /// Number of lists judged by the same assessors. Strategies with a model of the assessors'
    /// reliability fit these lists together.
    pub lists_per_campaign: usize,
    /// Votes and quality of each strategy.
    #[serde(flatten)]
    pub simulation: Simulation,
}

/// Compares strategies on the same lists of a world, with the same simulated answers. A new crowd
/// is drawn after every [`LISTS_PER_CAMPAIGN`] lists.
///
/// # Errors
/// Returns [`SimulationError`] if the request is out of range, if it names an unknown strategy, or
/// if the work is cancelled.
pub fn simulate_world(
    request: &SimulationRequest,
    world: &World,
    work: &dyn Work,
) -> Result<WorldSimulation, SimulationError> {
    let contenders = request.contenders()?;
    let lists = world_lists(request, world);
    let people = Some(world.assessors);
    Ok(WorldSimulation {
        world: world.name.to_owned(),
        lists_per_campaign: LISTS_PER_CAMPAIGN.min(request.lists),
        simulation: simulate_lists(request, &contenders, &lists, people, work)?,
    })
}

/// Draws the requested lists of a world, each with the crowd that judges it.
pub(crate) fn world_lists(
    request: &SimulationRequest,
    world: &World,
) -> Vec<ListUnderStudy<WorldList>> {
    let list = |number: usize| {
        let seed = request.list_seed(number);
        let crowd = world.crowd(request.list_seed(number - number % LISTS_PER_CAMPAIGN));
        let oracle = world.list(crowd, request.list_size(number), seed);
        ListUnderStudy {
            references: vec![oracle.reference().clone()],
            oracle,
            seed,
        }
    };
    (0..request.lists).map(list).collect()
}
