"""LangChain retriever for Octavo."""

from .retrievers import OctavoRetriever

__all__ = ["OctavoRetriever"]
