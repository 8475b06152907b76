// PostgreSQL prints `2026-01-02 03:04:05.67+00`; the wire says `2026-01-02T03:04:05.670Z`.

export function isoFromPostgres(text: string): string {
  if (!text.endsWith('+00')) return new Date(text).toISOString()
  const fraction = text.length > 22 ? text.slice(20, -3).padEnd(3, '0') : '000'
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}
