# Import PGN files into a new Scid database; without arguments, say which Scid this is.
#
#   tkscid import_scid.tcl [DATABASE FILE.pgn...]
#
# Run by scripts/bench.
if {[llength $argv] == 0} {
    puts "Scid [sc_info version]"
    exit
}
set base [sc_base create SCID4 [lindex $argv 0]]
foreach file [lrange $argv 1 end] {
    sc_base import $base $file
}
puts "[sc_base numGames $base] games"
sc_base close $base
exit
