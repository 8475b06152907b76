import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import pg from 'pg'
import { startApi } from '../../testing/api.ts'
import { failed } from '../../testing/ask.ts'

const read = (path: string) => readFileSync(new URL(`../../../../extract/src/${path}`, import.meta.url))
const [PDF, DOCX] = [read('pdf/recorded/locked.pdf'), read('office/recorded/agile.docx')]
const [PDF_PASSWORD, DOCX_PASSWORD] = ['secret 1', 'Grüße 1']
const fileOf = (bytes: Buffer, name: string) => new File([new Uint8Array(bytes)], name)

const { owner, database } = await startApi({ after })
/** As a superuser: row-level security hides rows from everybody else. */
async function queryAll<R extends pg.QueryResultRow>(url: string | null, text: string, values: unknown[] = []) {
  assert.ok(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<R>(text, values)).rows
  } finally {
    await client.end()
  }
}
const skip = database.admin_url ? false : 'needs DATABASE_ADMIN_URL'
const add = (file: File, password?: string) =>
  owner.documents.createAndWait(file, { document: password === undefined ? {} : { password } })
const textOf = async (id: string) => (await owner.documents.contents(id, { format: 'text' })).text()

for (const [name, file, password] of [
  ['PDF', fileOf(PDF, 'lease.pdf'), PDF_PASSWORD],
  ['DOCX', fileOf(DOCX, 'lease.docx'), DOCX_PASSWORD],
] as const) {
  test(`a protected ${name} is read with its password`, async () => {
    const document = await add(file, password)

    assert.equal(document.status, 'ready')
    assert.equal(await textOf(document.id), 'The rent is 1,200.')
  })

  test(`a protected ${name} fails clearly without its password or with a wrong one`, async () => {
    const [without, wrong] = [await add(file), await add(file, 'another')]

    assert.deepEqual([without.error?.code, wrong.error?.code], ['document_unreadable', 'document_unreadable'])
    assert.match(without.error?.message ?? '', /protected by a password\. Upload it again with its `password`/)
    assert.match(wrong.error?.message ?? '', /password of the (PDF|file) is wrong/)
  })
}

test('ignores the password of a file that is not protected', async () => {
  const { status } = await add(new File(['Hello'], 'a.txt'), 'needless')

  assert.equal(status, 'ready')
})

test('seals the password during ingestion and deletes it afterwards', { skip }, async (t) => {
  const idle = await startApi(t, {}, undefined, false)
  await idle.owner.documents.createFromFile(fileOf(PDF, 'a.pdf'), { password: PDF_PASSWORD }, { wait_seconds: 0 })
  await add(fileOf(PDF, 'a.pdf'), PDF_PASSWORD)
  await add(fileOf(PDF, 'a.pdf'), 'wrong one')

  const select = 'select sealed_password from documents where sealed_password is not null'
  const [waiting] = await queryAll<{ sealed_password: Buffer }>(idle.database.admin_url, select)
  const ended = await queryAll(database.admin_url, select)

  assert.ok(waiting)
  assert.equal(waiting.sealed_password.includes(PDF_PASSWORD), false)
  assert.equal(ended.length, 0)
})

test('no table and no log line contains the password', { skip }, async (t) => {
  const lines: string[] = []
  const password = 'needle-in-the-haystack'
  const api = await startApi(t, { LOG_LEVEL: 'info' }, (line) => lines.push(line))
  const body = { title: 'Locked', password, source: sourceOf(PDF) }
  await api.owner.documents.create(body, { idempotency_key: 'once' })

  const tables = await queryAll<{ table_name: string }>(
    api.database.admin_url,
    `select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  for (const { table_name } of tables) {
    const found = await queryAll(api.database.admin_url, `select 1 from public.${table_name} r where r::text like $1`, [
      `%${password}%`,
    ])
    assert.equal(found.length, 0, table_name)
  }
  assert.ok(lines.length > 0 && !lines.some((line) => line.includes(password)))
})

const sourceOf = (bytes: Buffer) =>
  ({ type: 'base64', media_type: 'application/pdf', data: bytes.toString('base64') }) as const

test('a batch refuses passwords', async () => {
  const input = { title: 'Locked', password: PDF_PASSWORD, source: sourceOf(PDF) }

  const { status, details } = await failed(owner.jobs.create({ type: 'documents', inputs: [input] }))

  assert.deepEqual([status, details[0]?.field, details[0]?.code], [422, 'inputs[0].password', 'not_allowed_value'])
})
