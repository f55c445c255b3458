"""The service: REST interface, web interface, designer."""
