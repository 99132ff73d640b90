"""Contractions of tensors in different notations."""
import numpy as np

rng = np.random.default_rng(49)
A = rng.normal(size=(2, 3, 4))
B = rng.normal(size=(4, 5))
C = rng.normal(size=(3, 5))
AB = np.tensordot(A, B, axes=1)
same = np.einsum("ijk,kl->ijl", A, B)
trace = np.einsum("ijl,jl->i", AB, C)
again = (AB * C).sum(axis=(1, 2))
moved = np.moveaxis(A, -1, 0)
flat = moved.reshape(4, -1)
gram = flat @ flat.T
values = np.linalg.eigvalsh(gram)
core = np.einsum("ijk,ia,jb->abk", A, rng.normal(size=(2, 2)), rng.normal(size=(3, 2)))
unfolded = core.transpose(2, 0, 1).reshape(4, 4)
outer = np.multiply.outer(B[0], C[0])
batch = A @ B
print(np.allclose(AB, same), np.allclose(trace, again), values.shape, unfolded.shape, outer.shape, batch.shape)
