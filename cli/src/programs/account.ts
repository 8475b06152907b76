import { Argument, type Command, type Option } from 'commander'
import { createKey, type KeyOptions, listKeys, revokeKeys } from '../commands/keys.ts'
import type { ListOptions } from '../commands/lists.ts'
import { type LoginOptions, login, logout } from '../commands/login.ts'
import { type CliMcpOptions, serveMcp } from '../commands/mcp.ts'
import { type InviteOptions, inviteUser, listUsers, removeUsers, roles } from '../commands/users.ts'
import { whoami } from '../commands/whoami.ts'
import { completionOf, type Shell, shells } from '../completion/completion.ts'
import { doctor } from '../doctor.ts'
import { exits } from '../exits.ts'
import { scopes } from '../scopes.ts'
import { type CliRun, choiceOption, examples, group, listOption, listOptions, withOptions } from './parts.ts'

export function accountCommands(program: Command, run: CliRun): void {
  keyCommands(program, run)
  userCommands(program, run)
  loginCommands(program, run)
  const examining = program
    .command('doctor')
    .description('find problems and show how to fix them')
    .action((_: object, command: Command) => run(command, ({ terminal, signal }) => doctor({ terminal, signal })))
  examples(examining, 'octavo doctor', 'octavo doctor --json')

  const serving = program
    .command('mcp')
    .description('serve your documents to an AI agent over MCP, on stdin and stdout')
    .option('--allow-writes', 'also offer the tool that adds documents')
    .action((options: CliMcpOptions, command: Command) => run(command, (session) => serveMcp(session, options)))
  examples(serving, 'octavo mcp                                    the command to configure in your agent')

  const completing = program
    .command('completion')
    .description('print a completion script for your shell')
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

function loginCommands(program: Command, run: CliRun): void {
  const entering = program
    .command('login')
    .description('log in with your browser, or with an API key')
    .argument('[url]', 'URL of the server')
    .argument('[key]', 'API key; it stays in your shell history, so prefer --key or a pipe')
    .option('--key', 'log in with an API key, entered at a prompt or piped to stdin')
    .option('--open', 'also open the page in your browser')
    .action((url: string | undefined, key: string | undefined, options: LoginOptions, command: Command) =>
      run(command, (session) =>
        login(
          session,
          [url, key].filter((word) => word !== undefined),
          options,
        ),
      ),
    )
  examples(
    entering,
    'octavo login https://octavo.example.com       shows a code to enter in your browser',
    'octavo login --key http://localhost:3000      prompts for a key',
    'docker compose logs octavo | octavo login     finds the URL and the key in the log',
  )
  const asking = program
    .command('whoami')
    .description('show who you are logged in as and what you may do')
    .action((_: object, command: Command) => run(command, whoami))
  examples(asking, 'octavo whoami', 'octavo whoami --json')

  const leaving = program
    .command('logout')
    .description('log out: delete the stored login and revoke its access')
    .action((_: object, command: Command) => run(command, logout))
  examples(leaving, 'octavo logout')
}

/** Used for completion, but not enforced: a newer server may have more scopes. */
function scopesOption(): Option {
  const option = listOption('--scopes <scopes>', 'scopes of the key, comma-separated')
  option.argChoices = ['all', ...scopes]
  return option
}

function keyCommands(program: Command, run: CliRun): void {
  const keys = group(program, 'keys', 'create, list and revoke API keys')
  const create = keys
    .command('create')
    .description('create a key and print its secret once')
    .argument('<name>', 'name of the key')
    .addOption(scopesOption())
    .addOption(listOption('--project <id>', 'limit the key to this project; repeatable'))
    .option('--expires <time>', 'when the key expires: 30d or 2027-01-31')
    .action((name: string, options: KeyOptions, command: Command) =>
      run(command, (session) => createKey(session, name, options)),
    )
  examples(
    create,
    'octavo keys create scanner --scopes documents:read,documents:write --expires 90d',
    'octavo keys create laptop --scopes all | octavo login',
  )

  const list = keys.command('list').description('list keys (without their secrets)')
  withOptions(list, listOptions()).action((options: ListOptions, command: Command) =>
    run(command, (session) => listKeys(session, options)),
  )
  examples(list, 'octavo keys list')

  const revoke = keys
    .command('revoke')
    .description('revoke keys immediately')
    .argument('<keys...>', 'ids of the keys')
    .action((ids: string[], _: object, command: Command) => run(command, (session) => revokeKeys(session, ids)))
  examples(revoke, 'octavo keys revoke key_01h455vb4pex5vsknk084sn02q')
}

function userCommands(program: Command, run: CliRun): void {
  const users = group(program, 'users', 'invite, list and remove users')
  const invite = users
    .command('invite')
    .description('invite a person and print the link once')
    .argument('<email>', 'email address of the person')
    .addOption(choiceOption('--role <role>', 'role of the user', roles).makeOptionMandatory())
    .addOption(listOption('--project <id>', 'limit the user to this project; repeatable'))
    .option('--expires <time>', 'when the link expires: 3d or 2027-01-31; default 7 days')
    .action((email: string, options: InviteOptions, command: Command) =>
      run(command, (session) => inviteUser(session, email, options)),
    )
  examples(invite, 'octavo users invite ada@example.com --role editor')

  const list = users.command('list').description('list users')
  withOptions(list, listOptions()).action((options: ListOptions, command: Command) =>
    run(command, (session) => listUsers(session, options)),
  )
  examples(list, 'octavo users list')

  const remove = users
    .command('remove')
    .description('remove users and their access')
    .argument('<users...>', 'ids of the users')
    .action((ids: string[], _: object, command: Command) => run(command, (session) => removeUsers(session, ids)))
  examples(remove, 'octavo users remove usr_01h455vb4pex5vsknk084sn02q')
}
