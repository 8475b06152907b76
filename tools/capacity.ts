// `npm run capacity -- --documents-per-day 1000000 --pages 12 --ocr 0.2 --searches-per-second 50`: what a load needs.
// The costs of the operations come from `npm run prove -- capacity --record`.

import { parseArgs } from 'node:util'
import { readCoefficients } from './capacity/coefficients.ts'
import { describePrediction } from './capacity/describe.ts'
import { predict, usualMachines } from './capacity/model.ts'

const option = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    'documents-per-day': option,
    pages: option,
    ocr: option,
    'searches-per-second': option,
    'reads-per-second': option,
    'retention-days': option,
    cores: option,
    'postgres-cores': option,
    'embeddings-per-second': option,
  },
})

/** The number of an option. */
function read(name: keyof typeof values, fallback: number): number {
  const text = values[name]
  const value = text === undefined ? fallback : Number(text)
  if (!Number.isFinite(value) || value < 0) {
    process.stderr.write(`--${name} must be a number that is not negative, not '${text}'.\n`)
    process.exit(2)
  }
  return value
}

const load = {
  documents_per_day: read('documents-per-day', 10_000),
  pages: read('pages', 10),
  ocr: Math.min(1, read('ocr', 0.1)),
  searches_per_second: read('searches-per-second', 1),
  reads_per_second: read('reads-per-second', 0),
  retention_days: read('retention-days', 365),
}
const machines = {
  ...usualMachines,
  cores: read('cores', usualMachines.cores),
  postgres_cores: read('postgres-cores', usualMachines.postgres_cores),
  embeddings_per_second: values['embeddings-per-second'] === undefined ? null : read('embeddings-per-second', 0),
}
const coefficients = readCoefficients()
process.stdout.write(`${describePrediction(load, machines, predict(load, coefficients, machines), coefficients)}\n`)
