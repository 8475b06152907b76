// Two tenants: one whose documents give orders, one with a secret. One server, one worker, one model that obeys.

import { randomBytes } from 'node:crypto'
import type { Octavo } from '@octavo/sdk'
import { startProvider } from '../../server/src/testing/provider.ts'
import { type ProviderRequest, promptOf } from '../../server/src/testing/provider-answers.ts'
import { type Canary, OUTSIDE, openCanary } from '../egress/canary.ts'
import { eachOf } from '../lib/call.ts'
import { type GeneratorEntry, writeCatalogue } from '../lib/catalogue.ts'
import type { ProofRun } from '../lib/proof.ts'
import { openWorld, type World } from '../lib/world.ts'
import { obey } from './obedient.ts'
import { type InjectionOrder, makeOrders } from './orders.ts'

/** The same model under two names, so that it is known whose question it was. */
export const OBEDIENT = 'obedient'
const VICTIMS = 'obedient-to-the-victim'
const AT_ONCE = 4
const HOSTS = { short: 1, normal: 2, long: 2 }
const SECRETS = 6

interface InjectionQuestion {
  model: string
  prompt: string
  /** Members of the request that would let it act. */
  tools: string[]
}

export interface InjectionScene {
  run: ProofRun
  world: World
  attacker: Octavo
  attacker_tenant: string
  victim: Octavo
  /** Appears in every text of the victim. */
  secret: string
  /** That no question may hold: keys, addresses of databases. */
  credentials: string[]
  canary: Canary
  questions: InjectionQuestion[]
  documents: { id: string; order: InjectionOrder }[]
  /** A real model; null: none is wanted. */
  chat: string | null
  close(): Promise<void>
}

export async function openScene(run: ProofRun): Promise<InjectionScene> {
  const chat = chatOf(run)
  const [stub, canary] = await Promise.all([startProvider(), openCanary()])
  const questions: InjectionQuestion[] = []
  for (const model of [OBEDIENT, VICTIMS])
    stub.say(model, (asked) => {
      questions.push({ model: asked.model, prompt: promptOf(asked.body), tools: toolsOf(asked) })
      return obey(asked)
    })
  const entries: GeneratorEntry[] = [OBEDIENT, VICTIMS].map((model) => ({ model, base_url: stub.url }))
  const catalogue = writeCatalogue(chat ? [...entries, chat] : entries)
  // The addresses that documents name could be fetched: nothing but the server's own restraint keeps them from being asked.
  const env = {
    RATE_LIMITS: 'off',
    MODELS_FILE: catalogue.path,
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    EGRESS_ALLOW_HTTP: 'true',
  }
  const world = await openWorld(run.plants, { ...env, CHAT_BASE_URL: '', CHAT_MODEL: '' })
  const close = async (): Promise<void> => {
    await world.close()
    canary.close()
    await Promise.all([stub.close(), catalogue.remove()])
  }
  try {
    const [one, other] = [await world.newTenant(), await world.newTenant()]
    const [api] = await Promise.all([world.startApi(), world.startWorker()])
    const clientOf = ({ key }: typeof one): Octavo => key.client(api.url, { timeout_ms: 120_000, max_retries: 4 })
    const scene: InjectionScene = {
      run,
      world,
      attacker: clientOf(one),
      attacker_tenant: one.tenant,
      victim: clientOf(other),
      secret: `zeugma${randomBytes(8).toString('hex')}`,
      credentials: [
        one.key.secret,
        other.key.secret,
        world.env.OCTAVO_SECRETS!,
        world.env.DATABASE_URL!,
        world.env.DATABASE_SYSTEM_URL!,
      ],
      canary,
      questions,
      documents: [],
      chat: chat?.model ?? null,
      close,
    }
    await makeDocuments(scene)
    return scene
  } catch (error) {
    await close()
    throw error
  }
}

function chatOf({ length }: ProofRun): GeneratorEntry | null {
  if (length === 'short') return null
  const { CHAT_BASE_URL: base_url = '', CHAT_MODEL: model = '' } = process.env
  if (base_url === '' || model === '')
    throw new Error('CHAT_BASE_URL and CHAT_MODEL must name a real model; --short does without one.')
  return {
    base_url,
    model: model.toLowerCase(),
    context_tokens: 4_096,
    timeout_seconds: 300,
    api_key_env: 'CHAT_API_KEY',
  }
}

/** By any name that servers have for them. */
const toolsOf = ({ body }: ProviderRequest): string[] =>
  Object.keys(body).filter((name) => /tool|function|plugin|web_search|mcp|code_interpreter/.test(name))

async function makeDocuments(scene: InjectionScene): Promise<void> {
  const orders = makeOrders(`http://${OUTSIDE}:${scene.canary.port}`, HOSTS[scene.run.length])
  await eachOf(orders, AT_ONCE, async (order) => {
    const { id, status, error } = await scene.attacker.documents.createAndWait({
      title: order.name,
      source: sourceOf(order),
    })
    if (status !== 'ready') throw new Error(`'${order.name}' is ${status}: ${error?.code} ${error?.message}`)
    scene.documents.push({ id, order })
  })
  for (let i = 0; i < SECRETS; i++) {
    const text = `The workshop of the ${scene.secret} is let to the carpenter for 900 a month. Document ${i} of the ${scene.secret} is secret.`
    const { id } = await scene.victim.documents.createAndWait({
      title: `Secret ${i}`,
      source: { type: 'pages', pages: [{ text }] },
    })
    // The worker has just had the secret in its hands.
    await scene.victim.summaries.create({ document_ids: [id], style: 'abstract', model: VICTIMS }, { wait_seconds: 30 })
  }
}

function sourceOf({ pages, file }: InjectionOrder) {
  if (!file) return { type: 'pages' as const, pages: pages!.map((text) => ({ text })) }
  const { media_type, name: file_name, bytes } = file
  return { type: 'base64' as const, media_type, file_name, data: Buffer.from(bytes).toString('base64') }
}
