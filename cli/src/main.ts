#!/usr/bin/env node
// The `octavo` command.

import { CommanderError } from 'commander'
import { newSession } from './commands/session.ts'
import { explain } from './errors.ts'
import { exits, Interrupted } from './exits.ts'
import { DEFAULT_URL, findLogin } from './login.ts'
import { buildProgram } from './program.ts'
import { Terminal } from './terminal.ts'

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
const interrupt = new AbortController()

for (const signal of SIGNALS) {
  process.on(signal, () => {
    // Who asks twice does not want to wait for what is being cancelled.
    if (interrupt.signal.aborted) process.exit(exits.interrupted)
    interrupt.abort(new Interrupted())
  })
}
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    // Who reads the pipe has seen enough, as with `| head`. Ctrl-C ends the reader too, and then there is still work to cancel.
    if (!interrupt.signal.aborted) process.exit(exits.fine)
  })
}

function currentUrl(): string {
  try {
    return findLogin().url ?? DEFAULT_URL
  } catch {
    return DEFAULT_URL
  }
}

const program = buildProgram(async (command, act) => {
  const terminal = new Terminal(command.optsWithGlobals<{ json?: boolean }>().json ?? false)
  const session = newSession(terminal, interrupt.signal)
  try {
    process.exitCode = await act(session)
  } catch (error) {
    const explained = explain(interrupt.signal.aborted ? interrupt.signal.reason : error, session.url ?? currentUrl())
    terminal.complain(explained)
    process.exitCode = explained.exit
  }
})

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  // Commander has said what is wrong; its own code for that is 1.
  process.exitCode = error.exitCode === 0 ? exits.fine : exits.wrong_usage
}
