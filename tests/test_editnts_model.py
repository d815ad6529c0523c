"""EditNTS: the programmer-interpreter, its loss, and how its programs become text."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from editnts_cases import CONFIG, random_examples, random_vocabulary

from textsimp.core.errors import InputError
from textsimp.simplification.editnts import edit_training as training
from textsimp.simplification.editnts.edit_examples import Example, save_vectors
from textsimp.simplification.editnts.generation import greedy, impossible, read_sources, write_output
from textsimp.simplification.editnts.model import EditNts, executed, load_vectors, make_batches, positions
from textsimp.simplification.editnts.programs import FIRST_WORD, PAD, UNKNOWN, Vocabulary


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
    model, examples = EditNts(random_vocabulary(), CONFIG).double().eval(), random_examples(12, seed=2)
    for batch in make_batches(examples, 5, "cpu"):
        together = model(batch.complex, batch.tags, batch.program)
        for place, row in enumerate(batch.rows):
            (single,) = make_batches([examples[row]], 1, "cpu")
            alone = model(single.complex, single.tags, single.program)[0]
            torch.testing.assert_close(together[place, : len(alone)], alone, atol=1e-10, rtol=0)


def test_generation_takes_the_steps_of_teacher_forcing() -> None:
    """The program that greedy decoding finds is the likeliest at every step of one pass over that program."""
    torch.manual_seed(1)
    model, steps = EditNts(random_vocabulary(), CONFIG).double().eval(), 0
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
    weights = training.edit_weights([example], random_vocabulary(), replace(CONFIG, balance=1.0, add_weight=3.0))
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
    (source,) = read_sources([text], vocabulary, None)
    assert write_output(source, program, vocabulary) == expected


def test_word_vectors_begin_the_embedding(tmp_path: Path) -> None:
    vocabulary, embedding = random_vocabulary(), torch.zeros(18, 3)
    source = tmp_path / "vectors.txt"
    source.write_text("w3 1 2 3\nunheard 4 5 6\n. . w1 1 2 3\nw3 9 9 9\n")
    save_vectors(str(source), tmp_path, vocabulary, 3)
    load_vectors(tmp_path, embedding)
    assert embedding[FIRST_WORD + 3].tolist() == [1, 2, 3] and embedding.count_nonzero() == 3
    with pytest.raises(InputError, match="vectors of 3 numbers, where `embedding_size` is 2"):
        save_vectors(str(source), tmp_path, vocabulary, 2)
    with pytest.raises(InputError, match="absent: no such file; give a file of word vectors"):
        save_vectors(str(tmp_path / "absent"), tmp_path, vocabulary, 3)
