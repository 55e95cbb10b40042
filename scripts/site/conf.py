"""Settings of the documentation as a site, for Sphinx (scripts/site.sh).

The Markdown in docs/ is the one source and is read on GitHub too, so it has no syntax of
Sphinx: the table of contents is here, and what differs is replaced as a page is read.
"""

import posixpath
import re
from pathlib import Path

from docutils import nodes
from docutils.transforms import Transform
from sphinx.errors import ExtensionError

ROOT = Path(__file__).resolve().parents[2]
REPOSITORY = "https://github.com/assay-eval/assay"

# What stands in the table of contents, in the order in which a new user needs it. A page
# that is missing here is an error of the build, and so is one that does not exist.
CONTENTS = {
    "Start": ["start/retrieval", "start/langchain", "start/ci", "start/speech", "start/trec"],
    "Guides": [
        "python", "typescript", "targets", "presets", "traces", "recordings", "embedders", "datasets", "comparing", "noise", "gating", "ci",
        "judging", "checks", "stages", "transcription", "filter", "web", "server", "accuracy", "store", "workers", "releases",
    ],
    "Metrics": ["metrics/README"],
    "Reference": ["cli", "formats", "format"],
    "Results": [
        "results/retrieval", "results/statistics", "results/attribution", "results/outcome", "results/offline-judge", "results/certificates", "results/canary",
        "results/questions", "results/pairwise", "results/corrected",
        "results/recheck", "results/injection", "results/filter", "results/transcription", "results/bounds", "results/speed",
        "results/scale",
    ],
    "Inside": ["architecture", "properties", "dependencies", "binary", "machines", "adr/README"],
}
# Pages that list other pages of their folder.
FOLDERS = ["metrics/README", "adr/README"]

project = "assay"
html_title = "assay"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
myst_heading_anchors = 4
highlight_language = "text"
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_search_scorer = str(Path(__file__).with_name("scorer.js"))
html_favicon = "../../internal/web/static/icon.svg"
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
html_theme_options = {"source_repository": REPOSITORY, "source_branch": "main", "source_directory": "docs/"}


def toctree(pages, caption=None):
    options = [":hidden:", ":maxdepth: 1"] + ([f":caption: {caption}"] if caption else [])
    return "\n".join(["", "", "```{toctree}", *options, "", *pages, "```", ""])


def contents(app, page, source):
    """Appends the table of contents to the home page, and to each page that lists its folder."""
    if page == root_doc:
        source[0] += "".join(toctree(pages, caption) for caption, pages in CONTENTS.items())
    if page in FOLDERS:
        folder = posixpath.dirname(page)
        names = sorted(p.stem for p in Path(app.srcdir, folder).glob("*.md"))
        source[0] += toctree([name for name in names if name != "README"])


def headings(path):
    """The anchors that GitHub gives the headings of a Markdown file."""
    text = re.sub(r"(?ms)^```.*?^```", "", path.read_text())
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in re.findall(r"(?m)^#+ +(.*?) *$", text)}


def outside(app, page, source):
    """Makes links to files of the repository outside docs/ links to the repository."""
    folder = Path(app.srcdir, page).parent

    def replace(link):
        target, _, anchor = link[1].partition("#")
        path = (folder / target).resolve()
        if path.is_relative_to(app.srcdir):
            return link[0]
        if not path.exists() or (anchor and anchor not in headings(path)):
            raise ExtensionError(f"docs/{page}.md: the link {link[1]} leads to nothing in the repository")
        kind = "tree" if path.is_dir() else "blob"
        return f"]({REPOSITORY}/{kind}/main/{path.relative_to(ROOT)}{'#' if anchor else ''}{anchor})"

    source[0] = re.sub(r"\]\((\.\./[^)\s]*)\)", replace, source[0])


class Anchors(Transform):
    """Gives the section below <a id="NAME"></a> this anchor, for links and for the search."""

    default_priority = 200  # before MyST resolves the links within a page

    def apply(self):
        slugs = self.document.myst_slugs
        for paragraph in list(self.document.findall(nodes.paragraph)):
            found = re.fullmatch(r'<a id="([^"]+)"></a>', paragraph.astext())
            if not found:
                continue
            name, section = found[1], paragraph.next_node(nodes.section, descend=False, siblings=True, ascend=True)
            if section is None:
                raise ExtensionError(f"{self.document['source']}: no heading follows the anchor {name}")
            section["ids"] = [name]
            slugs[name] = (section.line, name, section.next_node(nodes.title).astext())
            paragraph.parent.remove(paragraph)


def accessible(app, page, template, context, doctree):
    """Adds what the theme leaves out for readers who use a keyboard or a screen reader."""
    for key, pairs in {
        "furo_navigation_tree": [('role="heading"', 'role="heading" aria-level="2"')],
        "body": [
            ("<pre>", '<pre tabindex="0">'),
            ('<div class="table-wrapper', '<div tabindex="0" class="table-wrapper'),
            ('<th class="head"><p></p></th>', "<td></td>"),
        ],
    }.items():
        for theirs, ours in pairs:
            context[key] = context.get(key, "").replace(theirs, ours)


def setup(app):
    app.connect("source-read", outside)
    app.connect("source-read", contents)
    app.connect("html-page-context", accessible, priority=900)  # after the theme's
    app.add_transform(Anchors)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
