"""Names of splits and of folders in data/raw that several readers share (F1)."""

from pathlib import Path

SPLITS = ("train", "dev", "test")
UNLABELLED = "unlabelled"
NEWSELA_MANUAL = Path("newsela-manual", "all")
WIKI_MANUAL, WIKI_AUTO = Path("wiki-manual"), Path("wiki-auto")
