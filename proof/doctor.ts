import { printReport } from '../server/src/doctor/print.ts'
import { TEST_SECRETS } from '../server/src/testing/api.ts'
import { weightsDir } from '../server/src/testing/weights.ts'
import { type DoctorEnv, type DoctorObservation, examine } from './doctor/examine.ts'
import { type DoctorBrokenSetup, type DoctorOutput, SECRET, type Setup } from './doctor/setup.ts'
import { aroundSetups } from './doctor/setups-around.ts'
import { dataSetups } from './doctor/setups-data.ts'
import { adminUrl } from './lib/admin.ts'
import { change } from './lib/change.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { defer } from './lib/scope.ts'
import { openWorld, type World } from './lib/world.ts'

const setups: readonly Setup[] = [...dataSetups, ...aroundSetups]

export const proof: Proof = {
  promise: 'The doctor identifies each configuration problem with its fix, and reports nothing else.',
  goal: `${setups.length} broken set-ups on real engines: each named by its own check alone with the remedy, and well after it; a healthy one: 0 problems`,
  faults: {
    blind_to_roles: {
      what: 'a role that row-level security does not bind is not noticed',
      plants: [change('look', 'if (unbound !== undefined)', 'if (unbound === role)')],
    },
    patient_clock: {
      what: 'a clock that is hours off is well',
      plants: [change('WARN_SECONDS', 'const WARN_SECONDS = 5', 'const WARN_SECONDS = 1e9')],
    },
    two_for_one: {
      what: 'a missing extension is told twice',
      plants: [
        change('lookAtSchema', "return skipped('Skipped: the extension", "return failed('x', 'y: the extension"),
      ],
    },
    talkative: {
      what: 'a password is shown',
      plants: [
        change('explainLogin', 'in ${name} is wrong', 'in ${name} is wrong: ${urlOf(installation, name)}'),
        change('hideSecrets', "'…'", 'secret'),
      ],
    },
    no_remedy: {
      what: 'what to do about a missing bucket is not said',
      plants: [change('explain', 'aws s3 mb', 'aws s3 ls')],
    },
    cries_wolf: {
      what: 'a healthy installation has a problem',
      plants: [change('isOctavo', "value.resource_name === 'Octavo'", 'false')],
    },
  },
  run: async (run) => {
    await using world = await openWorld()
    return await proveAll(run, world)
  },
}

/** The setup that detects each fault; running the others would only take time. */
const concerned: Readonly<Record<string, string>> = {
  blind_to_roles: 'wrong role',
  patient_clock: 'clock off',
  two_for_one: 'missing extension',
  talkative: 'wrong password',
  no_remedy: 'bucket missing',
  cries_wolf: 'port taken',
}

interface DoctorTally {
  named: number
  repaired: number
  /** Problems and warnings that a set-up has no part in. */
  unrelated: number
  leaks: number
}

async function proveAll(run: ProofRun, world: World): Promise<ProofOutcome> {
  const well = await startWell(world)
  const healthy = await examine(well, run.plants)
  show(run, 'healthy', healthy)
  const chosen = run.fault === null ? setups : setups.filter(({ name }) => name === concerned[run.fault!])
  const tally: DoctorTally = { named: 0, repaired: 0, unrelated: 0, leaks: 0 }
  for (const setup of chosen) {
    const made = await setup.make(well)
    await using _made = defer(() => made.clear?.())
    await proveOne(run, { setup, made, usual: listWarnings(healthy) }, tally)
  }
  const problems = listFailed(healthy)
  const { named, repaired, unrelated, leaks } = tally
  return {
    figure:
      `${named} of ${chosen.length} named; ${repaired} of ${chosen.length} well after the remedy; ${unrelated} unrelated findings, ` +
      `${leaks} secrets shown; healthy: ${problems.length} problems${problems.length > 0 ? ` (${problems.join(', ')})` : ''}`,
    is_met: named === chosen.length && repaired === chosen.length && unrelated + leaks + problems.length === 0,
  }
}

/** An API and a worker that run, as an operator would have them. */
async function startWell(world: World): Promise<DoctorEnv> {
  const api = await world.startApi()
  await world.startWorker()
  return {
    ...world.env,
    DATABASE_ADMIN_URL: adminUrl(world.database.name),
    OCTAVO_MODELS_DIR: weightsDir(),
    BASE_URL: api.url,
    PORT: new URL(api.url).port,
    MANAGEMENT_PORT: new URL(api.management_url).port,
  }
}

async function proveOne(
  run: ProofRun,
  { setup, made, usual }: { setup: Setup; made: DoctorOutput; usual: string[] },
  tally: DoctorTally,
): Promise<void> {
  const seen: DoctorObservation[] = []
  for (const { env, before } of made.broken) seen.push(await examine(env, run.plants, before))
  for (const one of seen) {
    show(run, setup.name, one)
    if (hasLeaked(one)) tally.leaks++
    const others = [...listFailed(one), ...listWarnings(one)].filter(
      (name) => name !== setup.check && !usual.includes(name),
    )
    if (others.length > 0) run.say(`${setup.name}: also ${others.join(', ')}`)
    tally.unrelated += others.length
  }
  const is_named = seen.every((one) => isNamed(setup, one))
  if (is_named) tally.named++
  else run.say(`${setup.name}: NOT NAMED`)
  const after = await repair(run, made)
  const found = after.checks.filter(({ name }) => name === setup.check)
  const is_repaired = found.length > 0 && found.every(({ status }) => status === 'ok') && listFailed(after).length === 0
  if (is_repaired) tally.repaired++
  else run.say(`${setup.name}: NOT MENDED: ${JSON.stringify(after.checks.filter(({ status }) => status !== 'ok'))}`)
}

async function repair(run: ProofRun, made: DoctorOutput): Promise<DoctorObservation> {
  const { env, before }: DoctorBrokenSetup = await made.repair()
  return examine(env, run.plants, before)
}

function isNamed({ check, status, says, remedy }: Setup, { checks, exit, is_healthy }: DoctorObservation): boolean {
  const found = checks.filter((one) => one.name === check && one.status === status)
  const fits = found.some((one) => says.test(one.says) && remedy.test([one.remedy, ...(one.commands ?? [])].join('\n')))
  return fits && exit === (status === 'failed' ? 1 : 0) && is_healthy === (status !== 'failed')
}

const namesWith = ({ checks }: DoctorObservation, wanted: string): string[] =>
  checks.filter(({ status }) => status === wanted).map(({ name }) => name)
const listFailed = (seen: DoctorObservation): string[] => namesWith(seen, 'failed')
const listWarnings = (seen: DoctorObservation): string[] => namesWith(seen, 'warning')

const hasLeaked = ({ text }: DoctorObservation): boolean =>
  [SECRET, TEST_SECRETS.slice(2)].some((secret) => text.includes(secret))

/** Only what is not well: that is what its reader looks at. */
function show({ say }: ProofRun, name: string, seen: DoctorObservation): void {
  const checks = seen.checks.filter(({ status }) => status === 'failed' || status === 'warning')
  const body =
    checks.length > 0
      ? printReport({ ...seen, checks }, { is_terminal: false, has_colours: false, columns: 100 })
      : 'No problems.\n'
  say(`--- ${name} (${seen.checks.length} checks)\n${body}`)
}
