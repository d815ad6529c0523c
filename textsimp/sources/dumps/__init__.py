"""From Wikipedia dumps to article pairs (F1; section 3.2, appendix B).

Two passes, each over bounded pieces of the dumps and on all cores:

1. `scan` reads the XML dumps once. A row for every page goes to an SQLite index on disk (`index`), the compressed
   wikitext of the pages that may be paired to a spool (`parts`). `pairing` joins the two sides in the index.
2. `blocks` turns the wikitext of the pairs into paragraphs of sentences (`balance`, `wikitext`, `splitting`).

`extraction` drives both, goes on where a killed run stopped, and writes the shards.
"""
