"""Insert the records of SGF blocks as rows of a Go database."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw

from ocgdedup._kernels.go import SgfBlock
from ocgdedup.game_columns import MOVE_KEYS
from ocgdedup.game_kind import GO
from ocgdedup.sgf import rows as sgf_rows
from ocgdedup.sgf.blocks import SgfStream
from ocgdedup.sgf.charsets import can_decode, charset_of
from ocgdedup.sgf.rows import SgfRecord
from ocgdedup.store import games
from ocgdedup.thresholds import NOTE_COMMENT, NOTE_VARIATION

if TYPE_CHECKING:
    from ocgdedup._kernels.chess import (
        BlockOrigin,
        FaultRow,
        NameTables,
        OddValues,
        RejectRow,
        WrittenBlock,
    )


class SgfRowWriter:
    """Inserts the records of one source, with the interface of store.games.RowWriter."""

    def __init__(self, connection: apsw.Connection, source: SgfStream) -> None:
        self._connection = connection
        self._source = source

    def write_block(
        self, block: SgfBlock, tables: NameTables, odd_values: OddValues, origin: BlockOrigin
    ) -> WrittenBlock:
        """Insert games and notes; return their number, faults and rejects."""
        rows = _BlockRows(block, tables, odd_values, origin, self._source.decoded_from)

        def charset(declared: str | None, raw: bytes) -> str:
            usual = self._source.usual_charset
            if not declared and usual is not None and can_decode(raw, usual):
                return usual
            return charset_of(declared, raw)

        for number, record in enumerate(block.records(charset), start=1):
            rows.add(SgfRecord(*record), number)
        games.insert_rows(self._connection, "Games", rows.games)
        games.insert_rows(self._connection, "Comments", rows.comments)
        games.insert_rows(self._connection, "Annotations", rows.annotations)
        return len(rows.games), len(rows.comments), rows.faults, rows.rejects


class _BlockRows:
    """Collects the rows of a block."""

    def __init__(
        self,
        block: SgfBlock,
        tables: NameTables,
        odd_values: OddValues,
        origin: BlockOrigin,
        decoded_from: str | None,
    ) -> None:
        self._decoded_from = decoded_from
        self.games: list[games.Row] = []
        self.comments: list[games.Row] = []
        self.annotations: list[games.Row] = []
        self.faults: list[FaultRow] = []
        self.rejects: list[RejectRow] = []
        self._block = block
        self._tables = tables
        self._odd_values = odd_values
        self._next_id, self._source_id, self._number, self._offset, self._line = origin

    def add(self, record: SgfRecord, number: int) -> None:
        """Add the rows of one record, the `number`-th of the block."""
        number += self._number
        if record.rejection:
            reason = sgf_rows.REJECTION_REASONS[record.rejection]
            text = self._block.raw(record.start_offset, record.end_offset)
            offset, line = self._offset + record.start_offset, self._line_of(record.start_offset)
            self.rejects.append((number, offset, line, reason, text))
            return
        notes = sgf_rows.note_rows(record)
        game_id = self._next_id
        self.games.append(self._game_row(record, number, notes))
        self.comments += [(game_id, *comment) for comment in notes.comments]
        self.annotations += [
            (game_id, ply, position, None, text) for ply, position, text in notes.annotations
        ]
        if record.fault:
            unread = self._block.letters_of(record.fault_offset, record.end_offset, record.charset)
            plies, reason = len(record.moves) // 2, sgf_rows.reason_of_fault(record.fault, unread)
            line = self._line_of(record.fault_offset)
            self.faults.append((game_id, line, plies, reason, unread, number))
        self._next_id += 1

    def _game_row(self, record: SgfRecord, number: int, notes: sgf_rows.NoteRows) -> games.Row:
        root = sgf_rows.root_values(record.properties, self._odd_values.date)
        events, sites, players = self._tables
        *keys, special = record.keys
        roster = (
            root.event, root.site, root.date, root.round, root.white, root.black, root.result,
        )  # fmt: skip
        annotations = [
            *((ply, position, NOTE_COMMENT, text) for ply, text, position in notes.comments),
            *((ply, position, NOTE_VARIATION, text) for ply, position, text in notes.annotations),
        ]
        white, black = players.intern(root.white), players.intern(root.black)
        values = {
            "ID": self._next_id, "EventID": events.intern(root.event),
            "SiteID": sites.intern(root.site), "Date": root.date, "Round": root.round or None,
            "WhiteID": white, "BlackID": black,
            "Result": root.result, "TimeControl": root.time_control or None,
            "PlyCount": len(record.moves) // 2, "FEN": record.start, "Moves2": record.moves,
            "SourceID": self._source_id, "SourceNumber": number,
            "SourceOffset": self._offset + record.start_offset,
            "DateQuality": root.date_quality, "HasComments": int(bool(notes.comments)),
            "HasVariations": int(notes.has_branches), "SpecialMoves": special,
            "Charset": record.charset or self._decoded_from, "ExtraTags": root.tags,
            **dict(zip(MOVE_KEYS, keys, strict=True)),
            "CoreHash": games.core_hash(players.key(white), players.key(black)),
            "GameHash": games.game_hash(record.start, record.moves, roster, annotations, GO),
        }  # fmt: skip
        return games.inserted_row(values)

    def _line_of(self, offset: int) -> int:
        return self._line + self._block.lines_before(offset) + 1
