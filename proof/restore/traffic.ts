// Clients that create, rename and delete documents, and create, rotate and revoke keys, and record the answers.

import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Octavo, OctavoError } from '@octavo/sdk'
import { pdfOf } from '../../extract/src/testing/pdf-files.ts'
import type { Random } from '../lib/random.ts'
import type { LedgerDocument, LedgerSecret, RestoreAct, RestoreLedger } from './ledger.ts'

const REST_MS = 400
const mix = { text: 36, file: 16, rename: 14, remove: 3, key: 22, revoke: 3, rotate: 3 }

export class RestoreClient {
  readonly tenant: number
  private readonly octavo: Octavo
  private readonly ledger: RestoreLedger
  private readonly random: Random
  private readonly documents: LedgerDocument[] = []
  private readonly secrets: LedgerSecret[] = []
  /** Runs before randomly chosen actions: a client does one thing at a time. */
  private readonly asked: (() => Promise<void>)[] = []
  private count = 0

  constructor(given: { octavo: Octavo; ledger: RestoreLedger; random: Random; tenant: number }) {
    this.octavo = given.octavo
    this.ledger = given.ledger
    this.random = given.random
    this.tenant = given.tenant
  }

  async work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const next = this.asked.shift() ?? (() => this[this.random.weighted(mix)]())
      await next().catch((error: unknown) => {
        // A document that is being read says so.
        if (error instanceof OctavoError && error.status === 409) return
        this.ledger.troubles.push(String(error))
      })
      await sleep(this.random.between(0, REST_MS))
    }
  }

  /** Ends secrets and a document from before the moment, all of which a restore brings back. */
  endSome(moment: number, count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const living = this.secrets.filter(({ ended, made }) => ended === null && made.acked_at < moment)
    for (const secret of living.slice(0, count))
      this.asked.push(async () => void (secret.ended ?? (await this.end(secret))))
    for (const secret of living.slice(count, 2 * count))
      this.asked.push(async () => void (secret.ended ?? (await this.replace(secret))))
    const last = this.documents.findLast(({ file_id, acts }) => file_id !== null && acts.at(-1)!.title !== null)
    if (last) this.asked.push(() => this.delete(last))
    this.asked.push(async () => resolve())
    return promise
  }

  private async told<T>(request: () => Promise<T>): Promise<[T, RestoreAct]> {
    const sent_at = Date.now()
    const answer = await request()
    return [answer, { sent_at, acked_at: Date.now() }]
  }

  private keep(id: string, act: RestoreAct & { title: string }, bytes: Buffer | null, file_id: string | null): void {
    const sha256 = bytes && createHash('sha256').update(bytes).digest('hex')
    const document = { id, tenant: this.tenant, acts: [act], sha256, file_id }
    this.documents.push(document)
    this.ledger.documents.push(document)
  }

  private async text(): Promise<void> {
    const title = this.newTitle()
    const source = { type: 'text', text: `${title}\fThe rent is due on day ${this.random.whole(1, 28)}.` } as const
    const [{ id }, act] = await this.told(() => this.octavo.documents.create({ title, source }))
    this.keep(id, { ...act, title }, null, null)
  }

  private async file(): Promise<void> {
    const title = this.newTitle()
    const isPdf = this.random.next() < 0.3
    const bytes = isPdf
      ? Buffer.from(pdfOf([title], ['The second page.']))
      : Buffer.from(`${title}\n${'A line of a lease.\n'.repeat(200)}`)
    const blob = new Blob([new Uint8Array(bytes)], { type: isPdf ? 'application/pdf' : 'text/plain' })
    const [document, act] = await this.told(() => this.octavo.documents.createFromFile(blob, { title }))
    this.keep(document.id, { ...act, title }, bytes, document.file_id)
  }

  private async rename(): Promise<void> {
    const document = this.pick()
    if (!document) return
    const title = this.newTitle()
    const [, act] = await this.told(() => this.octavo.documents.update(document.id, { title }))
    document.acts.push({ ...act, title })
  }

  private async remove(): Promise<void> {
    const document = this.pick()
    if (document) await this.delete(document)
  }

  private async delete(document: LedgerDocument): Promise<void> {
    const [, act] = await this.told(() => this.octavo.documents.remove(document.id))
    document.acts.push({ ...act, title: null })
  }

  private async key(): Promise<void> {
    const [{ id, secret }, made] = await this.told(() =>
      this.octavo.apiKeys.create({ name: 'Proof', scopes: ['documents:read'] }),
    )
    this.keepSecret(id, secret, made)
  }

  private keepSecret(key: string, secret: string, made: RestoreAct): void {
    const kept: LedgerSecret = { key, tenant: this.tenant, secret, made, ended: null }
    this.secrets.push(kept)
    this.ledger.secrets.push(kept)
  }

  private async revoke(): Promise<void> {
    const secret = this.pickSecret()
    if (secret) await this.end(secret)
  }

  private async end(secret: LedgerSecret): Promise<void> {
    const [, act] = await this.told(() => this.octavo.apiKeys.remove(secret.key))
    secret.ended = act
  }

  private async rotate(): Promise<void> {
    const secret = this.pickSecret()
    if (secret) await this.replace(secret)
  }

  private async replace(secret: LedgerSecret): Promise<void> {
    const [made, act] = await this.told(() => this.octavo.apiKeys.rotate(secret.key, { overlap_seconds: 0 }))
    secret.ended = act
    this.keepSecret(made.id, made.secret, act)
  }

  private newTitle = (): string => `Lease ${this.tenant}-${this.count++}-${this.random.whole(1, 2 ** 30)}`

  private pick(): LedgerDocument | null {
    const living = this.documents.filter(({ acts }) => acts.at(-1)!.title !== null)
    return living.length > 0 ? this.random.one(living) : null
  }

  private pickSecret(): LedgerSecret | null {
    const living = this.secrets.filter(({ ended }) => ended === null)
    return living.length > 2 ? this.random.one(living) : null
  }
}
