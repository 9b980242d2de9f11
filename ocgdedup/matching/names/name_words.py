"""Words in names that are not names: titles, particles, generations, placeholders, federations.

The only home of these words. A build makes a table of them for the kernel that parses names
(scripts/kernel_name_words.py); written_name.pxd has the rules. Imports nothing, since a build
reads this module before the package can be imported.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Chess titles in capitals. In small letters, too, the clear ones: "gm. Magnus"; Wim and Mi are
# names, and so is Cm.
CHESS_TITLES = _words("GM IM FM CM NM WGM WIM WFM WCM WNM IGM HGM MI GMI MF AGM AIM AFM ACM LM SM")
_CLEAR_TITLES = _words("gm fm cm nm wgm wfm wcm wnm agm igm hgm")
# Titles in any case. "Med" and "Mag" are names too, so they are titles only with a full stop.
DOTTED_TITLES = _words("mag med")
TITLES = DOTTED_TITLES | _words(
    "dr prof ing mr mrs ms miss sir mgr dipl phd rndr mudr judr phdr doc rev capt captain herr "
    "frau mme"
)

# Some are Asian names too, so a name has to show that they are particles.
_ASIAN_PARTICLES = _words("le du di da zu")
_RARE_PARTICLES = _words("les do in bint binti ben abu ul und")
PARTICLES = (
    _ASIAN_PARTICLES
    | _RARE_PARTICLES
    | _words(
        "van von vom der den de del della dello delle dei degli dal dalla la el al dos das ter ten "
        "te tot op het zum zur af av bin ibn los las y e"
    )
)
# Of families that have given names like particles: "Nguyen, Thanh Do". surname_table.h has other
# Chinese and all Korean ones.
_ASIAN_SURNAMES = _words(
    "bui dang dao dinh do doan duong ho hoang huynh lam le ly mai ngo nguyen pham phan tran trinh "
    "truong vo vu vuong feng guo han he hu huang li liang lin liu lu luo ma su sun tang wang wu "
    "xie yang yu yuan"
)

# Marks of father and son. "II" is a son, "III" a grandson.
_SENIOR = _words("sr sen senior st")
_JUNIOR = _words("jr jun junior ml mlr hijo filho fils ii")
_THIRD = _words("iii")
_FOURTH = _words("iv")
GENERATIONS = _SENIOR | _JUNIOR | _THIRD | _FOURTH
# Names, unless there is a full stop.
DOTTED_GENERATIONS = _words("jun sen ml st")
# Names, unless they come after a whole name: "Deep Junior".
_LATE_GENERATIONS = _words("junior senior hijo filho fils")
# Names, unless in capitals: "Ivanov, Iv", "Ii, Naomasa".
_GENERATIONS_IN_CAPITALS = _words("ii iii iv")

# A name without a comma and with one of these words is a program.
_PROGRAM_WORDS = _words("comp computer engine program")

# Placeholders, unless they have a number.
_GUESTS = _words("player opponent white black guest anon anonymous")
_NOBODY = _words("n nn unknown unk noname none null na unbekannt anonym desconocido inconnu")
UNKNOWN_NAMES = _GUESTS | _NOBODY

# Current and former codes of FIDE federations, as written after names.
FEDERATIONS = _words(
    "AFG AHO ALB ALG AND ANG ANT ARG ARM ARU AUS AUT AZE BAH BAN BAR BDI BEL BER BHU BIH BIZ "
    "BLR BOL BOT BRA BRN BRU BUL BUR CAF CAM CAN CAY CGO CHA CHI CHN CIV CMR COD COL COM CPV "
    "CRC CRO CUB CYP CZE DEN DJI DMA DOM ECU EGY ENG ERI ESA ESP EST ETH FAI FID FIJ FIN FRA "
    "GAB GAM GCI GEO GEQ GER GHA GRE GRL GRN GUA GUM GUY HAI HKG HON HUN INA IND IRI IRL IRQ "
    "ISL ISR ISV ITA IVB JAM JCI JOR JPN KAZ KEN KGZ KIR KOR KOS KSA KUW LAO LAT LBA LBN LBR "
    "LCA LES LIB LIE LTU LUX MAC MAD MAR MAS MAW MDA MDV MEX MGL MKD MLI MLT MNC MNE MOZ MRI MTN "
    "MYA NAM NCA NCL NED NEP NGR NIG NOR NRU NZL OMA PAK PAN PAR PER PHI PLE PLW PNG POL POR "
    "PUR QAT ROM ROU RSA RUS RWA SCG SCO SEN SEY SIN SGP SKN SLE SLO SMR SOL SOM SRB SRI SSD "
    "STP SUD SUI SUR SVK SWE SWZ SYR TAN TCH TGA THA TJK TKM TLS TOG TPE TTO TUN TUR UAE UGA "
    "UKR URS URU USA UZB VAN VEN VIE VIN WLS YEM YUG ZAM ZIM"
)

# Former codes, with the federations that a name with this code may have now.
SUCCESSORS = {
    "URS": _words("RUS UKR BLR GEO ARM AZE KAZ UZB TKM TJK KGZ LAT LTU EST MDA ISR USA"),
    "YUG": _words("SRB CRO SLO BIH MKD MNE KOS"),
    "SCG": frozenset(["SRB", "MNE"]),
    "TCH": frozenset(["CZE", "SVK"]),
    "GDR": frozenset(["GER"]),
    "ROM": frozenset(["ROU"]),
    "SIN": frozenset(["SGP"]),
}

# The kinds of words as the kernel names them, in lower case; a word may have several.
KINDS = {
    "TITLE": TITLES - DOTTED_TITLES,
    "DOTTED_TITLE": DOTTED_TITLES,
    "CHESS_TITLE": frozenset(title.lower() for title in CHESS_TITLES),
    "CLEAR_TITLE": _CLEAR_TITLES,
    "PARTICLE": PARTICLES,
    "ASIAN_PARTICLE": _ASIAN_PARTICLES,
    "RARE_PARTICLE": _RARE_PARTICLES,
    "SAINT": _words("st"),
    "ASIAN_SURNAME": _ASIAN_SURNAMES,
    "SENIOR": _SENIOR,
    "JUNIOR": _JUNIOR,
    "THIRD": _THIRD,
    "FOURTH": _FOURTH,
    "DOTTED": DOTTED_GENERATIONS,
    "LATE": _LATE_GENERATIONS,
    "IN_CAPITALS": _GENERATIONS_IN_CAPITALS,
    "PROGRAM": _PROGRAM_WORDS,
    "GUEST": _GUESTS,
    "NOBODY": _NOBODY,
    "FEDERATION": frozenset(code.lower() for code in FEDERATIONS),
}
