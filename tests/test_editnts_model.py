"""EditNTS: edit programs, the programmer-interpreter, its loss, word classes, and how programs become text."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from rapidfuzz.distance import LCSseq
from simplifier_sample import editnts_config

from textsimp.core.errors import InputError
from textsimp.simplification.editnts import edit_training as training
from textsimp.simplification.editnts.edit_examples import TAGS, Example, load_tagger, save_vectors
from textsimp.simplification.editnts.generation import greedy, impossible, write_output
from textsimp.simplification.editnts.model import EditNts, executed, load_vectors, make_batches, positions
from textsimp.simplification.editnts.programs import (
    DELETE,
    FIRST_WORD,
    KEEP,
    PAD,
    STOP,
    UNKNOWN,
    Edit,
    Vocabulary,
    build_vocabulary,
    edit_program,
    execute,
)
from textsimp.simplification.spacing import tokenise

CONFIG = editnts_config()
WORDS = tuple(f"w{number}" for number in range(12))
VOCABULARY = Vocabulary(WORDS, WORDS, addable=8)


def random_examples(count: int, seed: int) -> list[Example]:
    """Random sentences with the programs between them; some ADDs of words that may not be added."""
    source = random.Random(seed)
    examples = []
    for _ in range(count):
        sides = [source.choices((*WORDS, "unheard"), k=source.randint(1, 9)) for _ in range(2)]
        tags = [source.randrange(len(TAGS)) for _ in sides[0]]
        edits = VOCABULARY.edit_numbers(edit_program(*sides))
        examples.append(Example(VOCABULARY.word_numbers(sides[0]), tags, edits))
    return examples


@pytest.mark.parametrize(
    ("complex_text", "simple_text", "program"),
    [
        ("a b c", "a b c", [STOP]),
        ("a b c", "a", [KEEP, DELETE, DELETE, STOP]),
        ("a b .", "b .", [DELETE, STOP]),
        ("a b .", "a x .", [KEEP, "x", DELETE, STOP]),
        ("a b", "x y", ["x", "y", DELETE, DELETE, STOP]),
        ("", "x", ["x", STOP]),
        ("a", "", [DELETE, STOP]),
        ("the big dog , the cat .", "the cat .", [DELETE, DELETE, DELETE, DELETE, STOP]),
        ("a b c", "c b a", ["c", "b", KEEP, DELETE, DELETE, STOP]),
    ],
)
def test_programs_by_hand(complex_text: str, simple_text: str, program: list[Edit]) -> None:
    assert edit_program(complex_text.split(), simple_text.split()) == program


def test_words_by_their_frequency_then_by_name() -> None:
    config = replace(CONFIG, min_frequency=1, min_add_frequency=1, max_words=4)
    found = build_vocabulary(["z y x x b a".split()], [["z", KEEP, "y", STOP]], config)
    assert (found.words, found.addable) == (("y", "x", "a", "b"), 1)


def test_programs_give_the_simple_sentence_back_and_are_shortest() -> None:
    source = random.Random(5)
    for _ in range(600):
        sides = [source.choices("abcd", k=source.randint(0, 9)) for _ in range(2)]
        program = edit_program(*sides)
        assert execute(sides[0], program) == sides[1]
        changes = sum(edit not in (KEEP, STOP) for edit in program)
        assert changes == len(sides[0]) + len(sides[1]) - 2 * LCSseq.similarity(*sides)
        assert program[-1] == STOP and program[-2:-1] != [KEEP]


def test_execution_keeps_what_is_unread_and_refuses_to_read_on() -> None:
    assert execute(["a", "b"], ["x", STOP, DELETE]) == ["x", "a", "b"]
    assert execute(["a", "b"], [DELETE]) == ["b"]
    with pytest.raises(IndexError):
        execute(["a"], [KEEP, KEEP])


def test_the_tensors_execute_as_the_pure_function_does() -> None:
    """The words that `executed` lays before the interpreter are those that `execute` has written at each step."""
    for batch in make_batches(random_examples(40, seed=1), 7, "cpu"):
        pointer, written = positions(batch.program)
        output = executed(batch.complex, batch.program, pointer, written)
        for row, program in enumerate(batch.program.tolist()):
            words = batch.complex[row].tolist()
            expected, read = [], 0
            for step, edit in enumerate(program):
                assert (pointer[row, step], written[row, step]) == (read, len(expected))
                assert output[row, 1 : 1 + len(expected)].tolist() == expected
                if edit == 3:  # KEEP
                    expected.append(words[read])
                elif edit > 5 or edit == UNKNOWN:
                    expected.append(edit)
                read += edit in (3, 4)
            assert (output[row, 1 + len(expected) :] == PAD).all()


def test_batches_equal_singles() -> None:
    torch.manual_seed(0)
    model, examples = EditNts(VOCABULARY, CONFIG).double().eval(), random_examples(12, seed=2)
    for batch in make_batches(examples, 5, "cpu"):
        together = model(batch.complex, batch.tags, batch.program)
        for place, row in enumerate(batch.rows):
            (single,) = make_batches([examples[row]], 1, "cpu")
            alone = model(single.complex, single.tags, single.program)[0]
            torch.testing.assert_close(together[place, : len(alone)], alone, atol=1e-10, rtol=0)


def test_generation_takes_the_steps_of_teacher_forcing() -> None:
    """The program that greedy decoding finds is the likeliest at every step of one pass over that program."""
    torch.manual_seed(1)
    model, steps = EditNts(VOCABULARY, CONFIG).double().eval(), 0
    with torch.inference_mode():
        for batch in make_batches(random_examples(30, seed=3), 6, "cpu"):
            program, mean = greedy(model, batch, max_added_run=3)
            scores = model(batch.complex, batch.tags, program)  # (B, T, V)
            pointer, _ = positions(program)
            memory = model.encode(batch.complex, batch.tags)
            run = torch.zeros_like(program[:, :1])
            for step in range(program.shape[1]):
                edit, place = program[:, step : step + 1], pointer[:, step : step + 1]
                allowed = ~impossible(scores[:, step], memory, place, run >= 3)
                best = scores[:, step].masked_fill(~allowed, -torch.inf).argmax(-1, keepdim=True)
                assert torch.equal(best[edit != PAD], edit[edit != PAD])
                run = torch.where(edit >= FIRST_WORD, run + 1, 0)
                steps += 1
            taken = scores.gather(2, program[..., None])[..., 0].masked_fill(program == PAD, 0)  # (B, T)
            assert torch.allclose(mean.double(), taken.sum(1) / (program != PAD).sum(1))
            assert (program == 5).sum(1).eq(1).all()  # one STOP each
    assert steps > 20


def test_operations_weigh_by_inverse_frequency() -> None:
    # 4 KEEP, 1 DELETE, 1 ADD of a word that may be added; UNKNOWN and a word that may not be added count for nothing
    example = Example([], [], [3, 3, 3, 3, 4, FIRST_WORD, UNKNOWN, FIRST_WORD + 8, 5])
    weights = training.edit_weights([example], VOCABULARY, replace(CONFIG, balance=1.0, add_weight=3.0))
    assert weights[:6].tolist() == [0, 0, 0, 0.5, 2.0, 1.0]
    assert weights[6:].tolist() == [6.0] * 8


@pytest.mark.parametrize(
    ("text", "program", "expected"),
    [
        ("The McÉire, unheard in Oslo, left.", [3, 3, 4, 4, 4, 4, 4, 6, 3, 5], "The McÉire came left."),
        ("The McÉire left.", [7, 6, 5], "Oslo came the McÉire left."),  # known words are written as training has them
        ("McÉire left.", [7, 6, 5], "Oslo came McÉire left."),  # and unknown ones as they are
        ("the dog , ada 's , left .", [6, 5], "came the dog , ada 's , left ."),
        ('He said: "McÉire left."', [4, 4, 4, 5], '"McÉire left."'),
        ("McÉire left.", [4, 4, 5], "McÉire left."),
        ("", [6, 5], ""),
    ],
)
def test_programs_become_text(text: str, program: list[int], expected: str) -> None:
    """The numbers are 3 KEEP, 4 DELETE, 5 STOP, 6 ADD(came), 7 ADD(Oslo)."""
    vocabulary = Vocabulary(("came", "oslo", "the"), ("came", "Oslo", "the"), addable=2)
    assert write_output(text, tokenise(text), program, vocabulary) == expected


def test_word_vectors_begin_the_embedding(tmp_path: Path) -> None:
    vocabulary, embedding = VOCABULARY, torch.zeros(18, 3)
    source = tmp_path / "vectors.txt"
    source.write_text("w3 1 2 3\nunheard 4 5 6\n. . w1 1 2 3\nw3 9 9 9\n")
    save_vectors(str(source), tmp_path, vocabulary, 3)
    load_vectors(tmp_path, embedding)
    assert embedding[FIRST_WORD + 3].tolist() == [1, 2, 3] and embedding.count_nonzero() == 3
    with pytest.raises(InputError, match="vectors of 3 numbers, where `embedding_size` is 2"):
        save_vectors(str(source), tmp_path, vocabulary, 2)
    with pytest.raises(InputError, match="absent: no such file; give a file of word vectors"):
        save_vectors(str(tmp_path / "absent"), tmp_path, vocabulary, 3)


def test_words_are_classed_by_the_packaged_pipeline() -> None:
    tag = load_tagger("spacy")
    assert load_tagger("none")(["The", "dogs"]) == [0, 0]
    classes = [TAGS[number] for number in tag(["The", "3,000", "dogs", "of", "Ada", "barked", "loudly", "."])]
    assert classes == ["DET", "NUM", "NOUN", "ADP", "PROPN", "VERB", "ADV", "PUNCT"]
