// Every block that a page shows to be typed is run, here or elsewhere.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Answer, Document, OauthClient, Report, Search, Summary } from '@octavo/sdk'
import { startApi, TEST_SECRETS } from './api.ts'
import { listCoveredBlocks } from './guide-blocks.ts'
import {
  blocksOf,
  endShell,
  listBlocks,
  openDesk,
  runShell,
  runTypeScript,
  startShell,
  type TestGuideReader,
  untilReady,
} from './guides.ts'
import { freePort } from './port.ts'
import { weightsDir } from './weights.ts'

/** Ends only when it is ended. */
const stays = (body: string): boolean => /npm run (api|worker)\b|bin\/all\.ts/.test(body)
const run_elsewhere = listCoveredBlocks()

const api = await startApi({ after }, { OCTAVO_MODELS_DIR: weightsDir() })
const PAGES = [
  'The lease of the house in Elm Street begins on the first of March. The tenant is Ada Byron and the landlord is the City of Lyndon.',
  'Rent is 1,200 a month. Rent is due on the third day of each month, in advance and without deduction. Late rent bears interest.',
  'The landlord keeps the roof and the heating in repair. The tenant keeps the garden. Nobody may keep a horse in the kitchen.',
]
const lease = await api.owner.documents.createAndWait({
  title: 'Lease',
  metadata: { kind: 'lease' },
  source: { type: 'pages', pages: PAGES.map((text) => ({ text })) },
})
const desk = openDesk()
after(desk.close)
const reader: TestGuideReader = {
  url: api.url,
  key: api.owner_key,
  cwd: desk.cwd,
  env: {
    DOCUMENT: lease.id,
    JOB: lease.latest_job_id!,
    TENANT: api.owner_tenant,
    DATABASE_URL: api.database.app_url,
    DATABASE_SYSTEM_URL: api.database.system_url,
    DATABASE_OWNER_URL: api.database.owner_url,
    OCTAVO_SECRETS: TEST_SECRETS,
    OCTAVO_MODELS_DIR: weightsDir(),
    FILES_DIR: api.app.config.files.dir,
    BASE_URL: api.url,
    DRAIN_MS: '0',
  },
}

const ran = new Set<string>()

/**
 * Runs the commands of a page in order and returns each one's output. `set` turns it into variables for later commands.
 */
async function follow(
  path: string,
  by: TestGuideReader = reader,
  set: (printed: string) => Record<string, string> = () => ({}),
): Promise<string[]> {
  const printed: string[] = []
  let env = { ...by.env }
  for (const body of blocksOf(path, 'sh').filter((block) => !run_elsewhere.has(block) && !stays(block))) {
    const told = await runShell(body, { ...by, env })
    ran.add(body)
    printed.push(told)
    env = { ...env, ...set(told) }
  }
  return printed
}

/** The TypeScript of a page is one program. A member that is not there prints `undefined`. */
async function example(path: string, by: TestGuideReader = reader): Promise<string> {
  const blocks = blocksOf(path, 'ts')
  const told = await runTypeScript(blocks.join('\n'), by)
  for (const body of blocks) ran.add(body)
  assert.doesNotMatch(told, /undefined|\[object/)
  return told
}
const parse = <T>(printed: string | undefined): T => JSON.parse(printed!) as T

test('the summaries guide works for a text and for documents', async () => {
  const [ofText, ofDocument] = await follow('docs/summaries.md')
  const told = await example('docs/summaries.md')

  const [short, summary] = [parse<Summary>(ofText), parse<Summary>(ofDocument)]
  assert.deepEqual([short.status, short.sentences.length], ['succeeded', 3])
  assert.deepEqual([short.method, short.sentences[0]?.citations[0]?.quote], ['extractive', 'Rent is 1,200 a month.'])
  assert.deepEqual([summary.status, summary.sentences[0]?.citations[0]?.document_id], ['succeeded', lease.id])
  assert.match(told, new RegExp(`${lease.id} \\d \\d+ \\d+`))
})

test('the search guide works', async () => {
  const [searching] = await follow('docs/search.md')
  const told = await example('docs/search.md')

  const search = parse<Search>(searching)
  assert.deepEqual([search.method, search.results[0]?.page_number], ['hybrid', 2])
  assert.match(told, /\[.*'Rent'/s)
})

test('the answers guide works, also as a stream', async () => {
  const [asking, following, stream] = await follow('docs/answers.md', reader, (told) =>
    told.startsWith('{') ? { ANSWER: parse<Answer>(told).id } : {},
  )
  const told = await example('docs/answers.md')

  const answer = parse<Answer>(asking)
  assert.equal(parse<Answer>(following).previous_answer_id, answer.id)
  assert.deepEqual([answer.is_answered, answer.sentences[0]?.citations[0]?.page_number], [true, 2])
  assert.deepEqual(stream!.match(/^event: .*$/gm), ['event: answer.created', 'event: answer.completed'])
  const completed = parse<Answer>(/^event: answer\.completed\ndata: (.*)$/m.exec(stream!)![1])
  assert.match(completed.text!, /The landlord keeps the roof/)
  assert.match(told, new RegExp(`${lease.id}, page 2: Rent is due on the third day`))
})

test('the reports guide creates a report and downloads its file', async () => {
  const [making] = await follow('docs/reports.md', reader, (told) =>
    told ? { FILE: parse<Report>(told).file_id! } : {},
  )
  const markdown = await example('docs/reports.md')

  const report = parse<Report>(making)
  const csv = readFileSync(`${desk.cwd}/documents.csv`, 'utf8')
  assert.deepEqual([report.status, report.row_count], ['succeeded', csv.split('\r\n').length - 2])
  assert.match(csv, new RegExp(`^${lease.id},Lease,`, 'm'))
  assert.match(markdown, /^\| .*Lease/m)
})

test('the analysis, classifications and embeddings guides work', async () => {
  const printed = (
    await Promise.all(['analysis', 'classifications', 'embeddings'].map((name) => follow(`docs/${name}.md`)))
  ).flat()

  assert.deepEqual(new Set(printed.map((told) => parse<Summary>(told).status)), new Set(['succeeded']))
})

test('the users guide invites a person and adds a user to a project', async () => {
  const { id: PROJECT } = await api.owner.projects.create({ name: 'Leases' })
  const { id: USER_ID } = await api.owner.users.create({ email: 'bo@example.com', name: 'Bo', role: 'viewer' })
  const [invitation, member] = await follow('docs/users.md', { ...reader, env: { ...reader.env, PROJECT, USER_ID } })

  assert.match(parse<{ url: string }>(invitation).url, /\/sign-in\/invitations\/oct_inv_/)
  assert.equal(parse<{ user_id: string }>(member).user_id, USER_ID)
})

test('every upload method of the guide works', async () => {
  const printed = await follow('docs/upload.md')

  assert.equal(parse<Document>(printed[0]).status, 'ready')
})

test('the reading guide returns the text of a whole document', async () => {
  const [text] = await follow('docs/reading.md')

  assert.match(text ?? '', /Rent is 1,200 a month/)
})

test('the jobs guide waits for a job and follows it', async () => {
  const [batch] = await follow('docs/jobs.md')
  const told = await example('docs/jobs.md')

  assert.equal(parse<{ type: string }>(batch).type, 'documents')
  assert.match(told, /^1 job\.queued$/m)
  assert.match(told, /job\.succeeded$/m)
})

test('the OAuth guide registers two applications', async () => {
  const registered = await follow('docs/oauth.md')

  assert.equal(registered.length, 2)
  for (const printed of registered) assert.match(printed, /"secret":"oct_cs_/)
})

test('the first steps end with a cited summary and a cited answer', async () => {
  const { secret, client } = await api.newTenant()
  const otherTenant: TestGuideReader = { ...reader, key: secret }
  const [, told] = await follow('README.md', otherTenant, (printed) => ({ DOCUMENT: parse<Document>(printed).id }))
  const printed = await example('README.md', otherTenant)

  const { status, sentences } = parse<Summary>(told)
  assert.equal(status, 'succeeded')
  for (const { citations } of sentences) {
    const { document_id, page_id, start, end, quote } = citations[0]!
    const page = await client.pages.get(document_id!, page_id!)
    assert.equal([...page.text].slice(start, end).join(''), quote)
  }
  assert.match(printed, /^page \d+: .*charge a fee/m)
})

test('the quickstart sends a file', async () => {
  const printed = await follow('docs/quickstart.md')

  assert.equal(parse<Document>(printed.at(-1)).status, 'ready')
})

test('the TypeScript of the SDK page runs as one program', async () => {
  assert.match(await example('sdk/README.md'), /^1 job\.queued/m)
})

test('the commands of the command line page work', async () => {
  await follow('docs/cli.md')
})

test('the agent guide connects an agent to the documents', async () => {
  const registered = (await follow('docs/agents.md')).at(-1)
  const { id, secret } = parse<OauthClient & { secret: string }>(registered)
  const told = await example('docs/agents.md', {
    ...reader,
    env: { ...reader.env, CLIENT_ID: id, CLIENT_SECRET: secret },
  })

  assert.match(told, /^search ask list_documents read_pages summarize extract$/m)
  assert.match(told, /^Lease, page 2: Rent is 1,200 a month/m)
  assert.match(told, /^octavo:\/\/documents\/doc_\w+\/pages\/\d$/m)
})

const operator: TestGuideReader = {
  ...reader,
  env: { ...reader.env, CHAT_BASE_URL: 'http://127.0.0.1:1/v1', CHAT_MODEL: 'llama3.2:3b' },
}
for (const [index, body] of blocksOf('docs/operations.md', 'sh').entries()) {
  if (stays(body)) continue
  test(`the operator commands work, block ${index + 1}`, async () => {
    const printed = await runShell(body, operator)
    ran.add(body)

    if (body.includes('create-key')) assert.match(printed, /oct_key_[0-9A-Za-z]{46}/)
    if (body.includes('list-tenants')) assert.match(printed, new RegExp(api.owner_tenant))
  })
}

test('the waiting, doctor, upgrade and deploy guides work', async () => {
  const [explained] = await follow('docs/waiting.md')
  await follow('docs/doctor.md')
  await follow('docs/upgrade.md')
  await follow('docs/deploy.md')

  assert.match(explained!, new RegExp(`${lease.latest_job_id} .* succeeded`))
})

test('the tenants guide exports a tenant, deletes it and imports it again', async () => {
  const { tenant, client } = await api.newTenant()
  const document = await client.documents.createAndWait({ title: 'Note', source: { type: 'text', text: 'A note.' } })

  await follow('docs/tenants.md', { ...reader, env: { ...reader.env, TENANT: tenant } })

  const receipt = JSON.parse(readFileSync(join(desk.cwd, 'receipt.json'), 'utf8')) as Record<string, unknown>
  assert.deepEqual([receipt.tenant_id, receipt.deleted_by], [tenant, 'Ada Byron'])
  assert.equal((await client.documents.get(document.id)).title, 'Note')
})

test('the operations guide runs two workers with an API and reads their metrics', async () => {
  const block = blocksOf('docs/operations.md', 'sh').find(stays)!
  const [main, ...ports] = await Promise.all([freePort(), freePort(), freePort(), freePort()])
  const free = (text: string): string =>
    [9090, 9091, 9092].reduce((all, shown, index) => all.replaceAll(`${shown}`, `${ports[index]}`), text)
  const env = { ...reader.env!, PORT: `${main}`, MANAGEMENT_PORT: `${ports[0]}`, BASE_URL: `http://127.0.0.1:${main}` }

  const child = startShell(free(block), { ...reader, env })
  try {
    for (const port of ports) await untilReady(`http://127.0.0.1:${port}/readyz`)
    for (const body of blocksOf('docs/monitoring.md', 'sh')) {
      assert.match(await runShell(free(body), reader), /octavo_http_request_seconds/)
      ran.add(body)
    }
    ran.add(block)
  } finally {
    await endShell(child)
  }
})

test('the single-process commands work', async () => {
  const [block] = blocksOf('docs/deploy.md', 'sh').filter(stays)
  const [PORT, MANAGEMENT_PORT] = (await Promise.all([freePort(), freePort()])).map(String)

  const child = startShell(block!, {
    ...reader,
    env: { ...reader.env, PORT: PORT!, MANAGEMENT_PORT: MANAGEMENT_PORT! },
  })
  try {
    await untilReady(`http://127.0.0.1:${MANAGEMENT_PORT}/readyz`)
    ran.add(block!)
  } finally {
    await endShell(child)
  }
})

test('the rule for leaked keys matches a key', () => {
  const [rule] = blocksOf('docs/operations.md', 'toml')
  const regex = new RegExp(`^${/regex = '''(.*)'''/.exec(rule!)![1]!}$`)

  assert.match(api.owner_key, regex)
  assert.doesNotMatch(api.owner_key.slice(0, -1), regex)
})

// The last one: it looks at what the others have run.
test('a test runs every code block of the docs', () => {
  const left = listBlocks().filter(({ body }) => !run_elsewhere.has(body) && !ran.has(body))

  assert.deepEqual(
    left.map(({ path, line }) => `${path}:${line}`),
    [],
  )
})
