import { type Command, Option } from 'commander'
import { type AddOptions, addDocuments } from '../commands/add.ts'
import {
  type DocumentGetOptions,
  type DocumentsListOptions,
  deleteDocuments,
  getDocument,
  listDocuments,
} from '../commands/documents.ts'
import { numberFrom } from '../commands/lists.ts'
import { type CliRun, choiceOption, examples, group, listOptions, withOptions } from './parts.ts'

export function documentCommands(program: Command, run: CliRun): void {
  const documents = group(program, 'documents', 'add files, look at them, delete them')
  addCommand(documents, run)
  const list = documents
    .command('list')
    .description('list documents, the newest first')
    .option('--project <id>', 'only of this project')
  list.addOption(
    choiceOption('--status <status>', 'only with this status', ['processing', 'ready', 'partially_ready', 'failed']),
  )
  withOptions(list, listOptions()).action((options: DocumentsListOptions, command: Command) =>
    run(command, (session) => listDocuments(session, options)),
  )
  examples(list, 'octavo documents list', 'octavo documents list --status failed --json')

  const get = documents
    .command('get')
    .description('show a document, or what is written in it')
    .argument('<document>', 'its id')
    .option('--text', 'the text of its pages')
    .addOption(new Option('--markdown', 'the same with headings and tables').conflicts('text'))
    .action((id: string, options: DocumentGetOptions, command: Command) =>
      run(command, (session) => getDocument(session, id, options)),
    )
  examples(
    get,
    'octavo documents get doc_01h455vb4pex5vsknk084sn02q',
    'octavo documents get doc_01h455vb4pex5vsknk084sn02q --text | less',
  )

  const remove = documents
    .command('delete')
    .description('delete documents and everything made of them')
    .argument('<documents...>', 'their ids')
    .option('-y, --yes', 'do not ask')
    .action((ids: string[], options: { yes?: boolean }, command: Command) =>
      run(command, (session) => deleteDocuments(session, ids, options)),
    )
  examples(remove, 'octavo documents delete doc_01h455vb4pex5vsknk084sn02q --yes')
}

function addCommand(documents: Command, run: CliRun): void {
  const add = documents
    .command('add')
    .description('send files and have them read')
    .argument('<files...>', "files; '-' is what comes through a pipe")
    .option('--summary', 'sum up each file that could be read')
    .option('--project <id>', 'the project that the documents belong to')
    .option('--title <title>', 'of one file; its name if absent')
    .option('--name <name>', "the file's name, where it has none ('-') or another one is wanted")
    .option('--concurrency <count>', 'files under way at once', numberFrom(1, 32), 4)
    .option('--no-wait', 'send them and do not wait until they are read')
    .option('--detach', 'Ctrl-C leaves the reading of what has been sent alone, instead of cancelling it')
    .addOption(
      choiceOption('--on-duplicate <what>', 'if the same file is there already', [
        'allow',
        'reject',
        'return_existing',
      ]),
    )
    .action((files: string[], options: AddOptions, command: Command) =>
      run(command, (session) => addDocuments(session, files, options)),
    )
  examples(
    add,
    'octavo documents add lease.pdf --summary',
    'octavo documents add *.pdf letters/*.docx --on-duplicate return_existing',
    'curl -s https://example.com/lease.pdf | octavo documents add - --name lease.pdf',
  )
}
