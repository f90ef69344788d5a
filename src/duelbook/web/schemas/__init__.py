"""Every JSON shape of the service, declared once: requests, answers, problems and socket messages.

Requests are checked against these Structs, answers are built as them, and the OpenAPI document and the page's types
(`scripts/page_types.py`) are generated from them.
"""
