# SPDX-License-Identifier: Apache-2.0
"""Binary AIGER files: each property of a model under all properties in the cycles before.

Together, the properties of a large harness can take a solver minutes where each alone takes a second. Alone, a property may not be
inductive. So `guarded` adds one flop, `broken`: some property was false in a cycle before. Each property then says: true, or broken.
All of these hold in every cycle if and only if all properties do, and each may lean on all the others in the cycles before.
"""


def _read(data):
    """Inputs, next states of the flops, outputs and and-gates of a file that has no properties or constraints apart from outputs."""
    header, rest = data.split(b"\n", 1)
    inputs, flops, outputs, gates = (int(word) for word in header.split()[2:6])
    lines = rest.split(b"\n", flops + outputs)
    nexts = [int(line.split()[0]) for line in lines[:flops]]
    outs = [int(line) for line in lines[flops:flops + outputs]]
    coded, position = lines[-1], 0

    def number():
        nonlocal position
        value = shift = 0
        while True:
            byte = coded[position]
            position += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    pairs = []
    for gate in range(gates):
        first = 2 * (inputs + flops + 1 + gate) - number()
        pairs.append((first, first - number()))
    return inputs, nexts, outs, pairs


def _write(inputs, nexts, outs, pairs):
    flops = len(nexts)
    data = bytearray(f"aig {inputs + flops + len(pairs)} {inputs} {flops} {len(outs)} {len(pairs)}\n".encode())
    data += "".join(f"{literal}\n" for literal in nexts + outs).encode()

    def number(value):
        while value > 127:
            data.append(value & 127 | 128)
            value >>= 7
        data.append(value)

    for gate, pair in enumerate(pairs):
        number(2 * (inputs + flops + 1 + gate) - max(pair))
        number(max(pair) - min(pair))
    return bytes(data)


def guarded(data):
    """The model with the flop `broken`, and the number of its properties; an output is 1 where its property is false."""
    inputs, nexts, outs, pairs = _read(data)
    last = inputs + len(nexts)
    broken = 2 * (last + 1)

    def moved(literal):         # gates come behind the flops, of which there is one more
        return literal + 2 if literal // 2 > last else literal

    pairs = [(moved(first), moved(second)) for first, second in pairs]
    nexts = [moved(literal) for literal in nexts]

    def both(first, second):
        pairs.append((first, second))
        return 2 * (last + 1 + len(pairs))

    good, guards = broken ^ 1, []
    for literal in map(moved, outs):
        guards.append(both(literal, broken ^ 1))
        good = both(good, literal ^ 1)
    return _write(inputs, nexts + [good ^ 1], guards, pairs), len(guards)
