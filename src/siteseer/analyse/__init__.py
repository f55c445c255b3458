"""The offline phase: objects in, the entities that they name, their topics and opinions out."""
