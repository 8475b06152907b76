// The public keys that access tokens are verified with, remembered by their id.

import { createPublicKey, type KeyObject, type webcrypto } from 'node:crypto'

interface KeyRules {
  /** Tokens with an unknown key id cause at most one lookup in this time. */
  retry_ms: number
  /** Keys are looked up again after this time. */
  max_age_ms: number
}
/** A failed lookup is cached for this time, because unsigned tokens could repeat it endlessly. */
const FAILED_MS = 1_000
const RULES: KeyRules = { retry_ms: 1_000, max_age_ms: Number.POSITIVE_INFINITY }

export type PublicKeyRow = { id: string; public_key: webcrypto.JsonWebKey }

export class VerificationKeys {
  private readonly list: () => Promise<PublicKeyRow[]>
  private readonly rules: KeyRules
  private keys = new Map<string, KeyObject>()
  private loading: Promise<void> | null = null
  private loaded_ms = Number.NEGATIVE_INFINITY

  constructor(list: () => Promise<PublicKeyRow[]>, rules = RULES) {
    this.list = list
    this.rules = rules
  }

  /** Synchronous for a key that is remembered. */
  find(id: string): KeyObject | null | Promise<KeyObject | null> {
    const key = this.keys.get(id)
    const age_ms = performance.now() - this.loaded_ms
    if (key && age_ms < this.rules.max_age_ms) return key
    if (this.loading === null && age_ms < this.rules.retry_ms) return null
    return this.load().then(() => this.keys.get(id) ?? null)
  }

  private load(): Promise<void> {
    const forget = (): void => void (this.loading = null)
    this.loading ??= this.replace().then(forget, (error: unknown) => {
      setTimeout(forget, FAILED_MS).unref()
      throw error
    })
    return this.loading
  }

  /** A retired key is forgotten with the next lookup of another one. */
  private async replace(): Promise<void> {
    const rows = await this.list()
    this.keys = new Map(rows.map(({ id, public_key }) => [id, createPublicKey({ key: public_key, format: 'jwk' })]))
    this.loaded_ms = performance.now()
  }
}
