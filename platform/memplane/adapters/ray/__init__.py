"""What memplane takes from Ray: the lease actor and the handles between Serve deployments."""
