#!/usr/bin/env python3
"""Compares `fiducial metric text --json` with what rouge-score, sacrebleu and NLTK compute now, on seeded random texts.

usage: compare_texts.py FIDUCIAL PEERS_PYTHON [CORPORA]
METEOR is compared on plain words, as NLTK's own words need data that it downloads; with synonyms where Debian's package
wordnet-base is installed. Skips (status 77) where the packages are not installed.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

REFERENCE = pathlib.Path(__file__).resolve().parent.parent / "reference"
WORDNET = pathlib.Path("/usr/share/wordnet")
SKIPPED = 77
MAKER = r"""
import json, random, statistics, sys, warnings
warnings.simplefilter("ignore")
sys.path.insert(0, sys.argv[1])
import make_text_reference as maker
import sacrebleu
from nltk.corpus.reader.wordnet import WordNetCorpusReader
from nltk.data import FileSystemPathPointer
from nltk.translate.bleu_score import corpus_bleu
from nltk.translate.meteor_score import single_meteor_score

WORDS = "car auto machine tumor tumour neoplasm lump clump ball mass heap lot pile sight stack big bad chunk clod oaf".split()


class Reader(WordNetCorpusReader):
    def map_wn(self, version="wordnet"):
        return None


def rouges(references, predictions, stem):
    scores = maker.rouge(references, predictions, stem)
    names = ("rouge_1", "rouge_2", "rouge_l", "rouge_lsum")
    return {name: statistics.fmean(each[i][2] for each in scores) for i, name in enumerate(names)}


def bleus(references, predictions):
    single = [sacrebleu.sentence_bleu(p, [r]).score for r, p in zip(references, predictions)]
    return {"bleu_4": sacrebleu.corpus_bleu(predictions, [references]).score, "mean_bleu_4": statistics.fmean(single)}


def nltk_bleus(references, predictions):
    known, said = [[each.split()] for each in references], [each.split() for each in predictions]
    return {f"bleu_{n}": corpus_bleu(known, said, weights=[1 / n] * n) for n in range(1, 5)}


def meteors(references, predictions, reader):
    pairs = list(zip(references, predictions))
    out = {"meteor": statistics.fmean(single_meteor_score(r.split(), p.split(), wordnet=maker.NoSynonyms()) for r, p in pairs)}
    if reader:
        out["meteor_wordnet"] = statistics.fmean(single_meteor_score(r.split(), p.split(), wordnet=reader) for r, p in pairs)
    return out


reader = Reader(FileSystemPathPointer(sys.argv[3]), None) if sys.argv[3] else None
out = []
for seed in range(int(sys.argv[2])):
    source = random.Random(seed)
    references = [maker.text(source) for _ in range(source.randint(1, 30))]
    predictions = [maker.changed(each, source) for each in references]
    out.append({"references": references, "predictions": predictions, "expected": [
        [["--stem", "--bleu", "sacre"], rouges(references, predictions, True) | bleus(references, predictions)],
        [["--bleu", "nltk"], rouges(references, predictions, False) | nltk_bleus(references, predictions)]]})
    plain = lambda: " ".join(source.choice(WORDS) for _ in range(source.randint(1, 12)))
    references, predictions = ([plain() for _ in range(20)] for _ in range(2))
    out.append({"references": references, "predictions": predictions, "expected": [
        [["--wordnet", "auto"] if reader else [], meteors(references, predictions, reader)]]})
print(json.dumps(out))
"""


def nltk_wordnet(folder):
    # NLTK reads data below its own folders only, and wants the names of 45 kinds of meanings, which METEOR does not use.
    if not WORDNET.is_dir():
        return ""
    target = folder / "corpora" / "wordnet"
    target.mkdir(parents=True)
    for pattern in ("data.*", "index.*", "*.exc", "cntlist.rev"):
        for file in WORDNET.glob(pattern):
            shutil.copy(file, target)
    (target / "lexnames").write_text("".join(f"{i:02d}\tkind{i}\t1\n" for i in range(45)))
    return target


def differences(fiducial, corpora, folder):
    for number, corpus in enumerate(corpora):
        for name in ("references", "predictions"):
            lines = [each.replace("\n", "\\n") for each in corpus[name]]
            (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        for options, values in corpus["expected"]:
            command = [fiducial, "metric", "text", "--reference", folder / "references", "--prediction", folder / "predictions",
                       "--json", *options]
            found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
            for name, value in values.items():
                mine = found[name]["value"]
                if mine is None or abs(mine - value) > 1e-9 * max(1, abs(value)):
                    yield f"corpus {number} {' '.join(options)}: {name} is {mine}, the package gives {value}"


def main():
    fiducial, python = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    corpora = sys.argv[3] if len(sys.argv) > 3 else "40"
    if subprocess.run([python, "-c", "import nltk, rouge_score, sacrebleu"], capture_output=True).returncode if python.exists() else 1:
        print(f"skipped: no rouge-score, nltk and sacrebleu for {python}; ./dev test --full installs them")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        command = [python, "-c", MAKER, REFERENCE, corpora, str(nltk_wordnet(folder))]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=os.environ | {"NLTK_DATA": name})
        peers = json.loads(done.stdout)
        found = list(differences(fiducial, peers, folder))
    print(*found, f"{len(peers)} corpora compared, {len(found)} differences", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
