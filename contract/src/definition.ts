// The names that a resource adds to the API. `npm run openapi` collects them in `generated/`.

export interface ResourceDefinition {
  /** The name of the schema: `Document`. */
  title: string
  /** The `object` member: `document`. */
  object: string
  /** The beginning of its ids: `doc`. */
  prefix: string
  description: string
  /** The scopes that it adds, with the text that consent pages show. Empty if another resource's scopes apply. */
  scopes: Readonly<Record<string, string>>
  /** The last part of its event types: `created` for `document.created`. */
  events: readonly string[]
  /** Members, path parameters and columns that hold its id; default `<object>_id`. */
  id_members?: readonly string[]
}

export const defineResource = <const D extends ResourceDefinition>(definition: D): D => definition
