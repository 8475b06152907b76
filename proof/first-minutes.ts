// Follows the README's quickstart exactly on a machine without Octavo; it ends with a summary and an answer, both
// cited.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Octavo } from '@octavo/sdk'
import { ensureStandIns, hasImage, podman } from './containers/engine.ts'
import { imageOf, type Machine, openMachine, readCommands, type Spoken } from './containers/machine.ts'
import { type FirstMinutesLease, makeLease } from './first-minutes/lease.ts'
import { findMisquotes, readPages } from './first-minutes/quotes.ts'
import { connectModel, hasModel } from './first-minutes/step-two.ts'
import { change } from './lib/change.ts'
import { type Proof, type ProofOutcome, type ProofRun, round } from './lib/proof.ts'
import { announceSeed, newRandom } from './lib/random.ts'
import { owned } from './lib/scope.ts'

const MAX_COMMANDS = 5
const MAX_SECONDS = 300

export const proof: Proof = {
  promise: 'Five commands lead to a summary and an answer about your own PDF, with the page behind every sentence.',
  goal: `the exact commands of the README on a clean machine: ≤ ${MAX_COMMANDS} commands, ≤ ${MAX_SECONDS / 60} minutes without downloads and the build, a PDF with newly generated facts; summary and answer cited, every quote on its page, the requested fact on the right page; if CHAT_BASE_URL is set, the second step of the quickstart too`,
  faults: {
    wrong_page: {
      what: 'a citation names another page',
      plants: [change('cli/src/citations.ts', 'page_number', 'page_numbers')],
    },
    no_key: {
      what: 'the first start does not print the key',
      plants: [change('welcome', 'if (!key)\n', 'if (key ?? !key)\n')],
    },
  },
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  const lease = makeLease(newRandom(announceSeed(run)))
  ensureStandIns(['node', 'maven', 'postgres'], run.say)
  // So that the second command builds it; in a short run from the steps of an earlier build.
  if (hasImage(imageOf(run.plants))) podman('untag', imageOf(run.plants))
  const is_cold = run.length !== 'short' && run.fault === null
  await using machine = owned(await openMachine(run.plants, is_cold ? { OCTAVO_PROOF_COLD: 'true' } : {}))
  writeFileSync(join(machine.home, 'lease.pdf'), lease.bytes)
  const { spoken, folder } = await follow(machine, run)
  if (spoken.some(({ code }) => code !== 0)) return judge(spoken, [findFailure(spoken)], run)
  const client = new Octavo({ base_url: machine.url, api_key: readKey(machine) })
  const findings = await check(client, lease, spoken)
  if (hasModel && findings.length === 0) findings.push(...(await connectModel(run, machine, folder, client)))
  return judge(spoken, findings, run)
}

/**
 * Runs the commands exactly as written, except for the repository URL and the file's path. Stops at the first failure.
 */
async function follow(machine: Machine, run: ProofRun): Promise<{ spoken: Spoken[]; folder: string }> {
  const spoken: Spoken[] = []
  let folder = machine.home
  for (const command of readCommands('README.md', 'Five commands')) {
    const said = await machine.run(command.replace('<this repository>', machine.repository), folder)
    run.say(
      `$ ${command}\n${said.text.replace(/oct_key_\w+/g, 'oct_key_…').trim()}\n(${round(said.seconds, 1)} s, exit ${said.code})`,
    )
    spoken.push(said)
    if (said.code !== 0) {
      run.say((await machine.run('docker compose logs octavo | grep -v oct_key_ | tail -n 20', folder)).text)
      break
    }
    const [, into] = /&& cd (\S+)$/.exec(command) ?? []
    if (into !== undefined) folder = join(folder, into)
  }
  return { spoken, folder }
}

function readKey({ home }: Machine): string {
  const { api_key } = JSON.parse(readFileSync(join(home, '.config/octavo/login.json'), 'utf8')) as { api_key: string }
  return api_key
}

const findFailure = (spoken: readonly Spoken[]): string =>
  `a command failed: ${spoken.at(-1)!.text.trim().split('\n').at(-1)}`

/** Checks the output and the stored outcomes behind it: every quote appears on the cited page. */
async function check(client: Octavo, lease: FirstMinutesLease, spoken: readonly Spoken[]): Promise<string[]> {
  const findings: string[] = []
  const [document] = (await client.documents.list()).data
  if (document?.page_count !== lease.pages) return [`${document?.page_count} of ${lease.pages} pages were read`]
  const texts = await readPages(client, document.id)
  const [summary] = (await client.summaries.list()).data
  const [answer] = (await client.answers.list()).data
  for (const [name, made] of Object.entries({ summary, answer })) {
    if (!made || made.sentences.length === 0) findings.push(`there is no ${name}`)
    for (const { text, citations } of made?.sentences ?? [])
      if (citations.length === 0) findings.push(`a sentence of the ${name} is not cited: ${text}`)
    findings.push(...findMisquotes(texts, made?.sentences ?? []))
  }
  const [shown_summary, shown_answer] = spoken.slice(-2).map(({ text }) => text) as [string, string]
  if (!/page \d/.test(shown_summary)) findings.push('the summary was shown without pages')
  if (!shown_answer.includes(lease.rent)) findings.push(`the answer does not say ${lease.rent}`)
  if (!new RegExp(`page ${lease.rent_page}\\b`).test(shown_answer))
    findings.push(`the answer does not name page ${lease.rent_page}`)
  return findings
}

function judge(spoken: readonly Spoken[], findings: readonly string[], run: ProofRun): ProofOutcome {
  for (const finding of findings) run.say(`FAILED ${finding}`)
  const total = spoken.reduce((sum, { seconds }) => sum + seconds, 0)
  const build = Number(/was built in (\d+) s/.exec(spoken[1]?.text ?? '')?.[1] ?? 0)
  const commands = readCommands('README.md', 'Five commands').length
  const is_met = findings.length === 0 && commands <= MAX_COMMANDS && total - build <= MAX_SECONDS
  const steps = spoken.map(({ seconds }, i) => round(seconds - (i === 1 ? build : 0), 1)).join(' + ')
  const figure =
    `${commands} commands, ${Math.round(total - build)} s (${steps}) and ${build} s for the build with its downloads; summary and answer cited, ` +
    `${findings.length} wrong; the quickstart's second step: ${hasModel ? 'a real model wrote a summary' : 'not tried, CHAT_BASE_URL names no model'}; podman with stand-ins for the registry's images`
  return { figure: findings[0] ?? figure, is_met }
}
