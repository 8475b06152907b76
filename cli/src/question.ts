// Questions to someone at the terminal.

import { createInterface } from 'node:readline/promises'
import { Interrupted } from './exits.ts'

/** Ctrl-C and Ctrl-D at a question end the program as Ctrl-C does elsewhere. */
export async function askPerson<T>(
  output: NodeJS.WritableStream,
  signal: AbortSignal,
  talk: (ask: (question: string) => Promise<string>) => Promise<T>,
): Promise<T> {
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  try {
    return await talk((question) => lines.question(question, { signal }))
  } catch (error) {
    // The second: it was pressed before the question was asked.
    const { name, code } = error as NodeJS.ErrnoException
    if (name !== 'AbortError' && code !== 'ERR_USE_AFTER_CLOSE') throw error
    // The shell prompt continues on a new line.
    process.stderr.write('\n')
    throw new Interrupted()
  } finally {
    lines.close()
  }
}
