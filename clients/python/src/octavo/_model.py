"""The base class of response models."""

from __future__ import annotations

import types
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

T = TypeVar("T")


class OctavoModel(BaseModel):
    """A part of a response. It keeps members that this version of the client does not know."""

    model_config = ConfigDict(extra="allow", frozen=True, protected_namespaces=())


def build(result: type[T], data: Any) -> T:
    """Builds a model from JSON and never fails: `fields` leaves members out, and a newer server may send other values."""
    return cast(T, _build(result, data))


def _build(annotation: Any, data: Any) -> Any:
    try:
        return _adapter(annotation).validate_python(data)
    except ValidationError:
        return _build_leniently(annotation, data)


@cache
def _adapter(annotation: Any) -> TypeAdapter[Any]:
    return TypeAdapter(annotation)


def _build_leniently(annotation: Any, data: Any) -> Any:
    """Converts every member that it can, and keeps the others as they are."""
    if isinstance(annotation, type) and issubclass(annotation, OctavoModel):
        if not isinstance(data, dict):
            return data
        fields = annotation.model_fields
        members = {
            name: _build(fields[name].annotation, value) if name in fields else value for name, value in data.items()
        }
        return annotation.model_construct(_fields_set=set(members), **members)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in (Union, types.UnionType):
        models = [argument for argument in arguments if argument is not type(None)]
        return _build_leniently(models[0], data) if len(models) == 1 and data is not None else data
    if origin is list and isinstance(data, list):
        return [_build(arguments[0], item) for item in data]
    return data
