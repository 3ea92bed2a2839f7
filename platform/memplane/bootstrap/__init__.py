"""The composition root: settings in, running parts out. The only package that knows every other.

One module for each kind of process, which imports that module alone: a replica that loaded the engines of all the
others would start seconds later and hold their memory for nothing. So this file imports none of them.
"""

from memplane.settings import Settings, load_settings

__all__ = ["Settings", "load_settings"]
