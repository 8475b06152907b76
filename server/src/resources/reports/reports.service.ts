import type { NewReport, ReportType, Scope } from '@octavo/contract'
import type { Needs } from '../../app.ts'
import type { Reader, Tx } from '../../db/database.ts'
import { needScopes } from '../../lib/changes.ts'
import { createOutcome } from '../../outcomes/outcomes.create.ts'
import { type OutcomeRequest, readProjectOf } from '../../outcomes/outcomes.request.ts'
import { type OutcomeRow, removeOutcome } from '../../outcomes/outcomes.service.ts'
import { removeReportFile } from '../files/files.service.ts'
import { ALL_PAGES } from '../pages/pages.service.ts'
import { tables } from './reports.tables.ts'

type ReportNeeds = Needs<'models' | 'jobs' | 'limiter' | 'config'>
export const REPORT_VERSION = '1'

/** A report needs the scopes for reading the same data directly. */
const scopesOf: Record<ReportType, readonly Scope[]> = {
  documents: [],
  analysis: ['analysis:read'],
  classifications: ['classifications:read'],
  usage: [],
}

export const createReport = async (app: ReportNeeds, tx: Tx, input: NewReport): Promise<OutcomeRow<'report'>> =>
  createOutcome(app, tx, await resolveRequest(app, tx, input))

async function resolveRequest(app: ReportNeeds, db: Reader, input: NewReport): Promise<OutcomeRequest<'report'>> {
  const { type, format, filters = null, project_id = null, title = tables[type].title, ...asked } = input
  needScopes(db.caller, scopesOf[type])
  return {
    object: 'report',
    sources: { documents: [], texts: [], project_id: await readProjectOf(db, project_id), range: ALL_PAGES },
    request: { title, type, format, filters },
    empty: { file_id: null, row_count: null },
    model: app.models.built_in_text,
    prompt_version: REPORT_VERSION,
    ...asked,
  }
}

export async function removeReport(app: Needs<'jobs' | 'files'>, tx: Tx, id: string): Promise<null> {
  await removeOutcome(app, tx, 'report', id)
  await removeReportFile(app, tx, id)
  return null
}
