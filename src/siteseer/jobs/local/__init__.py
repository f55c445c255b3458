"""The engine `local` in several processes of this machine: no broker, no storage; the sites lie where they belong."""
