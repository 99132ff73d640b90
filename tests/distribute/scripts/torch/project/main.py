"""A project of four files: this one only starts the training."""
import argparse

from config import Config
from trainer import Trainer


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.1)
    return parser.parse_args()


if __name__ == "__main__":
    Trainer(Config(parse().lr)).fit()
