import { type Command, Option } from 'commander'
import { ask, type CliAskOptions } from '../commands/ask.ts'
import { numberFrom } from '../commands/lists.ts'
import { type SearchOptions, search } from '../commands/search.ts'
import { type CliSummaryOptions, summarise } from '../commands/summaries.ts'
import { type CliRun, choiceOption, examples, group, listOption } from './parts.ts'

const ID = 'doc_01h455vb4pex5vsknk084sn02q'
const document = (): Option => listOption('--document <id>', 'only this document; repeatable')

export function outcomeCommands(program: Command, run: CliRun): void {
  const asking = program
    .command('ask')
    .description('answer a question from your documents')
    .argument('<question>', 'your question')
    .addOption(document())
    .option('--project <id>', 'only documents in this project')
    .option('--model <id>', "model that answers; default: the server's default")
    .option('--language <tag>', 'output language of a generative model, such as de')
    .action((question: string, options: CliAskOptions, command: Command) =>
      run(command, (session) => ask(session, question, options)),
    )
  examples(asking, 'octavo ask "What is the rent?"', `octavo ask "Who repairs the roof?" --document ${ID}`)

  const searching = program
    .command('search')
    .description('find passages in your documents')
    .argument('<query>', 'keywords or a question')
    .addOption(document())
    .option('--project <id>', 'only documents in this project')
    .addOption(
      choiceOption('--mode <mode>', 'keyword search, semantic search or both', ['hybrid', 'keyword', 'semantic']),
    )
    .addOption(new Option('--limit <count>', 'maximum number of results').default(10).argParser(numberFrom(1, 100)))
    .action((query: string, options: SearchOptions, command: Command) =>
      run(command, (session) => search(session, query, options)),
    )
  examples(searching, 'octavo search "notice period"', 'octavo search rent --mode keyword --limit 3 --json')

  const summaries = group(program, 'summaries', 'summarize documents')
  const create = summaries
    .command('create')
    .description('summarize documents, with the page behind every sentence')
    .argument('<documents...>', 'ids of the documents')
    .addOption(
      choiceOption('--style <style>', 'style of the summary', ['extractive', 'abstract', 'bullets', 'headline']),
    )
    .addOption(choiceOption('--length <length>', 'length of the summary', ['short', 'medium', 'long']))
    .option('--focus <text>', 'what you want to know')
    .option('--language <tag>', 'output language of a generative model, such as de')
    .option('--model <id>', "generative model; default: the server's default")
    .action((ids: string[], options: CliSummaryOptions, command: Command) =>
      run(command, (session) => summarise(session, ids, options)),
    )
  examples(
    create,
    `octavo summaries create ${ID}`,
    `octavo summaries create ${ID} --length short --focus "what the tenant has to pay"`,
  )
}
