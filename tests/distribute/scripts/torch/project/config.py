"""Settings."""


class Config:
    def __init__(self, lr):
        self.lr = lr
        self.batch = 24
