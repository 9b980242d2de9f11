"""The rules of matching/header_score.py as numbers."""

from cpython.bytes cimport PyBytes_AS_STRING
from libc.string cimport memcpy

from header_rows cimport MOST_TAG_BYTES, MOST_TAG_POINTS, POINT_COUNT, Rules


cdef inline int take_rules(points, tags, Rules *rules) except -1:
    """Take POINTS and TAG_POINTS; ValueError if there are other ones than the kernel knows."""
    cdef int i
    cdef bytes tag
    if len(points) != POINT_COUNT or len(tags) > MOST_TAG_POINTS:
        raise ValueError(f"{len(points)} points and {len(tags)} tags")
    for i in range(POINT_COUNT):
        rules.points[i] = points[i]
    for i in range(<int>len(tags)):
        tag = tags[i][0].encode()
        if len(tag) > MOST_TAG_BYTES:
            raise ValueError(f"tag {tags[i][0]} is too long")
        memcpy(rules.tags[i].tag, PyBytes_AS_STRING(tag), len(tag))
        rules.tags[i].length = len(tag)
        rules.tags[i].points = tags[i][1]
    rules.tag_count = <int>len(tags)
    return 0
