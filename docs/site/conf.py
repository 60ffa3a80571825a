# SPDX-License-Identifier: Apache-2.0
"""Settings of Sphinx for the site of the manual; scripts/site stages the pages and calls it."""
project = "Tilefly"
html_title = "Tilefly"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["_build"]
myst_heading_anchors = 5
suppress_warnings = ["myst.header", "misc.highlighting_failure"]    # blocks show parts of files
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["style.css"]
html_extra_path = ["extra"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_last_updated_fmt = None
html_permalinks_icon = "#"
smartquotes = False
highlight_language = "text"
pygments_style = "friendly"
pygments_dark_style = "monokai"
