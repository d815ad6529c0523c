"""Small Wikipedia and Wikidata dumps in their true format, which the tests write."""

import bz2
import gzip
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from textsimp.core.params import read_settings
from textsimp.core.records import read_pairs
from textsimp.extras.wikidump import extraction
from textsimp.extras.wikidump.settings import SETTINGS, DumpConfig, DumpFiles

CONFIG = replace(
    read_settings(SETTINGS, DumpConfig),
    template_filters={"disambiguation": ["disambiguation", "Human name disambiguation"]},
    pairs_per_shard=3,
    max_characters=6_000_000,
)
HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="en">
  <siteinfo>
    <sitename>Wikipedia</sitename>
    <dbname>{site}</dbname>
    <base>https://en.wikipedia.org/wiki/Main_Page</base>
    <generator>MediaWiki 1.34.0-wmf.20</generator>
    <case>first-letter</case>
    <namespaces>
      <namespace key="-2" case="first-letter">Media</namespace>
      <namespace key="0" case="first-letter" />
      <namespace key="1" case="first-letter">Talk</namespace>
      <namespace key="6" case="first-letter">File</namespace>
      <namespace key="14" case="first-letter">Category</namespace>
    </namespaces>
  </siteinfo>
"""
END = "</mediawiki>\n"
TEXT = "'''{title}''' is the [[subject|topic]] of this article.{{{{citation needed}}}} It says {words} things about it."


def page(number: int, title: str, text: str, namespace: int = 0, redirect: str | None = None) -> str:
    """A <page> as MediaWiki's export writes it."""
    target = f'    <redirect title="{escape(redirect)}" />\n' if redirect else ""
    return f"""  <page>
    <title>{escape(title)}</title>
    <ns>{namespace}</ns>
    <id>{number}</id>
{target}    <revision>
      <id>{number + 900000}</id>
      <parentid>{number}</parentid>
      <timestamp>2019-09-01T00:00:00Z</timestamp>
      <contributor>
        <username>Someone</username>
        <id>7</id>
      </contributor>
      <comment>/* History */ &lt;page&gt; tidied</comment>
      <model>wikitext</model>
      <format>text/x-wiki</format>
      <text xml:space="preserve">{escape(text)}</text>
      <sha1>phoiac9h4m842xq45sp7s6u21eteeq1</sha1>
    </revision>
  </page>
"""


def article(number: int, title: str, words: str = "many") -> str:
    """The page of an article of two sentences."""
    return page(number, title, TEXT.format(title=title, words=words))


def dump(site: str, pages: Iterable[str]) -> str:
    """A whole dump."""
    return HEAD.format(site=site) + "".join(pages) + END


def multistream(site: str, pages: Sequence[str], per_stream: int = 2) -> bytes:
    """A dump as Wikimedia compresses it: the head, `per_stream` pages at a time, and the end are bzip2 streams."""
    groups = ["".join(pages[start : start + per_stream]) for start in range(0, len(pages), per_stream)]
    return b"".join(bz2.compress(text.encode()) for text in [HEAD.format(site=site), *groups, END])


def sql_value(value: Any) -> str:
    """A value as mysqldump writes it."""
    if isinstance(value, int):
        return str(value)
    for sign, written in (("\\", "\\\\"), ("'", "\\'"), ('"', '\\"'), ("\n", "\\n")):
        value = value.replace(sign, written)
    return f"'{value}'"


COLUMNS = """  `ips_row_id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `ips_item_id` int(10) unsigned NOT NULL,
  `ips_site_id` varbinary(32) NOT NULL,
  `ips_site_page` varbinary(310) NOT NULL,
  PRIMARY KEY (`ips_row_id`),
  UNIQUE KEY `wb_ips_item_site_page` (`ips_site_id`,`ips_site_page`)
"""


def sql(rows: Iterable[Sequence[Any]], per_line: int = 3) -> str:
    """A dump of Wikidata's table of pages, `per_line` rows an INSERT."""
    values = [f"({','.join(map(sql_value, row))})" for row in rows]
    lines = [values[start : start + per_line] for start in range(0, len(values), per_line)]
    inserts = "".join(f"INSERT INTO `wb_items_per_site` VALUES {','.join(line)};\n" for line in lines)
    return f"""-- MySQL dump 10.16  Distrib 10.1.41-MariaDB, for debian-linux-gnu (x86_64)
--
-- Host: 10.64.48.13    Database: wikidatawiki
-- ------------------------------------------------------
/*!40101 SET NAMES utf8mb4 */;

DROP TABLE IF EXISTS `wb_items_per_site`;
CREATE TABLE `wb_items_per_site` (
{COLUMNS}) ENGINE=InnoDB AUTO_INCREMENT=500 DEFAULT CHARSET=binary;

/*!40000 ALTER TABLE `wb_items_per_site` DISABLE KEYS */;
{inserts}/*!40000 ALTER TABLE `wb_items_per_site` ENABLE KEYS */;

-- Dump completed on 2019-09-01 12:00:00
"""


TITLES = ["Ant", "Bee", "Cat (animal)", "Dog & wolf", 'O\'Neil \\ "Q"', "Fox", "Göteborg", "Hen"]


def write_dumps(folder: Path, complex_extra: Sequence[str] = (), simple_extra: Sequence[str] = ()) -> DumpFiles:
    """Eight articles on both wikis, other pages, and Wikidata's items for them; in the formats that exist."""
    complex_pages = [article(10 + 3 * number, f"{title} of English") for number, title in enumerate(TITLES)]
    simple_pages = [article(100 + number, title, "few") for number, title in enumerate(TITLES)]
    complex_pages += [page(50, "Talk:Ant", "Hello there.", 1), page(51, "Ants", "#REDIRECT [[Ant]]", 0, "Ant")]
    simple_pages += [page(200, "Mercury (disambiguation)", "Mercury may be:\n* a god\n* a planet\n{{disambiguation}}")]
    forms = {"frwiki": "{} de France", "enwiki": "{} of English", "simplewiki": "{}"}
    items = [(1000 + n, site, form.format(title)) for n, title in enumerate(TITLES) for site, form in forms.items()]
    items += [(2000, "enwiki", "Ants"), (2000, "simplewiki", "Mercury (disambiguation)")]
    rows = [(row, *item) for row, item in enumerate(items, 1)]
    folder.mkdir(parents=True, exist_ok=True)
    english, simple, sitelinks = folder / "enwiki.xml.bz2", folder / "simplewiki.xml", folder / "items.sql.gz"
    english.write_bytes(multistream("enwiki", [*complex_pages, *complex_extra]))
    simple.write_text(dump("simplewiki", [*simple_pages, *simple_extra]), encoding="utf-8")
    sitelinks.write_bytes(gzip.compress(sql(rows).encode(), mtime=0))
    return DumpFiles((english,), (simple,), sitelinks)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def pairs(folder: Path) -> list[tuple[str, str]]:
    found = [pair for path in sorted(folder.glob("shard-*.jsonl")) for pair in read_pairs(path)]
    return [(pair.complex.id, pair.simple.id) for pair in found]


def extract(files: DumpFiles, output: Path, settings: DumpConfig = CONFIG, workers: int = 1) -> dict:
    return extraction.extract(files, output, settings, workers)
