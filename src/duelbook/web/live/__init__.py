"""Live updates: sockets, who watches, who is present, and messages between processes."""
