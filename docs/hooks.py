"""What the site has beyond the pages of docs/: the changelog, the notebook, and links into the repository."""

import pathlib
import re
import sys
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from cells import as_markdown
from mkdocs.structure.files import File, Files

ROOT = pathlib.Path(__file__).parent.parent


def on_files(files: Files, config: Any) -> Files:
    """Adds the pages that are made from other files."""
    changelog = (ROOT / "CHANGELOG.md").read_text().replace("](docs/", "](")
    files.append(File.generated(config, "changelog.md", content=changelog))
    text, pictures = as_markdown(ROOT / "docs" / "notebook.ipynb")
    files.append(File.generated(config, "notebook.md", content=text))
    for name, content in pictures.items():
        files.append(File.generated(config, name, content=content))
    return files


def title_of(link: re.Match[str]) -> str:
    """A link to a page with the title of the page as its text, instead of the name of its file."""
    head, _, _ = (ROOT / "docs" / link[2]).read_text().partition("\n")
    return f"[{head.removeprefix('# ')}]({link[2]})"


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Lets links to files outside of the site lead into the repository, and names pages by their titles."""
    markdown = re.sub(r"\[(?:docs/)?([\w/]+\.md)\]\((\1)\)", title_of, markdown)
    above = "../" * page.file.src_uri.count("/")
    markdown = markdown.replace("](notebook.ipynb)", "](notebook.md)")
    markdown = markdown.replace(f"]({above}../CHANGELOG.md)", f"]({above}changelog.md)")
    outside = re.escape(f"]({above}../") + r"((?!\.\.)[^)]+)\)"
    return re.sub(outside, rf"]({config.repo_url}/blob/main/\1)", markdown)
