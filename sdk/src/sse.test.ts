import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MessageParser } from './sse.ts'

const parse = (...pieces: string[]) => {
  const parser = new MessageParser()
  return pieces.flatMap((piece) => parser.push(piece))
}
const dataOf = (...pieces: string[]) => parse(...pieces).map(({ data }) => data)

test('a message has an id, a name and data', () => {
  assert.deepEqual(parse('id: 7\nevent: job.updated\ndata: {"a":1}\n\n'), [
    { id: '7', event: 'job.updated', data: '{"a":1}' },
  ])
})

test('lines end with LF, CRLF or CR, also mixed', () => {
  const expected = [
    { id: '1', event: 'message', data: 'a' },
    { id: '2', event: 'message', data: 'b' },
  ]

  for (const end of ['\n', '\r\n', '\r']) {
    assert.deepEqual(parse(['id: 1', 'data: a', '', 'id: 2', 'data: b', '', ''].join(end)), expected)
  }
  assert.deepEqual(parse('id: 1\rdata: a\n\r\nid: 2\r\ndata: b\r\r'), expected)
})

test('parses the same messages wherever the text is split', () => {
  const text = ': hello\r\n\r\nid: 1\r\nevent: x\r\ndata: é\r\ndata: 😀\r\n\r\nid: 2\rdata: b\r\rid: 3\ndata: c\n\n'
  const whole = parse(text)

  assert.deepEqual(
    whole.map(({ id, data }) => `${id} ${data}`),
    ['1 é\n😀', '2 b', '3 c'],
  )
  for (let at = 0; at <= text.length; at += 1)
    assert.deepEqual(parse(text.slice(0, at), text.slice(at)), whole, `cut at ${at}`)
  assert.deepEqual(parse(...text.split('')), whole)
})

test('joins several data lines into one message', () => {
  assert.deepEqual(dataOf('data: a\ndata:b\ndata\ndata:  c\n\n'), ['a\nb\n\n c'])
})

test('ignores comments, unknown fields and messages without data', () => {
  assert.deepEqual(dataOf(': ping\n\n', 'event: x\nid: 4\n\n', 'colour: red\ndata: a\n\n'), ['a'])
})

test('the event name applies to one message, the id to later messages as well', () => {
  assert.deepEqual(parse('id: 4\nevent: x\ndata: a\n\ndata: b\n\nid\ndata: c\n\nid: 5\0\ndata: d\n\n'), [
    { id: '4', event: 'x', data: 'a' },
    { id: '4', event: 'message', data: 'b' },
    { id: '', event: 'message', data: 'c' },
    { id: '', event: 'message', data: 'd' },
  ])
})

test('drops an incomplete message at the end', () => {
  assert.deepEqual(dataOf('data: a\n\ndata: b\n'), ['a'])
})

test('the stream can set the delay before a reconnect', () => {
  const parser = new MessageParser()
  parser.push('retry: soon\n')
  assert.equal(parser.retry_ms, null)

  parser.push('retry: 250\n')

  assert.equal(parser.retry_ms, 250)
})
