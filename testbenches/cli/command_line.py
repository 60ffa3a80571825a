# SPDX-License-Identifier: Apache-2.0
"""What the tests of this folder share: the program, its answers, and what is expected of them."""
import csv
import pathlib
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TILEFLY = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release/apps/tilefly").resolve()
CAPTURE = ROOT / "captures/lan24.pcapng"
HANG_SECONDS = 1200     # a command that builds a model takes minutes on a busy machine
failures = []


def run(*arguments, **options):
    return subprocess.run([TILEFLY, *map(str, arguments)], capture_output=True, text=True, timeout=HANG_SECONDS, **options)


def expect(what, holds, said=""):
    print(f"{'ok  ' if holds else 'FAIL'} {what}", flush=True)
    if not holds:
        failures.append(what)
        print("     " + str(said).strip().replace("\n", "\n     ")[-1500:])


def refused(what, arguments, *words, code=2):
    """The command ends with `code` and says all the words."""
    result = run(*arguments)
    said = result.stdout + result.stderr
    expect(what, result.returncode == code and all(word in said for word in words), f"exit {result.returncode}: {said}")


def ethernet(source, size):
    """A frame without FCS between the hosts 1 and 2."""
    return bytes((2, 0x11, 0, 0, 0, 3 - source, 2, 0x11, 0, 0, 0, source, 0x88, 0xb5)) + bytes(size - 14)


def pcap(path, frames, link_type=1, snap=65535, times=None):
    """A pcap file, a frame every 10 us or at these times in us."""
    records = (struct.pack("<4I", *divmod(time, 10**6), len(frame[:snap]), len(frame)) + frame[:snap]
               for time, frame in zip(times or range(0, 10 * len(frames), 10), frames))
    path.write_bytes(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, snap, link_type) + b"".join(records))
    return path


def rows(path):
    return list(csv.DictReader(path.open()))


def wait_until(holds, seconds=60):
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.05)
    return holds()


def run_checks(*checks):
    """Each check, in one temporary folder. Ends the program."""
    with tempfile.TemporaryDirectory() as folder:
        for check in checks:
            check(pathlib.Path(folder))
    print(f"{len(failures)} failed")
    sys.exit(1 if failures else 0)
