"""Words of grammar whose loss changes what a sentence says, by class.

Words are lemmas; a row of several words, with `_` between them, stands as it is written.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(word.replace("_", " ") for word in text.split())


# Name -> words that may not be lost, and others by which the simplification may say the same.
LIMITS = {
    "only": (
        _words("only solely exclusively merely purely sole"),
        _words("just alone unique limit unless until except but single one all single-handedly otherwise entirely"),
    ),
    "even": (_words("even"), _words("also too still yet as_well include despite although though so already")),
    "about": (
        _words("approximately roughly nearly almost circa estimate estimated approximate"),
        _words("about around over up_to close more_than less_than some near ca. c. maybe perhaps between guess part may most"),
    ),
    "perhaps": (
        _words("probably likely possibly perhaps maybe might may apparently seemingly seem allegedly alleged reportedly "
        "purportedly purported supposedly suspected presumably presumed potentially"),
        _words("can could would should if appear believe think thought say suggest chance risk possible potential "
        "suppose assume unclear able allow sometimes expect according accord often tend some not or"),
    ),
    "must": (
        _words("must shall should ought required have_to has_to had_to mandatory compulsory obliged"),
        _words("need require necessary essential necessarily will would cannot only supposed force make mean be_to it_is_important "
        "important expect ask try let please can may not"),
    ),
    "can": (
        _words("can permit permitted entitle entitled"),
        _words("may could allow able let free possible might right would will easy capable enable choose often sometimes ability"),
    ),
    "most": (
        _words("at_most up_to no_more_than no_later_than less_than fewer_than not_exceed"),
        _words("maximum most limit under below within by until or_less more exceed or_fewer before as_much_as to"),
    ),
    "least": (
        _words("at_least no_less_than not_less_than no_fewer_than or_more more_than"),
        _words("minimum over above exceed least greater up"),
    ),
    "except": (
        _words("except unless excluding apart_from other_than save_for with_the_exception"),
        _words("exclude but not without if no only besides until when aside leave"),
    ),
}
# Classes that may not be added either.
NEVER_NEW = frozenset(("only", "must", "most", "least", "except"))
# Words that say why, and those of which a new one alarms.
NEW_REASONS = _words("because therefore thus hence")
REASONS = NEW_REASONS | _words(
    "since so due reason cause result owing lead make as for order consequently thereby to consequence allow if follow by "
    "response think means sake"
)
NEGATIONS = _words("not no never neither nor none nobody nothing nowhere without cannot n't n’t hardly scarcely barely rarely seldom")
# Words that say no of what follows, and all that may say it instead.
DENIALS = _words("fail refuse unable lack prohibit forbid ban prevent")
IMPLIED = DENIALS | _words(
    "failure deny avoid bar impossible absence absent stop cease reject "
    "decline exclude except unlike instead rather little few miss unless only less but other different unknown illegal "
    "despite although however oppose than prior before end far too hide lose abandon rare still yet alone free end"
)
CONDITIONS = _words("if unless provided_that providing_that except lest")
KEEPS_CONDITION = CONDITIONS | _words(
    "when whenever where only without otherwise should before while or who that as whether until with after once"
)
SPEAKING = _words(
    "say state claim allege believe report suggest think argue declare insist contend maintain assert accuse suspect "
    "estimate deem propose"
)
KEEPS_SPEAKING = SPEAKING | _words(
    "tell according accord write describe call explain consider view announce feel know see opinion idea belief hold "
    "appear seem probably may might could likely note mention admit agree find show possibly conclude discover speak "
    "talk expect mean want theory blame suppose"
)
PRONOUNS = _words("he she it they this these we")
LIGHT = _words(
    "be have do make get call name go take give use become include know other thing way kind type part place time year "
    "people person number amount lot many few more most also mean find come put see say work locate live start end "
    "happen exist form create show help keep bring turn move begin change need want try let well different same large "
    "big small high good bad new old long early late main important able group area today own cause allow sort set like "
    "term word such another each several various certain few first last stop leave stay look feel tell think talk follow"
)
