// The arguments of every command: the terminal, the signal of Ctrl-C, and the client, opened on first use.

import type { Octavo } from '@octavo/sdk'
import { openClient } from '../client.ts'
import type { Output } from '../output.ts'
import type { Terminal } from '../terminal.ts'

export interface Session {
  terminal: Terminal
  signal: AbortSignal
  output: Output
  /** The server that `login` contacts with a new key; null in all other commands, which use the stored login. */
  url: string | null
  client: () => Octavo
}

export const newSession = (terminal: Terminal, signal: AbortSignal, output: Output): Session => ({
  terminal,
  signal,
  output,
  url: null,
  client: () => openClient(),
})
