// The measured costs, as a file in the repository.

import { readFileSync, writeFileSync } from 'node:fs'
import type { Coefficients } from './model.ts'

const FILE = new URL('./coefficients.json', import.meta.url)

export const readCoefficients = (): Coefficients => JSON.parse(readFileSync(FILE, 'utf8')) as Coefficients

/** Four significant digits; the rest is noise. */
const shorten = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(4)) : value

export function writeCoefficients(coefficients: Coefficients): void {
  writeFileSync(FILE, `${JSON.stringify(coefficients, shorten, 2)}\n`)
}
