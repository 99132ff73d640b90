//! Gradients averaged at the end of every backward pass, for modules that DistributedDataParallel cannot watch.
//!
//! DistributedDataParallel prepares its reduction in the forward pass and ends it in the first backward pass after it.  A module
//! that is trained through other methods than `forward`, through which two backward passes go, or whose parameters are frozen and
//! trained in turn, gets a hook on every parameter instead.  The first hook of a backward pass queues one reduction for its end:
//!
//! ```python
//! latent = vae.encode(x)                  # gradient_average.add_module(vae)
//! loss = f(vae.decode(latent), x)         # optimizer = Adam(vae.parameters())
//! loss.backward()                         # the rest stays as it is
//! ```
//!
//! Invariant: before a backward pass `parameter.grad` is equal on all ranks, so averaging the sum of it and what the pass adds
//! averages what the pass adds; gradients may be accumulated.  All watched parameters are reduced in one order, whichever of them a
//! rank's pass reached.  Buffers stay those of each rank, as under `broadcast_buffers=False`.

use crate::project::ModuleId;
use crate::rewrite::Rewrite;

/// The call that starts a module from rank 0's weights and averages its gradients.
pub fn hook_call(rw: &mut Rewrite, module: ModuleId, name: &str) -> String {
    rw.engine_name(module);
    let average = rw.free_everywhere("gradient_average");
    let call = format!("{average}.add_module({name})");
    rw.helpers[module].average = Some(average);
    if rw.import_alias(module, "torch").is_none() {
        rw.add_import(module, "import torch");
    }
    call
}

/// The class of the object that is called, and the object.
pub fn helper_text(rw: &Rewrite, name: &str, torch: &str) -> String {
    let class = rw.free_everywhere("GradientAverage");
    let engine = &rw.engine;
    format!(
        r#"class {class}:
    """Averages gradients over the ranks at the end of every backward pass."""

    def __init__(self):
        self.parameters = []
        self.queued = False

    def add_module(self, module):
        for tensor in module.state_dict().values():  # all ranks start from rank 0's weights
            {engine}.broadcast(tensor, src=0)
        for parameter in module.parameters():
            self.parameters.append(parameter)
            trained = parameter.requires_grad
            parameter.requires_grad_(True).register_hook(self.queue)  # a frozen parameter takes no hook
            parameter.requires_grad_(trained)

    def queue(self, gradient):
        if not self.queued:
            self.queued = True
            {torch}.autograd.Variable._execution_engine.queue_callback(self.average)

    @{torch}.no_grad()
    def average(self):
        self.queued = False
        used = {torch}.tensor([float(parameter.grad is not None) for parameter in self.parameters])
        {engine}.all_reduce(used)
        for parameter, ranks in zip(self.parameters, used.tolist()):
            if ranks == 0:
                continue
            if parameter.grad is None:  # only other ranks used this parameter
                parameter.grad = {torch}.zeros_like(parameter)
            {engine}.all_reduce(parameter.grad)
            parameter.grad /= {engine}.get_world_size()


{name} = {class}()"#
    )
}
