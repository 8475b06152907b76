// The JSON in what a model said: alone, between fences, or among other words.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

export type JsonAnswer = { is_valid: true; value: unknown } | { is_valid: false; reason: string }

const FENCE = '```'
/** Reasoning output of some models. */
const THOUGHTS = /^\s*<think>[^]*?<\/think>/i
const MAX_REASON = 300

const compiled = new WeakMap<object, ValidateFunction>()

/** One validator for each schema, and none that outlives it: schemas come from requests. */
function validatorOf(schema: object): ValidateFunction {
  const known = compiled.get(schema)
  if (known) return known
  // Callers have validated the schema already; doing it here takes 30 times as long as everything else.
  const made = new Ajv2020({
    strict: false,
    validateSchema: false,
    meta: false,
    validateFormats: false,
    logger: false,
  }).compile(schema)
  compiled.set(schema, made)
  return made
}

export function readJsonAnswer(text: string, schema: object): JsonAnswer {
  const validate = validatorOf(schema)
  const parsed = parseJson(text) ?? parseJson(repair(text))
  if (!parsed) return { is_valid: false, reason: 'it is not JSON' }
  if (validate(parsed.value)) return { is_valid: true, value: parsed.value }
  const [error] = validate.errors ?? []
  return {
    is_valid: false,
    reason: `${error?.instancePath || 'the value'} ${error?.message ?? 'does not fit'}`.slice(0, MAX_REASON),
  }
}

function parseJson(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return null
  }
}

/** Strips text around the JSON; never changes the JSON itself. */
function repair(text: string): string {
  const said = text.replace(THOUGHTS, '')
  const inside = said.split(FENCE, 2)[1] ?? said
  const start = inside.search(/[[{]/)
  const end = Math.max(inside.lastIndexOf('}'), inside.lastIndexOf(']'))
  return start >= 0 && end > start ? inside.slice(start, end + 1) : inside
}
