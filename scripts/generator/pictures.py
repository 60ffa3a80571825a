# SPDX-License-Identifier: Apache-2.0
"""The manual's pictures: docs/pictures/NAME.yaml makes docs/pictures/NAME.svg. The kinds of picture are those of KINDS; a
file has `kind`, `title` (what a reader who cannot see the picture is told), and the keys of its kind. All are 480 wide,
so that their letters can be read on a narrow page too."""
import yaml

from .svg import CHARACTER, FAINT, INK, ROLES, Drawing

WIDTH = 480
BOLD = 1.2      # how much wider bold letters are


class PictureError(Exception):
    """What is wrong with a file, and where."""


def _lines(text):
    return str(text).split("\n")


def _fits(text, width, size):
    return max(len(line) for line in _lines(text)) * size * CHARACTER <= width + 8


class _Reader:
    """Takes keys out of a mapping, and says which are missing or left over."""

    def __init__(self, path, values, what):
        if not isinstance(values, dict):
            raise PictureError(f"{path}: {what}: write keys and values")
        self.path, self.values, self.what = path, dict(values), what

    def take(self, key, *default):
        if key not in self.values and not default:
            raise PictureError(f"{self.path}: {self.what}: key '{key}' is missing")
        return self.values.pop(key, *default)

    def end(self):
        if self.values:
            raise PictureError(f"{self.path}: {self.what}: unknown key '{next(iter(self.values))}'; take it out")


def _role(reader, default="plain"):
    role = reader.take("role", default)
    if role not in ROLES:
        raise PictureError(f"{reader.path}: {reader.what}: role '{role}' is none of {', '.join(ROLES)}")
    return role


def blocks(path, reader):
    """Boxes at [x, y, width, height], arrows from side to side (`box.r`: left, right, top, bottom), labels at [x, y]."""
    drawing = Drawing(reader.take("title"), WIDTH, reader.take("height"))
    places = {}
    for entry in reader.take("boxes"):
        box = _Reader(path, entry, f"box {entry}")
        name, text, size = box.take("id", None), box.take("text", ""), box.take("size", 11)
        x, y, width, height = box.take("at")
        role, head = _role(box), box.take("head", False)
        drawing.rectangle(x, y, width, height, role, dashed=box.take("dashed", False))
        if not _fits(text, width, size * (BOLD if head else 1)):
            raise PictureError(f"{path}: box {name}: '{text}' is wider than {width}; break its line, or widen the box")
        drawing.text(x + width / 2, y + (9 if head else height / 2), _lines(text), size, bold=head)
        if name:
            places[name] = {"l": (x, y + height / 2), "r": (x + width, y + height / 2), "t": (x + width / 2, y),
                            "b": (x + width / 2, y + height)}
        box.end()
    for entry in reader.take("arrows", []):
        _arrow(path, drawing, places, _Reader(path, entry, f"arrow {entry}"))
    for entry in reader.take("labels", []):
        label = _Reader(path, entry, f"label {entry}")
        x, y = label.take("at")
        drawing.text(x, y, _lines(label.take("text")), label.take("size", 10), label.take("align", "middle"),
                     ROLES[_role(label, "none")][1], label.take("bold", False))
        label.end()
    return drawing


def _arrow(path, drawing, places, arrow):
    def end(value):
        if isinstance(value, list):
            return tuple(value)
        name, _, side = value.partition(".")
        if side not in places.get(name, {}):
            raise PictureError(f"{path}: {arrow.what}: '{value}' is no side of a box; write box.l, box.r, box.t or box.b")
        return places[name][side]
    points = [end(arrow.take("from")), *map(tuple, arrow.take("via", [])), end(arrow.take("to"))]
    colour = ROLES[_role(arrow, "none")][1]
    drawing.line(points, colour, arrow.take("width", 1.2), arrow.take("tip", True), arrow.take("dashed", False))
    text = arrow.take("text", "")
    if text:
        (x0, y0), (x1, y1) = points[:2]
        dx, dy = arrow.take("text_at", [0, -8])
        drawing.text((x0 + x1) / 2 + dx, (y0 + y1) / 2 + dy, _lines(text), 10, colour=colour)
    arrow.end()


def timing(path, reader):
    """Rows over columns; a column has the name of its cycle. Spans stand at [first, end) in columns. With `bands` the
    columns are cut into so many parts, which stand one below the other."""
    title, columns = reader.take("title"), reader.take("columns")
    rows = [_Reader(path, entry, f"row {entry}") for entry in reader.take("rows")]
    rows = [(row.take("name"), row.take("spans"), row.end())[:2] for row in rows]
    left, axis, bands = reader.take("left", 78), reader.take("axis", "cycle"), reader.take("bands", 1)
    wide = -(-len(columns) // bands)
    band = _Band(path, left, wide)
    drawing = Drawing(title, WIDTH, bands * (36 + band.height * len(rows)))
    for index in range(bands):
        first, top = index * wide, index * (36 + band.height * len(rows))
        drawing.text(6, top + 15, axis, 10, "start", FAINT)
        for at, name in enumerate(columns[first:first + wide]):
            band.column(drawing, at, name, top, len(rows))
        for at, (name, spans) in enumerate(rows):
            y = top + 28 + at * band.height
            drawing.text(6, y + band.height / 2, name, 10, "start")
            for span in spans:
                if first <= span["at"][0] < first + wide:
                    band.span(drawing, _Reader(path, span, f"span {span}"), first, y)
    return drawing


class _Band:
    """Where columns and rows of a timing picture are."""

    def __init__(self, path, left, columns):
        self.path, self.left, self.columns, self.height = path, left, columns, 26
        self.pitch, self.size = (WIDTH - left - 8) / columns, 9 if columns > 7 else 11

    def column(self, drawing, at, name, top, rows):
        x = self.left + at * self.pitch
        drawing.line([(x, top + 26), (x, top + 30 + self.height * rows)], "#e5e7eb", 1)
        if not _fits(name, self.pitch, self.size):
            raise PictureError(f"{self.path}: column '{name}' is wider than {self.pitch:.0f}; shorten it")
        drawing.text(x + self.pitch / 2, top + 15, _lines(name), self.size)

    def span(self, drawing, span, first, y):
        begin, end = span.take("at")
        if end - first > self.columns:
            raise PictureError(f"{self.path}: {span.what}: it ends in another band; cut it at column {first + self.columns}")
        text, role = span.take("text", ""), _role(span)
        x, width = self.left + (begin - first) * self.pitch, (end - begin) * self.pitch
        if not _fits(text, width, self.size):
            raise PictureError(f"{self.path}: span '{text}' is wider than {width:.0f}; shorten it")
        drawing.rectangle(x + 1, y + 4, width - 2, self.height - 8, role)
        drawing.text(x + width / 2, y + self.height / 2, text, self.size)
        span.end()


def tiles(path, reader):
    """The tile array of a switch, and the way from one port to another: row bus, turn tile, column channel."""
    rows, cols = reader.take("rows"), reader.take("cols")
    source, destination = reader.take("from"), reader.take("to")
    left, top, pitch, height = 44, 30, (WIDTH - 52) / cols, 46
    drawing = Drawing(reader.take("title"), WIDTH, top + rows * height + 36)

    def place(port):
        return port // (2 * cols), (port >> 1) % cols
    (source_row, _), (sink_row, sink_col) = place(source), place(destination)
    for row in range(rows):
        drawing.text(6, top + row * height + 19, f"row {row}", 9, "start", FAINT)
        for col in range(cols):
            x, y, port = left + col * pitch, top + row * height, 2 * (row * cols + col)
            here = {(source_row, sink_col): "turn", (sink_row, sink_col): "out", place(source): "in"}
            drawing.rectangle(x + 3, y + 3, pitch - 6, height - 10, here.get((row, col), "plain"))
            for half in (0, 1):
                chosen = port + half in (source, destination)
                drawing.text(x + pitch * (0.3 + 0.4 * half), y + 14, port + half, 10, bold=chosen,
                             colour=INK if chosen else "#6b7280")
            if row == 0:
                drawing.text(x + pitch / 2, 17, f"col {col}", 9, colour=FAINT)
    middle = left + (sink_col + 0.5) * pitch
    bus = top + source_row * height + 28
    drawing.line([(left, bus), (left + cols * pitch, bus)], ROLES["in"][1], 2.5)
    if sink_row != source_row:
        border = top + sink_row * height + (3 if sink_row > source_row else height - 7)
        drawing.line([(middle, bus), (middle, border)], ROLES["out"][1], 2.5, arrow=True)
    drawing.dot(middle, bus, ROLES["turn"][1])
    at, y = left, drawing.height - 16
    for role, text in (("in", f"row bus of port {source}"), ("turn", "turn tile"),
                       ("out", f"column channel to port {destination}")):
        drawing.rectangle(at, y - 6, 12, 12, role)
        drawing.text(at + 18, y, text, 10, "start")
        at += 34 + len(text) * 5.6
    return drawing


def sequence(path, reader):
    """Messages between lanes, from top to bottom, each at the cycle of its step; a step without `to` is done where it is."""
    title, lanes, steps = reader.take("title"), reader.take("lanes"), reader.take("steps")
    left, top, height = 62, 34, 27
    drawing = Drawing(title, WIDTH, top + height * len(steps) + 12)
    pitch = (WIDTH - left - 8) / len(lanes)
    centre = [left + (index + 0.5) * pitch for index in range(len(lanes))]
    drawing.text(6, 17, reader.take("axis", "cycle"), 10, "start", FAINT)
    for x, lane in zip(centre, lanes):
        drawing.line([(x, 28), (x, drawing.height - 6)], FAINT, 1, dashed=True)
        drawing.rectangle(x - pitch / 2 + 4, 4, pitch - 8, 24, lane.get("role", "plain"))
        drawing.text(x, 16, lane["name"], 10, bold=True)
    for index, entry in enumerate(steps):
        step, y = _Reader(path, entry, f"step {entry}"), top + (index + 0.5) * height
        start, end, text = step.take("from"), step.take("to", None), step.take("text")
        drawing.text(6, y, step.take("at", ""), 10, "start")
        role = _role(step)
        if end is None:
            width = max(60, len(text) * 9.5 * CHARACTER)
            drawing.rectangle(centre[start] - width / 2, y - 9, width, 18, role)
            drawing.text(centre[start], y, text, 9.5)
        else:
            colour = ROLES[role][1]
            drawing.line([(centre[start], y + 5), (centre[end], y + 5)], colour, 1.6, arrow=True)
            drawing.text((centre[start] + centre[end]) / 2, y - 3, text, 9.5, colour=colour)
        step.end()
    return drawing


KINDS = {"blocks": blocks, "timing": timing, "tiles": tiles, "sequence": sequence}


def draw(path, text):
    """SVG text of a picture's source."""
    try:
        values = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise PictureError(f"{path}: {error}") from error
    reader = _Reader(path, values, "the picture")
    kind = reader.take("kind")
    if kind not in KINDS:
        raise PictureError(f"{path}: kind '{kind}' is none of {', '.join(KINDS)}")
    drawing = KINDS[kind](path, reader)
    reader.end()
    return drawing.svg()


def files(root):
    """Path relative to the root -> text, for the picture of each source."""
    made = {}
    for source in sorted((root / "docs/pictures").glob("*.yaml")):
        name = source.relative_to(root)
        made[str(name.with_suffix(".svg"))] = draw(name, source.read_text())
    return made
