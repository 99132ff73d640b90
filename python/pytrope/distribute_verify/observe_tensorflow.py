# Runs in the interpreter that has the framework, which type checkers of this package do not see.
# mypy: ignore-errors
# pyright: basic, reportMissingImports=false, reportMissingModuleSource=false, reportAttributeAccessIssue=false
"""TensorFlow's watch: steps by gradients that are taken, weights by the variables they are taken of."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
from observe import Watch


class TensorFlowWatch(Watch):
    def __init__(self, seed: int, job: dict[str, Any]) -> None:
        super().__init__(job.get("steps"))
        self.variables: dict[Any, Any] = {}
        self.arrays: list[Any] | None = None
        tf.random.set_seed(seed)
        tf.config.threading.set_inter_op_parallelism_threads(2)
        tf.config.threading.set_intra_op_parallelism_threads(1)
        self._watch_tapes()
        self._watch_graph_optimizers()
        self._watch_sessions()
        if job.get("in_order"):
            _keep_order()

    def _watch_tapes(self) -> None:
        plain = tf.GradientTape.gradient

        def gradient(tape: Any, target: Any, sources: Any, *args: Any, **kwargs: Any) -> Any:
            variables = [s for s in tf.nest.flatten(sources) if isinstance(s, tf.Variable)]
            for variable in variables:
                self.variables[variable.ref()] = variable
            if variables:
                loss = tf.add_n([tf.reduce_sum(tf.cast(t, tf.float32)) for t in tf.nest.flatten(target)])
                if tf.inside_function():
                    tf.numpy_function(self._saw, [loss], [])
                else:
                    self.count_step()
                    self._saw(loss.numpy())
            return plain(tape, target, sources, *args, **kwargs)

        tf.GradientTape.gradient = gradient

    def _saw(self, loss: Any) -> None:
        self.saw_loss(float(np.mean(loss)))

    def _watch_graph_optimizers(self) -> None:
        v1 = tf.compat.v1
        compute = v1.train.Optimizer.compute_gradients

        def compute_gradients(optimizer: Any, loss: Any, *args: Any, **kwargs: Any) -> Any:
            pairs = compute(optimizer, loss, *args, **kwargs)
            if callable(loss):
                return pairs
            seen = v1.py_func(lambda value: self._saw(value) or np.int64(0), [loss], tf.int64)
            watched = []
            for grad, variable in pairs:
                if grad is not None:
                    with tf.control_dependencies([seen]):
                        grad = tf.identity(grad) if not isinstance(grad, tf.IndexedSlices) else grad
                watched.append((grad, variable))
            return watched

        v1.train.Optimizer.compute_gradients = compute_gradients

    def _watch_sessions(self) -> None:
        from tensorflow.python.client import session as sessions

        keys = tf.compat.v1.GraphKeys

        def read(session: Any) -> None:
            try:
                trained = session.graph.get_collection(keys.TRAINABLE_VARIABLES)
                if trained and not session._closed:
                    self.arrays = session.run(list(trained))
            except tf.errors.OpError:
                # A session that was never initialised has no weights.
                return

        close = sessions.BaseSession.close
        leave = sessions.Session.__exit__

        def closing(session: Any) -> Any:
            read(session)
            return close(session)

        def leaving(session: Any, *args: Any) -> Any:
            read(session)
            return leave(session, *args)

        sessions.BaseSession.close = closing
        sessions.Session.__exit__ = leaving

    def capture_weights(self) -> None:
        if self.arrays is None:
            self.arrays = [variable.numpy() for variable in self.variables.values()]

    def read_weights(self) -> list[Any]:
        self.capture_weights()
        return self.arrays or []


def _keep_order() -> None:
    """Shuffles are the identity, and the seed of the run stays: an output may set one where its original does not."""

    def keep_seed(*_args: Any, **_kwargs: Any) -> None:
        return None

    tf.random.set_seed = keep_seed
    tf.keras.utils.set_random_seed = keep_seed

    def leave(dataset: Any, *_args: Any, **_kwargs: Any) -> Any:
        return dataset

    tf.data.Dataset.shuffle = leave
    tf.random.shuffle = lambda value, seed=None, name=None: tf.identity(value)
    fit = tf.keras.Model.fit

    def fitting(model: Any, *args: Any, **kwargs: Any) -> Any:
        kwargs["shuffle"] = False
        return fit(model, *args, **kwargs)

    tf.keras.Model.fit = fitting
