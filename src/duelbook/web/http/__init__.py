"""HTTP: middleware, the router, the error boundary and the routes."""
