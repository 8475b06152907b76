import type { Command } from 'commander'
import { cancelJobs, getJob, type JobsListOptions, listJobs, watchJob } from '../commands/jobs.ts'
import { type CliRun, choiceOption, examples, group, listOptions, withOptions } from './parts.ts'

const STATUSES = ['queued', 'running', 'succeeded', 'partially_succeeded', 'failed', 'cancelled']
const TYPES = [
  'documents',
  'ingestion',
  'purge',
  'analysis',
  'summaries',
  'classifications',
  'embeddings',
  'answers',
  'reports',
  'reindex',
]
const ID = 'job_01h455vb4pex5vsknk084sn02q'

export function jobCommands(program: Command, run: CliRun): void {
  const jobs = group(program, 'jobs', 'list, watch and cancel jobs')
  const list = jobs
    .command('list')
    .description('list jobs, newest first')
    .addOption(choiceOption('--status <status>', 'only jobs with this status', STATUSES))
    .addOption(choiceOption('--type <type>', 'only jobs of this type', TYPES))
    .option('--document <id>', 'only jobs for this document')
  withOptions(list, listOptions()).action((options: JobsListOptions, command: Command) =>
    run(command, (session) => listJobs(session, options)),
  )
  examples(list, 'octavo jobs list', 'octavo jobs list --status running')

  const get = jobs
    .command('get')
    .description("show a job's progress, why it is waiting and how it ended")
    .argument('<job>', 'id of the job')
    .action((id: string, _: object, command: Command) => run(command, (session) => getJob(session, id)))
  examples(get, `octavo jobs get ${ID}`)

  const watch = jobs
    .command('watch')
    .description('follow a job until it ends; exit code 0 if it succeeded')
    .argument('<job>', 'id of the job')
    .action((id: string, _: object, command: Command) => run(command, (session) => watchJob(session, id)))
  examples(watch, `octavo jobs watch ${ID}`, `octavo jobs watch ${ID} --json | jq .type`)

  const cancel = jobs
    .command('cancel')
    .description('cancel jobs; finished work is kept')
    .argument('<jobs...>', 'ids of the jobs')
    .action((ids: string[], _: object, command: Command) => run(command, (session) => cancelJobs(session, ids)))
  examples(cancel, `octavo jobs cancel ${ID}`)
}
