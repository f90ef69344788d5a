"""Modules of the page that are served together stay the same: each is loaded once, with all imports and exports."""

import re

import pytest

from duelbook.web.http.module_groups import EXPORT, IMPORT, group_of, grouped, imports, in_order
from duelbook.web.http.page_files import FOLDER

MODULES = {file.name: file.read_text() for file in FOLDER.glob("*.js")}
SMALL = {
    "main.js": 'import { one as first } from "./one.js";\nimport * as two from "./two.js";\nexport const all = 3;\n',
    "one.js": 'import "./two.js";\nexport const one = () => import("./far.js");\nconst secret = 1;\n',
    "two.js": "export class Two {}\nexport async function three() {}\nconst secret = 2;\n",
    "home.js": 'import { all } from "./main.js";\nexport function home() {}\n',
    "far.js": 'import { one } from "./one.js";\nimport { near } from "./near.js";\nconst load = import("./home.js");\n',
    "near.js": "export const near = 1;\n",
}


@pytest.mark.parametrize("name", MODULES)
def test_every_import_and_export_of_the_page_is_understood(name: str) -> None:
    text = MODULES[name]
    assert len(re.findall(r"^import\b", text, re.MULTILINE)) == len(IMPORT.findall(text))
    exports = [line for line in re.findall(r"^export\b.*", text, re.MULTILINE) if line != "export {};"]
    assert len(exports) == len(EXPORT.findall(text))


def test_every_module_is_served_once() -> None:
    served, groups = grouped(MODULES), group_of(MODULES)
    for name in MODULES:
        assert (name in groups) != (name in served)
        if name in groups:
            assert served[groups[name]].count(f"\n// {name}\n") + served[groups[name]].startswith(f"// {name}\n") == 1


def test_what_is_served_imports_only_what_is_served() -> None:
    served = grouped(MODULES)
    for name, text in served.items():
        assert {*imports(text)} <= served.keys(), name


def test_modules_come_after_those_that_they_import_and_keep_their_names_to_themselves() -> None:
    [start, *_] = served = grouped(SMALL)
    text = served[start]
    places = [text.index(f"// {name}.js") for name in ("two", "one", "main", "home")]
    assert places == sorted(places)
    assert "const { one: first } = $one;" in text
    assert "const two = $two;" in text
    assert "return { Two, three };" in text
    assert "export { $two, $one, $main, $home };" in text
    assert text.count("const secret") == 2


def test_a_module_outside_of_the_groups_takes_what_it_imports_from_them() -> None:
    text = grouped(SMALL)["far.js"]
    assert 'import { $one } from "./group-start.js"; const { one } = $one;' in text
    assert 'import { near } from "./near.js";' in text
    assert 'import("./group-start.js").then((group) => group.$home)' in text


def test_a_cycle_of_imports_is_refused() -> None:
    with pytest.raises(ValueError, match=r"a\.js imports itself through others"):
        in_order(["a.js"], {"a.js": 'import "./b.js";', "b.js": 'import "./a.js";'})
