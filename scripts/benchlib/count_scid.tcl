# Import one PGN file into a new Scid database; say how many games came, and what Scid complains of.
#
#   tkscid count_scid.tcl DATABASE FILE.pgn
#
# Run by scripts/check_export.
set base [sc_base create SCID4 [lindex $argv 0]]
lassign [sc_base import $base [lindex $argv 1]] games complaints
puts "games: $games"
puts $complaints
sc_base close $base
exit
