import type { Model, Processing } from '@octavo/contract'
import type { Needs } from '../../app.ts'
import { invalidValue, notFound } from '../../lib/failure.ts'

export async function listModels(app: Needs<'readers'>, filters: { kind?: string }): Promise<Model[]> {
  const models = await app.readers.list()
  return models.filter(({ kind }) => filters.kind === undefined || kind === filters.kind)
}

export async function readModel(app: Needs<'readers'>, id: string): Promise<Model> {
  const model = (await listModels(app, {})).find((candidate) => candidate.id === id)
  if (!model) throw notFound()
  return model
}

/** Whoever names a reader names one that is there. */
export function checkProcessing(app: Needs<'readers'>, processing: Processing | undefined, field: string): void {
  if (processing?.reader === undefined || app.readers.has(processing.reader)) return
  throw invalidValue(`${field}.reader`, 'capability_missing', 'Must be the id of a reader that GET /models lists.')
}
