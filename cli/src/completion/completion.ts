// Completion scripts, derived from the command definitions, so that new commands are completed automatically.

import type { Command } from 'commander'
import { bashScript } from './bash.ts'
import { fishScript } from './fish.ts'
import { type CliPlace, placesOf } from './places.ts'
import { zshScript } from './zsh.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

const scripts: Record<Shell, (places: readonly CliPlace[]) => string> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

export const completionOf = (shell: Shell, program: Command): string => scripts[shell](placesOf(program))
