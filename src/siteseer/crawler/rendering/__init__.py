"""Renders pages whose content needs scripts in a browser."""
