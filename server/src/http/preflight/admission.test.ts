import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadClass } from '@octavo/contract'
import { Admission } from './admission.ts'
import { Context } from './context.ts'

const refusal = { code: 'service_unavailable', headers: { 'retry-after': '5' } }

/** Ten places and a clock that never advances; every request accepts waiting. */
function open(max = 10, is_busy = true) {
  const clock = { ms: 1_000 }
  const shed: LoadClass[] = []
  const entered: string[] = []
  const admission = new Admission({
    max,
    onShed: (load_class) => shed.push(load_class),
    now: () => clock.ms,
    isBusy: () => is_busy,
  })
  /** true: entered at once. */
  function enter(load_class: LoadClass, name: string = load_class, context = new Context(1_000)): boolean {
    const waiting = admission.enter(load_class, context)
    waiting?.then(
      () => entered.push(name),
      () => entered.push(`${name} refused`),
    )
    return waiting === null
  }
  function fill(load_class: LoadClass): number {
    let count = 0
    while (enter(load_class)) count++
    return count
  }
  async function leave(load_class: LoadClass, took_ms = 1): Promise<void> {
    admission.leave(load_class, clock.ms - took_ms)
    await sleep(0)
  }
  return { admission, clock, shed, entered, enter, fill, leave }
}

test('a class can take every slot except the reserved shares of the others', () => {
  assert.equal(open().fill('read'), 7)
  assert.equal(open().fill('write'), 5)
  assert.equal(open().fill('list'), 4)
})

test('a class keeps its share when others fill the rest', () => {
  const { enter, fill } = open()
  fill('read')

  assert.deepEqual([enter('list'), enter('write'), enter('write')], [true, true, true])
  assert.deepEqual([enter('list'), enter('write'), enter('read')], [false, false, false])
})

test('each class is admitted, however few slots there are', () => {
  for (let max = 1; max <= 20; max++) {
    for (const load_class of ['read', 'write', 'list'] as const)
      assert.equal(open(max).enter(load_class), true, `${load_class} of ${max}`)
  }
})

test('a released slot goes to a waiter, reads first and lists last', async () => {
  const { enter, fill, leave, entered } = open()
  fill('read')
  for (const load_class of ['list', 'write', 'write'] as const) enter(load_class)
  for (const load_class of ['list', 'write', 'read'] as const) enter(load_class, `waiting ${load_class}`)
  entered.length = 0

  await leave('read')
  assert.deepEqual(entered, ['read'])
  await leave('read')
  assert.deepEqual(entered, ['read', 'waiting read'])
  await leave('write')
  await leave('list')
  assert.deepEqual(entered, ['read', 'waiting read', 'waiting write', 'waiting list'])
})

test('a burst waits for its turn and is not refused', () => {
  const { admission, enter, fill, shed } = open()
  fill('read')

  for (let i = 0; i < 200; i++) {
    assert.equal(admission.refuses('read'), false)
    enter('read')
  }

  assert.deepEqual(shed, [])
})

test('a stalled queue refuses newcomers of its class at once, but not of other classes', () => {
  const { admission, clock, enter, fill, shed } = open()
  fill('read')

  clock.ms += 250

  assert.equal(admission.refuses('read'), true)
  assert.throws(() => admission.enter('read', new Context(1_000)), refusal)
  assert.equal(admission.refuses('list'), false)
  assert.equal(enter('list'), true)
  assert.deepEqual(shed, ['read', 'read'])
})

test('during an overload, only as many wait as will soon be served', async () => {
  const { admission, clock, enter, fill, leave } = open()
  fill('read')
  for (let i = 0; i < 10; i++) enter('read')

  // One is served every 20 ms: five of them in the time that one may wait.
  for (let i = 0; i < 30; i++) {
    clock.ms += 20
    await leave('read')
    if (!admission.refuses('read')) enter('read')
  }

  let places = 0
  while (!admission.refuses('read')) {
    enter('read')
    places++
  }
  assert.ok(places <= 1, `${places} more`)
  await leave('read')
  assert.equal(admission.refuses('read'), false)
})

test('recovers completely after an overload', async () => {
  const { admission, clock, enter, fill, leave } = open()
  fill('read')
  clock.ms += 250
  assert.equal(admission.refuses('read'), true)

  for (let i = 0; i < 8; i++) await leave('read')
  clock.ms += 300

  assert.equal(admission.running, 0)
  fill('read')
  for (let i = 0; i < 50; i++) assert.deepEqual([admission.refuses('read'), enter('read')], [false, false])
})

test('refuses a request that waited too long, even if no slot is released', async () => {
  const shed: LoadClass[] = []
  const admission = new Admission({ max: 1, onShed: (load_class) => shed.push(load_class), isBusy: () => true })
  assert.equal(admission.enter('read', new Context(1_000)), null)

  const waiting = admission.enter('list', new Context(1_000))!
  // The timer does not keep a process alive; the sleep does.
  await Promise.all([assert.rejects(waiting, refusal), sleep(800)])

  assert.deepEqual(shed, ['list'])
})

test('an aborted waiter does not get a slot', async () => {
  const { admission, enter, fill, leave, entered } = open()
  fill('read')
  const gone = new Context(1_000)
  enter('write')
  enter('write')
  enter('write', 'gone', gone)
  enter('write', 'patient')
  gone.is_gone = true

  await leave('write')

  assert.deepEqual(entered, ['gone refused', 'patient'])
  assert.equal(admission.running, 9)
})

test('slow responses lower the number of slots, down to a minimum', async () => {
  const { admission, clock, enter } = open(256)
  assert.equal(admission.limit, 64)

  for (let i = 0; i < 100; i++) {
    for (let k = 0; k < 40; k++) enter('read')
    clock.ms += 101
    for (let k = 0; k < 40; k++) admission.leave('read', clock.ms - 200)
  }

  assert.equal(admission.limit, 16)
})

test('fast responses raise the number of slots, but only if they are needed', async () => {
  const { admission, clock, enter, fill, leave } = open(256)
  for (let i = 0; i < 20; i++) {
    enter('read')
    clock.ms += 101
    await leave('read')
  }
  assert.equal(admission.limit, 64)

  for (let i = 0; i < 300; i++) {
    fill('read')
    clock.ms += 20
    while (admission.running > 0) admission.leave('read', clock.ms - 1)
  }
  assert.equal(admission.limit, 256)
})

test('a process that only waits on others soon admits more, even if no slot is released', async () => {
  const admission = new Admission({ max: 256, onShed: () => assert.fail('refused'), isBusy: () => false })

  // All of them wait for the same lock.
  const waiting = Array.from({ length: 80 }, () => admission.enter('write', new Context(10_000)))
  assert.ok(admission.running < 64)
  await Promise.all([...waiting, sleep(700)])

  assert.equal(admission.running, 80)
})

test('a database that is always slow does not lower the number of slots', async () => {
  const { admission, clock, enter } = open(256)

  for (let i = 0; i < 50; i++) {
    for (let k = 0; k < 20; k++) enter('read')
    clock.ms += 400
    for (let k = 0; k < 20; k++) admission.leave('read', clock.ms - 400)
  }

  assert.ok(admission.limit > 50, String(admission.limit))
})

test('releases a slot granted to a caller who has left', () => {
  const context = new Context(1_000)
  const given: string[] = []
  context.atEnd(() => given.push('before'))

  context.end()
  context.atEnd(() => given.push('after'))
  context.end()

  assert.deepEqual(given, ['before', 'after'])
})
