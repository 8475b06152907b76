import { Argument, type Command, type Option } from 'commander'
import { createKey, type KeyOptions, listKeys, revokeKeys } from '../commands/keys.ts'
import type { ListOptions } from '../commands/lists.ts'
import { login, logout } from '../commands/login.ts'
import { completionOf, type Shell, shells } from '../completion/completion.ts'
import { doctor } from '../doctor.ts'
import { exits } from '../exits.ts'
import { scopes } from '../scopes.ts'
import { type CliRun, examples, group, listOption, listOptions, withOptions } from './parts.ts'

export function accountCommands(program: Command, run: CliRun): void {
  keyCommands(program, run)
  const entering = program
    .command('login')
    .description('say where the server is and which key to use')
    .argument('[url]', 'address of the server')
    .argument('[key]', 'better not here, where the history of the shell keeps it: it is asked for, or read from a pipe')
    .action((url: string | undefined, key: string | undefined, _: object, command: Command) =>
      run(command, (session) =>
        login(
          session,
          [url, key].filter((word) => word !== undefined),
        ),
      ),
    )
  examples(
    entering,
    'octavo login http://localhost:3000            asks for the key',
    'docker compose logs octavo | octavo login     finds both in the log of the first start',
    'octavo login https://octavo.example.com < key.txt',
  )
  const leaving = program
    .command('logout')
    .description('forget the key')
    .action((_: object, command: Command) => run(command, logout))
  examples(leaving, 'octavo logout')

  const examining = program
    .command('doctor')
    .description('find out why something does not work, and how to mend it')
    .action((_: object, command: Command) => run(command, ({ terminal, signal }) => doctor({ terminal, signal })))
  examples(examining, 'octavo doctor', 'octavo doctor --json')

  const completing = program
    .command('completion')
    .description('print a script that completes commands, options and file names')
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .action((shell: Shell, _: object, command: Command) =>
      run(command, ({ terminal }) => {
        terminal.line(completionOf(shell, program).trimEnd())
        return exits.fine
      }),
    )
  examples(
    completing,
    'source <(octavo completion bash)              in ~/.bashrc',
    'source <(octavo completion zsh)               in ~/.zshrc, after compinit',
    'octavo completion fish > ~/.config/fish/completions/octavo.fish',
  )
}

/** Offered, but not enforced: a newer server may know others. */
function scopesOption(): Option {
  const option = listOption('--scopes <scopes>', 'what it may do, with commas between')
  option.argChoices = ['all', ...scopes]
  return option
}

function keyCommands(program: Command, run: CliRun): void {
  const keys = group(program, 'keys', 'make, list and revoke API keys')
  const create = keys
    .command('create')
    .description('make a key; its secret is printed once')
    .argument('<name>', 'what it is for')
    .addOption(scopesOption())
    .addOption(listOption('--project <id>', 'only in this project; may come several times'))
    .option('--expires <time>', 'when it ends by itself: 30d, or 2027-01-31')
    .action((name: string, options: KeyOptions, command: Command) =>
      run(command, (session) => createKey(session, name, options)),
    )
  examples(
    create,
    'octavo keys create scanner --scopes documents:read,documents:write --expires 90d',
    'octavo keys create laptop --scopes all | octavo login',
  )

  const list = keys.command('list').description('list keys; never their secrets')
  withOptions(list, listOptions()).action((options: ListOptions, command: Command) =>
    run(command, (session) => listKeys(session, options)),
  )
  examples(list, 'octavo keys list')

  const revoke = keys
    .command('revoke')
    .description('end keys at once')
    .argument('<keys...>', 'their ids')
    .action((ids: string[], _: object, command: Command) => run(command, (session) => revokeKeys(session, ids)))
  examples(revoke, 'octavo keys revoke key_01h455vb4pex5vsknk084sn02q')
}
