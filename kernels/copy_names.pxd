"""Names of players, events and sites for the search for copies, from rows of (ID, text, ...)."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport int64_t, uint8_t

from copy_game cimport EventText, Games, reserve
from copy_text cimport read_event
from player_name cimport ParsedName, parse_name


cdef inline int load_names(Games *all, rows, fold) except -1:
    """Enter players by rising ID; `fold` brings a name that is not ASCII to ASCII."""
    cdef size_t room = all.name_room
    cdef bytes raw
    for row in rows:
        name = row[1]
        if not name.isascii():
            name = fold(name)
        raw = name.encode()
        if not (
            reserve(<void **>&all.name_ids, &room, all.name_count + 1, sizeof(int64_t))
            and reserve(
                <void **>&all.names, &all.name_room, all.name_count + 1, sizeof(ParsedName)
            )
        ):
            raise MemoryError("no memory for the names of players")
        all.name_ids[all.name_count] = row[0]
        parse_name(
            <const uint8_t *>PyBytes_AS_STRING(raw), PyBytes_GET_SIZE(raw),
            &all.names[all.name_count],
        )
        all.name_count += 1
    return 0


cdef inline int load_texts(
    rows, int64_t **ids, EventText **texts, size_t *count, size_t *room
) except -1:
    """Enter events or sites by rising ID."""
    cdef size_t id_room = room[0]
    cdef bytes raw
    for row in rows:
        raw = row[1].encode()
        if not (
            reserve(<void **>ids, &id_room, count[0] + 1, sizeof(int64_t))
            and reserve(<void **>texts, room, count[0] + 1, sizeof(EventText))
        ):
            raise MemoryError("no memory for events and sites")
        ids[0][count[0]] = row[0]
        read_event(
            <const uint8_t *>PyBytes_AS_STRING(raw), PyBytes_GET_SIZE(raw), &texts[0][count[0]]
        )
        count[0] += 1
    return 0
