import jax.numpy as jnp

table = jnp.zeros((4, 3))
for row in range(4):
    table[row] = row  # instead: table = table.at[row].set(row)
print(table)
