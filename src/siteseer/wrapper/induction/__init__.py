"""Wrapper induction: generates ranked robust expressions from marked examples."""

from siteseer.wrapper.induction.compose_wrapper import compose
from siteseer.wrapper.induction.induce_attributes import Attribute, induce
from siteseer.wrapper.induction.induce_records import Records, induce_records
from siteseer.wrapper.induction.marked_examples import Mark
from siteseer.wrapper.induction.next_link import induce_next
from siteseer.wrapper.induction.shortlist import Ranked

__all__ = ["Attribute", "Mark", "Ranked", "Records", "compose", "induce", "induce_next", "induce_records"]
