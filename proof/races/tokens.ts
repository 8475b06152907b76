// One code and one refresh token, redeemed at two processes at the same time.

import type { Octavo } from '@octavo/sdk'
import type { TestAnswer } from '../../server/src/testing/ask.ts'
import {
  authorize,
  getTokens,
  redeem,
  refresh,
  registerWebApp,
  signInBrowser,
  type TestClient,
  tokensOf,
} from '../../server/src/testing/oauth.ts'
import type { PageBrowser } from '../../server/src/testing/page-browser.ts'
import type { Part } from '../lib/proof.ts'
import { ask } from '../revocation/watch.ts'

interface TokenRaces {
  servers: readonly { url: string; owner_key: string }[]
  owner: Octavo
  email: string
  rounds: number
  parallel: number
}

type Server = TokenRaces['servers'][number]

/** The requests go to the processes in turn. A busy process may close a connection: such a request has no answer. */
async function everywhere(
  { servers, parallel }: TokenRaces,
  work: (server: Server) => Promise<TestAnswer>,
): Promise<TestAnswer[]> {
  const turns = Array.from({ length: Math.ceil(parallel / servers.length) }, () => servers).flat()
  const answers = await Promise.allSettled(turns.map(work))
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
}

/** 503: a busy process did not execute the request. */
const isOther = ({ status }: TestAnswer): boolean => ![200, 400, 503].includes(status)

export async function raceTokens(races: TokenRaces): Promise<Part[]> {
  const [first] = races.servers
  if (!first) throw new Error('no process was started')
  const browser = await signInBrowser(first, races.email)
  return [await raceCodes(races, first, browser), await raceRefreshes(races, first, browser)]
}

/**
 * The second use of a code ends the grant (RFC 6749, section 4.1.2), so that the first request may fail as well. A token
 * that it got must not work afterwards.
 */
async function raceCodes(races: TokenRaces, first: Server, browser: PageBrowser): Promise<Part> {
  const findings: string[] = []
  let answered = 0
  for (let round = 0; round < races.rounds; round++) {
    const client = await registerWebApp(races.owner)
    const code = await newCode(browser, client)
    const answers = await everywhere(races, (server) => redeem(server, client, code))
    const tokens = answers.filter(({ status }) => status === 200).map(tokensOf)
    answered += Math.min(1, tokens.length)
    if (tokens.length > 1) findings.push(`code, round ${round}: ${tokens.length} requests got tokens`)
    if (answers.some(isOther))
      findings.push(
        `code, round ${round}: answered ${answers.find(isOther)?.status} ${answers.find(isOther)?.text.slice(0, 200)}`,
      )
    for (const { access_token } of tokens)
      if ((await ask(first.url, access_token)) !== 401) findings.push(`code, round ${round}: its token still works`)
    // A tenant has at most 1,000 applications.
    await races.owner.oauthClients.remove(client.id)
  }
  // The same request works when it comes once.
  const client = await registerWebApp(races.owner)
  const once = await redeem(first, client, await newCode(browser, client))
  if (once.status !== 200) findings.push(`a code that is used once was answered ${once.status}`)
  return {
    figure: `code: ${races.rounds} codes, ${answered} gave tokens, which ended with the second use`,
    findings,
  }
}

const newCode = async (browser: PageBrowser, client: TestClient): Promise<string> =>
  (await authorize(browser, client)).get('code') ?? ''

/** Each round uses the successor of the round before. */
async function raceRefreshes(races: TokenRaces, first: Server, browser: PageBrowser): Promise<Part> {
  const findings: string[] = []
  const client = await registerWebApp(races.owner)
  let { refresh_token } = await getTokens(first, browser, client)
  for (let round = 0; round < races.rounds; round++) {
    const answers = await everywhere(races, (server) => refresh(server, client, refresh_token))
    const successors = [
      ...new Set(answers.filter(({ status }) => status === 200).map((answer) => tokensOf(answer).refresh_token)),
    ]
    if (successors.length !== 1) findings.push(`refresh token, round ${round}: ${successors.length} successors`)
    if (answers.some(isOther))
      findings.push(
        `refresh token, round ${round}: answered ${answers.find(isOther)?.status} ${answers.find(isOther)?.text.slice(0, 200)}`,
      )
    const [next] = successors
    if (successors.length !== 1 || next === undefined) break
    refresh_token = next
  }
  return { figure: `refresh token: ${races.rounds} tokens, one successor each`, findings }
}
