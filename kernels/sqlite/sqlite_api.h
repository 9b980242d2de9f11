/* The part of SQLite's interface for loadable extensions that the kernels use.

   A loadable extension gets the functions of the very library that its connection runs on. A
   Python module cannot link to that library: apsw contains an SQLite without exported names.
   SQLite only ever appends to its struct sqlite3_api_routines ("new methods must be appended, in
   order that old extensions go on working", sqlite3ext.h), so the offsets below are as stable as
   SQLite's file format. So this file declares the few members that the kernels use, instead of
   vendoring the 14,000 lines of sqlite3.h and sqlite3ext.h. ocg_check_sqlite() tests them at run
   time; tests/kernels/test_sqlite_api.py compares them with sqlite3ext.h where that is
   installed. */
#ifndef OCG_SQLITE_API_H
#define OCG_SQLITE_API_H
#include "compiler.h"
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef struct sqlite3_mutex sqlite3_mutex;
typedef struct sqlite3_value sqlite3_value;
typedef struct sqlite3_context sqlite3_context;
typedef void (*ocg_row_function)(sqlite3_context *, int, sqlite3_value **);
typedef void (*ocg_destructor)(void *);

enum {
    OCG_SQLITE_OK = 0,
    OCG_SQLITE_NOMEM = 7,
    OCG_SQLITE_ROW = 100,
    OCG_SQLITE_DONE = 101,
    OCG_SQLITE_OLDEST = 3046000,   /* minimum, as for apsw in pyproject.toml */
    OCG_SQLITE_DIRECT_UTF8 = 0x80001    /* of a function: not in a schema, takes UTF-8 */
};
#define OCG_STATIC ((ocg_destructor)0)        /* the bytes outlive the binding */
#define OCG_TRANSIENT ((ocg_destructor)-1)    /* SQLite takes a copy */

/* unused_N stands for the members from N to the next name; all members are pointers. */
typedef struct ocg_sqlite_api {
    void *unused_0[2];
    int (*bind_blob)(sqlite3_stmt *, int, const void *, int, ocg_destructor);          /* 2 */
    int (*bind_double)(sqlite3_stmt *, int, double);                                   /* 3 */
    void *unused_4[1];
    int (*bind_int64)(sqlite3_stmt *, int, int64_t);                                   /* 5 */
    int (*bind_null)(sqlite3_stmt *, int);
    int (*bind_parameter_count)(sqlite3_stmt *);                                       /* 7 */
    void *unused_8[2];
    int (*bind_text)(sqlite3_stmt *, int, const char *, int, ocg_destructor);          /* 10 */
    void *unused_11[1];
    int (*bind_value)(sqlite3_stmt *, int, const sqlite3_value *);                     /* 12 */
    void *unused_13[6];
    const void *(*column_blob)(sqlite3_stmt *, int);                                   /* 19 */
    int (*column_bytes)(sqlite3_stmt *, int);                                          /* 20 */
    void *unused_21[1];
    int (*column_count)(sqlite3_stmt *);                                               /* 22 */
    void *unused_23[4];
    double (*column_double)(sqlite3_stmt *, int);                                      /* 27 */
    void *unused_28[1];
    int64_t (*column_int64)(sqlite3_stmt *, int);                                      /* 29 */
    void *unused_30[6];
    const unsigned char *(*column_text)(sqlite3_stmt *, int);                          /* 36 */
    void *unused_37[1];
    int (*column_type)(sqlite3_stmt *, int);                                           /* 38 */
    sqlite3_value *(*column_value)(sqlite3_stmt *, int);                               /* 39 */
    void *unused_40[5];
    int (*create_function)(
        sqlite3 *, const char *, int, int, void *, ocg_row_function, ocg_row_function,
        void (*)(sqlite3_context *));                                                  /* 45 */
    void *unused_46[7];
    const char *(*errmsg)(sqlite3 *);                                                  /* 53 */
    void *unused_54[3];
    int (*finalize)(sqlite3_stmt *);                                                   /* 57 */
    void *unused_58[9];
    int (*libversion_number)(void);                                                    /* 67 */
    void *unused_68[9];
    int (*reset)(sqlite3_stmt *);                                                      /* 77 */
    void *unused_78[16];
    int (*step)(sqlite3_stmt *);                                                       /* 94 */
    void *unused_95[7];
    const void *(*value_blob)(sqlite3_value *);                                        /* 102 */
    int (*value_bytes)(sqlite3_value *);                                               /* 103 */
    void *unused_104[3];
    int64_t (*value_int64)(sqlite3_value *);                                           /* 107 */
    void *unused_108[5];
    int (*value_type)(sqlite3_value *);                                                /* 113 */
    void *unused_114[2];
    int (*prepare_v2)(sqlite3 *, const char *, int, sqlite3_stmt **, const char **);   /* 116 */
    void *unused_117[1];
    int (*clear_bindings)(sqlite3_stmt *);                                             /* 118 */
    void *unused_119[12];
    void (*mutex_enter)(sqlite3_mutex *);                                              /* 131 */
    void *unused_132[1];
    void (*mutex_leave)(sqlite3_mutex *);                                              /* 133 */
    void *unused_134[30];
    sqlite3_mutex *(*db_mutex)(sqlite3 *);                                             /* 164 */
    void *unused_165[1];
    int (*extended_errcode)(sqlite3 *);                                                /* 166 */
    void *unused_167[52];
    int (*bind_pointer)(sqlite3_stmt *, int, void *, const char *, ocg_destructor);    /* 219 */
    void *unused_220[1];
    void *(*value_pointer)(sqlite3_value *, const char *);                             /* 221 */
} ocg_sqlite_api;

/* SQLite's functions after ocg_check_sqlite(), the same for all connections of apsw: SQLite calls an
   SQL function without them. */
static const ocg_sqlite_api *ocg_sqlite;

/* Return what a statement's owner has bound to it for an SQL function, NULL if nothing of a type. */
static inline void *ocg_bound_pointer(sqlite3_value *value, const char *type) {
    return ocg_sqlite->value_pointer(value, type);
}

/* Arguments of the last load in this thread; see ocg_take_sqlite(). SQLite calls the entry point
   with them and nothing else, and apsw has no other way to its SQLite's functions. */
static OCG_THREAD_LOCAL sqlite3 *ocg_loaded_db;
static OCG_THREAD_LOCAL const ocg_sqlite_api *ocg_loaded_api;

/* The entry point that SQLite calls, in the thread that loads the extension. */
OCG_EXPORTED
int ocgdedup_rows_init(sqlite3 *db, char **message, const ocg_sqlite_api *api) {
    (void)message;
    ocg_loaded_db = db;
    ocg_loaded_api = api;
    return OCG_SQLITE_OK;
}

/* Return the functions of a connection's SQLite, NULL if the last load was not for it. */
static const ocg_sqlite_api *ocg_take_sqlite(const sqlite3 *db) {
    const ocg_sqlite_api *api = ocg_loaded_db == db ? ocg_loaded_api : NULL;
    ocg_loaded_db = NULL;
    ocg_loaded_api = NULL;
    return api;
}

/* Bind, read back, reset, read back: return whether the functions do what their names say. */
static int ocg_sqlite_echoes(const ocg_sqlite_api *api, sqlite3_stmt *s) {
    const int64_t number = INT64_C(0x123456789ABCDEF);
    int right = api->bind_parameter_count(s) == 4
        && api->bind_int64(s, 1, number) == OCG_SQLITE_OK
        && api->bind_text(s, 2, "text?", 4, OCG_STATIC) == OCG_SQLITE_OK
        && api->bind_blob(s, 3, "blob", 4, OCG_TRANSIENT) == OCG_SQLITE_OK
        && api->bind_null(s, 4) == OCG_SQLITE_OK
        && api->step(s) == OCG_SQLITE_ROW
        && api->column_int64(s, 0) == number
        && api->column_type(s, 1) == 3 && api->column_bytes(s, 1) == 4
        && memcmp(api->column_text(s, 1), "text", 4) == 0
        && api->column_type(s, 2) == 4 && api->column_bytes(s, 2) == 4
        && memcmp(api->column_blob(s, 2), "blob", 4) == 0
        && api->column_type(s, 3) == 5
        && api->value_type(api->column_value(s, 0)) == 1
        && api->value_int64(api->column_value(s, 0)) == number
        && api->value_bytes(api->column_value(s, 1)) == 4
        && memcmp(api->value_blob(api->column_value(s, 1)), "text", 4) == 0
        && api->step(s) == OCG_SQLITE_DONE && api->reset(s) == OCG_SQLITE_OK
        && api->bind_double(s, 1, 0.1) == OCG_SQLITE_OK && api->step(s) == OCG_SQLITE_ROW
        && api->column_type(s, 0) == 2 && api->column_double(s, 0) == 0.1
        && api->reset(s) == OCG_SQLITE_OK;
    return right && api->clear_bindings(s) == OCG_SQLITE_OK
        && api->step(s) == OCG_SQLITE_ROW && api->column_type(s, 0) == 5;
}

/* Return the version of SQLite, or 0 if it is too old or its functions are not at the expected
   offsets. The version is checked first: an older SQLite may lack the other functions. */
static int ocg_check_sqlite(const ocg_sqlite_api *api, sqlite3 *db) {
    sqlite3_stmt *statement = NULL;
    int version = api->libversion_number();
    if (version < OCG_SQLITE_OLDEST || version >= 4000000) return 0;
    if (api->prepare_v2(db, "SELECT ?1, ?2, ?3, ?4", -1, &statement, NULL) != OCG_SQLITE_OK
        || !ocg_sqlite_echoes(api, statement)
        || api->extended_errcode(db) != OCG_SQLITE_ROW)
        version = 0;
    if (api->finalize(statement) != OCG_SQLITE_OK) version = 0;
    if (version) ocg_sqlite = api;
    return version;
}

#endif
