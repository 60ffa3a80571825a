# SPDX-License-Identifier: Apache-2.0
"""Shapes of the manual's pictures as SVG text: plain elements, sizes in pixels, no font and no script from elsewhere."""
from html import escape

ROLES = {"in": ("#dbeafe", "#1d4ed8"), "out": ("#dcfce7", "#15803d"), "turn": ("#fef3c7", "#b45309"),
         "plain": ("#f3f4f6", "#6b7280"), "mark": ("#fee2e2", "#b91c1c"), "none": ("none", "#374151")}  # fill, line
INK, FAINT = "#111827", "#9ca3af"
CHARACTER = 0.54   # widest mean of a sans-serif letter, of the font's size


def number(value):
    return f"{value:.1f}".rstrip("0").rstrip(".")


class Drawing:
    """Collects elements; `svg` is the file's text. The background is white, for pages whose own is dark."""

    def __init__(self, title, width, height):
        self.title, self.width, self.height = title, width, height
        self.parts = []

    def rectangle(self, x, y, width, height, role="plain", round_=3, dashed=False):
        fill, line = ROLES[role]
        dash = ' stroke-dasharray="4 3"' if dashed else ""
        self.parts.append(f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" '
                          f'rx="{round_}" fill="{fill}" stroke="{line}"{dash}/>')

    def line(self, points, colour=INK, width=1.2, arrow=False, dashed=False):
        path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
        end = f' marker-end="url(#{self._marker(colour)})"' if arrow else ""
        dash = ' stroke-dasharray="4 3"' if dashed else ""
        self.parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{number(width)}"{dash}{end}/>')

    def text(self, x, y, text, size=11, anchor="middle", colour=INK, bold=False):
        """Lines of text whose middle is at y."""
        lines = text if isinstance(text, list) else [text]
        weight = ' font-weight="bold"' if bold else ""
        for index, line in enumerate(lines):
            at = y + (index - (len(lines) - 1) / 2) * size * 1.25 + size * 0.35
            self.parts.append(f'<text x="{number(x)}" y="{number(at)}" font-size="{size}" text-anchor="{anchor}" '
                              f'fill="{colour}"{weight}>{escape(str(line))}</text>')

    def dot(self, x, y, colour=INK):
        self.parts.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="3" fill="{colour}"/>')

    @staticmethod
    def _marker(colour):
        return "tip" + colour.lstrip("#")

    def svg(self):
        colours = sorted({part.split("url(#tip")[1][:6] for part in self.parts if "url(#tip" in part})
        tips = "".join(f'<marker id="tip{colour}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
                       f'orient="auto"><path d="M0 0L8 4L0 8z" fill="#{colour}"/></marker>\n' for colour in colours)
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
                f'width="{number(self.width * 1.5)}" font-family="Helvetica, Arial, sans-serif" role="img">\n'
                f'<title>{escape(self.title)}</title>\n')
        defs = f"<defs>\n{tips}</defs>\n" if tips else ""
        back = f'<rect width="{self.width}" height="{self.height}" rx="6" fill="white"/>\n'
        return head + defs + back + "\n".join(self.parts) + "\n</svg>\n"
