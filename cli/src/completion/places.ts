// Every command as a place where something can be completed.

import type { Argument, Command, Option } from 'commander'

export interface Choice {
  name: string
  description: string
}

export interface OptionPlace {
  /** `-y`, `--yes`. */
  flags: string[]
  description: string
  takes_value: boolean
  choices: readonly string[]
}

/** Subcommands, options and arguments that may follow a command. */
export interface CliPlace {
  /** `octavo documents add`. */
  path: string
  commands: Choice[]
  options: OptionPlace[]
  takes_files: boolean
  /** Values of its first argument. */
  choices: readonly string[]
}

const optionOf = ({ short, long, description, required, optional, argChoices }: Option): OptionPlace => ({
  flags: [short, long].filter((flag) => flag !== undefined),
  description,
  takes_value: required || optional,
  choices: argChoices ?? [],
})

const help: OptionPlace = { flags: ['-h', '--help'], description: 'show help', takes_value: false, choices: [] }
const isOfFiles = (argument: Argument): boolean => argument.name() === 'files'

export function placesOf(program: Command): CliPlace[] {
  const everywhere = program.options.filter(({ long }) => long === '--json').map(optionOf)
  const visit = (command: Command, before: string): CliPlace[] => {
    const path = `${before} ${command.name()}`.trim()
    const own = command.options.map(optionOf).filter(({ flags }) => !flags.includes('--json'))
    const arguments_ = command.registeredArguments
    const place: CliPlace = {
      path,
      commands: command.commands.map((one) => ({ name: one.name(), description: one.description() })),
      options: [...own, ...everywhere, help],
      takes_files: arguments_.some(isOfFiles),
      choices: arguments_[0]?.argChoices ?? [],
    }
    return [place, ...command.commands.flatMap((one) => visit(one, path))]
  }
  return visit(program, '')
}

/** Paths below the first word, as patterns of a `case`. */
export const pathPattern = (places: readonly CliPlace[], separator: string): string =>
  places
    .slice(1)
    .map(({ path }) => `'${path}'`)
    .join(separator)
