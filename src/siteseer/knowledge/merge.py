"""Merges two descriptions of one application: the later is tried first, the earlier follows."""

from __future__ import annotations

from dataclasses import replace

from siteseer.knowledge.types import Application, Identity, Level, Site


def merge(known: Application, added: Application) -> Application:
    """Return an application with the additions of another file."""
    return replace(
        known,
        detections=added.detections + known.detections,
        version_patterns=added.version_patterns + known.version_patterns,
        identity=_identity(known.identity, added.identity),
        avoids=added.avoids + known.avoids,
        policies=added.policies + known.policies,
        entries=added.entries + known.entries,
        templates=added.templates + known.templates,
        navigations=added.navigations + known.navigations,
        levels=_levels(known.levels, added.levels),
        sites=_sites(known.sites, added.sites),
    )


def for_host(application: Application, host: str) -> Application:
    """Return an application with what is known of one of its sites built in."""
    site = next((site for site in application.sites if site.host == host.lower()), None)
    if site is None:
        return application
    return replace(
        application, levels=_levels(application.levels, site.levels), avoids=site.avoids + application.avoids
    )


def _identity(known: Identity, added: Identity) -> Identity:
    pagings = {replace(one, line=0): one for one in (*known.pagings, *added.pagings)}
    return Identity(known.drops + added.drops, tuple(pagings.values()))


def _levels(known: tuple[Level, ...], added: tuple[Level, ...]) -> tuple[Level, ...]:
    kept = {(level.id, level.name): level for level in known}
    fresh = []
    for level in added:
        key = (level.id, level.name)
        if key not in kept:
            key = next((other for other in kept if not level.name and other[0] == level.id), key)
        if key in kept:
            kept[key] = _level(kept[key], level)
        else:
            fresh.append(level)
    return (*fresh, *kept.values())


def _level(known: Level, added: Level) -> Level:
    return replace(
        known,
        detections=added.detections + known.detections,
        interactions=added.interactions + known.interactions,
        navigations=added.navigations + known.navigations,
        extractions=added.extractions + known.extractions,
        signed=added.signed or known.signed,
    )


def _sites(known: tuple[Site, ...], added: tuple[Site, ...]) -> tuple[Site, ...]:
    kept = {site.host: site for site in known}
    for site in added:
        old = kept.get(site.host)
        kept[site.host] = (
            replace(old, levels=_levels(old.levels, site.levels), avoids=site.avoids + old.avoids) if old else site
        )
    return tuple(kept.values())
