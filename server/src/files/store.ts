// Object storage in a few functions. What stands in the database is the truth; an object without a row is swept away.

import type { Readable } from 'node:stream'

export interface ObjectInfo {
  key: string
  size_bytes: number
  /** When the bytes came. An object of many parts may show when its upload began: that is S3's rule. */
  modified_at: Date
}

interface SignedRequest {
  url: string
  /** What the client must send; the length follows from the body. */
  headers: Record<string, string>
}

export interface Part {
  number: number
  size_bytes: number
}

export interface Begun {
  key: string
  upload: string
  begun_at: Date
}

/** No room is left: an operator must act. */
export class StorageFull extends Error {}
/** The store does not answer, or not as it should: later it may. */
export class StorageUnavailable extends Error {}
/** The upload was ended without bytes, aborted, or never begun. */
export class UploadGone extends Error {}
/** More or fewer bytes came than were announced; nothing of them was kept. */
export class WrongSize extends Error {}

export const PAGE = 1_000
export const MAX_PARTS = 10_000

/**
 * A key is `<tenant uuid>/<object uuid>`, perhaps with a suffix such as `.png`, made by us: never a word of a caller.
 * A source that is given is read to its end or destroyed; its own error, or the reason of the signal, comes back as it is.
 */
export interface FileStore {
  readonly driver: 'disk' | 's3'
  /**
   * Streams of any length; large ones in parts. Nothing is visible under the key until all has come, and of two at once one stays, whole.
   * Says how many bytes came.
   */
  put(
    key: string,
    bytes: Readable,
    given: { media_type: string; size_bytes?: number; signal?: AbortSignal },
  ): Promise<number>
  /** `range` is inclusive, as in HTTP; what lies behind the end is left out. null: there is no such object. */
  get(key: string, range?: { first: number; last: number }): Promise<Readable | null>
  find(key: string): Promise<ObjectInfo | null>
  /** Inside the store. Says how many bytes there are; null: there is nothing to copy. */
  copy(from: string, to: string): Promise<number | null>
  /** What is gone already is no failure. */
  remove(key: string): Promise<void>
  /** In the order of keys, up to 1,000 at a time; `after` is the last key of the page before. Only an empty page is the end. */
  list(prefix: string, after: string | null): Promise<ObjectInfo[]>

  // Uploads in parts, by whoever holds the signed requests.
  beginParts(key: string, media_type: string): Promise<string>
  listParts(key: string, upload: string): Promise<Part[]>
  /** Joins all parts that are there and says how many bytes they are. Idempotent: a second call after a success is a success. */
  endParts(key: string, upload: string): Promise<number>
  /** What is gone already is no failure. */
  abortParts(key: string, upload: string): Promise<void>
  /**
   * What was begun and never ended, puts that were cut off included, for the sweeper; in the order of keys, `after` is the last key of the
   * page before. Where a key was begun more than once, a page may end between: the next sweep sees the rest. Only an empty page is the end.
   */
  listBegun(after: string | null): Promise<Begun[]>
  /** For one PUT straight to the store; null: the store has no door of its own, and the server signs for itself. */
  signPut(
    key: string,
    given: { media_type: string; size_bytes: number; seconds: number },
  ): Promise<SignedRequest | null>
  signPart(
    key: string,
    upload: string,
    given: { number: number; size_bytes: number; seconds: number },
  ): Promise<SignedRequest | null>
  /** With a store that cannot sign, the server receives the part itself. A part that came again replaces the first. */
  putPart(key: string, upload: string, given: PartBytes): Promise<void>
  close(): Promise<void>
}

export interface PartBytes {
  number: number
  size_bytes: number
  bytes: Readable
  signal?: AbortSignal
}
