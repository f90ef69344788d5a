"""A game's board may name its classes as it likes: those of the page do not reach into it."""

from playwright.sync_api import expect

from tests.support.page_moves import against_computer
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

# Classes that the page gives to boards:
FOR_BOARDS = {"board", "drawn", "first", "last", "mark", "move", "place", "second", "token"}
REACHING = """place => {
  const sheet = [...document.styleSheets].find((sheet) => sheet.href);
  const text = [...sheet.cssRules].map((rule) => rule.cssText).join();
  const classes = new Set([...text.matchAll(/\\.([a-z][\\w-]*)/g)].map((match) => match[1]));
  const parent = document.querySelector(place);
  const look = (name) => {
    const [outer, inner] = [document.createElement("div"), document.createElement("p")];
    outer.className = name;
    outer.append(inner);
    parent.append(outer);
    const styles = [outer, inner].map((element) => getComputedStyle(element));
    const found = JSON.stringify(styles.map((style) => [...style].map((key) => [key, style.getPropertyValue(key)])));
    outer.remove();
    return found;
  };
  const plain = look("");
  return [...classes].filter((name) => look(name) !== plain);
}"""


def test_no_class_of_the_page_changes_an_element_of_a_board(visit: Visit, served: RunningServer) -> None:
    visitor = visit()
    for screen in ("home", "match"):
        page = visitor.open("/") if screen == "home" else against_computer(visitor, served, "charge")
        expect(page.locator(".board").first).to_be_attached()
        assert {"card", "row"} <= set(page.evaluate(REACHING, "main")), "they do have a look outside of a board"
        assert set(page.evaluate(REACHING, ".board")) <= FOR_BOARDS, screen
