// Proofs that walk over the whole contract, at their short size. `npm run prove` runs them at full size.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proof as contract } from './contract.ts'
import { proof as pagination } from './pagination.ts'

for (const proof of [contract, pagination])
  test(proof.promise, { timeout: 900_000 }, async () => {
    const lines: string[] = []
    const say = (line: string): void => void lines.push(line)

    const { figure, is_met } = await proof.run({
      length: 'short',
      only: null,
      plants: [],
      fault: null,
      is_recorded: false,
      say,
    })

    assert.ok(is_met, [figure, ...lines.filter((line) => line.startsWith('FAILED'))].join('\n'))
  })
