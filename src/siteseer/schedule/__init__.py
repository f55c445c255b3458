"""Runs commands on a schedule: tables, cron expressions, runners."""
