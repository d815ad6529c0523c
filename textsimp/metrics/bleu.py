"""BLEU over the corpus (Papineni et al. 2002), computed by sacrebleu."""

from collections.abc import Sequence

from sacrebleu.metrics.bleu import BLEU

from textsimp.metrics.score import Score, Signature


def bleu(outputs: Sequence[str], references: Sequence[Sequence[str]], tokeniser: str = "13a") -> Score:
    """Lower-cased corpus BLEU, in percent.

    Args:
        outputs: N system outputs.
        references: R sets of N reference sentences.
        tokeniser: sacrebleu's name of it: `13a`, or `none` for text that is tokenised already.

    Raises:
        ValueError: the numbers of lines differ (sacrebleu itself would go on with the shorter list), or are 0.
    """
    lengths = [len(outputs), *map(len, references)]
    if len(set(lengths)) != 1 or not outputs or not references:
        raise ValueError(f"BLEU needs as many lines everywhere, one at least; got {lengths} (output, references)")
    # force: sacrebleu warns of text that looks tokenised, which the papers' test sets are
    metric = BLEU(lowercase=True, tokenize=tokeniser, force=True)
    value = metric.corpus_score(list(outputs), [list(lines) for lines in references]).score
    return Score(float(value), Signature.of("BLEU", level="corpus", tok=tokeniser, case="lc", nrefs=len(references)))
