"""Kaggle style: load a table, clean it, engineer features, fit a logistic regression by hand."""
import csv
import io
import random

import numpy as np

random.seed(7)
np.random.seed(7)


def fake_file(n=300):
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["PassengerId", "Survived", "Pclass", "Name", "Sex", "Age", "Fare", "Embarked"])
    for i in range(n):
        sex = random.choice(["male", "female"])
        pclass = random.randint(1, 3)
        age = "" if random.random() < 0.2 else f"{random.uniform(1, 80):.1f}"
        fare = f"{random.expovariate(1 / 30):.2f}"
        survived = int(random.random() < (0.7 if sex == "female" else 0.25))
        title = {"male": "Mr", "female": "Mrs"}[sex]
        writer.writerow([i + 1, survived, pclass, f"Doe, {title}. J{i}", sex, age, fare, random.choice("SCQ")])
    out.seek(0)
    return out


with fake_file() as f:
    rows = list(csv.DictReader(f))
print(len(rows), rows[0]["Name"])

# ---- clean ---------------------------------------------------------------
known_ages = [float(r["Age"]) for r in rows if r["Age"]]
median_age = sorted(known_ages)[len(known_ages) // 2]
for r in rows:
    r["Age"] = float(r["Age"]) if r["Age"] else median_age
    r["Fare"] = float(r["Fare"])
    r["Title"] = r["Name"].split(",")[1].split(".")[0].strip()

titles = sorted({r["Title"] for r in rows})
ports = {p: k for k, p in enumerate(sorted(set(r["Embarked"] for r in rows)))}


def features(r):
    one_hot = [0.0] * len(ports)
    one_hot[ports[r["Embarked"]]] = 1.0
    return [
        1.0,
        float(r["Sex"] == "female"),
        int(r["Pclass"]),
        r["Age"] / 80,
        np.log1p(r["Fare"]),
        *one_hot,
    ]


X = np.array([features(r) for r in rows])
y = np.array([int(r["Survived"]) for r in rows])
print("X", X.shape, "y", y.shape)

# ---- split ---------------------------------------------------------------
order = np.random.permutation(len(X))
cut = int(0.8 * len(X))
train, valid = order[:cut], order[cut:]
X_train, X_valid = X[train], X[valid]
y_train, y_valid = y[train], y[valid]

mu, sigma = X_train[:, 1:].mean(axis=0), X_train[:, 1:].std(axis=0)
sigma[sigma == 0] = 1
X_train[:, 1:] = (X_train[:, 1:] - mu) / sigma
X_valid[:, 1:] = (X_valid[:, 1:] - mu) / sigma


def sigmoid(t):
    return 1 / (1 + np.exp(-t))


def loss(w, X, y, l2=1e-2):
    p = sigmoid(X @ w)
    eps = 1e-12
    return -np.mean(y * np.log(p + eps) + (1 - y) * np.log(1 - p + eps)) + l2 * (w[1:] ** 2).sum()


w = np.zeros(X.shape[1])
history = []
for epoch in range(200):
    p = sigmoid(X_train @ w)
    grad = X_train.T @ (p - y_train) / len(y_train)
    grad[1:] += 2 * 1e-2 * w[1:]
    w -= 0.5 * grad
    if epoch % 50 == 0:
        history.append((epoch, loss(w, X_train, y_train), loss(w, X_valid, y_valid)))

for epoch, tr, va in history:
    print(f"{epoch:4d} train {tr:.4f} valid {va:.4f}")

pred = (sigmoid(X_valid @ w) > 0.5).astype(int)
accuracy = (pred == y_valid).mean()
confusion = np.zeros((2, 2), dtype=int)
np.add.at(confusion, (y_valid, pred), 1)
precision = confusion[1, 1] / max(confusion[:, 1].sum(), 1)
print(f"accuracy {accuracy:.3f} precision {precision:.3f}")
print(confusion)

submission = io.StringIO()
writer = csv.writer(submission)
writer.writerow(("PassengerId", "Survived"))
writer.writerows(zip((rows[i]["PassengerId"] for i in valid), pred.tolist()))
print(submission.getvalue().splitlines()[0])
