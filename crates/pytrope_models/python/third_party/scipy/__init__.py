"""SciPy, as far as shapes survive it. A name that is not here is Unknown.

What only some releases raise, such as for batches of matrices, is Unknown here and not an error.
"""
