"""From Wikipedia dumps to article pairs (section 3.2, appendix B): the extra `dumps`, which no stage uses.

1. `extraction` reads each XML dump once (`dumps`) and keeps the articles that have a partner in the other wiki: the
   page of the same Wikidata item, or of the same title.
2. `wikitext` turns both articles of each pair into paragraphs of sentences.
"""
