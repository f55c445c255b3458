"""The parts that all workers share: broker, leases, fencing tokens, registry. It knows no topic."""
