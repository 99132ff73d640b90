"""Graph algorithms: Dijkstra, topological order, union-find, A*, PageRank on one graph class."""
import heapq
import random
from collections import defaultdict, deque
from itertools import combinations, count

import numpy as np


class Graph:
    def __init__(self, directed=False):
        self.directed = directed
        self._edges = defaultdict(dict)

    def add(self, u, v, weight=1):
        self._edges[u][v] = weight
        if not self.directed:
            self._edges[v][u] = weight
        else:
            self._edges.setdefault(v, {})
        return self

    def __iter__(self):
        return iter(self._edges)

    def __len__(self):
        return len(self._edges)

    def __contains__(self, node):
        return node in self._edges

    def __getitem__(self, node):
        return self._edges[node]

    @property
    def edges(self):
        seen = set()
        for u in self:
            for v, w in self[u].items():
                if self.directed or (v, u) not in seen:
                    seen.add((u, v))
                    yield u, v, w


def dijkstra(graph, source):
    dist = {source: 0}
    previous = {}
    tie = count()
    queue = [(0, next(tie), source)]
    while queue:
        d, _, u = heapq.heappop(queue)
        if d > dist[u]:
            continue
        for v, w in graph[u].items():
            candidate = d + w
            if candidate < dist.get(v, float("inf")):
                dist[v] = candidate
                previous[v] = u
                heapq.heappush(queue, (candidate, next(tie), v))
    return dist, previous


def path_to(previous, target):
    path = [target]
    while path[-1] in previous:
        path.append(previous[path[-1]])
    return path[::-1]


def bfs_levels(graph, start):
    level = {start: 0}
    todo = deque([start])
    while todo:
        u = todo.popleft()
        for v in graph[u]:
            if v not in level:
                level[v] = level[u] + 1
                todo.append(v)
    return level


def topological(graph):
    degree = {u: 0 for u in graph}
    for _, v, _ in graph.edges:
        degree[v] += 1
    ready = [u for u, d in degree.items() if d == 0]
    order = []
    while ready:
        u = ready.pop()
        order.append(u)
        for v in graph[u]:
            degree[v] -= 1
            if not degree[v]:
                ready.append(v)
    if len(order) != len(graph):
        raise ValueError("cycle")
    return order


class UnionFind:
    def __init__(self, items):
        self.parent = {x: x for x in items}
        self.size = dict.fromkeys(self.parent, 1)

    def find(self, x):
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self.size[a] < self.size[b]:
            a, b = b, a
        self.parent[b] = a
        self.size[a] += self.size[b]
        return True


def kruskal(graph):
    sets = UnionFind(graph)
    return [(u, v, w) for u, v, w in sorted(graph.edges, key=lambda e: e[2]) if sets.union(u, v)]


def pagerank(graph, damping=0.85, rounds=50):
    nodes = list(graph)
    where = {u: i for i, u in enumerate(nodes)}
    M = np.zeros((len(nodes), len(nodes)))
    for u in nodes:
        out = graph[u]
        if out:
            for v in out:
                M[where[v], where[u]] = 1 / len(out)
        else:
            M[:, where[u]] = 1 / len(nodes)
    rank = np.full(len(nodes), 1 / len(nodes))
    for _ in range(rounds):
        rank = (1 - damping) / len(nodes) + damping * M @ rank
    return dict(zip(nodes, rank.tolist()))


def grid_astar(walls, start, goal, size):
    def h(p):
        return abs(p[0] - goal[0]) + abs(p[1] - goal[1])

    frontier = [(h(start), 0, start, None)]
    came = {}
    while frontier:
        _, cost, p, parent = heapq.heappop(frontier)
        if p in came:
            continue
        came[p] = parent
        if p == goal:
            break
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            q = p[0] + dx, p[1] + dy
            if 0 <= q[0] < size and 0 <= q[1] < size and q not in walls and q not in came:
                heapq.heappush(frontier, (cost + 1 + h(q), cost + 1, q, p))
    else:
        return None
    steps = []
    while goal is not None:
        steps.append(goal)
        goal = came[goal]
    return steps[::-1]


random.seed(0)
towns = Graph()
for a, b in combinations("ABCDEFG", 2):
    if random.random() < 0.5:
        towns.add(a, b, random.randint(1, 9))
towns.add("A", "B", 4).add("F", "G", 2).add("A", "G", 30).add("C", "D", 1).add("D", "E", 1).add("E", "A", 3)
dist, prev = dijkstra(towns, "A")
print(dist["G"], path_to(prev, "G"), bfs_levels(towns, "A")["G"], "Z" in towns)
print(sum(w for *_, w in kruskal(towns)))
tasks = Graph(directed=True)
tasks.add("shop", "cook").add("cook", "eat").add("invite", "eat").add("eat", "wash")
print(" < ".join(topological(tasks)))
ranks = pagerank(tasks)
print(max(ranks, key=ranks.get), round(sum(ranks.values()), 6))
walls = {(2, y) for y in range(5)}
route = grid_astar(walls, (0, 0), (4, 0), size=7)
print(len(route), grid_astar({(0, 1), (1, 0)}, (0, 0), (3, 3), 4))
