// Places in a text. JavaScript counts UTF-16 units; all that leaves the engine counts code points.

export interface Span {
  start: number
  end: number
}

const HIGH_SURROGATE = /[\ud800-\udbff]/

/** From a place in UTF-16 units to the same place in code points. */
export function positionsOf(text: string): (unit: number) => number {
  if (!HIGH_SURROGATE.test(text)) return (unit) => unit
  const points = new Uint32Array(text.length + 1)
  let count = 0
  for (let unit = 0; unit < text.length; unit++) {
    points[unit] = count++
    if ((text.codePointAt(unit) ?? 0) > 0xffff) points[++unit] = count
  }
  points[text.length] = count
  return (unit) => points[unit] ?? count
}
