//! Recipes: how the output is started on one machine, under Slurm, and on Kubernetes.

use crate::target::Target;

/// Where ranks are started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipe {
    /// The engine's own launcher, on one machine and on several.
    Launcher,
    Slurm,
    Kubernetes,
}

/// What is run: a script by its path, or a module as `python -m` runs it.
#[derive(Clone, Debug)]
pub enum LaunchProgram {
    Script(String),
    Module(String),
}

impl LaunchProgram {
    /// As arguments of `python` and of launchers that know `-m`.
    fn program_arguments(&self) -> String {
        match self {
            Self::Script(path) => path.clone(),
            Self::Module(name) => format!("-m {name}"),
        }
    }

    /// A name for jobs: lower-case letters, digits and dashes.
    fn job_name(&self) -> String {
        let text = match self {
            Self::Script(path) => path.rsplit('/').next().unwrap_or(path).trim_end_matches(".py"),
            Self::Module(name) => name,
        };
        let name: String =
            text.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
        name.trim_matches('-').to_owned()
    }
}

/// The text of a recipe.
pub fn recipe_text(recipe: Recipe, target: Target, program: &LaunchProgram) -> String {
    match recipe {
        Recipe::Launcher => launcher_recipe(target, program),
        Recipe::Slurm => slurm_recipe(target, program),
        Recipe::Kubernetes => kubernetes_recipe(target, program),
    }
}

fn launcher_recipe(target: Target, program: &LaunchProgram) -> String {
    let run = program.program_arguments();
    match target {
        Target::Ddp | Target::Fsdp2 => format!(
            "# One machine, one process per GPU (or --nproc-per-node=4 on a machine without):\n\
             torchrun --standalone --nproc-per-node=gpu {run}\n\
             \n\
             # Two machines: the same command on each, with the address of the first\n\
             torchrun --nnodes=2 --nproc-per-node=gpu --rdzv-backend=c10d --rdzv-id=job --rdzv-endpoint=HOST:29400 {run}\n"
        ),
        Target::Accelerate => format!(
            "# One machine, four processes, one per GPU (add --cpu on a machine without):\n\
             accelerate launch --num_processes=4 {run}\n\
             \n\
             # Two machines with four GPUs each: on each, with its own --machine_rank and the address of the first\n\
             accelerate launch --num_machines=2 --num_processes=8 --machine_rank=0 --main_process_ip=HOST \
             --main_process_port=29500 {run}\n"
        ),
        Target::Horovod => format!(
            "# One machine, four processes:\n\
             horovodrun -np 4 python {run}\n\
             \n\
             # Two machines with four GPUs each; they must reach each other by ssh without a password\n\
             horovodrun -np 8 -H HOST1:4,HOST2:4 python {run}\n"
        ),
        Target::TfDistribute => format!(
            "# Two workers: the same command on each machine, with its own index\n\
             TF_CONFIG='{{\"cluster\": {{\"worker\": [\"HOST1:12345\", \"HOST2:12345\"]}}, \
             \"task\": {{\"type\": \"worker\", \"index\": 0}}}}' python {run}\n"
        ),
    }
}

fn slurm_recipe(target: Target, program: &LaunchProgram) -> String {
    let (run, name) = (program.program_arguments(), program.job_name());
    let (tasks, body) = match target {
        Target::Ddp | Target::Fsdp2 => (
            "1",
            format!(
                "head=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)\n\
                 srun torchrun --nnodes=\"$SLURM_NNODES\" --nproc-per-node=\"$SLURM_GPUS_ON_NODE\" \\\n    \
                 --rdzv-backend=c10d --rdzv-id=\"$SLURM_JOB_ID\" --rdzv-endpoint=\"$head:29400\" \\\n    {run}\n"
            ),
        ),
        Target::Accelerate => (
            "1",
            format!(
                "export HEAD=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)\n\
                 # Each node has a rank of its own, so the command is put together there.\n\
                 srun bash -c 'accelerate launch --num_machines=\"$SLURM_NNODES\" \\\n    \
                 --num_processes=$((SLURM_NNODES * SLURM_GPUS_ON_NODE)) --machine_rank=\"$SLURM_NODEID\" \\\n    \
                 --main_process_ip=\"$HEAD\" --main_process_port=29500 {run}'\n"
            ),
        ),
        Target::Horovod => (
            "4",
            format!(
                "# Horovod takes ranks from the MPI that srun starts; it must be built with MPI.\n\
                 srun --mpi=pmix python {run}\n"
            ),
        ),
        Target::TfDistribute => (
            "1",
            format!(
                "export HOSTS=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | sed 's/.*/\"&:12345\"/' | paste -sd, -)\n\
                 # Each node has an index of its own, so TF_CONFIG is put together there.\n\
                 srun bash -c 'export TF_CONFIG=\"{{\\\"cluster\\\": {{\\\"worker\\\": [$HOSTS]}}, \
                 \\\"task\\\": {{\\\"type\\\": \\\"worker\\\", \\\"index\\\": $SLURM_PROCID}}}}\"\n    \
                 exec python {run}'\n"
            ),
        ),
    };
    format!(
        "#!/bin/bash\n\
         #SBATCH --job-name={name}\n\
         #SBATCH --nodes=2\n\
         #SBATCH --ntasks-per-node={tasks}\n\
         #SBATCH --gpus-per-node=4\n\
         #SBATCH --cpus-per-task=8\n\
         #SBATCH --time=24:00:00\n\
         #SBATCH --output=%x-%j.out\n\
         set -euo pipefail\n\
         {body}"
    )
}

fn kubernetes_recipe(target: Target, program: &LaunchProgram) -> String {
    let (run, name) = (program.program_arguments(), program.job_name());
    match target {
        Target::Ddp | Target::Fsdp2 => pytorch_job(
            &name,
            &format!(
                "torchrun --nnodes=2 --nproc-per-node=4 --node-rank=$RANK --master-addr=$MASTER_ADDR --master-port=$MASTER_PORT {run}"
            ),
        ),
        Target::Accelerate => pytorch_job(
            &name,
            &format!(
                "accelerate launch --num_machines=2 --num_processes=8 --machine_rank=$RANK --main_process_ip=$MASTER_ADDR --main_process_port=$MASTER_PORT {run}"
            ),
        ),
        Target::Horovod => mpi_job(&name, &run),
        Target::TfDistribute => tf_job(&name, &run),
    }
}

/// Two machines with four GPUs each; Kubeflow's operator sets MASTER_ADDR, MASTER_PORT and RANK, the number of the machine.
fn pytorch_job(name: &str, command: &str) -> String {
    let replica = |role: &str| {
        format!(
            "    {role}:\n      replicas: 1\n      restartPolicy: OnFailure\n      template:\n        spec:\n          \
             containers:\n            - name: pytorch\n              image: IMAGE\n              command:\n                \
             - bash\n                - -c\n                - |\n                  {command}\n              \
             resources:\n                limits:\n                  nvidia.com/gpu: 4\n"
        )
    };
    format!(
        "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata:\n  name: {name}\nspec:\n  pytorchReplicaSpecs:\n{}{}",
        replica("Master"),
        replica("Worker")
    )
}

fn mpi_job(name: &str, run: &str) -> String {
    format!(
        "apiVersion: kubeflow.org/v2beta1\nkind: MPIJob\nmetadata:\n  name: {name}\nspec:\n  slotsPerWorker: 4\n  \
         runPolicy:\n    cleanPodPolicy: Running\n  mpiReplicaSpecs:\n    Launcher:\n      replicas: 1\n      template:\n        \
         spec:\n          containers:\n            - name: launcher\n              image: IMAGE\n              command:\n                \
         - bash\n                - -c\n                - |\n                  \
         mpirun -np 8 -bind-to none -map-by slot -x NCCL_DEBUG=INFO -x PATH -x LD_LIBRARY_PATH python {run}\n    \
         Worker:\n      replicas: 2\n      template:\n        spec:\n          containers:\n            - name: worker\n              \
         image: IMAGE\n              resources:\n                limits:\n                  nvidia.com/gpu: 4\n"
    )
}

/// Kubeflow's operator sets TF_CONFIG.
fn tf_job(name: &str, run: &str) -> String {
    format!(
        "apiVersion: kubeflow.org/v1\nkind: TFJob\nmetadata:\n  name: {name}\nspec:\n  tfReplicaSpecs:\n    Worker:\n      \
         replicas: 2\n      restartPolicy: OnFailure\n      template:\n        spec:\n          containers:\n            \
         - name: tensorflow\n              image: IMAGE\n              command:\n                - bash\n                - -c\n                \
         - |\n                  python {run}\n              resources:\n                limits:\n                  nvidia.com/gpu: 4\n"
    )
}
