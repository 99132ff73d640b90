import json


def save_history(history, path):
    with open(path, "w") as out:
        json.dump({key: [float(v) for v in values] for key, values in history.history.items()}, out)
