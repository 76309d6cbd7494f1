"""The laboratory of the end-to-end tests."""
