"""Runs wrappers as jobs: tasks, runs, history, alerts."""
