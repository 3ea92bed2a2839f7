"""Ray Serve applications: thin shells that ask bootstrap for a runtime and delegate to it."""
