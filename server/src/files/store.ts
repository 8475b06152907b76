// Object storage in a few functions. The database is authoritative; the sweeper removes objects without a row.

import type { Readable } from 'node:stream'

export interface ObjectInfo {
  key: string
  size_bytes: number
  /** When the bytes came. An object of many parts may show when its upload began: that is S3's rule. */
  modified_at: Date
}

interface SignedRequest {
  url: string
  /** Headers that the client must send; Content-Length follows from the body. */
  headers: Record<string, string>
}

export interface UploadedPart {
  number: number
  size_bytes: number
}

export interface PendingUpload {
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
 * A key is `<tenant uuid>/<object uuid>`, optionally with a suffix such as `.png`, and never contains a caller's text.
 * A source is read to its end or destroyed; its error, or the signal's reason, is rethrown unchanged.
 */
export interface FileStore {
  readonly driver: 'disk' | 's3'
  /**
   * Stores a stream of any length, a long one in parts. The object appears only when it is complete; of two concurrent
   * puts, one wins as a whole. Returns the number of bytes.
   */
  put(
    key: string,
    bytes: Readable,
    given: { media_type: string; size_bytes?: number; signal?: AbortSignal },
  ): Promise<number>
  /** `range` is inclusive, as in HTTP, and may extend beyond the end. null: there is no such object. */
  get(key: string, range?: { first: number; last: number }): Promise<Readable | null>
  find(key: string): Promise<ObjectInfo | null>
  /** Copies within the store and returns the number of bytes; null: there is no such object. */
  copy(from: string, to: string): Promise<number | null>
  /** Succeeds if it is already gone. */
  remove(key: string): Promise<void>
  /**
   * In key order, up to 1,000 at a time; `after` is the last key of the previous page. Only an empty page is the end.
   */
  list(prefix: string, after: string | null): Promise<ObjectInfo[]>

  // Uploads in parts, by clients that have the signed requests.
  beginParts(key: string, media_type: string): Promise<string>
  listParts(key: string, upload: string): Promise<UploadedPart[]>
  /** Joins all parts and returns the number of bytes. Idempotent: a second call after a success succeeds. */
  endParts(key: string, upload: string): Promise<number>
  /** Succeeds if it is already gone. */
  abortParts(key: string, upload: string): Promise<void>
  /**
   * Unfinished uploads in parts, including interrupted puts, for the sweeper; in key order, `after` is the last key of
   * the previous page. If a key has several uploads, a page may end between them: the next sweep sees the rest. Only an
   * empty page is the end.
   */
  listBegun(after: string | null): Promise<PendingUpload[]>
  /**
   * For one PUT straight to the store; null: clients cannot reach the store, and the server signs its own URL instead.
   */
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
