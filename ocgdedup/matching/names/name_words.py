"""Words in names that are not names: titles, particles, generations, placeholders, federations."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Chess titles are in capitals, other titles in any case. "Med" and "Mag" are names too, so they are
# titles only with a full stop or after a comma.
CHESS_TITLES = _words("GM IM FM CM NM WGM WIM WFM WCM WNM IGM HGM MI GMI MF AGM AIM AFM ACM LM SM")
TITLES = _words("dr prof ing mr mrs ms mgr dipl phd rndr mudr judr phdr mag med doc")

PARTICLES = _words(
    "van von vom der den de da di del della dello delle dei degli dal dalla la le les el al "
    "dos das do du ter ten te tot op in het zu zum zur af av bin ibn bint binti ben abu ul "
    "los las y e und"
)

# Marks of father and son. "II" is a son, "III" a grandson.
GENERATIONS = {
    "jr": "2", "jun": "2", "junior": "2", "ml": "2", "mlr": "2", "hijo": "2", "filho": "2",
    "fils": "2", "II": "2", "sr": "1", "sen": "1", "senior": "1", "st": "1", "III": "3", "IV": "4",
}  # fmt: skip

# Without a full stop these are names.
DOTTED_GENERATIONS = _words("jun sen ml st")

# A name without a comma and with one of these words is a program.
PROGRAM_WORDS = _words("comp computer engine program")

# Placeholders, unless they have a number.
GUESTS = _words("player opponent white black guest anon anonymous")

UNKNOWN_NAMES = GUESTS | _words(
    "n nn unknown unk noname none null na unbekannt anonym desconocido inconnu"
)

# Current and former codes of FIDE federations, as written after names.
FEDERATIONS = _words(
    "AFG AHO ALB ALG AND ANG ANT ARG ARM ARU AUS AUT AZE BAH BAN BAR BDI BEL BER BHU BIH BIZ "
    "BLR BOL BOT BRA BRN BRU BUL BUR CAF CAM CAN CAY CGO CHA CHI CHN CIV CMR COD COL COM CPV "
    "CRC CRO CUB CYP CZE DEN DJI DMA DOM ECU EGY ENG ERI ESA ESP EST ETH FAI FID FIJ FIN FRA "
    "GAB GAM GCI GEO GEQ GER GHA GRE GRL GRN GUA GUM GUY HAI HKG HON HUN INA IND IRI IRL IRQ "
    "ISL ISR ISV ITA IVB JAM JCI JOR JPN KAZ KEN KGZ KIR KOR KOS KSA KUW LAO LAT LBA LBN LBR "
    "LCA LES LIE LTU LUX MAC MAD MAR MAS MAW MDA MDV MEX MGL MKD MLI MLT MNC MNE MOZ MRI MTN "
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
