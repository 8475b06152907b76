import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPii } from './pii.ts'

const typesOf = (text: string) => findPii(text).map(({ type, text: found }) => [type, found])

test('finds personal data with its offsets', () => {
  const text =
    '😀 Write to ana.silva@example.org or call +44 20 7946 0958; card 4111 1111 1111 1111, IBAN DE89 3704 0044 0532 0130 00.'

  const found = findPii(text)

  assert.deepEqual(
    found.map(({ type }) => type),
    ['email', 'phone_number', 'credit_card', 'iban'],
  )
  const points = [...text]
  for (const { start, end, text: own } of found) assert.equal(points.slice(start, end).join(''), own)
})

test('ignores card and account numbers with a wrong checksum', () => {
  assert.deepEqual(typesOf('card 4111 1111 1111 1112'), [])
  assert.deepEqual(typesOf('DE89 3704 0044 0532 0130 01'), [])
})

test('ignores social security numbers that were never issued', () => {
  assert.deepEqual(typesOf('SSN 078-05-1120'), [['us_ssn', '078-05-1120']])
  for (const text of ['000-12-3456', '666-12-3456', '912-12-3456', '123-00-4567', '123-45-0000'])
    assert.deepEqual(typesOf(text), [])
})

test('distinguishes IP addresses from versions and times', () => {
  assert.deepEqual(typesOf('from 192.168.10.25 and 2001:db8::8a2e:370:7334'), [
    ['ip_address', '192.168.10.25'],
    ['ip_address', '2001:db8::8a2e:370:7334'],
  ])
  for (const text of ['version 10.20.30.40', '300.1.1.1', 'at 12:30:45', 'std::vector', '1.2.3.4.5'])
    assert.deepEqual(typesOf(text), [], text)
})

test('does not take dates, amounts or order numbers for phone numbers', () => {
  for (const text of [
    'on 12-05-2026',
    '2026-05-12',
    'total 1,250,000.00',
    'Order 123-456-7890',
    '$555-123-4567',
    'page 1234567',
  ])
    assert.deepEqual(typesOf(text), [], text)
  assert.deepEqual(typesOf('Tel. 030 901820-0'), [['phone_number', '030 901820-0']])
})

test('finds phone numbers in the formats of many countries', () => {
  for (const number of [
    '(555) 123–4567',
    '212–555–0142',
    '030/901820',
    '030 / 90 18 20',
    '(0351) 12 34 56',
    '089 – 12 34 56 78',
    '01 42 68 53 00',
    '044 668 18 00',
    '020 7946 0958',
    '03-3210-4567',
    '+49 (0)30 90 18–20',
  ])
    assert.deepEqual(typesOf(`Please call ${number} before noon.`), [['phone_number', number]], number)
  for (const number of ['212–555–0142', '030/90182045', '01 42 68 53 00'])
    assert.deepEqual(typesOf(`Anna Meier, ${number}`), [['phone_number', number]], number)
})

test('does not take ranges of years, numbers or dates for phone numbers', () => {
  for (const text of [
    'the number of visitors 2019–2024',
    'the number of pages 1200–1450',
    'call for papers 12/05/2026',
    'call on 12/05/2026 14',
    'contact us from 2026/05/12 on',
    'a ratio of 1200/3400',
  ])
    assert.deepEqual(typesOf(text), [], text)
})

test('hostile text does not slow down the patterns', () => {
  const size = 1_000_000
  for (const piece of [
    'a',
    '1',
    '1 ',
    'a@',
    'a.',
    '1-',
    '1.',
    '(1)',
    '+1',
    ':',
    '::',
    'a:',
    'DE12',
    'DE12 ',
    '%',
    '4111 1111 1111 1111',
    'x1',
    ' ',
    '+49 30 ',
  ]) {
    const text = piece.repeat(size / piece.length)
    const started = performance.now()
    findPii(text)
    const ms = performance.now() - started
    assert.ok(ms < 5_000, `'${piece}' took ${ms} ms`)
  }
})
