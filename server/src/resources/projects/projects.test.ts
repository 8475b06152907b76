import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ProcessingPatch } from '@octavo/contract'
import { startApi } from '../../testing/api.ts'
import { failed, summaryOf } from '../../testing/ask.ts'

const { owner, owner_tenant, newKey, newTenant } = await startApi({ after })

test('a project counts its current documents', async () => {
  const project = await owner.projects.create({ name: 'Leases' })
  const [first] = await Promise.all([
    owner.documents.create({ title: 'One', project_id: project.id }),
    owner.documents.create({ title: 'Two', project_id: project.id }),
    owner.documents.create({ title: 'Elsewhere' }),
  ])

  const full = await owner.projects.get(project.id)
  await owner.documents.remove(first.id)
  const less = await owner.projects.get(project.id)

  assert.equal(project.document_count, 0)
  assert.equal(full.document_count, 2)
  assert.equal(less.document_count, 1)
})

test('the document count does not change the ETag of a project', async () => {
  const { data: project, response } = await owner.projects.create({ name: 'Leases' }).withResponse()
  await owner.documents.create({ title: 'One', project_id: project.id })

  const changed = await owner.projects.update(
    project.id,
    { name: 'Old leases' },
    { if_match: response.headers.get('etag')! },
  )

  assert.equal(changed.name, 'Old leases')
})

test('a project cannot be deleted while it has documents', async () => {
  const project = await owner.projects.create({ name: 'Leases' })
  const document = await owner.documents.create({ title: 'One', project_id: project.id })

  await assert.rejects(owner.projects.remove(project.id), { code: 'resource_in_use', status: 409 })
  assert.equal((await owner.projects.get(project.id)).document_count, 1)

  await owner.documents.remove(document.id)
  await owner.projects.remove(project.id)
  await assert.rejects(owner.projects.get(project.id), { code: 'not_found' })
})

test('replacing a project resets omitted fields', async () => {
  const project = await owner.projects.create({ name: 'Leases', description: 'Signed', metadata: { team: 'legal' } })

  const replaced = await owner.projects.replace(project.id, { name: 'Contracts' })

  assert.deepEqual([replaced.name, replaced.description, replaced.metadata], ['Contracts', null, {}])
  assert.equal(replaced.created_at, project.created_at)
})

test('a patch changes only the given fields; null clears a description and metadata keys', async () => {
  const project = await owner.projects.create({
    name: 'Leases',
    description: 'Signed',
    metadata: { team: 'legal', year: '2026' },
  })

  const first = await owner.projects.update(project.id, { metadata: { team: null, place: 'Bern' } })
  const second = await owner.projects.update(project.id, { description: null })

  assert.deepEqual(
    [first.name, first.description, first.metadata],
    ['Leases', 'Signed', { year: '2026', place: 'Bern' }],
  )
  assert.deepEqual(
    [second.name, second.description, second.metadata],
    ['Leases', null, { year: '2026', place: 'Bern' }],
  )
})

test('a patch changes only the given processing settings; null resets them', async () => {
  const { id } = await owner.projects.create({
    name: 'Leases',
    default_processing: { ocr: 'never', languages: ['de', 'fr'] },
  })
  const patch = async (default_processing: ProcessingPatch) =>
    (await owner.projects.update(id, { default_processing })).default_processing

  assert.deepEqual(await patch({ reader: 'built_in' }), { reader: 'built_in', ocr: 'never', languages: ['de', 'fr'] })
  assert.deepEqual(await patch({ languages: ['it'] }), { reader: 'built_in', ocr: 'never', languages: ['it'] })
  assert.deepEqual(await patch({ ocr: null, reader: null }), { languages: ['it'] })
  assert.deepEqual(await patch({}), { languages: ['it'] })
  assert.deepEqual(await patch({ languages: null }), {})
  assert.deepEqual(summaryOf(await failed(patch({ ocr: 'sometimes' as never }))), [
    422,
    'default_processing.ocr invalid_format',
  ])
  await assert.rejects(owner.projects.create({ name: 'No', default_processing: { ocr: null as never } }), {
    status: 400,
  })
})

test('the retention can be set, kept and removed', async () => {
  const project = await owner.projects.create({ name: 'Leases', retention_days: 30 })

  const kept = await owner.projects.update(project.id, { name: 'Old leases' })
  const longer = await owner.projects.update(project.id, { retention_days: 60 })
  const forever = await owner.projects.replace(project.id, { name: 'Old leases' })

  assert.deepEqual(
    [project.retention_days, kept.retention_days, longer.retention_days, forever.retention_days],
    [30, 30, 60, null],
  )
  for (const retention_days of [0, 36_501])
    await assert.rejects(owner.projects.create({ name: 'No', retention_days }), { status: 422 })
})

test('an empty patch changes nothing, not even the version', async () => {
  const { data: project, response } = await owner.projects.create({ name: 'Leases' }).withResponse()

  const same = await owner.projects.update(project.id, {}).withResponse()

  assert.deepEqual(same.data, project)
  assert.equal(same.response.headers.get('etag'), response.headers.get('etag'))
})

test('a key for two projects sees only those and cannot create any', async () => {
  const { tenant, client } = await newTenant()
  const [first, second, third] = await Promise.all(
    ['One', 'Two', 'Three'].map((name) => client.projects.create({ name })),
  )
  const limited = await newKey(tenant, { project_ids: [first!.id, second!.id] })

  const seen = await limited.client.projects.list()
  const renamed = await limited.client.projects.update(first!.id, { name: 'Uno' })

  assert.deepEqual(seen.data.map(({ id }) => id).toSorted(), [first!.id, second!.id].toSorted())
  assert.equal(renamed.name, 'Uno')
  await assert.rejects(limited.client.projects.get(third!.id), { code: 'not_found' })
  await assert.rejects(limited.client.projects.remove(third!.id), { code: 'not_found' })
  await assert.rejects(limited.client.projects.create({ name: 'Four' }), { code: 'permission_denied', status: 403 })
})

test('a key for some projects pages through them in both orders', async () => {
  const { tenant, client } = await newTenant()
  const projects = await Promise.all(
    Array.from({ length: 7 }, (_, i) => client.projects.create({ name: `Project ${i}` })),
  )
  const ids = projects.map(({ id }) => id).toSorted()
  const limited = await newKey(tenant, { project_ids: ids.slice(0, 5) })

  const up: string[] = []
  for await (const { id } of limited.client.projects.list({ limit: 2, sort: 'created_at' })) up.push(id)
  const down: string[] = []
  for await (const { id } of limited.client.projects.list({ limit: 5 })) down.push(id)
  const numbered = await limited.client.projects.list({ page: 3, per_page: 2, sort: 'created_at' })

  assert.deepEqual(up, ids.slice(0, 5))
  assert.deepEqual(down, ids.slice(0, 5).toReversed())
  assert.deepEqual(
    numbered.data.map(({ id }) => id),
    [ids[4]],
  )
  assert.equal(numbered.has_next_page, false)
})

test('a key for a deleted project sees nothing', async () => {
  const project = await owner.projects.create({ name: 'Short-lived' })
  const limited = await newKey(owner_tenant, { project_ids: [project.id] })
  await owner.projects.remove(project.id)

  assert.deepEqual((await limited.client.projects.list()).data, [])
  assert.deepEqual((await limited.client.documents.list()).data, [])
  await assert.rejects(limited.client.documents.create({ title: 'Lease', project_id: project.id }), {
    code: 'validation_error',
  })
})
