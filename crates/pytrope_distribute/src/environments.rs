//! Reinforcement learning: the samples of a step come from acting in an environment, and there is no data set to divide.
//!
//! ```python
//! env = gym.make("CartPole-v1")
//! state, reward, done, *_ = env.step(action)      # what a rank sees depends on what its own policy did
//! ```

use pytrope_diagnostics::{Finding, rule_by_id};
use pytrope_source::Span;

use crate::trace::Trace;

/// Packages whose calls make environments or describe them.
const PACKAGES: &[&str] = &[
    "gym",
    "gymnasium",
    "pettingzoo",
    "dm_control",
    "procgen",
    "minigrid",
    "vizdoom",
    "unityagents",
    "mlagents_envs",
    "ple",
    "atari_py",
    "ale_py",
    "pybullet_envs",
    "gym_super_mario_bros",
    "retro",
];

/// The refusal of a project that acts in an environment and reads no data set beside it.
pub fn find_environment(trace: &Trace) -> Option<Finding> {
    let mut environment = None;
    for (id, module) in trace.project.modules.iter().enumerate() {
        let tree = &module.parsed.tree;
        for expr in tree.expr_ids() {
            let Some(api) = trace.called_api((id, expr)) else { continue };
            if api.ends_with("utils.data.DataLoader") {
                return None;
            }
            if environment.is_none() && api.split('.').next().is_some_and(|package| PACKAGES.contains(&package)) {
                environment = Some(Span::new(&module.parsed.file, tree[expr].range));
            }
        }
    }
    let message = "the samples come from acting in an environment, so there is no data set to divide among the ranks";
    let help = "collect the samples into a data set first, or let ranks act apart with a library for distributed reinforcement \
                learning, such as torchrl or RLlib";
    environment.map(|span| Finding::new(rule_by_id("untraceable-data"), span, message).help(help))
}
