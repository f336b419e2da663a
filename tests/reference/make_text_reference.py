#!/usr/bin/env python3
"""Text metrics as other tools compute them, for text.json.

Needs rouge-score, nltk, sacrebleu and pycocoevalcap in a Python environment of their own:
    python make_text_reference.py > text.json
"""

import json
import random
from importlib.metadata import version

import sacrebleu
from nltk.stem.porter import PorterStemmer
from nltk.translate.bleu_score import corpus_bleu
from nltk.translate.meteor_score import single_meteor_score
from rouge_score import rouge_scorer

SUBJECTS = "nodule nodules consolidation effusions thickening opacities lymphadenopathy calcification atelectasis".split()
PLACES = "left lower lobe|right upper lobe|lingula|both lungs|mediastinum|pleural space|İstanbul protocol|5-mm slice".split("|")
VERBS = "is seen in|are not observed in|was measured 3.5 x 2,5 mm in|appears stable, compared to|(new) involves".split("|")
SUFFIXES = ("ational tional enci anci izer abli alli entli eli ousli ization ation ator alism iveness fulness ousness "
            "aliti iviti biliti fulli logi icate ative alize iciti ical ful ness ance ence able ible ement ment ent ion "
            "ism ate iti ous ive ize ll ed ing eed ied ies sses s y").split()


def sentence(random_source):
    words = [random_source.choice(SUBJECTS).capitalize(), random_source.choice(VERBS), random_source.choice(PLACES)]
    return " ".join(words) + random_source.choice([".", ".", "!", " ; see above.", "..."])


def text(random_source):
    return "\n".join(sentence(random_source) for _ in range(random_source.randint(1, 4)))


def changed(original, random_source):
    lines = original.split("\n")
    random_source.shuffle(lines)
    words = " \n ".join(lines).split(" ")
    kept = [word for word in words if random_source.random() > 0.2]
    if random_source.random() < 0.5:
        kept.append(sentence(random_source))
    return " ".join(kept)


def pairs():
    source = random.Random(20)
    references = [text(source) for _ in range(60)]
    predictions = [changed(each, source) for each in references]
    references += ["", "one", "", "lung", "a b c d e f g", "The the THE the"]
    predictions += ["", "", "two", "Lung", "g f e d c b a", "the"]
    return references, predictions


def words():
    source = random.Random(21)
    letters = "abcdefghiklmnoprstuvwyz"
    made = {"".join(source.choice(letters) for _ in range(source.randint(1, 5))) + source.choice(SUFFIXES) for _ in range(600)}
    listed = ("skies dying news innings proceed exceed cries tied lied feed agreed plastered hopping falling hissing fizzed "
              "failing filing happy sky enjoy rationally vietnamization predication operator feudalism decisiveness formaliti "
              "triplicate electrical goodness revival allowance inference airliner gyroscopic adjustable defensible irritant "
              "replacement adjustment dependent adoption communism activate angulariti homologous effective bowdlerize "
              "probate rate cease controll roll by is a").split()
    return sorted(made | set(listed))


def rouge(references, predictions, stem):
    kinds = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    scorer = rouge_scorer.RougeScorer(kinds, use_stemmer=stem)
    scored = [scorer.score(reference, prediction) for reference, prediction in zip(references, predictions)]
    return [[[score[kind].precision, score[kind].recall, score[kind].fmeasure] for kind in kinds] for score in scored]


class NoSynonyms:
    def synsets(self, word):
        return []


def main():
    from pycocoevalcap.bleu.bleu import Bleu
    from pycocoevalcap.cider.cider import Cider

    references, predictions = pairs()
    stemmer = PorterStemmer()
    split = lambda texts: [each.split() for each in texts]
    as_items = lambda texts: {i: [each] for i, each in enumerate(texts)}
    made = {
        "tools": {name: version(name) for name in ("rouge-score", "nltk", "sacrebleu", "pycocoevalcap")},
        "command": "python make_text_reference.py > text.json",
        "references": references,
        "predictions": predictions,
        "stems": [[word, stemmer.stem(word)] for word in words()],
        "rouge_stem": rouge(references, predictions, True),
        "rouge_nostem": rouge(references, predictions, False),
        "sacrebleu_13a": [sacrebleu.corpus_bleu(predictions, [references]).score] +
                         [sacrebleu.sentence_bleu(p, [r]).score for r, p in zip(references, predictions)],
        "tokens_13a": [sacrebleu.metrics.bleu._get_tokenizer("13a")()(each).split() for each in references[:20]],
        "nltk_bleu": [corpus_bleu([[r] for r in split(references)], split(predictions), weights=[1 / n] * n)
                      for n in range(1, 5)],
        "coco_bleu": Bleu(4).compute_score(as_items(references), as_items(predictions), verbose=0)[0],
        "cider_d": list(Cider().compute_score(as_items(references), as_items(predictions))[1]),
        "meteor": [single_meteor_score(r, p, wordnet=NoSynonyms()) for r, p in zip(split(references), split(predictions))],
    }
    print(json.dumps(made, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
