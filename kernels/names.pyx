"""Player names: parse, compare and look them up in a list."""

include "names/name_skeleton.pxi"
include "names/name_distance.pxi"
include "names/player_names.pxi"
include "names/listed_names.pxi"
include "names/beider_morse.pxi"
