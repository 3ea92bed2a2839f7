"""The lease authority."""

from memplane.application.leases.lease_book import LeaseBook

__all__ = ["LeaseBook"]
