# SPDX-License-Identifier: Apache-2.0
"""Samples that the commit's hash draws: the same ones in each run of a commit, in the course of time all."""
import hashlib
import subprocess

from .plan import ROOT


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
