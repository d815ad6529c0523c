"""Words beside which rewritings are wrong that are right elsewhere, sorted by what is rewritten.

The tables come from reading: some 2,200 edits of sentences of encyclopedias, news, letters, leaflets, laws and stories.
A row is `what is rewritten / the same in another form: words`.
"""

from textsimp.simplification.edit_tagger.word_classes import (
    ARTICLES,
    BEFORE_INFINITIVES,
    CONJUNCTIONS,
    DETERMINERS,
    MARKS,
    PREPOSITIONS,
    PRONOUNS,
)

MISREAD = frozenset(
    "again allowed allows contemporary continued developed directly employed especially extended extensive form fully"
    " formed generated included includes just launched main noted now occur occurs once opposed original particular"
    " performed permitted portrayed portrays prominent protect protects represents settlement significantly"
    " structure structures then title together total traditional widespread".split()
) | {"contributed to"}
"""What the list has where the sentence says so, and what was wrong in most of the sentences that were read."""
NEVER = frozenset(
    "completely determine determined determines determining encounter encounters funds incorporated manufacturing"
    " soon velocities velocity".split()
)
"""The same of what the list is sure of: what is determined is found out more often than decided."""


def _rows(lines: str) -> dict[str, frozenset[str]]:
    """`source / source: word word` of each line."""
    table: dict[str, frozenset[str]] = {}
    for line in lines.strip().splitlines():
        sources, _, words = line.partition(": ")
        for source in sources.strip().split(" / "):
            table[source] = table.get(source, frozenset()).union(words.split())
    return table


NOT_AFTER = _rows("""
    a minimum of / a maximum of: at
    annually: is are was were be been being
    as well as: just twice almost not nearly play plays played perform performs performed do does did
    brief: to will would should can could
    casualties / sibling / siblings: no any without nor
    concerning: is are was were be been very deeply more most so
    contained: have has had having
    beginning: a an the this that its his her their my our your every each new very
    commencement: to before after until on upon from at since
    attorney / attorneys: district states prosecuting
    exceeding: not by of without for in
    failed to / fails to: never not rarely seldom hardly
    film / films: adhesive cling clear oily photographic plastic polymer protective sticky surface thin transparent
    generally: more most
    highly: think thinks thought speak spoke
    illness: mental
    imprisonment: the his her my your its our their ' ’ 's ’s false wrongful
    in possession of: am is are was were be been being
    permitting: weather time health
    organisation: treaty health trade labour maritime
    organization: treaty health trade labor maritime
    nausea: cause causes caused causing severe mild
    owing to: amount amounts money debt sum sums is are was were
    possibly: could couldn't not
    previously: than
    remains: human skeletal the his her their its these of and
    residence: of
    professional: of than not
    proposed: a an the this that these its his her their newly
    simply: not n't than
    specific: a
    opposed to: as
    with regard to / with respect to: particularly especially not only both
    state that: a an the this any each every
    termination: upon on until at
    upon: once
    vessel / vessels: blood
    very: the this that its his her their . ! ? ; :
""") | {
    ", though": frozenset({"that"}),
    ", although": frozenset({"that"}),
    "construction": MARKS | {"under"},
    "insufficient": PREPOSITIONS,
    "stated": PRONOUNS | DETERMINERS | ARTICLES,
}
NOT_BEFORE = _rows("""
    assistance: dog dogs
    appointed: by to as in on for
    ancient: rome roman greek greece egypt egyptian china chinese history world times civilization civilisation
    as well as: possible being having it i he she they we you can could
    attorney: general
    believes: in
    cardiac: arrest
    cerebral: palsy cortex
    converted to: islam christianity catholicism judaism buddhism hinduism
    demonstrated: against in outside for
    considered: as to
    continue / continued / continues / continuing: to
    district: attorney court of
    due to: appear arrive be begin close come end expire go leave open play return start take
    film / films: festival festivals
    a number of / a range of / a variety of: the this that these those its his her their a an
    generally: speaking
    initiated: into
    even: though if when as so more less total the number numbers integer . , ; ! ? )
    including: a an one two three four five six seven eight nine ten many some several about his her its their all both
    known as: a an one
    occurs / occurred / can occur / may occur / might occur / could occur / will occur: to
    multiple: sclerosis choice myeloma births
    overall: pick
    prior: written consent notice notification warning approval permission agreement
    proceed: to
    proceed to: a an the your his her their our
    perhaps: best better most more
    primary: school schools education election elections challenge care color colour colors colours
    produced: by
    provide / provides / providing: that for
    provided: that by for
    quite: a an the
    remain / remained / remains: to . , ; ! ? ) :
    residents: ' ’ 's ’s
    travelled / traveled: for at light extensively widely with
    was awarded a / was awarded the: degree doctorate contract pension
    within: a an one two three four five six seven eight nine ten twenty thirty fifty
    stated: on in above below
    sufficient / insufficient: amount amounts condition conditions quantity quantities
    very: few rare rarely little
    well-known / well known: fact facts that
""") | {
    ", though": MARKS,
    ", although": MARKS,
    "distinct": MARKS,
    "term": MARKS | {"of"},
    "virtually": MARKS | PREPOSITIONS | CONJUNCTIONS,
    "replicate": MARKS | PREPOSITIONS | CONJUNCTIONS,
    "replicates": MARKS | PREPOSITIONS | CONJUNCTIONS,
}
ONLY_AFTER = _rows("""
    municipality: a an small large rural former new
    attempts: the his her their its these those failed previous further of all
    identical: is are was were be been almost nearly virtually otherwise
    refers to: it term word phrase usually
    separate: a the two three four five several many
    term: the
""") | {"complete": BEFORE_INFINITIVES - {"not"}}
ONLY_BEFORE = _rows("""
    acquired: by
    announced: that . ,
    believed: to that
    declared: that
    declined / decreased: again and but significantly sharply steadily slightly . , ;
    designed: to for in so as
    established: in by
    expanded: and but rapidly . , ;
    features: a an the many several his her two three
    introduced: to into
    lies: in on at between within along near north south east west northeast northwest close about some just
    major: city cities change changes problem problems part role difference effect effects impact success event events
    method / methods: of for to
    returned: to home from in
    revealed: that how
    simultaneously: with in on at from to and . , ;
    significant: role contribution contributions event events figure figures factor factors step moment discovery . ,
    survive: in on at by for with without and or but
""")
_TIMES = frozenset("second minute hour day week month year decade century lifetime".split())
NOT_SOON_BEFORE = _rows("""
    requir*: to
    inhabit*: coast coasts earth island islands islet mainland peninsula plain plains planet plateau
    complet*: application applications form forms questionnaire section sections survey
    acquir*: language languages knowledge
    resulting in / resulted in / leading to / led to: being
""") | {"within": _TIMES | {f"{time}s" for time in _TIMES} | {"centuries"}}
"""Words of which none may be among the next four, as a form is completed by filling it in; `*` is any ending."""
NOT_WITH = _rows("""
    accelerat*: constant velocity acceleration
    led to / leading to / leads to: road path track street door doorway gate stairs staircase steps corridor tunnel
    induc*: labour labor
    vessel*: blood chemical heart artery arteries vein veins lymph clay glass pottery reaction
""")
"""Words of which none may be in the sentence; `*` is any ending."""
MISWRITTEN = _rows("""
    composed: up
    remains: stays
    throughout: in across
    destroy: ruin
    destroys: ruins
    destroyed: ruined
    destroying: ruining
    conflict: war fight
    conflicts: wars fights
    dispute: fight
    disputes: fights
""")
"""Last words of targets that are wrong for a source."""
WRITTEN_BEFORE = {
    ("considerable", "large"): frozenset("amount amounts number numbers part portion proportion sum sums".split()),
    ("requested", "asked"): frozenset("to that whether if".split()),
}
"""Sources and last words of targets, and the words before which alone they mean the same."""
