import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pickYielding, type TenantLoad } from './yielding.ts'

const runsOf = (counts: Record<string, number>): { tenant: string }[] =>
  Object.entries(counts).flatMap(([tenant, count]) => Array.from({ length: count }, () => ({ tenant })))
const load = (tenant: string, running: number, late: number): TenantLoad => ({ tenant, running, late })
const pick = (counts: Record<string, number>, loads: readonly TenantLoad[]): string[] =>
  [...pickYielding(runsOf(counts), loads, ({ tenant }) => tenant)].map(({ tenant }) => tenant)

test('nothing yields while no job is late', () => {
  assert.deepEqual(pick({ a: 4 }, [load('a', 4, 0), load('b', 0, 0)]), [])
})

test('the busiest tenant yields one run to each tenant with late jobs', () => {
  assert.deepEqual(pick({ a: 3, b: 1 }, [load('a', 3, 5), load('b', 1, 0), load('c', 0, 2)]), ['a'])
  assert.deepEqual(pick({ a: 4 }, [load('a', 4, 0), load('b', 0, 1), load('c', 0, 1)]), ['a', 'a'])
})

test('a tenant yields its only run to a tenant that runs nothing', () => {
  assert.deepEqual(pick({ a: 1 }, [load('a', 1, 0), load('b', 0, 1)]), ['a'])
})

test('a tenant that runs jobs gets another slot only from a tenant with two more', () => {
  assert.deepEqual(pick({ a: 2, b: 1 }, [load('a', 2, 0), load('b', 1, 3)]), [])
  assert.deepEqual(pick({ a: 3, b: 1 }, [load('a', 3, 0), load('b', 1, 3)]), ['a'])
})

test('a tenant does not yield to itself', () => {
  assert.deepEqual(pick({ a: 4 }, [load('a', 4, 9)]), [])
})
