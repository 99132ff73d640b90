"""refused: PT001"""
import tensorflow as tf

model.fit(x, y
