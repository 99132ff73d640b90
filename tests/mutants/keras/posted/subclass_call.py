import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.a = tf.keras.layers.Dense(4)
        self.b = tf.keras.layers.Dense(2)

    def call(self, x):
        return self.b(self.a(x))


net = Net()
print(net(tf.ones((2, 3)), tf.ones((2, 3))))  # instead: print(net(tf.ones((2, 3))))
