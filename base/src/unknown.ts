// Checks that narrow a value of unknown type: parsed JSON, caught errors, rows on their way to an answer.

export type Row = Record<string, unknown>

export const isRecord = (value: unknown): value is Row =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** The members of an object; none for anything else. */
export const recordOf = (value: unknown): Row => (isRecord(value) ? value : {})

export const toError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown })

export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

/** The `code` of a Node.js or PostgreSQL error; an empty text if there is none. */
export function codeOf(thrown: unknown): string {
  const { code } = recordOf(thrown)
  return typeof code === 'string' ? code : ''
}

/** Narrows a value to one of a list of words. */
export const isOneOf = <T>(list: readonly T[], value: unknown): value is T => list.some((one) => one === value)
