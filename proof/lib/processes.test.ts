import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CpuReading, cpuBetween } from './processes.ts'

const process = (ms: number, threads: Record<string, number>, ended_children_ms = 0) => ({
  ms,
  ended_children_ms,
  threads: new Map(Object.entries(threads)),
})
const reading = (processes: Record<number, ReturnType<typeof process>>): CpuReading =>
  new Map(Object.entries(processes).map(([pid, times]) => [Number(pid), times]))

test('CPU time is counted to the nanosecond, with new threads and new processes', () => {
  const before = reading({ 1: process(10, { main: 10_000_000 }) })
  const after = reading({
    1: process(10, { main: 12_500_000, fresh: 1_000_000 }),
    2: process(0, { main: 250_000 }),
  })

  assert.equal(cpuBetween(before, after), 3.75)
})

test('CPU time of threads and children that have ended is counted by ticks', () => {
  const before = reading({ 1: process(30, { main: 10_000_000, ended: 20_000_000 }, 40) })
  const after = reading({ 1: process(80, { main: 15_000_000 }, 140) })

  assert.equal(cpuBetween(before, after), 150)
})
