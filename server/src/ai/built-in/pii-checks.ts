// Is this number what it looks like?

/** Luhn's checksum: one wrong digit and most swaps are noticed. */
function luhnIsValid(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48
    const value = i % 2 === 1 ? digit * 2 : digit
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

/** First digits of the networks and the lengths that they issue. */
const NETWORKS =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|6(?:011|5\d\d|4[4-9]\d)\d{12}|(?:2131|1800)\d{11}|35\d{14}|(?:5[06-9]|6\d)\d{10,17})$/

const CARD_BEFORE = /(?:card|visa|master|amex|credit|debit|maestro|discover)/i

export function cardConfidence(found: string, context: string): number {
  const digits = found.replace(/\D/g, '')
  if (!luhnIsValid(digits) || /^(\d)\1+$/.test(digits)) return 0
  if (!NETWORKS.test(digits)) return CARD_BEFORE.test(context) ? 0.6 : 0
  return digits.length >= 15 ? 0.95 : 0.85
}

/** ISO 13616: letters count from 10, and the whole is 1 modulo 97. */
export function ibanIsValid(found: string): boolean {
  const plain = found.replace(/[ -]/g, '').toUpperCase()
  if (plain.length < 15 || plain.length > 34 || !/[0-9]{4}/.test(plain.slice(4))) return false
  let rest = 0
  for (const sign of plain.slice(4) + plain.slice(0, 4)) {
    const value = Number.parseInt(sign, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

/** Numbers that the Social Security Administration has never given out are none. Area 9xx is for other purposes. */
export function ssnIsPossible(found: string): boolean {
  const digits = found.replace(/\D/g, '')
  return !/^(?:000|666|9)/.test(digits) && !/^\d{3}00/.test(digits) && !digits.endsWith('0000')
}

const VERSION_BEFORE = /(?:version|ver\.?|release|section|clause|chapter|v|§)\s*$/i

export function ipv4Confidence(found: string, context: string): number {
  const parts = found.split('.')
  if (
    parts.some((part) => Number(part) > 255 || (part.length > 1 && part.startsWith('0'))) ||
    VERSION_BEFORE.test(context)
  )
    return 0
  return parts.every((part) => part.length === 1) ? 0.5 : 0.9
}
