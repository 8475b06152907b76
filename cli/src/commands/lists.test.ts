import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Terminal } from '../terminal.ts'
import { showList } from './lists.ts'

async function* numbersTo(count: number): AsyncGenerator<number> {
  for (let number = 1; number <= count; number++) yield number
}

async function show(count: number, limit: number): Promise<{ shown: string[]; said: string[] }> {
  const [shown, said]: [string[], string[]] = [[], []]
  const terminal = Object.assign(new Terminal(false), {
    is_human: false,
    line: (text: string) => shown.push(text),
    remark: (text: string) => said.push(text),
  })
  const view = {
    columns: [{ title: 'NUMBER' }],
    cellsOf: (number: number) => [String(number)],
    none: 'There are no numbers.',
  }
  await showList(terminal, numbersTo(count), { limit }, view)
  return { shown, said }
}

test('a list honors the limit and says whether there is more', async () => {
  assert.deepEqual(await show(3, 3), { shown: ['1', '2', '3'], said: [] })
  assert.deepEqual(await show(3, 2), { shown: ['1', '2'], said: ['There are more: --limit 10, or --all'] })
  assert.deepEqual(await show(0, 2), { shown: [], said: ['There are no numbers.'] })
})

test('suggests only limits that are allowed', async () => {
  assert.deepEqual((await show(20_002, 20_001)).said, ['There are more: --limit 100000, or --all'])
  assert.deepEqual((await show(100_001, 100_000)).said, ['There are more: --all'])
})
