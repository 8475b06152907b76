import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Coefficients,
  type Cost,
  type Counts,
  countsPerSecond,
  type Load,
  leastSquares,
  operations,
  predict,
  solveCosts,
  totalCost,
  usualMachines,
} from './model.ts'

const cost = (value: number): Cost => ({
  api_cpu_seconds: value,
  worker_cpu_seconds: 2 * value,
  embedding_cpu_seconds: 3 * value,
  postgres_cpu_seconds: value / 10,
  wal_bytes: 1_000 * value,
  database_bytes: 500 * value,
  file_bytes: 100 * value,
  connection_seconds: value / 5,
  round_trips: 7 * value,
})
const coefficients: Coefficients = {
  measured_on: '2026-01-01',
  machine: 'test',
  chunks_per_page: 2,
  costs: {
    second: cost(0.001),
    document: cost(0.2),
    text_page: cost(0.1),
    ocr_page: cost(1),
    search: cost(0.05),
    read: cost(0.002),
  },
}
const load: Load = {
  documents_per_day: 86_400,
  pages: 10,
  ocr: 0.2,
  searches_per_second: 4,
  reads_per_second: 0,
  retention_days: 0,
}
const counts = (...values: number[]): Counts => {
  const [second = 0, document = 0, text_page = 0, ocr_page = 0, search = 0, read = 0] = values
  return { second, document, text_page, ocr_page, search, read }
}

test('counts the operations of the busiest hour', () => {
  assert.deepEqual(countsPerSecond(load, 3), counts(1, 3, 24, 6, 4, 0))
})

test('finds the cost of each operation in mixed runs', () => {
  const runs = [
    counts(10),
    counts(20, 30, 30),
    counts(25, 4, 160),
    counts(30, 2, 0, 8),
    counts(12, 0, 0, 0, 150),
    counts(9, 0, 0, 0, 0, 300),
    counts(40, 8, 50, 6, 60, 100),
  ].map((one) => ({ counts: one, cost: totalCost(coefficients, one) }))

  const solved = solveCosts(runs)

  for (const operation of operations)
    for (const [resource, value] of Object.entries(coefficients.costs[operation]))
      assert.ok(
        Math.abs((Object.entries(solved[operation]).find(([name]) => name === resource)?.[1] ?? 0) - value) <
          1e-6 * Math.max(1, value),
      )
})

test('rejects runs that do not determine the costs', () => {
  assert.throws(
    () =>
      leastSquares(
        [
          [1, 2],
          [2, 4],
        ],
        [1, 2],
      ),
    /do not determine/,
  )
})

test('an external embedding server takes the embedding from the workers', () => {
  const inside = predict(load, coefficients, usualMachines)
  const outside = predict(load, coefficients, { ...usualMachines, embeddings_per_second: 20 })

  // 24 text pages, 6 scanned ones, 3 documents and 4 searches in a second.
  const value = 0.001 + 3 * 0.2 + 24 * 0.1 + 6 + 4 * 0.05
  assert.deepEqual(
    [inside.worker_machines, inside.embedding_servers, outside.worker_machines, outside.embedding_servers],
    [Math.ceil((5 * value) / 4.8), 0, Math.ceil((2 * value) / 4.8), Math.ceil((30 * 2 + 4) / 20)],
  )
  assert.equal(inside.limits[0]?.part, 'workers with the built-in embedding model')
})

test('PostgreSQL decides the number of cells', () => {
  const { cells, limits } = predict(load, coefficients, { ...usualMachines, wal_bytes_per_second: 500 })

  assert.equal(cells, 19)
  assert.equal(limits[0]?.part, 'PostgreSQL WAL')
})

test('a year of documents needs more cells than their load', () => {
  const { cells, limits } = predict({ ...load, retention_days: 365 }, coefficients, {
    ...usualMachines,
    database_bytes: 1e9,
    embeddings_per_second: 1e9,
    cores: 1000,
  })

  const documents = (0.001 + 0.2 + 8 * 0.1 + 2) * 365
  const searches = 4 * 0.05 * 30
  assert.equal(cells, Math.ceil((500 * 86_400 * (documents + searches)) / 1e9))
  assert.equal(limits[0]?.part, 'PostgreSQL storage')
})

test('storage follows the average day, not the busiest hour', () => {
  const day = predict({ ...load, documents_per_day: 1, searches_per_second: 0 }, coefficients, usualMachines)

  const value = 0.2 + 8 * 0.1 + 2 * 1 + 86_400 * 0.001
  assert.ok(Math.abs(day.database_bytes_per_day - 500 * value) < 1e-6)
})
