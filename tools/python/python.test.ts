import assert from 'node:assert/strict'
import { test } from 'node:test'
import { syncFromAsync } from './sync.ts'
import { printPythonType, typeOf } from './types.ts'

test('blocking Python is derived from asynchronous Python', () => {
  const source = [
    'async def async_wait(client: AsyncClient, method: Callable[P, Awaitable[T]]) -> AsyncIterator[str]:',
    '    async with client.open() as response:',
    '        await async_sleep(1)',
    '        async for text in response.aiter_text():',
    '            yield text',
  ].join('\n')

  assert.deepEqual(syncFromAsync(source).split('\n').slice(2), [
    'def wait(client: Client, method: Callable[P, T]) -> Iterator[str]:',
    '    with client.open() as response:',
    '        sleep(1)',
    '        for text in response.iter_text():',
    '            yield text',
  ])
})

test('a response accepts values that a newer server adds, and a request does not', () => {
  assert.equal(typeOf({ type: 'string', 'x-extensible-enum': ['a', 'b'] }, 'model'), 'Literal["a", "b"] | str')
  assert.equal(typeOf({ type: 'string', enum: ['a', 'b'] }, 'param'), 'Literal["a", "b"]')
})

test('a response has lists and times, a request accepts any sequence and text', () => {
  const times = { type: ['array', 'null'], items: { type: 'string', format: 'date-time' } }

  assert.equal(typeOf(times, 'model'), 'list[datetime] | None')
  assert.equal(typeOf(times, 'param'), 'Sequence[datetime | str] | None')
})

test('optional members are None in a response and may be absent in a request', () => {
  const schema = { properties: { id: { type: 'string' }, note: { type: 'string' } }, required: ['id'] }

  assert.equal(
    printPythonType('Thing', schema, 'model'),
    'class Thing(OctavoModel):\n    id: str\n    note: str | None = None\n',
  )
  assert.equal(
    printPythonType('Thing', schema, 'param'),
    'class Thing(TypedDict):\n    id: str\n    note: NotRequired[str]\n',
  )
})
