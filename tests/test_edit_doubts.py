"""Edits that are right elsewhere and are not made where their neighbours speak against them."""

import pytest

from textsimp.simplification.edit_tagger.edit_candidates import Candidates
from textsimp.simplification.edit_tagger.edit_doubts import is_doubtful
from textsimp.simplification.edit_tagger.edit_rules import Rule
from textsimp.simplification.edit_tagger.edit_words import edit_words, folded
from textsimp.simplification.edit_tagger.plain_words import plain_words

READ = [Rule(*pair, 0, 0, sure) for pair, sure in plain_words().items()]


@pytest.mark.parametrize(
    ("text", "source", "doubtful"),
    [
        ("They are required to stay.", "required", True),
        ("The required papers were lost.", "required", False),
        ("He chose an individual number.", "an individual", True),
        ("It was made by an individual who left.", "an individual", False),
        ("It is free now, and a device strapped to its back is lost.", ", and", False),
        ("It is free now, with feathers, and a device strapped to its back.", ", and", True),
        ("He was best known as a poet.", "known as", True),
        ("See https://example.org/numerous for it.", "numerous", True),
        ("She has multiple sclerosis.", "multiple", True),
        ("She has multiple gardens.", "multiple", False),
        ("The bridge is due to open in May.", "due to", True),
        ("It was shut due to rain.", "due to", False),
        ("Help comes in the short term.", "term", True),
        ("The term kettle is used for it.", "term", False),
        ("It rose within two days.", "within", True),
        ("It rose within two centuries.", "within", True),
        ("It lies within the walls.", "within", False),
        ("The boat grew more powerful.", "powerful", True),
        ("He must consist of water.", "consist of", True),
        ("They consist of water.", "consist of", False),
        ("He rose quickly, accelerating it.", "accelerating", True),
        ("A rapidly accelerating car came.", "accelerating", False),
        ("The cat was stated to be well.", "stated", False),
        ("Their stated goal was met.", "stated", True),
        ("It was announced on Monday.", "announced", True),
        ("The district attorney left.", "district", True),
        ("The good potential of it is known.", "potential", True),
        ("A potential fault was found.", "potential", False),
        ("Come as quickly as you can.", "quickly", True),
        ("The harvest quickly went bad.", "quickly", False),
        ("It is not simply late.", "simply", True),
        ("People think highly of the baker.", "highly", True),
        ("He liked the very thought of it.", "very", True),
        ("Owing to insufficient rain it died.", "insufficient", True),
        ("There was insufficient rain.", "insufficient", False),
        ("It is still not complete.", "complete", True),
        ("They complete it.", "complete", False),
        ("It continues to grow.", "continues", True),
        ("It requires them to leave.", "requires", True),
        ("It requires help.", "requires", False),
        ("Its members, including 5 friends, left.", "including", True),
        ("It was low as opposed to high.", "opposed to", True),
        ("They tried to determine whether it rained.", "determine", True),
        ("Today's children sing.", "today", True),
        ("Compared with today, it was cold.", "today", True),
        ("It was very, very cold.", "very", True),
        ("Please proceed to the exit.", "proceed to", True),
        ("They proceed to build it.", "proceed to", False),
        ("It is free now, and it has feathers on its back.", ", and", False),
        ("Remove the protective film before use.", "film", True),
        ("The film was directed by Ana Torres.", "film", False),
        ("He denied having been in possession of it.", "in possession of", True),
        ("A man in possession of a fortune came.", "in possession of", False),
        ("Her voice, although quiet, was heard.", ", although", True),
        ("He stayed, although it rained.", ", although", False),
        ("You must complete the form.", "complete", True),
        ("Birds inhabit the island.", "inhabit", True),
        ("Birds inhabit the wood.", "inhabit", False),
        ("It will be seen, weather permitting.", "permitting", True),
        ("He is perhaps best known for it.", "perhaps", True),
        ("It was perhaps late.", "perhaps", False),
        ("The majority of Spain is dry.", "the majority of", True),
        ("They ended the majority of its activities.", "the majority of", True),
        ("Send the completed form.", "completed", True),
        ("The majority of Americans eat it.", "the majority of", False),
        ("Upon termination of the contract he left.", "termination", True),
        ("The beginning of the play was late.", "beginning", True),
        ("They left, beginning with the old.", "beginning", False),
        ("Ask before commencement of the works.", "commencement", True),
        ("Ask before the commencement of the works.", "commencement", False),
        ("Drivers are keen to learn that the ferry is sailing, and whether the boat is sailing.", ", and", True),
        ("It was destroyed by fire.", "destroyed", True),
        ("In the event of a dispute they pay.", "dispute", True),
        ("It rose, resulting in the boat being lost.", "resulting in", True),
        ("It rose, resulting in losses.", "resulting in", False),
        ("It is a district and an area.", "district", True),
        ("It is a district and a town.", "district", False),
        ("The proposed law is new.", "proposed", True),
        ("They proposed a law.", "proposed", False),
        ("It glows at a specific time.", "specific", True),
        ("He soon made it.", "soon", True),
        ("Take the two tablets (with food) every morning.", "( with food )", True),
        ("The old museum (closed on Mondays) is near the station.", "( closed on mondays )", True),
        ("All the staff (except managers) must come here.", "( except managers )", True),
        ("The European Central Bank (ECB) raised its rates.", "( ecb )", False),
        ("Elliot Goldenthal (born May 2, 1954) is a composer of music.", "( born may 2 , 1954 )", False),
        ("The lovely frog (Rana temporaria) lives in the wet meadows.", "( rana temporaria )", False),
        ("All staff must attend.", "attend", True),
        ("All staff must attend the meeting.", "attend", False),
        ("All complaints received prior to noon were read.", "received", True),
        ("He received prizes.", "received", False),
        ("Those selected will be told.", "selected", True),
        ("They were considered by the panel.", "considered", True),
        ("They were considered safe.", "considered", False),
        ("Bring a proof of residence.", "residence", True),
        ("The arena is home to the club, and also hosted college games.", ", and", True),
        ("The arena is home to the club, and the town hosted college games.", ", and", False),
        ("It is a variety of the mineral.", "a variety of", True),
        ("The tower is under construction.", "construction", True),
        ("It won at the film festival.", "film", True),
    ],
)
def test_what_neighbours_speak_against_is_not_made(text: str, source: str, doubtful: bool) -> None:
    texts = folded(edit_words(text))
    found = [e for e in Candidates(READ)(edit_words(text)) if " ".join(texts[e.start : e.end]) == source]
    assert found and all(is_doubtful(edit, texts) == doubtful for edit in found)


@pytest.mark.parametrize(
    ("text", "doubtful"),
    [("People are requested to leave.", True), ("She requested that they leave.", True), ("He requested it.", False)],
)
def test_nobody_is_asked_for_to_leave(text: str, doubtful: bool) -> None:
    texts = folded(edit_words(text))
    edits = [edit for edit in Candidates(READ)(edit_words(text)) if edit.target == ("asked", "for")]
    assert edits and all(is_doubtful(edit, texts) == doubtful for edit in edits)
