"""The JSON shapes of the service, and what is generated from them."""

from scripts.page_types import FILE, generate


def test_the_types_of_the_page_are_those_that_the_service_declares() -> None:
    assert FILE.read_text(encoding="utf-8") == generate(), "run: make docs"
