// stdout may end before the program does: whoever reads the pipe has seen enough, as with `| head`, or the disk is full.

import type { Explanation } from './errors.ts'
import { exits } from './exits.ts'

export interface Output {
  /** False: the work continues after stdout is closed. */
  is_needed: boolean
  is_closed: boolean
}

export function watchOutput(isInterrupted: () => boolean, complain: (why: Explanation) => void): Output {
  const output: Output = { is_needed: true, is_closed: false }
  // Ctrl-C ends the reader too, and then there is still work to cancel.
  const mayEnd = (): boolean => output.is_needed && !isInterrupted()
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (output.is_closed) return
    output.is_closed = true
    if (error.code === 'EPIPE') {
      if (mayEnd()) process.exit(exits.fine)
      return
    }
    const message = `Cannot write the output: ${error.message}`
    complain({ message, hint: null, request_id: null, code: 'output_failed', exit: exits.failed })
    if (mayEnd()) process.exit(exits.failed)
    process.once('exit', (code) => (process.exitCode = code || exits.failed))
  })
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' && mayEnd()) process.exit(exits.fine)
  })
  return output
}
