"""Explains errors of a server that is older than the client."""

from __future__ import annotations

from ._errors import OctavoError, ValidationError
from ._version import VERSION


def unknown_fields(error: OctavoError) -> list[str]:
    return [f"`{detail.field}`" for detail in error.details if detail.code == "unknown_field"]


def explain_unknown_fields(error: ValidationError, server: str) -> ValidationError:
    """The same error, with a message that names the fields if the server is older than the client."""
    if _numbers(server) >= _numbers(VERSION):
        return error
    fields = ", ".join(unknown_fields(error))
    error.message = (
        f"The server has version {server}, older than this client ({VERSION}), and does not know {fields}. "
        f"Update the server or omit the field. {error.message}"
    )
    return error


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in version.split("-")[0].split("+")[0].split(".") if number.isdecimal())
