"""Runs a training script beside what ``pytrope distribute`` made of it, and compares.

This is the one place where Pytrope runs code that it was given, and only for ``pytrope distribute --verify``.  The
program carries these files and starts them with the interpreter that has the framework; Pytrope's own tests use them too.

``session``  what is compared: which runs are made, and the table of their verdicts
``launch``   starts ranks with the environment that each engine's launcher would give them
``ranks``    inside the framework's interpreter: imports the framework once and forks a process per rank
``observe``  inside a rank: losses, weights, samples; the same order of samples in every run
``synthetic``  inside a rank: data sets of the right shape where a download is missing
"""
