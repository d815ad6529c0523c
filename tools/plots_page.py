"""Makes `dvc plots show` work without the network: the page that it writes has the plotting libraries in itself.

    python tools/plots_page.py

Writes .dvc/tmp/plots-VERSION.html, the template of the page by the version of the package that has the libraries, and
names it in .dvc/config.local; done before, it stays. Without it, DVC's page asks a content delivery network for the
libraries, and stays blank where there is none.
"""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from textsimp.core.writing import atomic_write  # noqa: E402 the root has to be on the path first

TEMPLATE = Path("tmp") / f"plots-{version('vl-convert-python')}.html"
"""In .dvc, whose temporary files Git leaves out."""
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
{refresh_tag}
<title>Training curves, precision and recall</title>
<style>body {{ font-family: sans-serif; }} body > div {{ margin: 24px 0; }}</style>
<script>{libraries}</script>
</head>
<body>
{plot_divs}
</body>
</html>
"""


def template() -> str:
    """DVC's page with Vega, Vega-Lite and vega-embed in it; DVC fills `{plot_divs}` and `{refresh_tag}`."""
    import vl_convert

    libraries = vl_convert.javascript_bundle().replace("</script", "<\\/script")  # type: ignore[call-arg]
    return _PAGE.format(libraries=libraries, refresh_tag="{refresh_tag}", plot_divs="{plot_divs}")


def main() -> None:
    """Write the template, and tell DVC of it."""
    if (ROOT / ".dvc" / TEMPLATE).is_file():
        return
    with atomic_write(ROOT / ".dvc" / TEMPLATE) as file:
        file.write(template())
    command = [sys.executable, "-m", "dvc", "config", "--quiet", "--local", "plots.html_template", TEMPLATE.as_posix()]
    subprocess.run(command, cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
