"""Every JSON shape of the service, declared once: requests, responses, problems and socket messages.

Requests are checked against these Structs, responses are built as them, and the OpenAPI document and the page's types
(`scripts/page_types.py`) are generated from them.
"""
