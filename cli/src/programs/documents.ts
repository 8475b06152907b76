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
  const documents = group(program, 'documents', 'add, list, show and delete documents')
  addCommand(documents, run)
  const list = documents
    .command('list')
    .description('list documents, newest first')
    .option('--project <id>', 'only documents in this project')
  list.addOption(
    choiceOption('--status <status>', 'only documents with this status', [
      'processing',
      'ready',
      'partially_ready',
      'failed',
    ]),
  )
  withOptions(list, listOptions()).action((options: DocumentsListOptions, command: Command) =>
    run(command, (session) => listDocuments(session, options)),
  )
  examples(list, 'octavo documents list', 'octavo documents list --status failed --json')

  const get = documents
    .command('get')
    .description('show a document or its text')
    .argument('<document>', 'id of the document')
    .option('--text', 'print the text of its pages')
    .addOption(new Option('--markdown', 'print the text with headings and tables').conflicts('text'))
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
    .description('delete documents and everything produced from them')
    .argument('<documents...>', 'ids of the documents')
    .option('-y, --yes', 'do not ask for confirmation')
    .action((ids: string[], options: { yes?: boolean }, command: Command) =>
      run(command, (session) => deleteDocuments(session, ids, options)),
    )
  examples(remove, 'octavo documents delete doc_01h455vb4pex5vsknk084sn02q --yes')
}

function addCommand(documents: Command, run: CliRun): void {
  const add = documents
    .command('add')
    .description('upload files and wait until they are processed')
    .argument('<files...>', "files to upload; '-' reads from stdin")
    .option('--summary', 'print a summary of each file')
    .option('--project <id>', 'project to add the documents to')
    .option('--title <title>', 'title of the document (for a single file); default: the file name')
    .option('--name <name>', "file name to use, required for '-'")
    .option('--concurrency <count>', 'files to process at once', numberFrom(1, 32), 4)
    .option('--no-wait', 'return after the upload, without waiting for processing')
    .option('--detach', 'on Ctrl-C, keep processing the uploaded files instead of canceling')
    .addOption(
      choiceOption('--on-duplicate <what>', 'what to do if the same file already exists', [
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
