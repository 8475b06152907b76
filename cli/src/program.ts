// Every command with its options and examples. The actions are in commands/.

import { readFileSync } from 'node:fs'
import { styleText } from 'node:util'
import { Command, Option } from 'commander'
import { accountCommands } from './programs/account.ts'
import { documentCommands } from './programs/documents.ts'
import { jobCommands } from './programs/jobs.ts'
import { outcomeCommands } from './programs/outcomes.ts'
import type { CliRun } from './programs/parts.ts'
import { examples, refuseUnknown } from './programs/parts.ts'
import { SELF } from './self.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

const ABOUT = `Octavo answers questions about your documents, with the page behind every sentence.`
const EXITS = `
Exit codes:
  0  success                  3  not found, or no answer in the documents
  1  partial or full failure  4  not logged in, or not allowed
  2  usage error              5  the server cannot be reached
  130  interrupted`

/** `is_silent`: Commander prints no usage errors, because the caller reports them. */
export function buildProgram(run: CliRun, is_silent = false): Command {
  const program = new Command('octavo')
    .description(ABOUT)
    .version(`octavo ${version}`, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help; also works for each command')
    .addOption(new Option('--json', 'print one JSON value per line; errors go to stderr as JSON'))
    .configureHelp({
      showGlobalOptions: true,
      styleTitle: (title) => styleText('bold', title),
      styleUsage: (usage) => usage.replace(/^octavo\b/, () => SELF),
    })
    .showSuggestionAfterError()
    .exitOverride()
  if (is_silent) program.configureOutput({ writeErr: () => {} })
  program.commandsGroup('Documents:')
  documentCommands(program, run)
  program.commandsGroup('Questions:')
  outcomeCommands(program, run)
  program.commandsGroup('Jobs and access:')
  jobCommands(program, run)
  accountCommands(program, run)
  refuseUnknown(program.helpCommand(false))
  examples(
    program,
    'octavo login http://localhost:3000            logs in with your browser',
    'octavo documents add lease.pdf --summary      uploads a file and summarizes it',
    'octavo ask "What is the rent?"                answers from your documents, with pages',
  )
  program.addHelpText('after', EXITS)
  return program
}
