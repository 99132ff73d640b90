"""Trains a small classifier from a configuration."""
import argparse
import logging
import os

from data import build_loaders
from engine import Trainer, set_seed
from models.mlp import build_model

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
logger = logging.getLogger(__name__)


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--out", default="runs")
    return parser.parse_args()


def main():
    options = parse()
    set_seed(3)
    os.makedirs(options.out, exist_ok=True)
    train_loader, test_loader = build_loaders(options.batch)
    trainer = Trainer(build_model(hidden=12), train_loader, test_loader, lr=options.lr, out=options.out)
    logger.info("training for %d epochs", options.epochs)
    trainer.run(options.epochs)
    print("best accuracy", trainer.best)


if __name__ == "__main__":
    main()
