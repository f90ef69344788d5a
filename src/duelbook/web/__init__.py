"""The service: matches over HTTP and WebSocket, kept in a database (extra `web`)."""
