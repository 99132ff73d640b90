"""Physics: heat by Crank-Nicolson, waves by finite differences, Schrödinger by split steps, Laplace by relaxation."""
import numpy as np

pi = np.pi


def heat_crank_nicolson(u0, alpha, dx, dt, steps):
    n = u0.size
    r = alpha * dt / (2 * dx**2)
    main = np.ones(n) * (1 + 2 * r)
    off = -r * np.ones(n - 1)
    A = np.diag(main) + np.diag(off, 1) + np.diag(off, -1)
    B = np.diag(2 - main) + np.diag(-off, 1) + np.diag(-off, -1)
    for M in (A, B):
        M[0], M[-1] = 0, 0
        M[0, 0] = M[-1, -1] = 1
    P = np.linalg.solve(A, B)
    out = [u0]
    for _ in range(steps):
        out.append(P @ out[-1])
    return np.array(out)


def wave(n=101, steps=200, c=1.0):
    x = np.linspace(0, 1, n)
    dx = x[1] - x[0]
    dt = 0.9 * dx / c
    now = np.exp(-300 * (x - 0.5) ** 2)
    before = now.copy()
    energy = []
    for _ in range(steps):
        after = np.zeros(n)
        after[1:-1] = 2 * now[1:-1] - before[1:-1] + (c * dt / dx) ** 2 * (now[2:] - 2 * now[1:-1] + now[:-2])
        velocity = (after - before) / (2 * dt)
        slope = np.gradient(now, dx)
        energy.append(0.5 * dx * (velocity**2 + c**2 * slope**2).sum())
        before, now = now, after
    return now, np.array(energy)


def schroedinger(n=256, steps=100, dt=0.01):
    x = np.linspace(-10, 10, n, endpoint=False)
    dx = x[1] - x[0]
    k = 2 * pi * np.fft.fftfreq(n, d=dx)
    psi = np.exp(-((x + 3) ** 2)) * np.exp(2j * x)
    psi /= np.sqrt((np.abs(psi) ** 2).sum() * dx)
    V = 0.5 * x**2
    half = np.exp(-0.5j * V * dt)
    kinetic = np.exp(-0.5j * k**2 * dt)
    track = []
    for _ in range(steps):
        psi = half * np.fft.ifft(kinetic * np.fft.fft(half * psi))
        density = np.abs(psi) ** 2
        track.append(((x * density).sum() * dx, density.sum() * dx))
    return psi, np.array(track)


def laplace(shape=(30, 40), tol=1e-4):
    u = np.zeros(shape)
    u[0, :] = 1.0
    u[:, -1] = np.linspace(1, 0, shape[0])
    rounds = 0
    while True:
        old = u[1:-1, 1:-1].copy()
        u[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        rounds += 1
        if np.abs(u[1:-1, 1:-1] - old).max() < tol or rounds >= 2000:
            return u, rounds


def projectile(v0, angle, drag=0.02, dt=0.01, g=9.81):
    v = v0 * np.array([np.cos(angle), np.sin(angle)])
    p = np.zeros(2)
    points = [p]
    while p[1] >= 0:
        a = np.array([0.0, -g]) - drag * np.linalg.norm(v) * v
        v = v + a * dt
        p = p + v * dt
        points.append(p)
    points = np.array(points)
    (x0, y0), (x1, y1) = points[-2:]
    return points, x0 - y0 * (x1 - x0) / (y1 - y0)


def gravity(positions, masses, G=1.0, soft=1e-3):
    d = positions[None, :, :] - positions[:, None, :]
    r3 = ((d**2).sum(axis=-1) + soft**2) ** 1.5
    return G * np.einsum("ijk,ij,j->ik", d, 1 / r3, masses)


def leapfrog(pos, vel, masses, dt, steps):
    trail = np.empty((steps, *pos.shape))
    acc = gravity(pos, masses)
    for s in range(steps):
        vel = vel + 0.5 * dt * acc
        pos = pos + dt * vel
        acc = gravity(pos, masses)
        vel = vel + 0.5 * dt * acc
        trail[s] = pos
    return trail, vel


x = np.linspace(0, 1, 51)
u = heat_crank_nicolson(np.sin(pi * x), 1.0, x[1], 1e-3, 100)
exact = np.exp(-(pi**2) * 0.1) * np.sin(pi * x)
print("heat", u.shape, np.abs(u[-1] - exact).max() < 1e-3)
final, energy = wave()
print("wave", final.shape, np.ptp(energy[5:]) / energy.mean() < 0.1)
psi, track = schroedinger()
centre, norm = track.T
print("quantum", psi.dtype.kind, np.allclose(norm, 1), centre[[0, -1]].round(1))
field, rounds = laplace()
gy, gx = np.gradient(field)
print("laplace", rounds > 10, field[1:-1, 1:-1].min() > 0, np.hypot(gx, gy).shape)
angles = np.radians(np.arange(20, 70, 5))
ranges = [projectile(30, a)[1] for a in angles]
print("best angle", np.degrees(angles[int(np.argmax(ranges))]).round())
m = np.array([1.0, 1e-3, 1e-3])
pos = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]])
vel = np.array([[0.0, 0.0], [0.0, 1.0], [-(0.5**0.5), 0.0]])
trail, v = leapfrog(pos, vel, m, 0.01, 500)
radius = np.linalg.norm(trail[:, 1] - trail[:, 0], axis=1)
print("planets", trail.shape, radius.std() < 0.05, (m[:, None] * v).sum(axis=0).round(3))
