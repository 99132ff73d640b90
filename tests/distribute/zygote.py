"""Runs training scripts as ranks: imports the framework once, then forks one child per script and rank.

Reads one JSON job per line from standard input and answers one JSON line when its ranks are done. What the ranks do is
observed from outside: gradients are watched to count steps and read losses, trained variables are read when a script ends.
"""

import json
import os
import random
import runpy
import signal
import sys
import time
import traceback

FRAMEWORK = sys.argv[1]


def preload():
    if FRAMEWORK == "torch":
        import torch  # noqa: F401
        import torch.distributed  # noqa: F401
        import torch.optim  # noqa: F401
        import torch.utils.data  # noqa: F401
    else:
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
        import tensorflow  # noqa: F401
        import tensorflow.compat.v1  # noqa: F401
        import horovod.tensorflow  # noqa: F401
        import horovod.tensorflow.keras  # noqa: F401


def digest(values):
    """A list of arrays as sums that differ when a weight does, and a hash of all bytes."""
    import hashlib

    sha = hashlib.sha256()
    for value in values:
        sha.update(repr(value.shape).encode())
        sha.update(value.tobytes())
    return sha.hexdigest(), len(values)


class Watch:
    """Losses per step and trained variables of one rank."""

    def __init__(self):
        self.losses = []
        self.variables = {}
        self.arrays = None
        self.samples = []

    def saw(self, loss):
        import numpy as np

        self.losses.append(float(np.mean(loss)))

    def tensorflow(self, rank):
        import numpy as np
        import tensorflow as tf

        tf.random.set_seed(1000 + rank)
        tf.config.threading.set_inter_op_parallelism_threads(2)
        tf.config.threading.set_intra_op_parallelism_threads(1)
        watch = self
        plain = tf.GradientTape.gradient

        def gradient(tape, target, sources, *args, **kwargs):
            flat = tf.nest.flatten(sources)
            variables = [s for s in flat if isinstance(s, tf.Variable)]
            for variable in variables:
                watch.variables[variable.ref()] = variable
            if variables:
                loss = tf.add_n([tf.reduce_sum(tf.cast(t, tf.float32)) for t in tf.nest.flatten(target)])
                if tf.inside_function():
                    tf.numpy_function(lambda value: watch.saw(value), [loss], [])
                else:
                    watch.saw(loss.numpy())
            return plain(tape, target, sources, *args, **kwargs)

        tf.GradientTape.gradient = gradient

        v1 = tf.compat.v1
        compute = v1.train.Optimizer.compute_gradients

        def compute_gradients(optimizer, loss, *args, **kwargs):
            pairs = compute(optimizer, loss, *args, **kwargs)
            if callable(loss):
                return pairs
            seen = v1.py_func(lambda value: watch.saw(value) or np.int64(0), [loss], tf.int64)
            watched = []
            for grad, variable in pairs:
                if grad is not None:
                    with tf.control_dependencies([seen]):
                        grad = tf.identity(grad) if not isinstance(grad, tf.IndexedSlices) else grad
                watched.append((grad, variable))
            return watched

        v1.train.Optimizer.compute_gradients = compute_gradients

        from tensorflow.python.client import session as sessions

        close = sessions.BaseSession.close

        def closing(session):
            try:
                trained = session.graph.get_collection(v1.GraphKeys.TRAINABLE_VARIABLES)
                if trained and not session._closed:
                    watch.arrays = session.run(list(trained))
            except Exception:  # a session that was never initialised
                pass
            return close(session)

        sessions.BaseSession.close = closing
        leave = sessions.Session.__exit__

        def leaving(session, *args):
            try:
                trained = session.graph.get_collection(v1.GraphKeys.TRAINABLE_VARIABLES)
                if trained:
                    watch.arrays = session.run(list(trained))
            except Exception:
                pass
            return leave(session, *args)

        sessions.Session.__exit__ = leaving

    def torch(self, rank):
        import torch

        torch.manual_seed(1000 + rank)
        torch.set_num_threads(1)
        watch = self
        backward = torch.Tensor.backward

        def watched(tensor, *args, **kwargs):
            watch.saw(tensor.detach().numpy())
            return backward(tensor, *args, **kwargs)

        torch.Tensor.backward = watched
        init = torch.optim.Optimizer.__init__

        def making(optimizer, *args, **kwargs):
            init(optimizer, *args, **kwargs)
            for group in optimizer.param_groups:
                for parameter in group["params"]:
                    watch.variables[id(parameter)] = parameter

        torch.optim.Optimizer.__init__ = making

    def weights(self):
        if self.arrays is not None:
            return self.arrays
        if FRAMEWORK == "torch":
            return [p.detach().numpy() for p in self.variables.values()]
        return [v.numpy() for v in self.variables.values()]


def child(job, rank, report):
    """One rank: never returns."""
    os.chdir(job["folders"][rank])
    for name, value in job["env"][rank].items():
        os.environ[name] = value
    for stream, number in (("stdout", 1), ("stderr", 2)):
        target = os.open(os.path.join(job["logs"], f"rank{rank}.{stream}"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(target, number)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    code = 0
    answer = {}
    watch = Watch()
    try:
        random.seed(1000 + rank)
        import numpy as np

        np.random.seed(1000 + rank)
        getattr(watch, "torch" if FRAMEWORK == "torch" else "tensorflow")(rank)
        script = job["script"]
        sys.argv = [script]
        sys.path.insert(0, os.path.dirname(script))
        sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "stand_ins"))
        try:
            runpy.run_path(script, run_name="__main__")
        except SystemExit as end:
            if end.code not in (None, 0):
                raise
        weights = watch.weights()
        answer["hash"], answer["count"] = digest(weights)
        answer["norm"] = float(sum((abs(w.astype("float64")).sum() for w in weights), 0.0))
    except BaseException:  # every end of a rank is reported
        traceback.print_exc()
        answer["error"] = traceback.format_exc()[-2000:]
        code = 1
    answer["losses"] = watch.losses
    answer["code"] = code
    sys.stdout.flush()
    sys.stderr.flush()
    with open(report, "w") as out:
        json.dump(answer, out)
    os._exit(code)


def run(job):
    reports, children = [], []
    for rank in range(len(job["folders"])):
        report = os.path.join(job["logs"], f"rank{rank}.json")
        if os.path.exists(report):
            os.remove(report)
        reports.append(report)
        pid = os.fork()
        if pid == 0:
            child(job, rank, report)
        children.append(pid)
    deadline = time.monotonic() + job["timeout"]
    alive = set(children)
    failed = False
    while alive:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid:
            alive.discard(pid)
            if status != 0:
                # The others would wait for ever.
                failed = True
                deadline = min(deadline, time.monotonic() + 5)
            continue
        if time.monotonic() > deadline:
            for left in alive:
                os.kill(left, signal.SIGKILL)
                os.waitpid(left, 0)
            break
        time.sleep(0.02)
    answers = []
    for report in reports:
        try:
            with open(report) as given:
                answers.append(json.load(given))
        except (OSError, ValueError):
            answers.append({"code": -1, "losses": [], "error": "no report: killed, crashed or out of time"})
    return {"ranks": answers, "failed": failed}


def main():
    preload()
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
