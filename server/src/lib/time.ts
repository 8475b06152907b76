// PostgreSQL prints `2026-01-02 03:04:05.67+00`; the wire says `2026-01-02T03:04:05.670Z`.

const RFC_3339 = /^(\d{4}-\d\d-\d\d)[Tt\s](\d\d:\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):?(\d\d)?)$/
const FIRST = Date.parse('0001-01-01T00:00:00.000Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * The moment that a text of the format `date-time` names, to the next whole millisecond. It is kept within what the
 * database and the wire can hold, and a leap second counts as the second after it; PostgreSQL itself refuses offsets
 * beyond 15:59 and the year 0.
 */
export function instantOf(text: string): Date {
  const match = RFC_3339.exec(text)
  if (!match) throw new RangeError('not a date-time')
  const [, date, time, second, fraction = '', sign = '+', hours = '0', minutes = '0'] = match
  const leap_ms = second === '60' ? 1000 : 0
  const whole =
    Date.parse(`${date}T${time}:${leap_ms ? '59' : second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`) + leap_ms
  const rest = /[1-9]/.test(fraction.slice(3)) ? 1 : 0
  const offset_ms = Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000
  return new Date(Math.min(LAST, Math.max(FIRST, whole + rest - offset_ms)))
}

export function isoFromPostgres(text: string): string {
  if (!text.endsWith('+00')) return new Date(text).toISOString()
  const fraction = text.length > 22 ? text.slice(20, -3).padEnd(3, '0') : '000'
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}
