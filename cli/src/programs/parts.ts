// Shared parts of the command definitions.

import { type Command, Option } from 'commander'
import { MOST, numberFrom } from '../commands/lists.ts'
import type { Session } from '../commands/session.ts'
import { SELF } from '../self.ts'
import { clean } from '../width.ts'

/** Runs the action of a command and exits with the code that it returns. */
export type CliRun = (command: Command, act: (session: Session) => Promise<number> | number) => Promise<void>

export function examples(command: Command, ...lines: string[]): Command {
  const typed = lines.map((line) => `  $ ${line.replace(/\boctavo (?=[a-z])/g, () => `${SELF} `)}`)
  return command.addHelpText('after', `\nExamples:\n${typed.join('\n')}`)
}

/** An option that can be repeated or have comma-separated values. */
export const listOption = (flags: string, description: string): Option =>
  new Option(flags, description).argParser((text: string, before: string[] | undefined) => [
    ...(before ?? []),
    ...text
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean),
  ])

export const choiceOption = (flags: string, description: string, choices: readonly string[]): Option =>
  new Option(flags, description).choices(choices)

/** `--limit` and `--all`. */
export const listOptions = (): Option[] => [
  new Option('--limit <count>', 'maximum number of results').default(20).argParser(numberFrom(1, MOST)),
  new Option('--all', 'list everything'),
]

export function group(program: Command, name: string, description: string): Command {
  return refuseUnknown(program.command(name).description(description).helpCommand(false))
}

/** Lists the known commands, because suggestions for a mistyped one are often wrong. */
export function refuseUnknown(command: Command): Command {
  return command.on('command:*', ([word]: string[]) => {
    const known = command.commands.map((one) => one.name()).join(', ')
    command.error(`error: unknown command '${clean(word ?? '')}'\n(${command.name()} has: ${known})`, {
      code: 'commander.unknownCommand',
    })
  })
}

export function withOptions(command: Command, options: readonly Option[]): Command {
  for (const option of options) command.addOption(option)
  return command
}
