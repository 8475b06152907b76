import { ValidationError } from './errors.ts'
import type { Capabilities } from './generated/types.ts'
import { VERSION } from './generated/version.ts'

const numbersOf = (version: string): number[] => version.split(/[.+-]/, 3).map(Number)

function isOlder(server: string, client: string): boolean {
  const [a, b] = [numbersOf(server), numbersOf(client)]
  const at = a.findIndex((number, index) => number !== b[index])
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0)
}

async function versionOf(capabilities: () => Promise<Capabilities>): Promise<string | null> {
  try {
    return (await capabilities()).version
  } catch {
    return null
  }
}

/** Names the fields that an older server does not know, or returns null if that is not the reason for the error. */
export async function explainUnknownFields(
  error: unknown,
  capabilities: () => Promise<Capabilities>,
  client: string = VERSION,
): Promise<ValidationError | null> {
  if (!(error instanceof ValidationError)) return null
  const unknown = error.details.filter(({ code }) => code === 'unknown_field').map(({ field }) => `\`${field}\``)
  if (unknown.length === 0) return null
  const version = await versionOf(capabilities)
  if (version === null || !isOlder(version, client)) return null
  const message = `The server has version ${version}, older than this client (${client}), and does not know ${unknown.join(', ')}. Update the server or omit the field. ${error.message}`
  return error.withMessage(message)
}
