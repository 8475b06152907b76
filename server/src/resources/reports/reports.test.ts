import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { reportFormats, reportTypes } from '@octavo/contract'
import { startApi } from '../../testing/api.ts'
import { csvLines, makeReport, type ReportJson } from '../../testing/reports.ts'
import { insertAnalysis, insertDocuments, insertUsage } from '../../testing/rows.ts'
import { weightsDir } from '../../testing/weights.ts'

const api = await startApi({ after }, { OCTAVO_MODELS_DIR: weightsDir() })
const { app, owner, newTenant } = api

test('renders documents as CSV that no spreadsheet executes', async () => {
  const project = await owner.projects.create({ name: 'Leases, old' })
  const plain = await owner.documents.create({ title: 'Lease "A"\nof 2026', project_id: project.id })
  const formula = await owner.documents.create({ title: '=HYPERLINK("http://x.invalid","y")', project_id: project.id })

  const { report, text, headers, bytes } = await makeReport(api, {
    type: 'documents',
    format: 'csv',
    project_id: project.id,
  })

  const times = { plain: plain.created_at, formula: formula.created_at }
  assert.deepEqual(text.split('\r\n'), [
    'document_id,title,project_id,project_name,status,page_count,language,media_type,size_bytes,created_at',
    `${formula.id},"'=HYPERLINK(""http://x.invalid"",""y"")",${project.id},"Leases, old",ready,0,,,,${times.formula}`,
    `${plain.id},"Lease ""A""\nof 2026",${project.id},"Leases, old",ready,0,,,,${times.plain}`,
    '',
  ])
  assert.deepEqual(
    [report.row_count, report.title, report.method, report.project_id],
    [2, 'Documents', 'rules', project.id],
  )
  const file = await owner.files.get(report.file_id!)
  const { kind, document_id, report_id, project_id, media_type, size_bytes, sha256 } = file
  assert.deepEqual(
    [kind, document_id, report_id, project_id, media_type, size_bytes, sha256],
    [
      'report',
      null,
      report.id,
      project.id,
      'text/csv; charset=utf-8',
      bytes.length,
      createHash('sha256').update(bytes).digest('hex'),
    ],
  )
  const name = `documents-${report.created_at.slice(0, 10)}.csv`
  assert.deepEqual([file.file_name, headers['content-type']], [name, 'text/csv; charset=utf-8'])
  assert.match(headers['content-disposition'] ?? '', /^attachment; filename="documents-/)
})

test('every report type works in every format', async () => {
  const { tenant, client, secret } = await newTenant()
  const [document] = await insertDocuments(app, tenant, { count: 1, title: '<script>alert(1)</script> | *x*' })
  await insertAnalysis(app, tenant, document!, {})
  const starts = {
    json: '{"title":"',
    csv: /^\w+,/,
    markdown: '# Look \\*here\\*',
    html: '<!doctype html>',
    pdf: '%PDF-',
  }
  const types = {
    json: 'application/json',
    csv: 'text/csv; charset=utf-8',
    markdown: 'text/markdown; charset=utf-8',
    html: 'text/html; charset=utf-8',
    pdf: 'application/pdf',
  }

  for (const type of reportTypes)
    for (const format of reportFormats) {
      const { text, headers, report } = await makeReport(
        api,
        { type, format, title: 'Look *here*' },
        { client, secret },
      )

      const start = starts[format]
      assert.ok(
        typeof start === 'string' ? text.startsWith(start) : start.test(text),
        `${type} ${format}: ${text.slice(0, 40)}`,
      )
      assert.equal(headers['content-type'], types[format])
      assert.ok(!text.includes('<script>') || format === 'json' || format === 'csv', `${type} ${format}`)
      assert.equal(report.row_count! > 0, type !== 'classifications', `${type} ${format}`)
      if (type === 'documents' && format === 'html') assert.match(text, /Documents by status[^]*<svg[^]*&lt;script&gt;/)
    }
})

test('puts figures and charts above the rows and reads rows in batches', async () => {
  const { tenant, client, secret } = await newTenant()
  const noon = Date.parse('2026-03-01T12:00:00Z')
  const ids = await insertDocuments(app, tenant, {
    count: 2_500,
    title: 'Old',
    at_ms: noon,
    every_ms: 60_000,
    pages: 2,
  })

  const { text, report } = await makeReport(
    api,
    { type: 'documents', format: 'json', title: 'All' },
    { client, secret },
  )

  const { rows, row_count, summary, charts, title } = JSON.parse(text) as ReportJson
  assert.deepEqual([title, row_count, report.row_count], ['All', 2_500, 2_500])
  assert.deepEqual(
    rows.map(({ document_id }) => document_id),
    ids.toReversed(),
  )
  assert.deepEqual(
    summary.map(({ label, value }) => [label, value]),
    [
      ['Documents', 2_500],
      ['Pages', 5_000],
      ['Bytes', 0],
    ],
  )
  assert.deepEqual(
    charts.map(({ title: name, data }) => [name, data]),
    [
      ['Documents by status', [{ x: 'ready', y: 2_500 }]],
      [
        'New documents by day',
        [
          { x: '2026-03-01', y: 720 },
          { x: '2026-03-02', y: 1_440 },
          { x: '2026-03-03', y: 340 },
        ],
      ],
    ],
  )
})

test('includes only rows of the requested period', async () => {
  const { tenant, client, secret } = await newTenant()
  const at_ms = Date.parse('2026-03-01T00:00:00Z')
  const ids = await insertDocuments(app, tenant, { count: 5, title: 'x', at_ms, every_ms: 1_000 })
  const filters = { created_after: '2026-03-01T00:00:01Z', created_before: '2026-03-01T01:00:03+01:00' }

  const { text, report } = await makeReport(api, { type: 'documents', format: 'csv', filters }, { client, secret })

  assert.deepEqual(
    csvLines(text)
      .slice(1)
      .map((line) => line.split(',')[0]),
    [ids[2], ids[1]],
  )
  assert.deepEqual(report.filters, filters)
})

test('includes the latest successful analysis of each document', async () => {
  const { tenant, client, secret } = await newTenant()
  const [first, second] = await insertDocuments(app, tenant, { count: 2, title: 'Lease' })
  const at_ms = Date.parse('2026-03-01T00:00:00Z')
  await insertAnalysis(app, tenant, first!, { at_ms, language: 'de' })
  const latest = await insertAnalysis(app, tenant, first!, { at_ms: at_ms + 1_000 })
  await insertAnalysis(app, tenant, first!, { at_ms: at_ms + 2_000, status: 'failed' })
  const bare = await insertAnalysis(app, tenant, second!, { at_ms: at_ms + 3_000, is_bare: true })

  const { text } = await makeReport(api, { type: 'analysis', format: 'json' }, { client, secret })

  const { rows, summary, charts } = JSON.parse(text) as ReportJson
  const nothing = { project_id: null, project_name: null, language: null, words: null, sentences: null }
  const expected = [
    {
      document_id: second,
      title: 'Lease',
      analysis_id: bare,
      ...nothing,
      key_phrases: null,
      topics: null,
      personal_data_count: null,
    },
    {
      document_id: first,
      title: 'Lease',
      analysis_id: latest,
      ...nothing,
      language: 'en',
      words: 120,
      sentences: 9,
      key_phrases: ['rent', '=1+1'],
      topics: ['law'],
      personal_data_count: 2,
    },
  ]
  assert.deepEqual(
    rows.map(({ sentiment, sentiment_score, model, created_at, ...row }) => row),
    expected,
  )
  assert.deepEqual([rows[1]?.sentiment, rows[1]?.sentiment_score, rows[1]?.model], ['positive', 0.5, 'built_in_text'])
  assert.deepEqual(
    summary.map(({ value }) => value),
    [2, 120, 2],
  )
  assert.deepEqual(
    charts.map(({ title, data }) => [title, data]),
    [
      ['Documents by language', [{ x: 'en', y: 1 }]],
      ['Documents by topic', [{ x: 'law', y: 1 }]],
      ['Documents by sentiment', [{ x: 'positive', y: 1 }]],
    ],
  )
  const earlier = { created_before: '2026-03-01T00:00:01Z' }
  const past = await makeReport(api, { type: 'analysis', format: 'csv', filters: earlier }, { client, secret })
  assert.match(csvLines(past.text)[1] ?? '', /,de,120,9,rent; =1\+1,positive,0\.5,law,2,built_in_text,/)
  assert.equal(past.report.row_count, 1)
})

test('includes classifications of documents and texts, each with its label', async () => {
  const { client, secret } = await newTenant()
  const project = await client.projects.create({ name: 'Letters' })
  const labels = [
    { name: 'billing, late', description: 'Invoices and payments' },
    { name: 'repairs', description: 'Something is broken' },
  ]
  const text = 'The heating is broken again and the roof leaks.'
  const document = await client.documents.createAndWait({
    title: 'Letter',
    project_id: project.id,
    source: { type: 'text', text },
  })
  const ofDocument = await client.classifications.create({ document_id: document.id, labels })
  const ofText = await client.classifications.create({
    text: 'Where is my invoice for the payment of May?',
    labels,
    project_id: project.id,
  })
  await client.classifications.create({ text: 'Fish swim.', labels, threshold: 1, project_id: project.id })
  await client.classifications.create({ text: 'Fish swim.', labels })

  const csv = await makeReport(
    api,
    { type: 'classifications', format: 'csv', project_id: project.id },
    { client, secret },
  )
  const json = await makeReport(
    api,
    { type: 'classifications', format: 'json', project_id: project.id },
    { client, secret },
  )

  const [head, none, first, second] = csvLines(csv.text)
  assert.equal(head, 'classification_id,document_id,title,project_id,project_name,label,score,model,created_at')
  assert.match(none ?? '', /^cls_\w+,,,proj_\w+,Letters,,,bge-small-en-v1\.5,/)
  const scoreOf = ({ results }: typeof ofText): string => String(results[0]?.score)
  assert.equal(
    first,
    `${ofText.id},,,${project.id},Letters,"billing, late",${scoreOf(ofText)},bge-small-en-v1.5,${ofText.created_at}`,
  )
  assert.equal(
    second,
    `${ofDocument.id},${document.id},Letter,${project.id},Letters,repairs,${scoreOf(ofDocument)},bge-small-en-v1.5,${ofDocument.created_at}`,
  )
  const { summary, charts, row_count } = JSON.parse(json.text) as ReportJson
  assert.deepEqual([row_count, summary.map(({ value }) => value)], [3, [3, 1]])
  assert.deepEqual(
    charts[0]?.data.toSorted((a, b) => a.x.localeCompare(b.x)),
    [
      { x: 'billing, late', y: 1 },
      { x: 'repairs', y: 1 },
    ],
  )
})

test('sums usage by day, project, key and model for any number of records', async () => {
  const { tenant, client, secret } = await newTenant()
  const at_ms = Date.parse('2026-03-01T23:00:00Z')
  await insertUsage(app, tenant, { count: 12_000, at_ms, every_ms: 1_000, model: 'writer', cost_micros: 3 })
  await insertUsage(app, tenant, { count: 10, at_ms, every_ms: 1_000, model: 'a-reader', cost_micros: 0 })
  const filters = { created_before: '2026-04-01T00:00:00Z' }

  const csv = await makeReport(api, { type: 'usage', format: 'csv', filters }, { client, secret })
  const json = await makeReport(api, { type: 'usage', format: 'json', filters }, { client, secret })

  assert.deepEqual(csvLines(csv.text), [
    'day,project_id,project_name,key_id,model,provider,locality,pages,input_tokens,output_tokens,compute_ms,cost_micros',
    '2026-03-02,,,,writer,stub,remote,8400,84000,16800,42000,25200',
    '2026-03-01,,,,a-reader,stub,remote,10,100,20,50,0',
    '2026-03-01,,,,writer,stub,remote,3600,36000,7200,18000,10800',
  ])
  const { charts, summary } = JSON.parse(json.text) as ReportJson
  assert.deepEqual(
    summary.map(({ value }) => value),
    [12_010, 120_100, 24_020, 60_050, 36_000],
  )
  assert.deepEqual(charts[0], {
    title: 'Cost by day',
    kind: 'line',
    x: 'Day',
    y: 'Cost',
    data: [
      { x: '2026-03-01', y: 0.0108 },
      { x: '2026-03-02', y: 0.0252 },
    ],
  })
})
