"""One way to make an alignment system: for the pipeline, a user's own documents, and evaluation."""

import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textsimp.alignment.cache import Cache
from textsimp.alignment.fitted import DEFAULT, THRESHOLDS, WITHOUT_ENCODER
from textsimp.alignment.neural.aligner_settings import (
    ALIGNER,
    PARAGRAPH_ALGORITHMS,
    AlignerConfig,
    Device,
    EncoderConfig,
    check_is_aligner,
)
from textsimp.alignment.parts import CRF, ENCODER, FROZEN, SYSTEM, Part, SystemConfig
from textsimp.alignment.similarity.similarity import TrainedSimilarity
from textsimp.alignment.systems import (
    Choice,
    ComposedSystem,
    System,
    is_saved_system,
    load_system,
    make_system,
    saved_config,
    with_least,
)
from textsimp.core.checkpoint import PAIR_ENCODER
from textsimp.core.errors import InputError, bad_input, check_choice
from textsimp.core.params import from_conf, names_from_conf
from textsimp.core.reading import folder_digest, read_json, sha256
from textsimp.core.records import DocumentPair, read_pairs
from textsimp.core.settings import structured
from textsimp.core.word_vectors import GLOVE, WordVectorConfig
from textsimp.core.writing import is_stream, partial_place

if TYPE_CHECKING:
    from textsimp.alignment.neural.aligner import Aligner  # torch is slow to import

NEURAL_CRF = "neural_crf"
"""The key of `alignment_system` that is meant where none is named, but a model or labelled pairs are given."""
NO_ENCODER = "none"
"""What `--encoder` is called with to do without one."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class SystemSpec:
    """All that an alignment system is made from. It can be pickled, so that every process makes the same system.

    Attributes:
        name: key of `alignment_system`, for messages.
        model: folder of a trained aligner, where the system has one.
        fitted: folder of the saved system, where it was fitted before.
        corpus: document pairs that word counts come from; where None, those at hand.
        train, dev: labelled document pairs to learn from, and to tune thresholds on.
        save: folder to keep the fitted system, or the aligner that is trained for it, in.
        algorithm: `newsela` or `wiki`: which paragraph algorithm an aligner that is trained here gets.
        other_encoder: see `Cache`.
        least: see `System.least`.
    """

    name: str
    config: SystemConfig
    vectors: WordVectorConfig
    encoder: EncoderConfig
    model: Path | None = None
    fitted: Path | None = None
    corpus: Path | None = None
    train: Path | None = None
    dev: Path | None = None
    save: Path | None = None
    algorithm: str = "newsela"
    other_encoder: str | None = None
    least: float | None = None

    def __post_init__(self) -> None:
        check_choice("--kind", self.algorithm, PARAGRAPH_ALGORITHMS)
        if self.model is not None:
            check_is_aligner(self.model)

    @classmethod
    def named(
        cls,
        name: str | None,
        model: Path | None = None,
        train: Path | None = None,
        dev: Path | None = None,
        vectors: Path | None = None,
        save: Path | None = None,
        algorithm: str = "newsela",
        encoder: str | None = None,
    ) -> "SystemSpec":
        """A system of conf/alignment_system, as a user asks for it.

        Args:
            name: None for the system that `model` is, or without any data the default, which is trained.
            model: folder of a trained aligner or of a saved system.
            vectors: a file of word vectors, or `glove`.
            encoder: name or folder of the encoder, instead of the configured one; `none` for none.
        """
        learning = {"--train": train, "--dev": dev, "--vectors": vectors, "--save": save}
        typed = [option for option, value in learning.items() if value] + ["--kind"] * (algorithm != cls.algorithm)
        if not (name or model or (train and dev and save)) and typed:
            raise InputError(f"{typed[0]}: the aligner of the package is fitted; give --system NAME to fit another one")
        package = None if model or typed else _of_package(name, encoder)
        if package is not None:
            model, name, encoder = package, None, encoder if package == DEFAULT else None
        is_saved = model is not None and is_saved_system(model)
        if name is None and model is not None and is_saved:
            # what the package brings has the same name wherever it is installed
            name, config = model.name if model.parent == DEFAULT.parent else str(model), saved_config(model)
        else:
            name = name or NEURAL_CRF
            config = load_system_config(name)
        if encoder is not None and config.strategy.name == FROZEN:
            known = config.strategy.options["encoder"]
            if not is_saved:
                options = {**config.strategy.options, "encoder": None if encoder == NO_ENCODER else encoder}
                config, encoder = replace(config, strategy=Part(FROZEN, options)), None
            elif known is not None and encoder not in (known, NO_ENCODER):
                what = f"the aligner's networks were trained on the states of {known}"
                _log.warning("--encoder %s: %s; train one of its own with --train and --dev", encoder, what)
        if encoder == NO_ENCODER:
            raise InputError(f"--encoder {NO_ENCODER}: {name} cannot do without; leave out --model and --system")
        word_vectors = from_conf("word_vectors", WordVectorConfig)
        if vectors is not None:
            word_vectors = replace(word_vectors, pretrained=str(vectors))
        encoder_config = from_conf("aligner", AlignerConfig).encoder
        if encoder is not None:
            encoder_config = replace(encoder_config, name=encoder)
        folder = {"fitted": model} if is_saved else {"model": model}
        files: dict[str, Any] = {"train": train, "dev": dev, "save": save, **folder}
        return cls(name, config, word_vectors, encoder_config, algorithm=algorithm, other_encoder=encoder, **files)

    @property
    def counts_words(self) -> bool:
        """Return whether the similarity looks at the documents at hand; a trained aligner has its own word counts."""
        return self.config.similarity.name not in (ENCODER, FROZEN)

    def identity(self) -> dict[str, Any]:
        """All that the links of a document pair depend on, beside the pair: settings, and digests of files."""
        return {
            "system": self.name,
            "config": asdict(self.config),
            "encoder": asdict(self.encoder),
            "word_vectors": self._vectors_file and file_digest(self._vectors_file) or self.vectors.pretrained,
            "model": self.model and ALIGNER.check(self.model),
            "fitted": self.fitted and SYSTEM.check(self.fitted),
            "train": self.train and file_digest(self.train),
            "dev": self.dev and file_digest(self.dev),
            "algorithm": self.algorithm,
            "other_encoder": self.other_encoder,
            "least": self.least,
            "encoders": {name: folder_digest(Path(name)) for name in self._encoders() if Path(name).is_dir()},
        }

    def _encoders(self) -> list[str]:
        """Names or folders of the encoders that it may use; that of a trained aligner lies in `model`."""
        names = (self.encoder.name, self.other_encoder, self.config.strategy.options.get("encoder"))
        return sorted({name for name in names if isinstance(name, str)})

    def load(self, device: Device, pairs: Sequence[DocumentPair] = ()) -> System:
        """The system with everything that it needs to align `pairs`; fitted, and saved where `save` says so.

        Raises:
            InputError: the system needs a model, train or dev pairs that are not given, or a file is damaged.
        """
        train, dev = (labelled_pairs(path) if path else [] for path in (self.train, self.dev))
        corpus = list(read_pairs(self.corpus, unique=False)) if self.corpus else [*train, *dev, *pairs]
        aligner = self._aligner(device, train, dev)
        cache = Cache(corpus, self.vectors, self.encoder, device, aligner, other_encoder=self.other_encoder)
        if self.fitted is not None:
            return with_least(load_system(self.fitted, cache, self.config), self.least)
        system = make_system(self.config, cache)
        if (thresholds := self._shipped_thresholds()) and isinstance(system, ComposedSystem):
            what = "thresholds of the package, fitted on invented English news and encyclopedic articles"
            _log.warning("%s: %s; fit others with --dev", self.name, what)
            system.take(thresholds, THRESHOLDS)
        else:
            self._check_fit(cache)
            system.fit(train, dev)
        trained_here = self.config.needs_aligner and self.model is None
        if self.save is not None and not trained_here and self.config.strategy.name != CRF:
            system.save(self.save)
        return with_least(system, self.least)

    def fitted_in(
        self, folder: Path, device: Device, words: Sequence[DocumentPair] = ()
    ) -> tuple["SystemSpec", list[DocumentPair]]:
        """Fit the system once into a folder, where it is to be fitted, or train its aligner into `save`.

        Returns:
            The system for processes that load it and fit nothing, and the document pairs that it counts words in:
            `words` and the labelled ones.
        """
        labelled = [pair for file in (self.train, self.dev) if file and words for pair in labelled_pairs(file)]
        is_crf = self.config.strategy.name == CRF
        if self.fitted is None and not (is_crf and self.model is not None):
            system = self.load(device, words)
            if not is_crf:
                system.save(folder)
        model = self.save if self.config.needs_aligner and self.model is None else self.model
        ready = replace(self, model=model, save=None)
        if not is_crf:
            ready = replace(ready, fitted=self.fitted or folder, train=None, dev=None)
        return ready.absolute(), [*labelled, *words]

    def absolute(self) -> "SystemSpec":
        """With absolute paths: workers may run elsewhere."""
        files = ("model", "fitted", "corpus", "train", "dev")
        changes: dict[str, Any] = {key: path.resolve() for key in files if (path := getattr(self, key)) is not None}
        encoder, file = Path(self.encoder.name), self._vectors_file
        name = str(encoder.resolve()) if encoder.is_dir() else self.encoder.name
        changes |= {"encoder": replace(self.encoder, name=name), "other_encoder": name if self.other_encoder else None}
        if file:
            changes["vectors"] = replace(self.vectors, pretrained=str(file.absolute()))
        return replace(self, **changes)

    @property
    def _vectors_file(self) -> Path | None:
        name = self.vectors.pretrained
        return None if name is None or name == GLOVE else Path(name)

    def _aligner(self, device: Device, train: Sequence[DocumentPair], dev: Sequence[DocumentPair]) -> "Aligner | None":
        if not self.config.needs_aligner:
            return None
        from textsimp.alignment.neural.aligner import load_aligner

        if self.model is not None:
            return load_aligner(self.model, device)
        if not (train and dev and self.save):
            raise InputError(
                f"--model: {self.name} needs a trained aligner; give its folder, such as models/aligner/CORPUS, or "
                "train one with --train, --dev and --save"
            )
        from textsimp.alignment.neural.training import train_aligner, train_encoder

        config, encoder_folder = from_conf("aligner", AlignerConfig), self.save.with_name(f"{self.save.name}.encoder")
        encoder, _ = train_encoder(train, dev, config, device, partial_place(encoder_folder))
        with PAIR_ENCODER.written(encoder_folder) as folder:
            encoder.save(folder)
        aligner, _ = train_aligner(train, dev, self.algorithm, encoder_folder, config, device)
        aligner.save(self.save)
        return load_aligner(self.save, device)

    def _shipped_thresholds(self) -> dict[str, Choice] | None:
        """Return what `ComposedSystem.take` takes; None where someone gave labelled pairs, vectors or an encoder."""
        others = self.train or self.dev or self.save or self.other_encoder
        if others or self.vectors != from_conf("word_vectors", WordVectorConfig):
            return None
        chosen = structured(read_json(THRESHOLDS)["chosen"], dict[str, dict[str, Choice]])
        return chosen.get(self.name)

    def _check_fit(self, cache: Cache) -> None:
        config, is_crf = self.config, self.config.strategy.name == CRF
        learns = f"--train: {self.name} learns from labelled document pairs; give a file of them, or"
        if config.strategy.name == FROZEN:
            if self.train is None:
                raise InputError(f"{learns} leave out --system")
            return
        tunes = "as_precise_as" in config.strategy.options if is_crf else config.threshold is None or config.tuned
        if tunes and self.dev is None:
            what = "needs labelled document pairs to tune its thresholds"
            raise InputError(f"--dev: {self.name} {what}; give a file of them, or a saved system with --model")
        if not is_crf and self.train is None and isinstance(cache.similarity(config.similarity), TrainedSimilarity):
            raise InputError(f"{learns} a saved system with --model")


def _of_package(name: str | None, encoder: str | None) -> Path | None:
    """The aligner that travels with the package, where one is asked for; it learns nothing from the user's data."""
    if name in (None, DEFAULT.name):
        return WITHOUT_ENCODER if encoder == NO_ENCODER else DEFAULT
    return WITHOUT_ENCODER if name == WITHOUT_ENCODER.name and encoder in (None, NO_ENCODER) else None


def system_names() -> list[str]:
    """The alignment systems of conf/alignment_system."""
    return names_from_conf("alignment_system")


def load_system_config(name: str) -> SystemConfig:
    """The parts of a named system; `InputError` lists the names where there is none."""
    if name not in system_names():
        raise InputError(f"--system: no alignment system {name!r}; known: {', '.join(system_names())}")
    return from_conf(f"alignment_system.{name}", SystemConfig)


def labelled_pairs(path: Path) -> list[DocumentPair]:
    """Document pairs that all have gold alignments; `InputError` names the first that has none."""
    pairs = list(read_pairs(path))
    for pair in pairs:
        if pair.alignments is None:
            raise InputError(f"{path}: document pair {pair.id!r} has no 'alignments'; give a labelled file")
    if not pairs:
        raise InputError(f"{path}: holds no document pairs; see docs/formats.md")
    return pairs


def tuning_file(*splits: Path) -> Path:
    """The dev split of the first folder of splits whose dev split has labels; `InputError` where none has."""
    for folder in splits:
        if any(pair.alignments is not None for pair in read_pairs(folder / "dev.jsonl")):
            return folder / "dev.jsonl"
    what = "no labelled document pairs to tune the thresholds of the old system on"
    raise bad_input(splits[-1] / "dev.jsonl", None, what, "name a corpus with annotation as align.aligner")


def file_digest(path: Path) -> str:
    """SHA-256 of a file; `InputError` where there is none, or it is a pipe."""
    if is_stream(path):
        raise bad_input(path, None, "is read several times, which a pipe cannot be", "give a file")
    if not path.is_file():
        raise bad_input(path, None, "no such file", "check the path")
    return sha256(path)
