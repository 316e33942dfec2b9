"""The tables of a study file."""

from __future__ import annotations

__all__ = ["APPLICATION", "NEW_COLUMNS", "RESOURCES", "SCHEMA", "VERSION"]

APPLICATION = 0x66616972  # "fair", in SQLite's application_id
VERSION = 3

RESOURCES = ("fit_time", "fit_cpu", "predict_time", "predict_cpu", "peak_memory", "model_size")

NEW_COLUMNS = {  # by the version that brought them: (table, column, declaration)
    2: (
        ("trial", "attempts", "INTEGER NOT NULL DEFAULT 0"),
        ("trial", "begun", "REAL"),
        ("trial", "n_train", "INTEGER"),
        ("trial", "details", "TEXT"),
    ),
    3: (("session", "checks", "INTEGER"),),
}

SCHEMA = """
CREATE TABLE study (
    revision INTEGER PRIMARY KEY,
    created TEXT NOT NULL,
    digest BLOB NOT NULL,
    definition TEXT NOT NULL                -- JSON: question, methods, resampling, measures, policy…
);
CREATE TABLE session (
    id INTEGER PRIMARY KEY,
    started TEXT NOT NULL,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    command TEXT NOT NULL,
    versions TEXT NOT NULL,                 -- JSON
    checks INTEGER                          -- 1: predictions were checked before they were stored; NULL: they were not
);
CREATE TABLE dataset (
    id INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    facts TEXT NOT NULL,                    -- JSON: task, classes, positive, n, p, source…
    dtype TEXT NOT NULL, shape TEXT NOT NULL, truth BLOB NOT NULL
);
CREATE TABLE method (
    id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    name TEXT NOT NULL,
    canonical TEXT NOT NULL                 -- JSON
);
CREATE TABLE split (
    id INTEGER PRIMARY KEY,
    dataset INTEGER NOT NULL REFERENCES dataset,
    digest BLOB NOT NULL,
    repeat INTEGER NOT NULL, fold INTEGER NOT NULL,
    n_train INTEGER NOT NULL, n_test INTEGER NOT NULL,
    test BLOB NOT NULL,                     -- zlib of little-endian int32
    train BLOB,                             -- NULL: all that is not tested
    UNIQUE (dataset, digest, repeat, fold)
);
CREATE TABLE trial (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL UNIQUE,
    revision INTEGER NOT NULL,              -- the last revision of the study that wants it
    position INTEGER NOT NULL,              -- its place in the run's order
    dataset INTEGER NOT NULL REFERENCES dataset,
    method INTEGER NOT NULL REFERENCES method,
    levels TEXT NOT NULL,                   -- JSON: factor levels
    split INTEGER NOT NULL REFERENCES split,
    replicate INTEGER NOT NULL,
    status TEXT NOT NULL DEFAULT 'waiting', -- waiting, ok, failed
    error TEXT, warnings TEXT, output TEXT,
    fit_time REAL, fit_cpu REAL, predict_time REAL, predict_cpu REAL, peak_memory REAL, model_size REAL,
    session INTEGER REFERENCES session,
    attempts INTEGER NOT NULL DEFAULT 0,    -- how often it was run
    begun REAL,                             -- when it began, seconds since 1970: the order that really was
    n_train INTEGER,                        -- rows learned from; NULL: all of the split's
    details TEXT                            -- JSON: what the method tells of itself, such as tuned parameters
);
CREATE TABLE array (
    trial INTEGER NOT NULL REFERENCES trial,
    channel TEXT NOT NULL,
    dtype TEXT NOT NULL,                    -- numpy's, such as "<f8": data are zlib; "raw <f8": not compressed
    shape TEXT NOT NULL,                    -- "15,3"
    data BLOB NOT NULL,
    PRIMARY KEY (trial, channel)
);
CREATE TABLE verdict (
    id INTEGER PRIMARY KEY,
    made TEXT NOT NULL,
    trials INTEGER NOT NULL,                -- how many were done when it was made
    question TEXT NOT NULL,                 -- JSON
    sentence TEXT NOT NULL
);
"""
