from pytrope.choreo import At, Ch2, Channel, Role


class Worker(Role): ...


class Boss(Role): ...


class Job(Ch2[Boss, Worker]):
    def __init__(self, ch: Channel[object, Boss, Worker]) -> None:
        self.ch = ch

    def run(self, items: At[list[int], Boss], k: At[int, Worker]) -> At[dict[str, int], Boss]:
        """Sends items, gets statistics."""
        # the worker's side
        data = self.ch.com(items)

        def score(item: int) -> int:
            """Local to the worker."""
            return item * k

        scores = {str(item): score(item) for item in data}
        total = sum(scores.values())
        # and back
        result = self.ch.com(scores)
        result["total"] = self.ch.com(total)
        return result


# run: Job.run Boss.items="[1,2,3]" Worker.k=3
