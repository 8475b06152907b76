// One assertion about the authorization server, with the rule that it comes from.

import type { Part } from '../lib/proof.ts'

/** The RFC and section, a sentence, the value that was found, and the expected value or its pattern. */
export type Case = readonly [rule: string, sentence: string, found: unknown, expected: unknown]

const isAsExpected = (found: unknown, expected: unknown): boolean =>
  expected instanceof RegExp ? expected.test(String(found)) : JSON.stringify(found) === JSON.stringify(expected)

export function judgeCases(name: string, cases: readonly Case[]): Part & { count: number } {
  const findings = cases
    .filter(([, , found, expected]) => !isAsExpected(found, expected))
    .map(([rule, sentence, found, expected]) => {
      const should = expected instanceof RegExp ? String(expected) : JSON.stringify(expected)
      return `${rule}, ${sentence}: found ${JSON.stringify([found]).slice(1, 200)}, expected ${should}`
    })
  return { figure: `${name} ${cases.length}`, findings, count: cases.length }
}

/** The message of the error that a strict client reports; null when it accepts the response. */
export async function refusalOf(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
