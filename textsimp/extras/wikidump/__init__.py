"""From Wikipedia dumps to article pairs (section 3.2, appendix B): the extra `dumps`, which no stage uses.

Two passes, each over bounded pieces of the dumps and on all cores; `extraction` drives both, goes on where a killed
run stopped, and writes the shards.

1. `dumps` reads the XML dumps once. A row for every page goes to an SQLite index on disk (`pairing`), which also has
   the links of the SQL dumps (`sql`) and joins the two sides.
2. `wikitext` turns the pages of the pairs into paragraphs of sentences.
"""
