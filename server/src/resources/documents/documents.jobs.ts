import { defineJob } from '../../jobs/types.ts'

/** The source is page texts, a stored file, or a URL to fetch. */
export interface Ingestion {
  /** The page texts, in order. */
  texts?: string[]
  /** Whole: the document shows it without its query. */
  url?: string
  /** Read these again, and no others. */
  pages?: number[]
}

/** Reads a document's source into pages and chunks. */
export const ingestion = defineJob<Ingestion>({ name: 'ingestion', version: 1, max_attempts: 3, timeout_seconds: 600 })
const SECONDS_PER_PAGE = 15
/** Running time that reading so many pages may take. */
export const secondsFor = (pages: number): number => ingestion.timeout_seconds + SECONDS_PER_PAGE * pages

/**
 * Removes what is stored of a document that was deleted. Nothing is left to complain to, so it tries long. The project
 * may be deleted before the job runs; then only the operator still sees the document.
 */
export const purge = defineJob<Record<string, never>>({
  name: 'purge',
  version: 1,
  max_attempts: 10,
  timeout_seconds: 3_600,
  sees_all_projects: true,
})
