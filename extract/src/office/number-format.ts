// Numbers of a sheet as they are shown. Simple formats only: what is not understood is shown as a plain number.

import { showFraction } from './fraction.ts'

const DAY_MS = 86_400_000
// biome-ignore format: a table of codes
const BUILT_IN: Record<number, string> = {
  1: '0', 2: '0.00', 3: '#,##0', 4: '#,##0.00', 5: '$#,##0', 6: '$#,##0', 7: '$#,##0.00', 8: '$#,##0.00', 9: '0%', 10: '0.00%',
  11: '0.00E+00', 14: 'm/d/yyyy', 15: 'd-mmm-yy', 16: 'd-mmm', 17: 'mmm-yy', 18: 'h:mm AM/PM', 19: 'h:mm:ss AM/PM', 20: 'h:mm',
  21: 'h:mm:ss', 22: 'm/d/yyyy h:mm', 37: '#,##0;(#,##0)', 38: '#,##0;(#,##0)', 39: '#,##0.00;(#,##0.00)', 40: '#,##0.00;(#,##0.00)',
  12: '# ?/?', 13: '# ??/??', 41: '#,##0;(#,##0);"-"', 42: '$#,##0;($#,##0);"-"', 43: '#,##0.00;(#,##0.00);"-"',
  44: '$#,##0.00;($#,##0.00);"-"', 45: 'mm:ss', 46: '[h]:mm:ss', 47: 'mm:ss.0', 48: '##0.0E+0', 49: '@',
  // East Asian versions of Excel leave these out of the file.
  27: 'yyyy"年"m"月"', 28: 'm"月"d"日"', 29: 'm"月"d"日"', 30: 'm/d/yyyy', 31: 'yyyy"年"m"月"d"日"', 36: 'yyyy"年"m"月"',
  50: 'yyyy"年"m"月"', 57: 'yyyy"年"m"月"', 58: 'm"月"d"日"',
}
const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
const MAX_FORMAT_LENGTH = 250

export type Show = (value: number, from_1904: boolean) => string

export const formatOf = (id: number, own: ReadonlyMap<number, string>): string =>
  own.get(id) ?? BUILT_IN[id] ?? 'General'

export function showBy(format: string): Show {
  if (/^general$/i.test(format) || format.length > MAX_FORMAT_LENGTH) return plain
  const sections = splitSections(format)
  const select = sections.some((section) => CONDITION.test(section)) ? selectByCondition : selectBySign
  return (value, from_1904) => {
    const [section, shown_value] = select(sections, value)
    try {
      return showSection(section, shown_value, from_1904)
    } catch {
      return plain(value)
    }
  }
}

/** The section for a value, and the value to show. A section for negative numbers has its own sign. */
function selectBySign([first = '', second, third]: readonly string[], value: number): [string, number] {
  if (value < 0 && second !== undefined) return [second, -value]
  return [value === 0 && third !== undefined ? third : first, value]
}

const CONDITION = /^\s*(?:\[(?!<|>|=)[^\]]*\]\s*)*\[(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)\]/

function selectByCondition(sections: readonly string[], value: number): [string, number] {
  const found = sections.find((section) => {
    const [, operator = '', limit = ''] = CONDITION.exec(section) ?? []
    return operator === '' || holds(value, operator, Number(limit))
  })
  return [found ?? 'General', value]
}

function holds(value: number, operator: string, limit: number): boolean {
  if (value === limit) return operator.includes('=')
  return operator.includes(value < limit ? '<' : '>')
}

export function plain(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value)
  return String(Number(value.toPrecision(12)))
}

function splitSections(format: string): string[] {
  const parts = format.match(/"[^"]*"|\\.|[^;"\\]+|;/g) ?? []
  const sections = ['']
  for (const part of parts) {
    if (part === ';') sections.push('')
    else sections[sections.length - 1] += part
  }
  return sections
}

type Token = { is_literal: boolean; text: string }

/** Literals, and codes as runs of one letter or a whole number pattern. */
function tokensOf(section: string): Token[] {
  const tokens: Token[] = []
  const pattern =
    /"([^"]*)"|\\(.)|_.|\*.|\[\$([^\]-]*)(?:-[^\]]*)?\]|\[(h+|m+|s+)\]|\[[^\]]*\]|AM\/PM|A\/P|General|[#0?][#0?,.]*(?:E[+-][0#?]+)?|\.0+|y+|m+|d+|h+|s+|%|@|./gi
  for (const [whole, quoted, escaped, currency, elapsed] of section.matchAll(pattern)) {
    const literal = quoted ?? escaped ?? currency
    if (literal !== undefined) tokens.push({ is_literal: true, text: literal })
    else if (elapsed !== undefined) tokens.push({ is_literal: false, text: whole.toLowerCase() })
    else if (whole.startsWith('[') || whole.startsWith('*')) continue
    else if (whole.startsWith('_')) tokens.push({ is_literal: true, text: ' ' })
    else if (whole !== '.' && /^([#0?.%@ymdhs]|AM\/PM|A\/P|General)/i.test(whole))
      tokens.push({ is_literal: false, text: whole })
    else tokens.push({ is_literal: true, text: whole })
  }
  return tokens
}

function showSection(section: string, value: number, from_1904: boolean): string {
  const tokens = tokensOf(section)
  const codes = tokens.filter(({ is_literal }) => !is_literal).map(({ text }) => text)
  if (codes.some((code) => /^(\[?[ymdhs]|AM\/PM|A\/P)/i.test(code))) return showDate(tokens, value, from_1904)
  if (codes.includes('@') || codes.length === 0)
    return codes.length === 0
      ? tokens
          .map(({ text }) => text)
          .join('')
          .trim()
      : plain(value)
  const is_fraction = tokens.some(({ is_literal, text }) => is_literal && text === '/')
  if (is_fraction) return showFraction(tokens.map(({ text }) => text).join(''), value) ?? plain(value)
  const scaled = value * 100 ** codes.filter((code) => code === '%').length
  let is_done = false
  const text = tokens
    .map((token) => {
      if (token.is_literal || token.text === '%') return token.text
      if (is_done) return ''
      is_done = true
      return /^general$/i.test(token.text) ? plain(Math.abs(scaled)) : showNumber(token.text, Math.abs(scaled))
    })
    .join('')
    .trim()
  return value < 0 && /[1-9]/.test(text) ? `-${text}` : text
}

function showNumber(pattern: string, value: number): string {
  const power = /E([+-])([0#?]+)$/i.exec(pattern)
  if (power) {
    const digits = /\.([0#?]+)/.exec(pattern)?.[1]?.length ?? 0
    const [mantissa = '', exponent = '0'] = value.toExponential(Math.min(digits, 20)).split('e')
    const plus = power[1] === '+' ? '+' : ''
    const sign = exponent.startsWith('-') ? '-' : plus
    return `${mantissa}E${sign}${exponent.replace(/^[+-]/, '').padStart(power[2]?.length ?? 1, '0')}`
  }
  const thousands = /,+$/.exec(pattern)?.[0].length ?? 0
  const [whole = '', decimals = ''] = pattern.replace(/,+$/, '').split('.')
  const most = Math.min(20, decimals.replace(/[^#0?]/g, '').length)
  const least = Math.min(most, decimals.replace(/[^0]/g, '').length)
  const least_whole = Math.min(20, whole.replace(/[^0]/g, '').length)
  const shown = (value / 1000 ** thousands).toLocaleString('en-US', {
    useGrouping: whole.includes(','),
    minimumFractionDigits: least,
    maximumFractionDigits: most,
    minimumIntegerDigits: Math.max(1, least_whole),
  })
  return least_whole === 0 && shown.startsWith('0.') ? shown.slice(1) : shown
}

/** Days since the end of 1899, or of 1903. Excel counts a 29 February 1900 that never was. */
function dateOf(value: number, from_1904: boolean): Date {
  const from_1900 = value < 60 ? value + 1 : value
  const days = from_1904 ? value + 1462 : from_1900
  return new Date(Date.UTC(1899, 11, 30) + Math.round(days * DAY_MS))
}

function showDate(tokens: Token[], value: number, from_1904: boolean): string {
  if (value < 0 || value > 2_958_466) return plain(value)
  const digits = Math.max(0, ...tokens.map(({ is_literal, text }) => (is_literal ? 0 : decimalsOf(text))))
  const parts = 86_400 * 10 ** digits
  const date = dateOf(Math.round(value * parts) / parts, from_1904)
  const has_halves = tokens.some(({ is_literal, text }) => !is_literal && /^a/i.test(text))
  const codes = tokens.map(({ is_literal, text }) => (is_literal ? '' : text.toLowerCase()))
  const beside = (from: number, step: number): string => {
    for (let at = from + step; at >= 0 && at < codes.length; at += step) if (codes[at]) return codes[at] ?? ''
    return ''
  }
  return tokens
    .map(({ is_literal, text }, at) => {
      if (is_literal) return text
      const code = text.toLowerCase()
      const is_minute = code.startsWith('m') && (/^\[?h/.test(beside(at, -1)) || /^\[?s/.test(beside(at, 1)))
      return showDateCode(is_minute ? code.replaceAll('m', 'i') : code, date, { value, has_halves })
    })
    .join('')
    .trim()
}

/** Digits of a fraction of a second, as in `ss.00`. Milliseconds are the most. */
const decimalsOf = (code: string): number => (/^\.0+$/.test(code) ? Math.min(3, code.length - 1) : 0)

function showDateCode(code: string, date: Date, { value, has_halves }: { value: number; has_halves: boolean }): string {
  const padded = (number: number, length = code.length) => String(number).padStart(Math.min(2, length), '0')
  const hours = date.getUTCHours()
  if (code.startsWith('y'))
    return code.length <= 2 ? padded(date.getUTCFullYear() % 100, 2) : String(date.getUTCFullYear())
  if (code.startsWith('m')) {
    const name = MONTHS[date.getUTCMonth()] ?? ''
    const shown = [name.slice(0, 3), name, name.slice(0, 1)][code.length - 3]
    return shown ?? padded(date.getUTCMonth() + 1)
  }
  if (code.startsWith('d')) {
    const name = DAYS[date.getUTCDay()] ?? ''
    if (code.length < 3) return padded(date.getUTCDate())
    return code.length === 3 ? name.slice(0, 3) : name
  }
  if (code.startsWith('h')) return padded(has_halves ? hours % 12 || 12 : hours)
  if (code.startsWith('i')) return padded(date.getUTCMinutes())
  if (code.startsWith('s')) return padded(date.getUTCSeconds())
  if (code.startsWith('[h')) return padded(Math.floor(Math.round(value * 86_400) / 3600), code.length - 2)
  if (code.startsWith('[m') || code.startsWith('[i'))
    return padded(Math.floor(Math.round(value * 86_400) / 60), code.length - 2)
  if (code.startsWith('[s')) return padded(Math.round(value * 86_400), code.length - 2)
  if (decimalsOf(code) > 0) return `.${String(date.getUTCMilliseconds()).padStart(3, '0').slice(0, decimalsOf(code))}`
  if (code === 'am/pm') return hours < 12 ? 'AM' : 'PM'
  if (code === 'a/p') return hours < 12 ? 'A' : 'P'
  return ''
}
