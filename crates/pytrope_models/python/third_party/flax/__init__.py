"""flax, as far as linen modules go. A name that is not here is Unknown."""
