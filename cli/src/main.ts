#!/usr/bin/env node
// The `octavo` command.

import { CommanderError } from 'commander'
import { newSession } from './commands/session.ts'
import { explain, explainUsage } from './errors.ts'
import { exits, Interrupted } from './exits.ts'
import { DEFAULT_URL, findLogin } from './login.ts'
import { watchOutput } from './output.ts'
import { buildProgram } from './program.ts'
import { Terminal } from './terminal.ts'
import { finishRefreshing } from './tokens.ts'

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
const interrupt = new AbortController()

for (const signal of SIGNALS) {
  process.on(signal, () => {
    // A second Ctrl-C exits at once, without waiting for cancellation.
    if (interrupt.signal.aborted) process.exit(exits.interrupted)
    interrupt.abort(new Interrupted())
  })
}
// Options that are not understood leave only the words themselves to look at.
const words = process.argv.slice(2)
const is_json = words.slice(0, words.includes('--') ? words.indexOf('--') : undefined).includes('--json')
const output = watchOutput(
  () => interrupt.signal.aborted,
  (why) => new Terminal(is_json).complain(why),
)

function currentUrl(): string {
  try {
    return findLogin().url ?? DEFAULT_URL
  } catch {
    return DEFAULT_URL
  }
}

const program = buildProgram(async (command, act) => {
  const terminal = new Terminal(command.optsWithGlobals<{ json?: boolean }>().json ?? false)
  const session = newSession(terminal, interrupt.signal, output)
  try {
    process.exitCode = await act(session)
  } catch (error) {
    const reason: unknown = interrupt.signal.aborted ? interrupt.signal.reason : error
    const explained = explain(reason, session.url ?? currentUrl(), session.url !== null)
    terminal.complain(explained)
    process.exitCode = explained.exit
  }
}, is_json)

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  // Its own code for wrong usage is 1. To people Commander has said what is wrong.
  process.exitCode = error.exitCode === 0 ? exits.fine : exits.wrong_usage
  if (is_json && error.exitCode !== 0) new Terminal(true).complain(explainUsage(error))
}
// A connection that is still being made would keep the program until the network gives it up.
if (interrupt.signal.aborted) {
  await finishRefreshing()
  process.stdout.write('', () => process.exit())
}
