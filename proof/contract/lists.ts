// Lists: the envelope in both styles, order, filters.

import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { idMembers } from '@octavo/contract'
import { exampleOf, findEndpoint, make, paramNames, place, populate } from './fixtures.ts'
import type { ContractAnswer, ContractJson } from './http.ts'
import { membersOf, shownBy } from './schemas.ts'
import type { ContractStage, Params } from './stage.ts'

const ITEMS = 4
const PATIENCE_MS = 5_000

const answerRows = (answer: ContractAnswer): ContractJson[] => (answer.body.data ?? []) as ContractJson[]
export const idsOf = (answer: ContractAnswer): string[] => answerRows(answer).map((row) => String(row.id))

/** A list with a few items where they can be made, and whatever is there where they cannot. */
export async function filledList(stage: ContractStage): Promise<Params> {
  const { path } = stage.endpoint
  const create = findEndpoint('POST', path)
  const params = await place(stage, path)
  if (create) for (let count = 0; count < ITEMS; count++) await make(stage, create, params)
  else await waitForItems(stage, params)
  await waitForJobs(stage)
  return params
}

/** A running job would change a list in the middle of a check. */
async function waitForJobs(stage: ContractStage): Promise<void> {
  const list = findEndpoint('GET', '/jobs')!
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(50)) {
    if (answerRows(await stage.send(list, { search: 'status=queued,running&limit=1' })).length === 0) break
  }
  // Events get their position a moment later.
  await sleep(stage.endpoint.list?.key === 'position' ? 400 : 0)
}

/** The other collections fill it; what is still on its way must not come in the middle of a check. */
async function waitForItems(stage: ContractStage, params: Params): Promise<void> {
  await populate(stage, stage.owner)
  let count = -1
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(300)) {
    const now = answerRows(await stage.send(stage.endpoint, { params, search: 'limit=100' })).length
    if (now > 0 && now === count) return
    count = now
  }
  throw new Error(`no fixture: ${stage.endpoint.path} stays empty, or never comes to rest`)
}

export async function obeyEnvelope(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const params = await filledList(stage)
  const first = await stage.send(endpoint, { params })
  stage.expect('a list', first, 200)
  const members = Object.keys(first.body).toSorted()
  stage.check('the envelope of cursors', isDeepStrictEqual(members, ['cursor', 'data', 'has_next_page']), members)
  for (const search of ['page=1', 'per_page=2', 'page=1&per_page=2']) {
    const answer = await stage.send(endpoint, { params, search })
    stage.expect(`?${search}`, answer, 200)
    const numbered = Object.keys(answer.body).toSorted()
    stage.check(
      'the envelope of numbered pages',
      isDeepStrictEqual(numbered, ['data', 'has_next_page', 'page', 'per_page']),
      numbered,
    )
    const { page, per_page } = answer.body
    stage.check(
      'it repeats what was asked for',
      page === 1 && per_page === (search.includes('per_page') ? 2 : 20),
      answer.body,
    )
    stage.check('numbered pages have no Link', answer.headers.link === undefined, answer.headers.link)
  }
  const wrong = [
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=1e1',
    'limit=%205',
    'limit=x',
    'limit=',
    'page=0',
    'per_page=0',
  ]
  const clashes = ['limit=1&page=1', 'limit=1&per_page=1', 'cursor=abc&page=1', 'cursor=abc&per_page=1']
  for (const search of [
    ...wrong,
    'per_page=101',
    'page=101&per_page=100',
    'page=10001',
    'sort=',
    'sort=updated_at',
    'sort=no_such_key',
    ...clashes,
  ]) {
    stage.refused(`?${search}`, await stage.send(endpoint, { params, search }), 'invalid_parameter')
  }
  for (const search of ['limit=1', 'limit=100', 'page=100&per_page=100', 'page=10000&per_page=1']) {
    stage.expect(`?${search}`, await stage.send(endpoint, { params, search }), 200)
  }
}

export async function obeyOrder(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const params = await filledList(stage)
  const standard = await stage.send(endpoint, { params, search: 'limit=100' })
  for (const sort of endpoint.list!.sorts) {
    const key = sort.replace('-', '')
    // Events committed within a few milliseconds may have their times in another order than their positions.
    const member = endpoint.list!.key === 'position' ? 'position' : key
    const up = await stage.send(endpoint, { params, search: `limit=100&sort=${key}` })
    const down = await stage.send(endpoint, { params, search: `limit=100&sort=-${key}` })
    stage.check(
      `sort=${key} has the items`,
      idsOf(up).length > 0 && new Set(idsOf(up)).size === idsOf(up).length,
      idsOf(up),
    )
    // If the list is longer than a page, the two orders show different ends, and each must be sorted.
    const falling = answerRows(down).map((row) => row[member] as string | number)
    const isReversed =
      up.body.has_next_page === false
        ? isDeepStrictEqual(idsOf(up), idsOf(down).toReversed())
        : isDeepStrictEqual(
            falling,
            falling.toSorted((a, b) => (a > b ? -1 : a < b ? 1 : 0)),
          )
    stage.check(`sort=-${key} is sort=${key} reversed`, isReversed, [idsOf(up), idsOf(down)])
    const keys = answerRows(up).map((row) => row[member] as string | number)
    stage.check(
      `sort=${key} is in the order of ${member}`,
      isDeepStrictEqual(
        keys,
        keys.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
      ),
      keys,
    )
  }
  const first = await stage.send(endpoint, { params, search: `limit=100&sort=${endpoint.list!.sorts[0]}` })
  stage.check('the first sort is the default', isDeepStrictEqual(idsOf(first), idsOf(standard)), [
    idsOf(first),
    idsOf(standard),
  ])
  const [one, two] = await Promise.all(
    [1, 2].map((page) => stage.send(endpoint, { params, search: `page=${page}&per_page=2` })),
  )
  const paged = [...idsOf(one!), ...idsOf(two!)]
  stage.check('numbered pages follow each other', isDeepStrictEqual(paged, idsOf(standard).slice(0, 4)), [
    paged,
    idsOf(standard),
  ])
}

/** `status=ready`: a row of the list by its own value, nothing for a value that no row has. */
export async function obeyFilters(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const params = await filledList(stage)
  for (const name of endpoint.list!.filters) await makeFiltered(stage, params, name)
  const all = await stage.send(endpoint, { params, search: 'limit=100' })
  const shown = membersOf(shownBy(endpoint))
  for (const name of endpoint.list!.filters) {
    const schema = membersOf(endpoint.query)[name]
    if (schema?.enum)
      stage.refused(
        `?${name}=no_such_word`,
        await stage.send(endpoint, { params, search: `${name}=no_such_word` }),
        'invalid_parameter',
      )
    if (schema?.format)
      stage.refused(
        `?${name}=yesterday`,
        await stage.send(endpoint, { params, search: `${name}=yesterday` }),
        'invalid_parameter',
      )
    if (schema?.type === 'object') await filterByMap(stage, params, name)
    if (!(name in shown) || schema?.type === 'object') continue
    const value = answerRows(all)
      .map((row) => row[name])
      .find((entry) => entry !== null)
    if (value !== undefined) await filterBy(stage, params, name, String(value))
    if (schema?.enum) continue
    const absent = schema?.pattern ? String(schema.examples?.[0]) : 'nothing-has-this'
    const none = await stage.send(endpoint, { params, search: `${name}=${absent}` })
    stage.check(`?${name} that nothing has`, none.status === 200 && answerRows(none).length === 0, none.body)
  }
  if (endpoint.list!.filters.includes('created_after')) await filterByTime(stage, params, idsOf(all))
}

/** `metadata[year]=2026`: the rows that have the value, nothing for a value that no row has. */
async function filterByMap(stage: ContractStage, params: Params, name: string): Promise<void> {
  const ask = (search: string) => stage.send(stage.endpoint, { params, search: `limit=100&${search}` })
  const all = answerRows(await ask(''))
  const [key, value] = all.flatMap((row) => Object.entries((row[name] ?? {}) as Record<string, string>))[0] ?? []
  if (key !== undefined && value !== undefined) {
    const found = await ask(new URLSearchParams({ [`${name}[${key}]`]: value }).toString())
    const expected = all.filter((row) => (row[name] as Record<string, string>)[key] === value).map((row) => row.id)
    const isFound = expected.every((id) => idsOf(found).includes(String(id)))
    stage.check(`?${name}[${key}] gives the rows that have it`, isFound && idsOf(found).length > 0, found.body)
  }
  const none = await ask(`${name}[key]=nothing-has-this`)
  stage.check(`?${name} that nothing has`, none.status === 200 && answerRows(none).length === 0, none.body)
  stage.refused(`?${name}=text`, await ask(`${name}=text`), 'invalid_parameter')
}

/** An example leaves some members out: an item that has the one to be found by. */
async function makeFiltered(stage: ContractStage, params: Params, name: string): Promise<void> {
  const create = findEndpoint('POST', stage.endpoint.path)
  const schema = membersOf(create?.body)[name]
  if (!create?.example || !schema || name in create.example || schema.enum || schema.format || name in idMembers) return
  if (![schema.type].flat().includes('string')) return
  const answer = await stage.send(create, {
    params,
    body: { ...(await exampleOf(stage, create)), [name]: `only this one's ${name}` },
  })
  stage.expect(`an item with ${name}`, answer, create.status)
}

async function filterBy(stage: ContractStage, params: Params, name: string, value: string): Promise<void> {
  const all = await stage.send(stage.endpoint, { params, search: 'limit=100' })
  const found = await stage.send(stage.endpoint, { params, search: `limit=100&${name}=${encodeURIComponent(value)}` })
  const expected = answerRows(all).filter((row) => String(row[name]) === value)
  stage.check(
    `?${name}=${value} gives the rows that have it`,
    isDeepStrictEqual(
      // The whole list may be longer than one page.
      idsOf(found).slice(0, all.body.has_next_page === true ? expected.length : undefined),
      expected.map((row) => row.id),
    ),
    found.body,
  )
  const schema = membersOf(stage.endpoint.query)[name]
  if (!schema?.['x-comma-list']) return
  if (!schema.enum) return matchSeveral(stage, params, name, value)
  const every = await stage.send(stage.endpoint, {
    params,
    search: `limit=100&${name}=${(schema.enum ?? []).join(',')}`,
  })
  stage.check(`?${name} with every word gives all`, isDeepStrictEqual(idsOf(every), idsOf(all)), idsOf(every))
}

/** `?project_id=A,B`: an id that no row has takes nothing away, and a malformed one is refused. */
async function matchSeveral(stage: ContractStage, params: Params, name: string, value: string): Promise<void> {
  const ask = (text: string) => stage.send(stage.endpoint, { params, search: `limit=100&${name}=${text}` })
  const one = await ask(value)
  const absent = `${value.split('_')[0]}_01h455vb4pex5vsknk084sn02q`
  const several = await ask(`${absent},${value}`)
  stage.check(`?${name} with two ids`, isDeepStrictEqual(idsOf(several), idsOf(one)), several.body)
  for (const text of [`${value},`, `${value},nothing-has-this`, value.slice(0, -1)])
    stage.refused(`?${name}=${text}`, await ask(text), 'invalid_parameter')
}

async function filterByTime(stage: ContractStage, params: Params, all: string[]): Promise<void> {
  const [past, future] = ['2020-01-01T00:00:00Z', '2120-01-01T01:00:00%2B01:00']
  const expectations: [string, string[]][] = [
    [`created_after=${past}`, all],
    [`created_before=${future}`, all],
    [`created_after=${past}&created_before=${future}`, all],
    [`created_after=${future}`, []],
    [`created_before=${past}`, []],
  ]
  for (const [search, expected] of expectations) {
    const answer = await stage.send(stage.endpoint, { params, search: `limit=100&${search}` })
    stage.check(`?${search}`, answer.status === 200 && isDeepStrictEqual(idsOf(answer), expected), answer.body)
  }
  if (paramNames(stage.endpoint.path).length > 0) return
  const empty = await stage.send(stage.endpoint, { search: `created_after=${future}` })
  stage.check(
    'an empty list has no next page',
    empty.body.cursor === null && empty.body.has_next_page === false,
    empty.body,
  )
}
