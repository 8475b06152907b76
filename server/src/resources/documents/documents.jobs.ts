import { defineJob } from '../../jobs/types.ts'

export interface Ingestion {
  /** Of the pages, in their order. */
  texts: string[]
}

/** Reads a document's source into pages and chunks. */
export const ingestion = defineJob<Ingestion>({ name: 'ingestion', version: 1, max_attempts: 3, timeout_seconds: 600 })
export const INGESTION_SECONDS_PER_PAGE = 15

/** Removes what is stored of a document that was deleted. Nothing is left to complain to, so it tries long. */
export const purge = defineJob<Record<string, never>>({ name: 'purge', version: 1, max_attempts: 10, timeout_seconds: 3_600 })
