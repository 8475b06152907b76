// Documents of a tenant with files, pages, vectors and outcomes.

import type { Octavo } from '@octavo/sdk'

const LANES = 4
/** Every so many documents come from a file, have an unused file next to them, or have outcomes of all kinds. */
const FILE_EVERY = 10
const UNUSED_FILE_EVERY = 2
const OUTCOMES_EVERY = 5

const textOf = (name: string, n: number): string =>
  `The lease of lot ${n} in ${name} Street begins in May. Its rent is ${500 + n} euros, due on the third day of each month.`

/** Adds documents one after the other and returns their ids. */
export async function addDocuments(client: Octavo, count: number, name: string): Promise<string[]> {
  const ids: string[] = []
  for (let n = 1; n <= count; n++) ids.push(await addDocument(client, name, n))
  return ids
}

async function addDocument(client: Octavo, name: string, n: number): Promise<string> {
  const title = `${name} ${n}`
  const text = textOf(name, n)
  if (n % UNUSED_FILE_EVERY === 0) await client.files.create(new Blob([`Plan: ${text}`], { type: 'text/plain' }))
  const document =
    n % FILE_EVERY === 0
      ? await client.documents.createFromFile(new Blob([text], { type: 'text/plain' }), { title })
      : await client.documents.create({ title, metadata: { n: String(n) }, source: { type: 'text', text } })
  return document.id
}

export async function fillTenant(client: Octavo, count: number): Promise<void> {
  const project = await client.projects.create({ name: 'Leases' })
  await client.apiKeys.create({ name: 'Reader', scopes: ['documents:read'], project_ids: [project.id] })
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    const ids = await addDocuments(client, Math.ceil(count / LANES), `Lane${lane}`)
    for (const [n, id] of ids.entries()) {
      for (let status = 'processing'; status === 'processing'; )
        ({ status } = await client.documents.get(id, {}, { wait_seconds: 10 }))
      if (n % OUTCOMES_EVERY === 0) await addOutcomes(client, id)
    }
  })
  await Promise.all(lanes)
  for await (const { id, status } of client.jobs.list({ limit: 100 }))
    if (status === 'queued' || status === 'running') await client.jobs.wait(id)
}

async function addOutcomes(client: Octavo, document_id: string): Promise<void> {
  const document_ids = [document_id]
  const wait = { wait_seconds: 50 }
  await client.summaries.create({ document_ids, style: 'extractive' }, wait)
  await client.analysis.create(document_id, {}, wait)
  await client.embeddings.create({ document_id }, wait)
  await client.searches.create({ query: 'When does the lease begin?', document_ids })
  await client.answers.create({ question: 'When is the rent due?', document_ids }, wait)
}
