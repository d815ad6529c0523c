"""The part of the build that pyproject.toml cannot say: the wheel carries `conf/` and the papers' printed numbers."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

SHIPPED = ("conf", "data/published")
"""Folders of the checkout that the installed package finds below itself (`SHIPPED` of textsimp/core/params.py)."""


class BuildWithFolders(build_py):
    """Copies the folders into the package; what an earlier build left is removed, or deleted modules would travel."""

    def run(self) -> None:
        package = Path(self.build_lib, "textsimp")
        if not self.editable_mode:
            shutil.rmtree(package, ignore_errors=True)
        super().run()
        if not self.editable_mode:
            for folder in SHIPPED:
                shutil.copytree(folder, package / folder, ignore=shutil.ignore_patterns(".*"))


setup(cmdclass={"build_py": BuildWithFolders})
