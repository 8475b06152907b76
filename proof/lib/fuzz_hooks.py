"""What the description cannot say in JSON Schema, told to schemathesis, and a check of the one thing it leaves open."""

import json
import os
import zlib

import jsonschema_rs
import schemathesis
from schemathesis.generation.meta import CoverageScenario, coverage_scenario
from schemathesis.specs.openapi.checks import response_schema_conformance

OWN_KEY_ID = os.environ["OCTAVO_FUZZ_KEY_ID"]
ABSENT_KEY_ID = "key_01h455vb4pex5vsknk084sn02q"
FILE_ID = os.environ["OCTAVO_FUZZ_FILE_ID"]
# Authorizations that exist: the first is read, the others are revoked.
GRANT_ID, *grants = os.environ["OCTAVO_FUZZ_GRANT_IDS"].split(",")
# The cursors that lists have given, by path: a cursor goes only with the query that it was given for.
cursors = {}
# Searches that exist. Their ids are seldom sent back by chance.
searches = []


def chance(case, salt, of):
    """The same for a case each time, since some cases are sent again with other credentials."""
    return zlib.crc32(f"{case.id}{salt}".encode()) % of


def resource_of(case):
    """The schema of what a GET shows: the resource, or the items of the list."""
    raw = case.operation.schema.raw_schema
    operation = raw["paths"][case.operation.path][case.operation.method.lower()]
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    named = raw["components"]["schemas"]
    schema = named[schema["$ref"].rsplit("/", 1)[1]]
    items = schema["properties"].get("data", {}).get("items") if "has_next_page" in schema["properties"] else None
    return (named[items["$ref"].rsplit("/", 1)[1]], True) if items else (schema, False)


def is_positive(case):
    return case.meta is not None and case.meta.generation.mode.is_positive


@schemathesis.hook
def before_call(context, case, kwargs):
    # A run that revokes or rotates its own key would see nothing but 401 from then on.
    if (case.path_parameters or {}).get("key_id") == OWN_KEY_ID:
        case.path_parameters["key_id"] = ABSENT_KEY_ID
    # The coverage phase gives every case the same key, and would see nothing but `idempotency_key_reused`.
    headers = case.headers or {}
    if headers.get("Idempotency-Key") == "0" and coverage_scenario(case) != CoverageScenario.MISSING_PARAMETER:
        headers["Idempotency-Key"] = case.id
    if is_positive(case) and case.operation.method.upper() == "DELETE" and searches and chance(case, "search", 2):
        if "search_id" in (case.path_parameters or {}):
            case.path_parameters["search_id"] = searches.pop()
    # Only a user can give an application access.
    if is_positive(case) and "authorization_id" in (case.path_parameters or {}) and chance(case, "grant", 2):
        if case.operation.method.upper() == "GET":
            case.path_parameters["authorization_id"] = GRANT_ID
        elif grants:
            case.path_parameters["authorization_id"] = grants.pop()
    query = case.query or {}
    if not is_positive(case) or case.operation.method.upper() != "GET":
        return
    # No generator guesses the id of a file, and no operation makes one by itself.
    if "file_id" in (case.path_parameters or {}) and chance(case, "file", 4):
        case.path_parameters["file_id"] = FILE_ID
    # The two styles of paging exclude each other.
    if {"cursor", "limit"} & query.keys() and {"page", "per_page"} & query.keys():
        for name in ("cursor", "limit") if chance(case, "style", 2) else ("page", "per_page"):
            query.pop(name, None)
    if "fields" in query:
        members = list(resource_of(case)[0]["properties"])
        first = chance(case, "fields", len(members))
        query["fields"] = ",".join(members[first : first + 1 + chance(case, "count", 4)])
    # No generator guesses a sealed cursor: take one that was given, and now and then one that was not.
    if "cursor" in query and chance(case, "cursor", 5):
        given = cursors.get(case.formatted_path)
        query.pop("cursor")
        if given:
            query.clear()
            query.update(given)


def is_json(response):
    return any(value.startswith("application/json") for value in response.headers.get("content-type", []))


@schemathesis.hook
def after_call(context, case, response):
    if response.status_code == 201 and case.operation.path == "/searches" and is_json(response):
        searches.append(response.json()["id"])
    if response.status_code != 200 or case.operation.method.upper() != "GET" or not is_json(response):
        return
    body = response.json()
    if body.get("has_next_page") and body.get("cursor"):
        cursors[case.formatted_path] = {**(case.query or {}), "cursor": body["cursor"]}


@schemathesis.check
def answer_conformance(ctx, response, case):
    """The answer has its schema; with `fields` it has exactly the named members, each with its own schema."""
    fields = (case.query or {}).get("fields")
    if response.status_code != 200 or not isinstance(fields, str):
        return response_schema_conformance(ctx, response, case)
    schema, is_list = resource_of(case)
    properties = schema["properties"]
    shown = [name for name in properties if name in {"id", "object", *fields.split(",")}]
    part = {
        "type": "object",
        "properties": {name: properties[name] for name in shown},
        "required": shown,
        "additionalProperties": False,
        "components": case.operation.schema.raw_schema["components"],
    }
    validator = jsonschema_rs.Draft202012Validator(part, validate_formats=True)
    body = json.loads(response.content)
    for item in body["data"] if is_list else [body]:
        for error in validator.iter_errors(item):
            raise AssertionError(f"fields={fields}: {error.message}")
