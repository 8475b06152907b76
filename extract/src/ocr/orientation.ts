import type { Turn } from './ocr.ts'
import type { Orientation } from './recognizer.ts'

// Measured on pages of text in six scripts: 10 and more. Below this it is not followed.
const MIN_CONFIDENCE = 1

/** Parses Tesseract's answer to a request for orientation and script. */
export function parseOrientation(answer: string): Orientation | null {
  const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(answer)?.[1]
  const script = field('Script')
  if (!script) return null
  const is_sure = Number(field('Orientation confidence')) >= MIN_CONFIDENCE
  const turn = is_sure ? Number(field('Rotate')) : 0
  return { script, turn: isTurn(turn) ? turn : 0 }
}

const isTurn = (degrees: number): degrees is Turn => [0, 90, 180, 270].includes(degrees)
