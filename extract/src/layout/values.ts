// Texts that are values rather than words: amounts, dates, codes.

const AMOUNT =
  /^[-+±(<>≤≥~]*\s*(\p{Sc}|[A-Z]{3}\s)?\s*[-+]?\d[\d.,'’:/\s-]*\s*(%|‰|\p{Sc}|[A-Z]{3}|\p{L}{1,3}[./]?\p{L}{0,4})?\)?\*?$/u
const NOTHING = /^([-–—.]{1,3}|n\/?a|nil|x|✓|✔|✗|✘)$/i
const CODE = /^(?=\S*\d)[\p{Lu}\d][\p{Lu}\d./#-]{2,}$/u

export const isNumber = (text: string): boolean => AMOUNT.test(text)
export const isValue = (text: string): boolean => AMOUNT.test(text) || NOTHING.test(text) || CODE.test(text)
