"""The OXPath language, and wrappers made from marked examples."""
