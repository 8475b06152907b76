// `npm run prove` lists every promise; `npm run prove -- <name>…` measures them and exits 1 when one falls short.
// `npm run prove -- <name>… --short` is what CI runs, `--long` is for a release. `--planted[=fault]` puts a fault into the server's source:
// the proof must then fall short, so a caught fault means exit 1, as any proof that falls short. `--only=<part>` measures
// one part of a proof that has parts, such as a resource for isolation. `--record` keeps the figures in docs/proofs.md.

import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { readFigures, writeFigures } from './lib/figures.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'

const folder = new URL('./', import.meta.url)
const names = globSync('*.ts', { cwd: folder.pathname })
  .map((file) => basename(file, '.ts'))
  .filter((name) => name !== 'prove' && !name.endsWith('.test'))
  .sort()
const load = async (name: string): Promise<Proof> =>
  ((await import(new URL(`${name}.ts`, folder).href)) as { proof: Proof }).proof
const say = (line: string): void => void process.stdout.write(`${line}\n`)

const flags = process.argv.slice(2).map((flag) => (flag === '--planted' ? '--planted=all' : flag))
const { values, positionals } = parseArgs({
  args: flags,
  allowPositionals: true,
  options: {
    short: { type: 'boolean' },
    long: { type: 'boolean' },
    planted: { type: 'string' },
    only: { type: 'string' },
    record: { type: 'boolean' },
  },
})
const only = values.only ?? null
if (values.record && only !== null) throw new Error('A part of a proof is not recorded. Remove --only or --record.')
const length: ProofRun['length'] = values.short ? 'short' : values.long ? 'long' : 'normal'

if (positionals.length === 0) await list()
else process.exitCode = await proveAll()

async function list(): Promise<void> {
  const figures = readFigures()
  for (const name of names) {
    const { promise, goal, faults } = await load(name)
    const { figure = 'not measured', date = '' } = figures.get(name) ?? {}
    const lines = [
      `${name.padEnd(12)} ${promise}`,
      `goal: ${goal}`,
      `last: ${figure} ${date}`,
      `faults: ${Object.keys(faults).join(', ')}`,
    ]
    say(lines.join(`\n${' '.repeat(13)}`))
  }
}

async function proveAll(): Promise<number> {
  const results: [string, ProofOutcome][] = []
  for (const name of positionals) {
    if (!names.includes(name)) {
      say(`There is no proof '${name}'. Proofs: ${names.join(', ')}`)
      return 2
    }
    const started = performance.now()
    const outcome = await proveOne(name)
    results.push([name, outcome])
    say(`${name}: ${outcome.is_met ? 'met' : 'SHORT'} in ${Math.round((performance.now() - started) / 1000)} s`)
  }
  if (values.record && values.planted === undefined) {
    const proofs = new Map(await Promise.all(names.map(async (name) => [name, await load(name)] as const)))
    const size = length === 'short' ? 'Short run: ' : ''
    writeFigures(proofs, new Map(results.map(([name, { figure }]) => [name, size + figure])))
  }
  for (const [name, { figure }] of results) say(`${name}: ${figure}`)
  return results.every(([, { is_met }]) => is_met) ? 0 : 1
}

async function proveOne(name: string): Promise<ProofOutcome> {
  const proof = await load(name)
  if (values.planted === undefined)
    return proof.run({ length, only, plants: [], fault: null, is_recorded: values.record ?? false, say })
  const chosen = Object.entries(proof.faults).filter(([fault]) => values.planted === 'all' || values.planted === fault)
  if (chosen.length === 0)
    throw new Error(`'${name}' has no such fault. Faults: ${Object.keys(proof.faults).join(', ') || 'none'}`)
  let caught = 0
  for (const [fault, { what, plants }] of chosen) {
    // An error is not a catch: a proof that cannot run has shown nothing.
    const { figure, is_met } = await proof.run({ length, only, plants, fault, is_recorded: false, say: () => {} })
    if (!is_met) caught++
    say(`${is_met ? 'MISSED' : 'caught'}: ${what} (${figure})`)
  }
  return { figure: `${caught} of ${chosen.length} planted faults caught`, is_met: caught < chosen.length }
}
