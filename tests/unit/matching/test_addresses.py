"""Which texts are addresses of single games, their normal form, and sites where people play."""

from __future__ import annotations

import pytest

from ocgdedup.matching.addresses import (
    GameAddress,
    address_in_comment,
    address_in_tags,
    address_of,
    has_nicknames,
    is_played_online,
)

PLAYED_THERE = {
    "https://lichess.org/CA4bR2b8": "lichess.org/CA4bR2b8",
    "http://lichess.org/CA4bR2b8/black/analysis#12": "lichess.org/CA4bR2b8",
    "https://lichess.org/CA4bR2b8/white": "lichess.org/CA4bR2b8",
    "https://lichess.org/CA4bR2b8#12": "lichess.org/CA4bR2b8",
    "https://lichess.org/CA4bR2b8Xy0z": "lichess.org/CA4bR2b8",
    "https://LICHESS.org/embed/CA4bR2b8/black?theme=brown": "lichess.org/CA4bR2b8",
    "lichess.org/game/export/CA4bR2b8?literate=1": "lichess.org/CA4bR2b8",
    "https://www.chess.com/live/game/3638784952": "chess.com/3638784952",
    "https://www.chess.com/game/live/3638784952?username=x": "chess.com/3638784952",
    "https://chess.com/live#g=3638784952": "chess.com/3638784952",
    "https://chess.com/de/live/game/3638784952": "chess.com/3638784952",
    "https://www.chess.com/analysis/game/live/3638784952?tab=review&move=0": (
        "chess.com/3638784952"
    ),
    "https://www.chess.com/daily/game/223897998": "chess.com/223897998",
    "https://www.chess.com/game/daily/223897998": "chess.com/223897998",
    "https://www.chess.com/game/3638784952": "chess.com/3638784952",
    "HTTPS://chess.com:443/pt-BR/game/3638784952/": "chess.com/3638784952",
    "chess.com/daily#g=223897998": "chess.com/223897998",
    "https://www.chess.com/analysis/game/daily/223897998/review": "chess.com/223897998",
    "https://www.chess.com/game/computer/55": "chess.com/computer/55",
    "https://lichess.org/CA4bR2b8.pgn?clocks=1#3": "lichess.org/CA4bR2b8",
    "https://play.chessclub.com/game/5ab1": "chessclub.com/5ab1",
    "http://www.playok.com/p/?g=ch598795221#31": "playok.com/ch598795221",
    "https://PLAYOK.com/p/?g=go21809017.txt": "playok.com/go21809017",
    "https://ficgs.com/game_1234.html": "ficgs.com/1234",
    "https://chess.org/play/19a8ffe8-b543-4a41-be02-e84e0f4d6f3a": (
        "chess.org/19a8ffe8-b543-4a41-be02-e84e0f4d6f3a"
    ),
    "https://www.ficsgames.org/cgi-bin/show.cgi?ID=4518;action=save": "ficsgames.org/4518",
    "https://www.iccf.COM/game?id=154976&param=foobar": "iccf.com/154976",
    "https://gameknot.com/analyze-board.pl?bd=22792465#tag": "gameknot.com/22792465",
    "https://online-go.com/game/123456": "online-go.com/123456",
    "OGS: https://online-go.com/game/123456/7": "online-go.com/123456",
    "https://online-go.com/api/v1/games/123456/sgf": "online-go.com/123456",
    "http://files.gokgs.com/games/2015/5/3/aa-bb-2.sgf": "gokgs.com/2015/5/3/aa-bb-2",
    "http://h5.foxwq.com/txwqshare/index.html?chessid=167691&boardsize=19": "foxwq.com/167691",
    "https://h5.foxwq.com/yehunewshare/?uid=1&chessid=167691": "foxwq.com/167691",
    "https://h5.txwq.qq.com/txwqshare/index.html?chessid=167691": "foxwq.com/167691",
    "http://wars.fm/go9?gameId=r0jo2gocc27f#game/r0jo2gocc27f": "wars.fm/r0jo2gocc27f",
    "http://wars.fm/go9#/game/r0jo2gocc27f": "wars.fm/r0jo2gocc27f",
    "https://www.dragongoserver.net/sgf.php?gid=1347414&arg": "dragongoserver.net/1347414",
}  # fmt: skip
SHOWN_THERE = {
    "https://chess24.com/en/game/DQhOOrJaQKS31LOiOmrqPg#anchor": (
        "chess24.com/DQhOOrJaQKS31LOiOmrqPg"
    ),
    "http://www.chessgames.com/perl/chessgame?gid=1075462&comp=1": "chessgames.com/1075462",
    "https://www.365chess.com/game.php?gid=4230834&p=0": "365chess.com/4230834",
    "https://chesstempo.com/gamedb/game/2046457/foo/bar/123": "chesstempo.com/2046457",
    "http://www.chessgames.com/perl/chessgame?comp=1&gid=1075462": "chessgames.com/1075462",
    "https://chess24.com/en/watch/live-tournaments/wijk-2020/1/1/1": (
        "chess24.com/live/wijk-2020/1/1/1"
    ),
    "https://lichess.org/study/76AirB4Y/C1NcczQl.pgn#32": "lichess.org/chapter/C1NcczQl",
    "https://lichess.org/broadcast/an-open/round-1/jQ1dbbX9/C1NcczQl": (
        "lichess.org/chapter/C1NcczQl"
    ),
    "https://s2.chess-results.com/PartieSuche.aspx?lan=2&art=36&id=5557262-1": (
        "chess-results.com/5557262-1"
    ),
    "http://service.tygem.com/service/gibo2/?seq=26978": "tygem.com/26978",
    "https://www.foxwq.com/qipu/newlist/id/2019.html": "foxwq.com/qipu/2019",
    "https://www.cyberoro.com/gibo_new/giboviewer/giboviewer.asp?gibonum=371&a=1": (
        "cyberoro.com/371"
    ),
}  # fmt: skip


@pytest.mark.parametrize("text", PLAYED_THERE)
def test_a_game_played_there_has_one_address(text: str) -> None:
    assert address_of(text) == GameAddress(PLAYED_THERE[text], True)


@pytest.mark.parametrize("text", SHOWN_THERE)
def test_a_site_that_shows_games_of_others_may_have_one_twice(text: str) -> None:
    assert address_of(text) == GameAddress(SHOWN_THERE[text], False)


@pytest.mark.parametrize(
    "text",
    [
        "", "?", "London", "Chess.com", "https://lichess.org", "https://lichess.org/",
        "https://lichess.org/blog", "https://lichess.org/analysis", "https://lichess.org/training",
        "https://lichess.org/training/daily", "https://lichess.org/@/thibault",
        "https://lichess.org/tournament/itNsomLI", "https://lichess.org/swiss/itNsomLI",
        "https://lichess.org/simul/itNsomLI", "https://lichess.org/study/76AirB4Y",
        "https://lichess.org/broadcast/2019-gct-zagreb-round-4/jQ1dbbX9",
        "https://lichess.org/broadcast/some-open/round-1/jQ1dbbX9",
        "https://www.chess.com", "https://www.chess.com/puzzles/problem/41839",
        "https://www.chess.com/tournament/live/titled-tuesday-1",
        "https://www.chess.com/events/2024-candidates/01/a-b",
        "https://www.chess.com/analysis/game/pgn/2MAF42tFxz/analysis",
        "https://chess24.com/en/watch/live-tournaments/wijk-2020", "St.Petersburg/RUS",
        "The KGS Go Server at http://www.gokgs.com/", "https://www.chess.com/17", "a" * 9000 + "/",
        "https://chess-results.com/PartieSuche.aspx?lan=3&id=50023&tnr=1&art=3",
        "https://lichess.org/CA4bR2b8 is like https://lichess.org/CA4bR2b9",
        "https://tcec-chess.com", "https://lichess.org.example.net/CA4bR2b8",
        "Rated Blitz tournament https://lichess.org/tournament/itNsomLI",
    ],
)  # fmt: skip
def test_other_pages_are_no_addresses_of_games(text: str) -> None:
    assert address_of(text) is None


def test_tags_that_hold_addresses() -> None:
    live = {"Link": "https://www.chess.com/live/game/3638784952"}
    assert address_in_tags(live, "Chess.com", 1) == GameAddress("chess.com/3638784952", True)
    fics = {"FICSGamesDBGameNo": "347574120"}
    assert address_in_tags(fics, "FICS freechess.org", 1) == GameAddress(
        "ficsgames.org/347574120", True
    )
    for none in ({}, {"Link": "https://lichess.org"}, {"FICSGamesDBGameNo": "0"}, {"GameId": " "}):
        assert address_in_tags(none, "Chess.com", 1) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[%link https://lichess.org/CA4bR2b8]", "lichess.org/CA4bR2b8"),
        ("[%clk 0:03:00] [%url www.chess.com/game/live/17 ] a comment", "chess.com/17"),
        ("https://online-go.com/game/17", "online-go.com/17"),
        ("Game on OGS: https://online-go.com/game/17", "online-go.com/17"),
        ("as in https://lichess.org/CA4bR2b8 from 2019", None),  # of another game
        ("[%eval 0.3] [%clk 0:03:00]", None),
    ],
)
def test_an_address_in_a_comment(text: str, expected: str | None) -> None:
    address = address_in_comment(text)
    assert (address and address.text) == expected


def test_a_game_id_counts_with_its_site_or_source() -> None:
    number = {"GameId": "CA4bR2b8"}
    lichess = GameAddress("lichess.org/CA4bR2b8", True)
    for site in ("https://lichess.org", "lichess.org", "https://lichess.org/"):
        assert address_in_tags(number, site, 1) == lichess
    for site in ("London", "?", "", "https://lichess.org/study/76AirB4Y/C1NcczQl"):
        assert address_in_tags(number, site, 7) == GameAddress("source 7/CA4bR2b8", False)
        assert address_in_tags(number, site, None) is None
    long = address_in_tags({"GameId": "2166990815494144"}, "lichess.org", 1)
    assert long == GameAddress("lichess.org#2166990815494144", False)
    assert long != address_in_tags({"GameId": "2166990815494144"}, "Chess.com", 1)


@pytest.mark.parametrize(
    ("site", "event"),
    [
        ("Chess.com", "Live Chess"), ("chess.com INT", "Titled Tuesday"), ("lichess.org INT", ""),
        ("https://lichess.org", ""), ("https://lichess.org/CA4bR2b8", ""), ("ICC INT", ""),
        ("FICS freechess.org", ""), ("Internet Chess Club", ""), ("playchess.com INT", ""),
        ("?", "Rated Blitz game"), ("?", "Rated Rapid tournament https://lichess.org/tournament/x"),
        ("?", "FICS rated blitz game"),
    ],
)  # fmt: skip
def test_sites_and_events_of_games_played_on_the_web(site: str, event: str) -> None:
    assert is_played_online(site, event)


@pytest.mark.parametrize(
    ("site", "event"),
    [
        ("London", "Chess.com Isle of Man"), ("Riga", "FIDE Chess.com Grand Swiss"), ("", ""),
        ("https://lichess.org/broadcast/a/b/jQ1dbbX9", ""), ("Spa", "Rated rapid tournament"),
        ("https://lichess.org/study/76AirB4Y/C1NcczQl", ""), ("https://www.iccf.com/game?id=1", ""),
        ("https://www.chessgames.com/perl/chessgame?gid=1075462", "Wch"), ("ChessDoctor.com", ""),
    ],
)  # fmt: skip
def test_sites_and_events_of_other_games(site: str, event: str) -> None:
    assert not is_played_online(site, event)


def test_players_of_iccf_have_names() -> None:
    assert not has_nicknames(GameAddress("iccf.com/1", True))
    assert has_nicknames(GameAddress("lichess.org/CA4bR2b8", True))
