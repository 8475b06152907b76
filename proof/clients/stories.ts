// Stories of an integrator who uses the SDK. They run in Node, Bun, Deno, workerd and browsers, so they import only types.

import type * as octavo_sdk from '@octavo/sdk'
import type { Octavo } from '@octavo/sdk'

type Sdk = typeof octavo_sdk

interface StoryServer {
  base_url: string
  api_key: string
}

interface StoryContext extends StoryServer {
  sdk: Sdk
  octavo: Octavo
}

function expect(condition: boolean, message: string): void {
  if (!condition) throw new Error(message)
}

const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => error,
  )

const stories: Record<string, (context: StoryContext) => Promise<void>> = {
  async 'create and wait'({ octavo }) {
    const pages = [{ text: 'The rent of 1,200 euros is due on the third of each month.' }]
    const document = await octavo.documents.createAndWait({ title: 'Lease', source: { type: 'pages', pages } })
    expect(document.status === 'ready', `status ${document.status}`)
  },
  async 'upload with progress'({ octavo }) {
    const seen: number[] = []
    const file = new Blob(['# Minutes\n\nThe board met on 12 May 2026.\n'], { type: 'text/markdown' })
    const document = await octavo.documents.createAndWait(file, {
      document: { title: 'Minutes', file_name: 'minutes.md' },
      onProgress: (progress) => void seen.push(progress.completed),
    })
    expect(document.status === 'ready' && document.title === 'Minutes', `${document.status} ${document.title}`)
    const original = await octavo.files.download(document.file_id ?? '')
    expect((await original.text()).startsWith('# Minutes'), 'the download differs from the upload')
  },
  async 'upload in parts'({ octavo }) {
    const seen: number[] = []
    const file = new Blob(['A short letter.'], { type: 'text/plain' })
    const upload = await octavo.uploads.createFromFile(
      file,
      { file_name: 'letter.txt' },
      { onUpload: ({ sent_bytes }) => void seen.push(sent_bytes) },
    )
    const document = await octavo.documents.createAndWait({
      title: 'Letter',
      source: { type: 'upload', upload_id: upload.id },
    })
    expect(document.status === 'ready' && seen.at(-1) === file.size, `${document.status}, sent ${seen.at(-1)}`)
  },
  async 'resume an upload in parts'({ octavo }) {
    const file = new Blob([new Uint8Array(65 * 1024 * 1024)])
    const upload = await octavo.uploads.create({
      file_name: 'scan.pdf',
      media_type: 'application/pdf',
      size_bytes: file.size,
    })
    const first = upload.parts[0]
    if (!first) throw new Error('the upload has no parts')
    const { url, headers } = first.put
    const put = await fetch(url, { method: 'PUT', headers, body: file.slice(0, first.size_bytes) })
    expect(put.ok, `the first part: status ${put.status}`)
    const seen: number[] = []
    await octavo.uploads.send(upload.id, file, { onUpload: ({ sent_bytes }) => void seen.push(sent_bytes) })
    const { parts } = await octavo.uploads.get(upload.id)
    await octavo.uploads.remove(upload.id)
    expect(seen[0] === first.size_bytes && seen.at(-1) === file.size, `sent ${seen.join(' ')}`)
    expect(
      parts.every(({ is_received }) => is_received),
      'a part is missing',
    )
  },
  async pagination({ octavo }) {
    for (const name of ['One', 'Two', 'Three']) await octavo.projects.create({ name })
    const names: string[] = []
    for await (const project of octavo.projects.list({ limit: 1 })) names.push(project.name)
    expect(names.length === 3, `${names.length} of 3 projects`)
  },
  async answer({ octavo }) {
    const answer = await octavo.answers.create({ question: 'When is the rent due?' }, { wait_seconds: 30 })
    const quote = answer.sentences[0]?.citations[0]?.quote
    expect(answer.is_answered && quote?.includes('third') === true, `status ${answer.status}, quote ${quote}`)
  },
  async 'stream an answer'({ octavo }) {
    const types: string[] = []
    for await (const { type } of octavo.answers.stream({ question: 'When is the rent due?' })) types.push(type)
    expect(types[0] === 'created' && types.at(-1) === 'completed', types.join(' '))
  },
  async 'wait for a result'({ octavo }) {
    const { id } = await octavo.documents.createAndWait({
      title: 'Lease',
      source: { type: 'text', text: 'The rent of 1,200 euros is due on the third of each month.' },
    })
    const summary = await octavo.summaries.createAndWait({ document_ids: [id] })
    expect(summary.status === 'succeeded' && summary.sentences.length > 0, `status ${summary.status}`)
  },
  async 'follow a job'({ octavo }) {
    const { latest_job_id } = await octavo.documents.create({
      title: 'Notice',
      source: { type: 'pages', pages: [{ text: 'Notice of three months.' }] },
    })
    const types: string[] = []
    for await (const { type } of octavo.jobs.follow(latest_job_id ?? '')) types.push(type)
    expect(types[0] === 'job.queued' && types.at(-1) === 'job.succeeded', types.join(' '))
  },
  async 'typed errors'({ octavo, sdk }) {
    const missing = await errorOf(octavo.documents.get('doc_01h455vb4pex5vsknk084sn02q'))
    expect(missing instanceof sdk.NotFoundError && missing.code === 'not_found', String(missing))
    const refused = await errorOf(octavo.documents.create({ title: '' }))
    expect(refused instanceof sdk.ValidationError && refused.details[0]?.field === 'title', String(refused))
  },
  async 'response headers'({ octavo }) {
    const { data, response } = await octavo.projects.create({ name: 'Headers' }).withResponse()
    expect(response.status === 201 && response.request_id !== null, `status ${response.status}`)
    const again = await octavo.projects.get(data.id).withResponse()
    const unchanged = await octavo.projects.get(
      data.id,
      {},
      { if_none_match: again.response.headers.get('etag') ?? '' },
    )
    expect(unchanged === null, 'expected 304')
  },
  async 'idempotent retries'({ octavo }) {
    const options = { idempotency_key: `story-${Date.now()}-${Math.random()}` }
    const [first, second] = [
      await octavo.projects.create({ name: 'Once' }, options),
      await octavo.projects.create({ name: 'Once' }, options),
    ]
    expect(first.id === second.id, 'two projects were created')
  },
  async abort({ octavo }) {
    const reason = new Error('stop')
    const error = await errorOf(octavo.projects.list({}, { signal: AbortSignal.abort(reason) }))
    expect(error === reason, String(error))
  },
  async 'token provider'({ sdk, base_url, api_key }) {
    const tokens = ['oct_key_wrong', api_key]
    const octavo = new sdk.Octavo({ base_url, token: () => tokens.shift() ?? '' })
    expect((await octavo.capabilities.get()).object === 'capabilities', 'no capabilities')
  },
}

/** Returns one line for each story: its name and null, or the reason for the failure. */
export async function runStories(sdk: Sdk, server: StoryServer): Promise<[string, string | null][]> {
  const octavo = new sdk.Octavo(server)
  const results: [string, string | null][] = []
  for (const [name, story] of Object.entries(stories)) {
    try {
      await story({ sdk, octavo, ...server })
      results.push([name, null])
    } catch (error) {
      results.push([name, String(error instanceof Error ? error.stack : error).slice(0, 400)])
    }
  }
  return results
}
