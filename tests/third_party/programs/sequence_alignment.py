"""Bioinformatics: FASTA parsing, translation, k-mers, Needleman-Wunsch, position weight matrices."""
import re
from collections import Counter, defaultdict
from itertools import islice, product

import numpy as np

FASTA = """\
>seq1 human fragment
ATGGCCATTGTAATGGGCCGCTGAAAGGGTGCCCGATAG
>seq2 mouse fragment
ATGGCCATTGTTATGGGCCGCTGAAAGCGTGCCCGATAG
ATGA
>seq3
GGCATTGTAAT
"""

BASES = "TCAG"
AMINO = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"
CODONS = {"".join(c): a for c, a in zip(product(BASES, repeat=3), AMINO)}
COMPLEMENT = str.maketrans("ACGT", "TGCA")


def read_fasta(text):
    name, parts = None, []
    for line in text.splitlines():
        if line.startswith(">"):
            if name is not None:
                yield name, "".join(parts)
            name, *_ = line[1:].split()
            parts = []
        else:
            parts.append(line.strip())
    if name is not None:
        yield name, "".join(parts)


def translate(dna, frame=0):
    protein = []
    for i in range(frame, len(dna) - 2, 3):
        aa = CODONS[dna[i : i + 3]]
        if aa == "*":
            break
        protein.append(aa)
    return "".join(protein)


def reverse_complement(dna):
    return dna.translate(COMPLEMENT)[::-1]


def kmers(dna, k):
    return (dna[i : i + k] for i in range(len(dna) - k + 1))


def gc(dna):
    counts = Counter(dna)
    return (counts["G"] + counts["C"]) / len(dna)


def align(a, b, match=1, mismatch=-1, gap=-2):
    score = np.zeros((len(a) + 1, len(b) + 1), dtype=int)
    score[:, 0] = gap * np.arange(len(a) + 1)
    score[0, :] = gap * np.arange(len(b) + 1)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            diag = score[i - 1, j - 1] + (match if a[i - 1] == b[j - 1] else mismatch)
            score[i, j] = max(diag, score[i - 1, j] + gap, score[i, j - 1] + gap)
    top, bottom = [], []
    i, j = len(a), len(b)
    while i > 0 or j > 0:
        if i and j and score[i, j] == score[i - 1, j - 1] + (match if a[i - 1] == b[j - 1] else mismatch):
            i, j = i - 1, j - 1
            top.append(a[i])
            bottom.append(b[j])
        elif i and score[i, j] == score[i - 1, j] + gap:
            i -= 1
            top.append(a[i])
            bottom.append("-")
        else:
            j -= 1
            top.append("-")
            bottom.append(b[j])
    return score[-1, -1], "".join(reversed(top)), "".join(reversed(bottom))


def weight_matrix(sites, pseudo=0.5):
    counts = np.full((4, len(sites[0])), pseudo)
    for site in sites:
        for position, base in enumerate(site):
            counts["ACGT".index(base), position] += 1
    frequencies = counts / counts.sum(axis=0)
    return np.log2(frequencies / 0.25)


def scan(dna, pwm):
    width = pwm.shape[1]
    codes = np.array(["ACGT".index(c) for c in dna])
    return np.array([pwm[codes[i : i + width], np.arange(width)].sum() for i in range(len(dna) - width + 1)])


def main():
    sequences = dict(read_fasta(FASTA))
    for name, dna in sequences.items():
        print(f"{name}: {len(dna)} bp, GC {gc(dna):.0%}, protein {translate(dna) or '-'}")
    index = defaultdict(list)
    for name, dna in sequences.items():
        for pos, word in enumerate(kmers(dna, 5)):
            index[word].append((name, pos))
    shared = {w: hits for w, hits in index.items() if len({n for n, _ in hits}) == len(sequences)}
    print(sorted(shared)[:3], list(islice(kmers("ACGTAC", 4), 2)))
    value, top, bottom = align(sequences["seq1"], sequences["seq2"])
    marks = "".join("|" if x == y else " " for x, y in zip(top, bottom))
    print(value, top, marks, bottom, sep="\n")
    pwm = weight_matrix(["TATAAT", "TATGAT", "TACAAT", "TATACT"])
    scores = scan(reverse_complement(sequences["seq2"]) + "TATAAT", pwm)
    assert scores.argmax() == len(scores) - 1
    orfs = [m.group(0) for m in re.finditer(r"ATG(?:[ACGT]{3})*?(?:TAA|TAG|TGA)", sequences["seq1"])]
    print(max(orfs, key=len, default=""))


main()
