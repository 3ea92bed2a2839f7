"""Ray jobs: thin entry points of the platform team's batch work."""
