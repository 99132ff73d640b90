from pytrope.choreo import At, Ch2, Channel, Role


class A(Role): ...


class B(Role): ...


LAYERS = ("conv", "dense")
SIZES = {"conv": 3, "dense": 2}


class Net(Ch2[A, B]):
    def __init__(self, ch: Channel[object, A, B]) -> None:
        self.ch = ch
        self.grads: At[dict[str, list[int]], B] = {}

    def sync(self, model: At[dict[str, list[int]], A]) -> At[dict[str, list[int]], B]:
        for i, name in enumerate(LAYERS):
            layer = self.ch.com(model[name])
            self.grads[name] = [w + i for w in layer]
            for _ in range(2):
                if name == "dense":
                    self.grads[name].append(self.ch.com(len(model)))
        return self.grads


# run: Net.sync A.model="{'conv': [1,2], 'dense': [3]}"
