# SPDX-License-Identifier: Apache-2.0
"""The reference of Tilefly's conformance kit in Python: tilefly_ref.h by ctypes, for cocotb, notebooks and models.

    from tilefly_ref import Reference

    with Reference("switch.yaml", "forwarding.all-pairs", seed=1) as reference:
        verdict = reference.run(device)
    print(verdict.word, verdict.reason)

`device` has `reset(cycles)` and `step(inputs)`, which takes Inputs and returns Outputs of the same cycle. Who has a clock of
his own, as in cocotb, takes the turns one by one:

    for inputs in reference.turns():
        if inputs is None: ...          # reset the device, its inputs idle, for reference.reset_cycles cycles
        else:
            ...                         # drive inputs, settle
            reference.show(Outputs(in_ready, beats))
            ...                         # the clock edge

A device with Tilefly's links (ports.style: link) shows its outputs first, which are registered: it has `outputs()`, which returns
LinkOutputs of a cycle, and `step(inputs)`, which takes LinkInputs of the same cycle and goes to the next.

Without a test the frames are one's own, before the first turn or amid the run:

    with Reference("switch.yaml") as reference:
        reference.send(0, frame)        # goes in at port 0
        reference.end()                 # no frame comes any more
        verdict = reference.run(device)

The library is libtilefly_ref.so: the argument `library`, the environment variable TILEFLY_REF, or where the loader finds it.
"""
import ctypes
import json
import operator
import os
from dataclasses import dataclass, field
from typing import List, Optional, Tuple

VERSION = 2
_ERROR, _OVER, _CYCLE, _RESET = -1, 0, 1, 2
_WORDS = ("pass", "fail", "undecided")


_LINK_STYLE, _LINK_BYTES, _CFG_BYTES, _RECORD_BYTES = 2, 63, 11, 24
_RECORDS = (("ports", 24), ("turns", 5), ("reds", 3), ("cfu", 4))   # parts of the record in the header's order, bytes of each


class RefError(Exception):
    """A call was wrong, or the reference cannot be made: what, and the remedy."""


class _Beat(ctypes.Structure):
    """tfr_beat."""
    _fields_ = [("data", ctypes.c_uint8 * 64), ("keep", ctypes.c_uint64), ("user", ctypes.c_uint64), ("dest", ctypes.c_uint32),
                ("id", ctypes.c_uint32), ("valid", ctypes.c_uint8), ("last", ctypes.c_uint8), ("reserved", ctypes.c_uint8 * 6)]


@dataclass
class Beat:
    """A beat of AXI-Stream. `data`: the bytes that tkeep keeps, from byte 0 on. No beat, tvalid 0, is None."""
    data: bytes
    last: bool = False
    user: int = 0
    dest: int = 0
    id: int = 0
    keep: Optional[int] = None   #: tkeep, where it is not the first len(data) bytes


@dataclass
class Inputs:
    """What goes into a device in a cycle, by port."""
    beats: List[Optional[Beat]]
    out_ready: List[bool]
    write: Optional[Tuple[bytes, int, int]] = None   #: MAC, port, index of the entry that the table gets


@dataclass
class Outputs:
    """What a device shows in the same cycle, by port."""
    in_ready: List[bool]
    beats: List[Optional[Beat]]
    drops: Optional[int] = None   #: its counter, of a device with flow.drops


@dataclass
class LinkInputs:
    """What goes into a device with Tilefly's links in a cycle, packed (docs/reference/wire.md): bit i is bit i % 8 of byte i / 8."""
    links: List[bytes]    #: 63 bytes a port
    link_up: List[bool]
    cfg: bytes            #: register bus, 11 bytes


@dataclass
class LinkOutputs:
    """What it shows in the same cycle, packed; it does not depend on what goes in. The record is of level observed."""
    links: List[bytes]               #: 63 bytes a port
    ports: Optional[List[bytes]] = None   #: portobs, 24 bytes a port
    turns: Optional[List[bytes]] = None   #: turnobs, 5 bytes a turn tile
    reds: Optional[List[bytes]] = None    #: red_obs, 3 bytes a port
    cfu: Optional[bytes] = None           #: cfu_obs, 4 bytes


@dataclass
class Verdict:
    word: str      #: "pass", "fail", "undecided"
    reason: str    #: "" of a pass
    result: dict = field(repr=False)   #: the fields of a certificate's test

    def __bool__(self):
        return self.word == "pass"


def _bytes(what, value, length=None):
    """A value that holds bytes; `length`: as many as it must have."""
    try:
        view = memoryview(value)
    except TypeError:
        raise RefError(f"{what}: bytes were expected, not {type(value).__name__}") from None
    data = view.tobytes() if view.itemsize == 1 else None
    if data is None:
        raise RefError(f"{what}: bytes were expected, not items of {view.itemsize} bytes")
    if length is not None and len(data) != length:
        raise RefError(f"{what}: {length} bytes were expected, not {len(data)}")
    return data


def _whole(what, value, bits):
    """A whole number that a C argument of so many bits, without sign, holds; a negative one would come out as another."""
    try:
        number = operator.index(value)
    except TypeError:
        raise RefError(f"{what}: a whole number was expected, not {value!r}") from None
    if not 0 <= number < 1 << bits:
        raise RefError(f"{what}: {number} is not between 0 and {(1 << bits) - 1}")
    return number


_POINTER, _TEXT, _INT, _UNSIGNED, _COUNT = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_uint32, ctypes.c_ulonglong
_BITS = {_UNSIGNED: 32, _COUNT: 64}   # of arguments that are numbers without sign
_SIGNATURES = {
    "tfr_version": (_UNSIGNED,),
    "tfr_create": (_POINTER, _UNSIGNED, _TEXT, _TEXT, _COUNT),
    "tfr_destroy": (None, _POINTER),
    "tfr_style": (_INT, _POINTER),
    "tfr_ports": (_INT, _POINTER),
    "tfr_tiles": (_INT, _POINTER),
    "tfr_beat_bytes": (_INT, _POINTER),
    "tfr_reset_cycles": (_INT, _POINTER),
    "tfr_send": (_INT, _POINTER, _UNSIGNED, ctypes.POINTER(_Beat)),
    "tfr_write_table": (_INT, _POINTER, _COUNT, _UNSIGNED, _UNSIGNED),
    "tfr_configure": (_INT, _POINTER, _TEXT, ctypes.c_double),
    "tfr_end": (_INT, _POINTER),
    "tfr_mask": (_INT, _POINTER, _TEXT, _INT),
    "tfr_next": (_INT, _POINTER),
    "tfr_show_link": (_INT, _POINTER, _UNSIGNED, _TEXT),
    "tfr_show_record": (_INT, _POINTER, _INT, _UNSIGNED, _TEXT),
    "tfr_drive_link": (_INT, _POINTER, _UNSIGNED, _POINTER),
    "tfr_drive_cfg": (_INT, _POINTER, _POINTER),
    "tfr_link_up": (_INT, _POINTER, _UNSIGNED),
    "tfr_drive": (_INT, _POINTER, _UNSIGNED, ctypes.POINTER(_Beat)),
    "tfr_ready": (_INT, _POINTER, _UNSIGNED),
    "tfr_table_write": (_INT, _POINTER, ctypes.POINTER(_COUNT), ctypes.POINTER(_UNSIGNED), ctypes.POINTER(_UNSIGNED)),
    "tfr_show": (_INT, _POINTER, _UNSIGNED, _INT, ctypes.POINTER(_Beat)),
    "tfr_show_drops": (_INT, _POINTER, _COUNT),
    "tfr_show_unknown": (_INT, _POINTER, _UNSIGNED, _TEXT),
    "tfr_expect": (_INT, _POINTER, _UNSIGNED, _UNSIGNED, _UNSIGNED, ctypes.POINTER(_Beat)),
    "tfr_counter": (_INT, _POINTER, _UNSIGNED, _TEXT, ctypes.POINTER(_COUNT)),
    "tfr_observe": (_TEXT, _POINTER, _UNSIGNED),
    "tfr_drained": (_INT, _POINTER),
    "tfr_figure": (_INT, _POINTER, _TEXT, ctypes.POINTER(ctypes.c_double)),
    "tfr_finish": (_INT, _POINTER),
    "tfr_message": (_TEXT, _POINTER),
    "tfr_result": (_TEXT, _POINTER),
}


def _load(path):
    name = str(path or os.environ.get("TILEFLY_REF") or "libtilefly_ref.so")
    try:
        library = ctypes.CDLL(name)
    except OSError as error:
        raise RefError(f"{name} cannot be loaded ({error}); name libtilefly_ref.so by `library` or TILEFLY_REF") from None
    for function, (result, *arguments) in _SIGNATURES.items():
        call = getattr(library, function)
        call.restype, call.argtypes = result, arguments
    return library


class Reference:
    """A test of `tilefly conform list` with a seed, of the device that the capability file describes; without a test, one's own
    frames."""

    def __init__(self, capability, test="", seed=1, library=None):
        self._handle = None
        self._library = _load(library)
        if not isinstance(test, str):
            raise RefError(f"test: the id of a test was expected, not {test!r}")
        self._handle = self._library.tfr_create(VERSION, os.fsencode(capability), test.encode(), _whole("seed", seed, 64))
        self.ports = self._call("tfr_ports")
        self.has_links = self._call("tfr_style") == _LINK_STYLE
        self.tiles = self._call("tfr_tiles") if self.has_links else None       #: turn tiles of the profile
        self.beat_bytes = None if self.has_links else self._call("tfr_beat_bytes")
        self.reset_cycles = self._call("tfr_reset_cycles")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """The reference is gone; nothing is called any more."""
        if self._handle is not None:
            self._library.tfr_destroy(self._handle)
            self._handle = None

    def send(self, port, frame, user=0, dest=0, id=0):
        """A frame that goes in at `port`, as soon as those before it have; `user`: tuser of its last beat, 0 or the bad bit."""
        frame = _bytes("frame", frame)
        if not frame:
            raise RefError("a frame has a byte at least")
        for at in range(0, len(frame), self.beat_bytes):
            last = at + self.beat_bytes >= len(frame)
            beat = Beat(frame[at:at + self.beat_bytes], last, user if last else 0, dest, id)
            self._call("tfr_send", port, ctypes.byref(self._pack(beat)))

    def write_table(self, mac, port, index):
        """Entry `index` of the device's table, behind the frames that were sent: the MAC, 6 bytes, is at `port`."""
        self._call("tfr_write_table", int.from_bytes(_bytes("mac", mac, 6), "big"), port, index)

    def configure(self, name, value):
        """"load", "gaps.share", "gaps.most", "stalls.share", "stalls.most", "stopped" from the next cycle on."""
        self._call("tfr_configure", name.encode(), value)

    def end(self):
        """No frame is sent any more."""
        self._call("tfr_end")

    def mask(self, rule="", port=-1):
        """Before the first turn: leaves a rule out, at one output or all, or an output."""
        self._call("tfr_mask", rule.encode(), port)

    def run(self, device):
        """Drives `device` to the end of the test, and returns the Verdict."""
        for inputs in self.turns():
            if inputs is None:
                device.reset(self.reset_cycles)
            elif self.has_links:
                self.show_links(device.outputs())
                device.step(self.link_inputs())
            else:
                self.show(device.step(inputs))
        return self.finish()

    def turns(self):
        """Inputs of each cycle, which is shown before the next one; None: the device is to be reset. Of a device with links, the
        number of the cycle: it is shown by show_links, then link_inputs says what goes in."""
        cycle = -1
        while True:
            turn = self._call("tfr_next")
            if turn == _OVER:
                return
            cycle = cycle + 1 if turn == _CYCLE else -1
            yield None if turn == _RESET else cycle if self.has_links else self._inputs()

    def show(self, outputs):
        """What the device shows in the cycle."""
        if len(outputs.in_ready) != self.ports or len(outputs.beats) != self.ports:
            raise RefError(f"outputs of {len(outputs.in_ready)} and {len(outputs.beats)} ports; the device has {self.ports}")
        for port, (ready, beat) in enumerate(zip(outputs.in_ready, outputs.beats)):
            self._call("tfr_show", port, int(ready), ctypes.byref(self._pack(beat)))
        if outputs.drops is not None:
            self._call("tfr_show_drops", outputs.drops)

    def show_links(self, outputs):
        """What a device with links shows in the cycle."""
        for port, link in enumerate(outputs.links):
            self._call("tfr_show_link", port, _bytes(f"link {port}", link, _LINK_BYTES).ljust(_LINK_BYTES + 1, b"\0"))
        records = (outputs.ports, outputs.turns, outputs.reds, None if outputs.cfu is None else [outputs.cfu])
        for part, (name, size) in enumerate(_RECORDS):
            for index, record in enumerate(records[part] or ()):
                self._call("tfr_show_record", part, index, _bytes(f"{name}[{index}]", record, size).ljust(_RECORD_BYTES, b"\0"))

    def link_inputs(self):
        """What goes into a device with links in the cycle that was shown."""
        links, up = [], []
        for port in range(self.ports):
            link = ctypes.create_string_buffer(_LINK_BYTES + 1)
            self._call("tfr_drive_link", port, link)
            links.append(link.raw[:_LINK_BYTES])
            up.append(self._call("tfr_link_up", port) == 1)
        cfg = ctypes.create_string_buffer(_CFG_BYTES + 1)
        self._call("tfr_drive_cfg", cfg)
        return LinkInputs(links, up, cfg.raw[:_CFG_BYTES])

    def expect(self, port, input):
        """The frame that has to come out at `port` next, of those that came in at `input`; None: none is due."""
        frame, raw = b"", _Beat()
        while self._call("tfr_expect", port, input, -(-len(frame) // self.beat_bytes), ctypes.byref(raw)):
            frame += self._unpack(raw).data
            if raw.last:
                break
        return frame or None

    def counter(self, port, name):
        """"frames_in", "bytes_in", "frames_out", "bytes_out", "dropped", "lost", "due" at `port`, as it stands."""
        value = _COUNT()
        self._call("tfr_counter", port, name.encode(), ctypes.byref(value))
        return value.value

    def observe(self, port):
        """The latest frame in and out at `port`, as a dictionary."""
        text = self._library.tfr_observe(self._handle, port) if self._handle is not None else b""
        if not text:
            raise RefError(self._library.tfr_message(self._handle).decode(errors="replace"))
        return json.loads(text)

    def drained(self):
        """Nothing is in the device, as far as is known."""
        return self._call("tfr_drained") == 1

    def figure(self, name):
        """"cycles", "frames/delivered", "measured", ... as it stands; None: it was not measured."""
        value = ctypes.c_double()
        return value.value if self._call("tfr_figure", name.encode(), ctypes.byref(value)) else None

    def finish(self):
        """Ends the test."""
        word = _WORDS[self._call("tfr_finish")]
        reason = self._library.tfr_message(self._handle).decode(errors="replace")
        return Verdict(word, reason, json.loads(self._library.tfr_result(self._handle)))

    def _call(self, function, *arguments):
        if self._handle is None:
            raise RefError("the reference is closed")
        call = getattr(self._library, function)
        for at, kind in enumerate(call.argtypes[1:len(arguments) + 1]):
            if kind in _BITS:
                _whole(f"{function}, argument {at + 1}", arguments[at], _BITS[kind])
        answer = call(self._handle, *arguments)
        if answer == _ERROR:
            raise RefError(self._library.tfr_message(self._handle).decode(errors="replace"))
        return answer

    def _inputs(self):
        beats, ready = [], []
        raw = _Beat()
        for port in range(self.ports):
            self._call("tfr_drive", port, ctypes.byref(raw))
            beats.append(self._unpack(raw))
            ready.append(self._call("tfr_ready", port) == 1)
        mac, port, index = _COUNT(), _UNSIGNED(), _UNSIGNED()
        if self._call("tfr_table_write", ctypes.byref(mac), ctypes.byref(port), ctypes.byref(index)):
            return Inputs(beats, ready, (mac.value.to_bytes(6, "big"), port.value, index.value))
        return Inputs(beats, ready)

    @staticmethod
    def _unpack(raw):
        if not raw.valid:
            return None
        return Beat(bytes(raw.data[: bin(raw.keep).count("1")]), bool(raw.last), raw.user, raw.dest, raw.id)

    def _pack(self, beat):
        raw = _Beat()
        if beat is None:
            return raw
        data = _bytes("data of a beat", beat.data)
        if len(data) > self.beat_bytes:
            raise RefError(f"a beat of {len(data)} bytes; the ports have {self.beat_bytes}")
        ctypes.memmove(raw.data, data, len(data))
        raw.keep = (1 << len(data)) - 1 if beat.keep is None else _whole("keep", beat.keep, 64)
        raw.user, raw.dest, raw.id = _whole("user", beat.user, 64), _whole("dest", beat.dest, 32), _whole("id", beat.id, 32)
        raw.valid, raw.last = 1, int(beat.last)
        return raw
