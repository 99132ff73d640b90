"""Mistakes a programmer makes in the programs here: what is written, and what is written instead.

Each really raises when the program is run; `run.py` asks whether `pytrope check` says so at the same line.
"""

FAULTS = {
    "numpy_tour": [
        ("np.hstack((left, right))", "np.hstack((left, a))"),
        ("first, second = np.split(big, 2)", "first, second, third = np.split(big, 2)"),
        ("print(prices * discount)", "print(prices * discount[:2])"),
    ],
    "matplotlib_free_histogram": [
        ("matrix @ np.array(WEIGHTS)", "matrix.T @ np.array(WEIGHTS)"),
        ('best, best_score = ranking[0]', 'best, best_score, third = ranking[0]'),
        ('report["letters"]', 'report["grades"]'),
    ],
    "titanic_by_hand": [
        ("sigmoid(X_valid @ w) > 0.5", "sigmoid(X_valid @ w[1:]) > 0.5"),
        ("(X_valid[:, 1:] - mu) / sigma", "(X_valid - mu) / sigma"),
        ('writer.writerows(zip(', 'writer.writelines(zip('),
    ],
    "double_pendulum": [
        ("np.array([w1, a1, w2, a2])", "np.array([w1, a1, w2])"),
        ("th1, th2 = states[:, 0], states[:, 2]", "th1, th2 = states[:, 0], states[:, 4]"),
        ("run.notes.append(f\"drift {drift:.2e}\")", "run.note.append(f\"drift {drift:.2e}\")"),
    ],
    "dsp_filters": [
        ("(power * freqs).sum(axis=1)", "(power.T * freqs).sum(axis=1)"),
        ("power.mean(axis=0).argmax()", "power.mean(axis=2).argmax()"),
        ("h = lowpass(1000)\n", "h = lowpass(1000, 101, FS, 2)\n"),
    ],
    "photo_filters": [
        ("np.array([0.299, 0.587, 0.114])", "np.array([0.299, 0.587, 0.114, 0.0])"),
        ("np.where(binary[..., None], photo, [1.0, 0.0, 0.0])", "np.where(binary, photo, [1.0, 0.0, 0.0])"),
        ("partial(convolve, kernel=gaussian(1, 0.8))", "partial(convolve, kernal=gaussian(1, 0.8))"),
    ],
    "option_pricing": [
        ("Option(95, 1.0)", "Option(95)"),
        ("s, r, v = market", "s, r = market"),
        ("np.concatenate([z, -z])", "np.concatenate([z, -z.T])"),
    ],
    "sequence_alignment": [
        ('sequences["seq2"])\n    marks', 'sequences["seq4"])\n    marks'),
        ("value, top, bottom = align(", "value, (top, bottom), path = align("),
        ("weight_matrix([", "weigh_matrix(["),
    ],
    "arm_kinematics": [
        ("T[:3, 3] = [x, y, z]", "T[:3, 3] = [x, y, z, 1]"),
        ("(pose @ homogeneous.T).T", "(pose @ homogeneous).T"),
        ("path = interpolate(start, arm.q, 20)", "path = interpolate(start, arm.q)"),
    ],
    "dijkstra_and_friends": [
        ("dist, prev = dijkstra(towns, \"A\")", "dist, prev, seen = dijkstra(towns, \"A\")"),
        ("tasks = Graph(directed=True)", "tasks = Graph(is_directed=True)"),
        ("for *_, w in kruskal(towns)", "for u, v, w, x in kruskal(towns)"),
    ],
    "tic_tac_toe": [
        ("RandomPlayer(\"O\", rng)", "RandomPlayer(\"O\")"),
        ("print(tally, perfect.wins", "print(tally, perfect.victories"),
        ("    turn = 0\n", ""),
    ],
    "todo_cli": [
        ("names = {f.name for f in fields(cls)}", "names = {f.name for f in field(cls)}"),
        ("parser.add_argument(\"--file\", type=Path, default=Path.home() / \".todo.json\")", "parser.add_argument(\"--file\", type=Path, default=Path.home() + \".todo.json\")"),
        ("Task(due.isoformat(), \" \".join(args.title), tags=args.tag or [])", "Task(due.isoformat(), \" \".join(args.title), tag=args.tag or [])"),
    ],
    "log_analyser": [
        ("agent=d[\"agent\"],\n", ""),
        ("word_wrap_stats(\"The quick", "wrap_stats(\"The quick"),
        ("re.split(r\"[,;]\\s*\", \"a, b;c\")", "re.split(r\"[,;]\\s*\")"),
    ],
    "async_crawler": [
        ("crawler = Crawler(workers=3)", "crawler = Crawler(worker=3)"),
        ("clock.laps[\"crawl\"] > 0", "clock.lap[\"crawl\"] > 0"),
        ("    total = 0\n    async for", "    async for"),
    ],
    "generators_pipeline": [
        ("self.value, self.left, self.right = value, left, right", "self.value, self.left, self.right = value, left"),
        ("print(list(root), root.depth()", "print(list(root), root.height()"),
        ("root = Tree(50)", "root = Tree()"),
    ],
    "orm_metaclass": [
        ("wallet = [Money(5), Money(2.5), Money(10)]", "wallet = [Money(5), Money(2.5), Money()]"),
        ("{k: p().run(\"abc\") for", "{k: p().run() for"),
        ("        missing = [n for n, f in self.fields.items()", "        lost = [n for n, f in self.fields.items()"),
    ],
    "bank_tests": [
        ("balance=0, *, overdraft=0):", "balance=0, *, overdraft=ZERO):"),
        ("np.__version__.startswith(\"1.\")", "np.__version__.startwith(\"1.\")"),
        ("    result = unittest.main(", "    results = unittest.main("),
    ],
    "linear_solvers": [
        ("np.zeros((2, n)), np.eye(2)]])", "np.zeros((2, 2)), np.eye(2)]])"),
        ("by_svd = Vt.T @ ((U.T @ y) / s)", "by_svd = Vt.T @ ((U @ y) / s)"),
        ("value, vector = power_method(spd)", "value = power_method(spd)[2]"),
    ],
    "monte_carlo_stats": [
        ("np.average(summary[:, 1], weights=summary[:, 0])", "np.average(summary[:, 1], weights=summary[:2, 0])"),
        ("value, err = estimate_pi(20000, rng)", "value, err = estimate_pi(20000)"),
        ("np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()", "np.outer(table.sum(axis=0), table.sum(axis=1)) / table.sum()"),
    ],
    "torch_classifier": [
        ("nn.Linear(2 * width * 4 * 4, classes)", "nn.Linear(width * 4 * 4, classes)"),
        ("nn.BatchNorm2d(cout)", "nn.BatchNorm2d(cin)"),
        ("schedule.get_last_lr()[0]", "schedule.get_last_lr()[1]"),
    ],
    "torch_char_lstm": [
        ("q @ k.transpose(-2, -1) / math.sqrt", "q @ k / math.sqrt"),
        ("nn.Linear(4 * dim, dim))", "nn.Linear(dim, dim))"),
        ("self.out = nn.Linear(hidden, vocab)", "self.out = nn.Linear(embed, vocab)"),
    ],
    "torch_autoencoder_gan": [
        ("self.D = mlp(2, 32, 1, last=nn.Sigmoid())", "self.D = mlp(4, 32, 1, last=nn.Sigmoid())"),
        ("ones, zeros = torch.ones(n, 1), torch.zeros(n, 1)", "ones, zeros = torch.ones(n), torch.zeros(n)"),
        ("nn.Linear(latent, hidden), nn.Tanh()", "nn.Linear(2 * latent, hidden), nn.Tanh()"),
    ],
    "torch_rl": [
        ("self.l2 = nn.Linear(hidden, n_out)", "self.l2 = nn.Linear(n_in, n_out)"),
        ("net(torch.eye(5))", "net(torch.eye(6))"),
        ("state, reward, done, info = env.step(action)", "state, reward, done = env.step(action)"),
    ],
    "config_loader": [
        ("kind = type(DEFAULTS[key])", "kind = type(DEFAULT[key])"),
        ("print(flaky(3), len(calls))", "print(flaky(3, 4, 5), len(call))"),
        ("raise ConfigError(f\"no reader for {path.suffix!r}\") from None", "raise ConfigError(f\"no reader for {path.sufix!r}\") from None"),
    ],
    "inventory_errors": [
        ("name, count, price = parts\n", "name, count = parts\n"),
        ("print(round(income, 2), average_price({}), len(stock))", "print(round(income, 2), average_price(), len(stock))"),
        ("    line_no = 0\n", ""),
    ],
    "nn_from_scratch": [
        ("return grad @ self.W.T", "return grad @ self.W"),
        ("Dense(32, 3, rng))\nloss_fn", "Dense(30, 3, rng))\nloss_fn"),
        ("self.b = np.zeros((1, n_out))", "self.b = np.zeros((1, n_in))"),
    ],
    "cellular_automata": [
        ("near = burning[:-2, 1:-1] | burning[2:, 1:-1]", "near = burning[:-2, 1:-1] | burning[1:, 1:-1]"),
        ("np.roll(glider, (6, 6), axis=(0, 1))", "np.roll(glider, (6, 6), axis=(1, 2))"),
        ("snake.score, len(snake.body)", "snake.points, len(snake.body)"),
    ],
    "hmm_phylo": [
        ("scores = delta[:, None] + logA", "scores = delta[:, None] @ logA"),
        ("path, score = model.viterbi(obs)", "path, score = model.viterbi(obs, 2)"),
        ("np.einsum(\"ti,ij,tj->ij\"", "np.einsum(\"ti,ij,tk,jk->ij\""),
    ],
    "kalman_slam": [
        ("F = np.hstack([np.eye(3), np.zeros((3, 2 * self.n))])", "F = np.hstack([np.eye(3), np.zeros((2 * self.n, 3))])"),
        ("H = np.zeros((2, len(self.mu)))", "H = np.zeros((3, len(self.mu)))"),
        ("true, estimated = (np.array(rows)", "true, estimated, extra = (np.array(rows)"),
    ],
    "portfolio_backtest": [
        ("rhs = np.r_[np.zeros(n), 1.0, target]", "rhs = np.r_[np.zeros(n), 1.0]"),
        ("returns @ np.full(3, 1 / 3)", "returns @ np.full(4, 1 / 4)"),
        ("dd, begin, end = test.drawdown(equity)", "dd, begin, end = test.max_drawdown(equity)"),
    ],
    "calculator_interpreter": [
        ("Num(float(text))", "Num(float(text), 0)"),
        ("output = list(repl(program))", "output = list(repl())"),
        ("Interpreter()\n    for line", "Interpreter(lines)\n    for line"),
    ],
    "sudoku_and_puzzles": [
        ("queens(4)[0]", "queens(4)[2]"),
        ("print(knapsack([(\"map\", 9, 150)", "print(knapsack([(\"map\", 9)"),
        ("edit_distance(\"kitten\", \"sitting\")", "edit_distance(\"kitten\")"),
    ],
    "pytest_style_matrix": [
        ("return len(self._rows), len(self._rows[0])", "return len(self._rows), len(self.rows[0])"),
        ("m = sample()\n    assert m.det() == -2", "m = sample(2)\n    assert m.det() == -2"),
        ("        total = 0\n", ""),
    ],
    "event_bus_threads": [
        ("cache = LRU(2)", "cache = LRU(2, 3)"),
        ("print(list(cache), cache.get(\"b\")", "print(list(cache), cache.fetch(\"b\")"),
        ("print(counter.value, done", "print(counter.total, done"),
    ],
    "sqlite_library": [
        ("restored = list(read(path))", "restored = list(read())"),
        ("print(save(path, BOOKS)", "print(store(path, BOOKS)"),
        ("for title, year, _ in books)\n    packed", "for title, year in books)\n    packed"),
    ],
    "decision_tree": [
        ("np.linalg.norm(X[:, None, :] - centres[None], axis=2)", "np.linalg.norm(X[:, None, :] - centres[None], axis=3)"),
        ("projected = X @ Vt[:2].T", "projected = X @ Vt[:2]"),
        ("centres, label = kmeans(X, 3, rng)", "centres, label, inertia = kmeans(X, 3, rng)"),
    ],
    "heat_and_waves": [
        ("np.diag(off, 1) + np.diag(off, -1)\n    B", "np.diag(main, 1) + np.diag(off, -1)\n    B"),
        ("centre, norm = track.T", "centre, norm = track"),
        ("(c * dt / dx) ** 2 * (now[2:] - 2 * now[1:-1] + now[:-2])", "(c * dt / dx) ** 2 * (now[2:] - 2 * now + now[:-2])"),
    ],
    "mini_dataframe": [
        ("codes = Frame({", "codes = Frames({"),
        ("print(cities.shape, list(cities)", "print(cities.shapes, list(cities)"),
        ("z.T @ z / len(z)", "z @ z / len(z)"),
    ],
    "notebook_style": [
        ("Xb = np.hstack([X, np.ones((N, 1))])", "Xb = np.hstack([X, np.ones(N)])"),
        ("err = ((Xb @ ws.T - y[:, None]) ** 2)", "err = ((Xb @ ws - y[:, None]) ** 2)"),
        ("dist[np.arange(6), nearest]", "dist[np.arange(5), nearest]"),
    ],
    "recommender": [
        ("np.round(3 + U @ V.T / 1.5)", "np.round(3 + U @ V / 1.5)"),
        ("rng.normal(size=(n_items, rank))", "rng.normal(size=(rank, n_items))"),
        ("train, test = ratings.split(0.8, rng)", "train, test = ratings.split(0.8)"),
    ],
    "text_generator": [
        ("model = Markov().train(tokens)", "model = Markov().fit(tokens)"),
        ("column, matrix = tfidf(sentences)", "column, matrix, idf = tfidf(sentences)"),
        ("search(\"season of darkness\", column, matrix)", "search(\"season of darkness\", matrix)"),
    ],
    "minesweeper": [
        ("game = Game(Settings.preset(\"easy\", seed=seed))", "game = Game(Setting.preset(\"easy\", seed=seed))"),
        ("before = tiny.render()", "before = tiny.draw()"),
        ("Settings(2, 2, 4)", "Settings(2, 2, 3, 4, 5)"),
    ],
    "optimisers": [
        ("corner = np.linalg.solve(A, b)", "corner = np.linalg.solve(A[:1], b)"),
        ("np.array([3, 5]) @ corner", "np.array([3, 5, 0]) @ corner"),
        ("x, y = p\n", "x, y, z = p\n"),
    ],
    "shop_simulation": [
        ("sim = Simulator()", "sim = Simulator(rng)"),
        ("handled = sim.run(until=300)", "handled = sim.run(end=300)"),
        ("Uniform(1.0, 3.0), rng)", "Uniform(1.0), rng)"),
    ],
    "image_compression": [
        ("coords = np.stack([xs.ravel(), ys.ravel(), np.ones(h * w)])", "coords = np.stack([xs.ravel(), ys.ravel(), np.ones(h)])"),
        ("img.reshape(h // n, n, w // n, n)", "img.reshape(h // n, n, w // n, w)"),
        ("np.dstack([grey, np.flipud(grey), 255 - grey])", "np.dstack([grey, np.flipud(grey), 255 - grey.T])"),
    ],
}
