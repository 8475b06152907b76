// Operations that take only a form: proofs describe their body as JSON, and it is sent as fields beside a small file.

import { operations } from '@octavo/contract'

const BOUNDARY = 'a-boundary-of-the-proofs'
export const FORM_CONTENT_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

const paths = new Set(
  operations.flatMap(({ endpoint }) => (endpoint.is_form_only ? [`${endpoint.method} /api/v1${endpoint.path}`] : [])),
)

export const isFormOnly = (method: string, path: string): boolean => paths.has(`${method} ${path.split('?')[0]}`)

export function formFrom(members: object): string {
  const part = (head: string, value: string): string =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`
  const fields = Object.entries(members).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined || value === null) return []
    return part(`name="${name}"`, typeof value === 'string' ? value : JSON.stringify(value))
  })
  const file = part('name="file"; filename="note.txt"\r\nContent-Type: text/plain', 'A note.')
  return `${fields.join('')}${file}--${BOUNDARY}--\r\n`
}
