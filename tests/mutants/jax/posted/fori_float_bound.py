import jax

total = jax.lax.fori_loop(0, 10, lambda carry: carry + 1, 0)  # instead: total = jax.lax.fori_loop(0, 10, lambda i, carry: carry + 1, 0)
print(total)
