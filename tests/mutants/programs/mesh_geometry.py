"""Triangle meshes: normals, areas, smoothing, sampling points, a rotation about an axis."""
import numpy as np

rng = np.random.default_rng(77)
vertices = np.array(
    [[0.0, 0, 1], [1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0], [0, 0, -1]]
)
faces = np.array([[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1], [5, 2, 1], [5, 3, 2], [5, 4, 3], [5, 1, 4]])
corners = vertices[faces]
edges1 = corners[:, 1] - corners[:, 0]
edges2 = corners[:, 2] - corners[:, 0]
cross = np.cross(edges1, edges2)
areas = np.linalg.norm(cross, axis=1) / 2
normals = cross / np.linalg.norm(cross, axis=1, keepdims=True)
volume = np.einsum("ij,ij->i", corners[:, 0], cross).sum() / 6
vertex_normals = np.zeros_like(vertices)
for k in range(3):
    np.add.at(vertex_normals, faces[:, k], cross)
vertex_normals /= np.linalg.norm(vertex_normals, axis=1)[:, None]
adjacency = np.zeros((len(vertices), len(vertices)))
for a, b in ((0, 1), (1, 2), (2, 0)):
    adjacency[faces[:, a], faces[:, b]] = 1
degree = adjacency.sum(axis=1)
smoothed = 0.5 * vertices + 0.5 * (adjacency @ vertices) / degree[:, None]
chosen = rng.choice(len(faces), size=200, p=areas / areas.sum())
u, v = rng.random((2, 200))
flip = u + v > 1
u, v = np.where(flip, 1 - u, u), np.where(flip, 1 - v, v)
samples = corners[chosen, 0] + u[:, None] * edges1[chosen] + v[:, None] * edges2[chosen]
axis = np.array([1.0, 2.0, 2.0]) / 3
K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
angle = np.pi / 5
R = np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K
turned = samples @ R.T
inertia = (turned - turned.mean(axis=0)).T @ (turned - turned.mean(axis=0)) / len(turned)
values, vectors = np.linalg.eigh(inertia)
bounds = np.stack([turned.min(axis=0), turned.max(axis=0)])
print(normals.shape, round(volume, 3), smoothed.shape, bounds.shape, vectors.shape)
