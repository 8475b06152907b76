// The public keys that access tokens are verified with, remembered by their id.

import { createPublicKey, type KeyObject, type webcrypto } from 'node:crypto'

/** Tokens with an unknown key id cannot cause more look-ups than one in this time. */
const RETRY_MS = 1_000

export type PublicKeyRow = { id: string; public_key: webcrypto.JsonWebKey }

export class VerificationKeys {
  private readonly list: () => Promise<PublicKeyRow[]>
  private keys = new Map<string, KeyObject>()
  private loading: Promise<void> | null = null
  private loaded_ms = Number.NEGATIVE_INFINITY

  constructor(list: () => Promise<PublicKeyRow[]>) {
    this.list = list
  }

  /** Synchronous for a key that is remembered. */
  find(id: string): KeyObject | null | Promise<KeyObject | null> {
    const key = this.keys.get(id)
    if (key) return key
    if (this.loading === null && performance.now() - this.loaded_ms < RETRY_MS) return null
    return this.load().then(() => this.keys.get(id) ?? null)
  }

  private load(): Promise<void> {
    this.loading ??= this.replace().finally(() => {
      this.loading = null
    })
    return this.loading
  }

  /** A retired key is forgotten with the next look-up of another one. */
  private async replace(): Promise<void> {
    const rows = await this.list()
    this.keys = new Map(rows.map(({ id, public_key }) => [id, createPublicKey({ key: public_key, format: 'jwk' })]))
    this.loaded_ms = performance.now()
  }
}
