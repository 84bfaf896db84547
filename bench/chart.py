"""One chart a case: a bar for each system and number of workers, a whisker from the least to the most."""

from html import escape

COLOURS = {1: "#4c78a8", 2: "#f2a541"}
NAMES, PLOT, LABELS = 110, 520, 130  # widths: names left, bars, figures right
BAR = 13


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def text(x, y, words, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{escape(words)}</text>'


def bar(row, y, scale, shown):
    colour, length = COLOURS[row["workers"]], row[shown] * scale
    yield f'<rect x="{NAMES}" y="{y}" width="{max(length, 1):.1f}" height="{BAR - 2}" fill="{colour}"/>'
    end = length
    if shown == "ns_per_message":
        least, most, middle = NAMES + row["ns_min"] * scale, NAMES + row["ns_max"] * scale, y + BAR / 2 - 1
        yield f'<path d="M{least:.1f} {middle}H{most:.1f}M{least:.1f} {y + 2}v{BAR - 6}M{most:.1f} {y + 2}v{BAR - 6}" stroke="#333"/>'
        end = max(length, row["ns_max"] * scale)
    yield text(NAMES + end + 5, y + BAR - 3, number(row[shown]))


def svg(case, unit, compared):
    """The groups below each other, on one scale."""
    rows = [row for _, group in compared for row in group]
    scale = PLOT / max(row["ns_max"] if case.shown == "ns_per_message" else row[case.shown] for row in rows)
    parts, y = [text(10, 20, f"{case.name}: {unit}, less is better", 'font-weight="bold" font-size="14"')], 44
    for workers, colour in COLOURS.items():
        x = NAMES + (workers - 1) * 90
        parts += [f'<rect x="{x}" y="{y - 9}" width="10" height="10" fill="{colour}"/>',
                  text(x + 15, y, f"{workers} worker{'s' * (workers > 1)}")]
    for title, group in compared:
        y += 22
        if title:
            parts.append(text(10, y, title, 'font-style="italic"'))
            y += 8
        for system in dict.fromkeys(row["system"] for row in group):
            those = sorted((row for row in group if row["system"] == system), key=lambda row: row["workers"])
            parts.append(text(NAMES - 8, y + len(those) * BAR / 2 + 3, system, 'text-anchor="end"'))
            for row in those:
                parts += bar(row, y, scale, case.shown)
                y += BAR
            y += 6
    width, height = NAMES + PLOT + LABELS, y + 10
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                      f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">',
                      '<rect width="100%" height="100%" fill="white"/>', *parts, "</svg>\n"])
