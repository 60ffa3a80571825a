# SPDX-License-Identifier: Apache-2.0
"""The Ethernet CRC-32 of a 32-byte word as an XOR matrix: one mask of the word's bits for each bit of the CRC."""
from .systemverilog import NOTE

POLY = 0xEDB88320
BYTES = 32


def _column(bit):
    """CRC register after BYTES bytes from zero, with only data bit `bit` set (byte i in bits 8i+7..8i)."""
    crc = 0
    for byte in range(BYTES):
        crc ^= (1 << (bit % 8)) if byte == bit // 8 else 0
        for _ in range(8):
            crc = (crc >> 1) ^ (POLY if crc & 1 else 0)
    return crc


def package():
    columns = [_column(bit) for bit in range(8 * BYTES)]
    out = ["// SPDX-License-Identifier: Apache-2.0", f"// {NOTE}",
           "// Ethernet CRC-32 (reflected, 0xEDB88320) of a 32-byte word, as a matrix of XORs.", "",
           "package tilefly_crc_pkg;", "",
           "  // CRC register after the 32 bytes of `data` (byte i in bits 8i+7..8i) from zero, without initial or",
           "  // final inversion. From register c: crc32_word(data ^ {224'b0, c}).",
           "  function automatic [31:0] crc32_word(input [255:0] data);",
           "    /* verilator no_inline_task */  // one copy in the generated code"]
    for row in range(32):
        mask = sum(((columns[bit] >> row) & 1) << bit for bit in range(8 * BYTES))
        words = [f"(data[{64 * w + 63}:{64 * w}] & 64'h{(mask >> 64 * w) & (2**64 - 1):016x})" for w in range(4)]
        out.append(f"    crc32_word[{row}] = ^({words[0]} ^ {words[1]} ^")
        out.append(f"        {words[2]} ^ {words[3]});")
    return "\n".join(out + ["  endfunction", "", "endpackage", ""])
