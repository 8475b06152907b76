import { type Command, Option } from 'commander'
import { ask, type CliAskOptions } from '../commands/ask.ts'
import { numberFrom } from '../commands/lists.ts'
import { type SearchOptions, search } from '../commands/search.ts'
import { type CliSummaryOptions, summarise } from '../commands/summaries.ts'
import { type CliRun, choiceOption, examples, group, listOption } from './parts.ts'

const ID = 'doc_01h455vb4pex5vsknk084sn02q'
const document = (): Option => listOption('--document <id>', 'only in this document; may come several times')

export function outcomeCommands(program: Command, run: CliRun): void {
  const asking = program
    .command('ask')
    .description('answer a question from your documents')
    .argument('<question>', 'in your words')
    .addOption(document())
    .option('--project <id>', 'only in documents of this project')
    .option('--model <id>', 'who answers; as the server is set up if absent')
    .option('--language <tag>', 'that a model answers in, such as de')
    .action((question: string, options: CliAskOptions, command: Command) =>
      run(command, (session) => ask(session, question, options)),
    )
  examples(asking, 'octavo ask "What is the rent?"', `octavo ask "Who repairs the roof?" --document ${ID}`)

  const searching = program
    .command('search')
    .description('find passages that speak of something')
    .argument('<query>', 'words, or a question')
    .addOption(document())
    .option('--project <id>', 'only in documents of this project')
    .addOption(choiceOption('--mode <mode>', 'by words, by meaning, or both', ['hybrid', 'keyword', 'semantic']))
    .addOption(new Option('--limit <count>', 'so many at most').default(10).argParser(numberFrom(1, 100)))
    .action((query: string, options: SearchOptions, command: Command) =>
      run(command, (session) => search(session, query, options)),
    )
  examples(searching, 'octavo search "notice period"', 'octavo search rent --mode keyword --limit 3 --json')

  const summaries = group(program, 'summaries', 'sum up documents')
  const create = summaries
    .command('create')
    .description('sum up documents, with the page for every sentence')
    .argument('<documents...>', 'their ids')
    .addOption(choiceOption('--style <style>', 'how it is written', ['extractive', 'abstract', 'bullets', 'headline']))
    .addOption(choiceOption('--length <length>', 'how long it is', ['short', 'medium', 'long']))
    .option('--focus <text>', 'what you want to know')
    .option('--language <tag>', 'that a model writes in, such as de')
    .option('--model <id>', 'who writes it; as the server is set up if absent')
    .action((ids: string[], options: CliSummaryOptions, command: Command) =>
      run(command, (session) => summarise(session, ids, options)),
    )
  examples(
    create,
    `octavo summaries create ${ID}`,
    `octavo summaries create ${ID} --length short --focus "what the tenant has to pay"`,
  )
}
