"""LlamaIndex retriever for Octavo."""

from .base import OctavoRetriever

__all__ = ["OctavoRetriever"]
