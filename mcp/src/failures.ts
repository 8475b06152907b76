// Explains a failed call to an agent: what happened and what to do next.

import { OctavoError } from '@octavo/sdk'

/** A tool refuses its input, or its work failed. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure'
}

const advice: Record<number, string> = {
  401: 'The server rejected the credentials. Ask the user to sign in again (on the command line: octavo login).',
  404: 'Not found, or the credentials do not give access. Call list_documents for the ids.',
  410: 'It was deleted. Call list_documents for the ids.',
}

export function explainFailure(error: unknown): string {
  if (!(error instanceof OctavoError)) return error instanceof Error ? error.message : String(error)
  const { status, message, details, request_id } = error
  const parts = [
    (status === null ? null : advice[status]) ?? message,
    ...details.map(({ field, message }) => `${field}: ${message}`),
    nextStep(error),
    request_id && `(request ${request_id})`,
  ]
  return parts.filter(Boolean).join(' ')
}

function nextStep({ status, headers }: OctavoError): string | null {
  if (status === null) return 'Ask the user to check the connection: octavo doctor.'
  const scope = /scope="([^"]+)"/.exec(headers?.get('www-authenticate') ?? '')?.[1]
  if (status === 403 && scope) return `The credentials need the scope ${scope}. Ask the user for access with it.`
  const after = headers?.get('retry-after')
  if (status === 429 || status === 503) return after ? `Try again in ${after} s.` : 'Try again later.'
  return null
}
