"""The routes: from requests to the service and back. There are no rules here."""
