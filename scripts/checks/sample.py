# SPDX-License-Identifier: Apache-2.0
"""Samples that the commit's hash draws: the same ones in each run of a commit, in the course of time all."""
import hashlib
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def commit():
    """Hash of the commit; empty outside of a repository."""
    return subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()


def seed():
    """A number of 24 bits from the commit's hash."""
    return int(hashlib.sha256(commit().encode()).hexdigest()[:6], 16)


def shuffled(things, name, key=None):
    """`things` in the order that `key`, by default the commit's hash, gives to their names `name(thing)`."""
    key = commit() if key is None else key
    return sorted(things, key=lambda thing: hashlib.sha256((key + name(thing)).encode()).digest())


def share(names, one_of, key=None):
    """One of `one_of` of the names, at least one, in their order; `key` as of `shuffled`."""
    chosen = set(shuffled(names, str, key)[:-(-len(names) // one_of)])
    return [name for name in names if name in chosen]
