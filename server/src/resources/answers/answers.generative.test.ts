import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApi } from '../../testing/api.ts'
import { startProvider } from '../../testing/provider.ts'
import { weightsDir } from '../../testing/weights.ts'

const provider = await startProvider({ delay_ms: 5 })
after(() => provider.close())
const api = await startApi(
  { after },
  { OCTAVO_MODELS_DIR: weightsDir(), CHAT_BASE_URL: provider.url, CHAT_MODEL: 'writer', CHAT_LOCALITY: 'remote' },
)
const { owner, owner_key } = api

const TEXT =
  'Rent is 1,200 a month. Rent is due on the third day of each month, in advance. Late rent bears interest of five percent.'
const lease = await owner.documents.createAndWait({
  title: 'Lease',
  source: { type: 'pages', pages: [{ text: TEXT }] },
})
const GOOD = {
  is_answered: true,
  sentences: [
    { text: 'The rent is due on the third.', passages: [1], quotes: ['due on the third day of each month'] },
    {
      text: 'Late rent costs more.',
      passages: [1],
      quotes: ['bears interest of five percent', 'and a fine of 900 as well'],
    },
  ],
}
const say = (value: unknown): void => provider.say('writer', () => JSON.stringify(value))

test('a model writes the answer, and every quote is verified', async () => {
  say(GOOD)

  const answer = await owner.answers.create({ question: 'When is the rent due?' })

  assert.deepEqual(
    [answer.status, answer.is_answered, answer.method, answer.model?.id],
    ['succeeded', true, 'generative', 'writer'],
  )
  assert.equal(answer.text, 'The rent is due on the third. Late rent costs more.')
  const [first, second] = answer.sentences
  assert.deepEqual(
    [first?.citations[0]?.quote, first?.citations[0]?.document_id],
    ['due on the third day of each month', lease.id],
  )
  assert.equal(second?.citations.length, 1)
  assert.deepEqual(answer.warnings, ['1 quote was dropped: not found on the pages.'])
})

test('an answer without a verified quote counts as unanswered', async () => {
  say({
    is_answered: true,
    sentences: [{ text: 'The rent is 9,000.', passages: [1], quotes: ['the rent shall be nine thousand in gold'] }],
  })

  const answer = await owner.answers.create({ question: 'How high is the rent?' })

  assert.deepEqual([answer.is_answered, answer.text, answer.sentences], [false, null, []])
  assert.equal(answer.warnings.length, 2)
})

test('streams an answer while it is written', async () => {
  say(GOOD)
  const response = await fetch(`${api.url}/api/v1/answers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner_key}`, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ question: 'When is rent due?' }),
  })
  const events = [...(await response.text()).matchAll(/^event: (\S+)\ndata: (.*)$/gm)].map(([, name, data]) => ({
    name,
    data: JSON.parse(data!) as { status?: string; text: string },
  }))

  assert.deepEqual([response.status, response.headers.get('content-type')], [201, 'text/event-stream'])
  assert.match(response.headers.get('location')!, /\/api\/v1\/answers\/ans_/)
  assert.deepEqual([events[0]?.name, events.at(-1)?.name], ['answer.created', 'answer.completed'])
  const { status, text } = events.at(-1)!.data
  assert.deepEqual([status, text], ['succeeded', 'The rent is due on the third. Late rent costs more.'])
  const told = events
    .filter(({ name }) => name === 'answer.delta')
    .map(({ data }) => data.text)
    .join('')
  assert.ok('The rent is due on the third. Late rent costs more.'.startsWith(told), told)
})

test('the text of a private project is never sent to a remote model', async () => {
  const project = await owner.projects.create({ name: 'Private', privacy: 'local_only' })
  await owner.documents.createAndWait({
    title: 'Oak',
    project_id: project.id,
    source: { type: 'text', text: 'The treasure lies under the old oak.' },
  })
  say({ is_answered: false, sentences: [] })

  const within = await owner.answers.create({ question: 'Where does the treasure lie?', project_id: project.id })
  const asked = provider.asked.length
  const all = await owner.answers.create({ question: 'Where does the treasure lie?' })

  assert.deepEqual([within.method, within.is_answered, within.model?.locality], ['extractive', true, 'local'])
  assert.deepEqual([all.method, all.is_answered], ['generative', false])
  assert.match(all.warnings.join(), /passages were skipped/)
  assert.equal(JSON.stringify(provider.asked.slice(asked)).includes('treasure lies'), false)
  await assert.rejects(owner.answers.create({ question: 'Where?', project_id: project.id, model: 'writer' }), {
    code: 'validation_error',
  })
})

test('drops a sentence with a number or a name that its quotes do not contain', async () => {
  say({
    is_answered: true,
    sentences: [
      { passages: [1], quotes: ['Rent is 1,200 a month'], text: 'The rent is 1,200 a month.' },
      {
        passages: [1],
        quotes: ['due on the third day of each month'],
        text: 'It is due on the third to Peter Miller.',
      },
      { passages: [1], quotes: ['bears interest of five percent'], text: 'Late rent bears 7 percent.' },
    ],
  })

  const answer = await owner.answers.create({ question: 'How much is the rent?', document_ids: [lease.id] })

  assert.deepEqual([answer.is_answered, answer.text], [true, 'The rent is 1,200 a month.'])
  assert.deepEqual(answer.warnings, ['2 sentences were dropped: names or numbers are not in the cited quotes.'])
})

test('falls back to the built-in engine with a warning if the default model is down', async () => {
  for (const trouble of ['fails', 'throttles'] as const) {
    provider.behave('writer', trouble)

    const answer = await owner.answers.create({ question: 'When is the rent due?', document_ids: [lease.id] })

    assert.deepEqual(
      [answer.status, answer.method, answer.model?.id, answer.is_answered],
      ['succeeded', 'extractive', 'built_in_text', true],
      trouble,
    )
    assert.match(answer.text!, /third day/)
    assert.match(answer.warnings.join(), /^The model 'writer' .*, so the built-in engine answered\.$/)
  }
})

test('a model named in the request has no fallback', async () => {
  provider.behave('writer', 'fails')
  const { id } = await owner.answers.create(
    { question: 'When is the rent due?', model: 'writer' },
    { wait_seconds: 1, headers: { prefer: 'wait=1' } },
  )
  const { method, status } = await owner.answers.get(id)

  assert.notEqual(status, 'succeeded')
  assert.equal(method, null)
  provider.behave('writer', 'well')
})

test('fails with a specific code if a model refuses or returns no JSON', async () => {
  provider.behave('writer', 'refuses')
  const refused = await owner.answers.create({ question: 'Who pays the rent?' })
  provider.behave('writer', 'breaks_json')
  const broken = await owner.answers.create({ question: 'Who pays rent?' })

  assert.deepEqual([refused.status, refused.error?.code], ['failed', 'content_refused'])
  assert.deepEqual([broken.status, broken.error?.code], ['failed', 'model_output_invalid'])
})
