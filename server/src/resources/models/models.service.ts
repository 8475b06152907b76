import type { Model, Processing } from '@octavo/contract'
import type { Needs } from '../../app.ts'
import type { Reader } from '../../db/database.ts'
import { invalidValue, notFound } from '../../lib/failure.ts'
import type { PageReader } from '../../readers/reader.ts'
import { mayUse } from './models.rules.ts'
import { findTenantModels } from './models.store.ts'

/** Those that the tenant may use, and which of them are taken where a request names none. */
export async function listModels(
  app: Needs<'readers' | 'models'>,
  db: Reader,
  filters: { kind?: string | readonly string[] },
): Promise<Model[]> {
  const { models, readers } = app
  const { default_models, allowed_models } = await findTenantModels(db)
  const { generator, embedder } = { ...models.defaults, ...default_models }
  const cards = models.list().map((card) => ({
    ...card,
    object: 'model' as const,
    capabilities: [...card.capabilities],
    languages: [...card.languages],
    is_default: card.kind === 'engine' || card.id === generator || card.id === embedder,
  }))
  return [...(await readers.list()), ...cards].filter(
    (model) =>
      mayUse(model, allowed_models) && (filters.kind === undefined || [filters.kind].flat().includes(model.kind)),
  )
}

export async function readModel(app: Needs<'readers' | 'models'>, db: Reader, id: string): Promise<Model> {
  const model = (await listModels(app, db, {})).find((candidate) => candidate.id === id)
  if (!model) throw notFound()
  return model
}

const BUILT_IN = 'built_in'
const findReader = (app: Needs<'readers'>, id: string): PageReader | null => app.readers.find(id, { ocr: 'auto' })

/** A reader that is named must exist, the tenant must be allowed to use it, and it must be allowed to see the text. */
export async function checkProcessing(
  app: Needs<'readers'>,
  db: Reader,
  processing: Processing | undefined,
  { field, isPrivate }: { field: string; isPrivate: () => Promise<boolean> | boolean },
): Promise<void> {
  const id = processing?.reader
  if (id === undefined || id === BUILT_IN) return
  const reader = findReader(app, id)
  const { allowed_models } = await findTenantModels(db)
  if (!reader || !mayUse({ id, provider: id }, allowed_models))
    throw invalidValue(`${field}.reader`, 'capability_missing', 'Must be the id of a reader from GET /models.')
  if (reader.locality === 'remote' && (await isPrivate()))
    throw invalidValue(
      `${field}.reader`,
      'not_allowed_value',
      `The reader '${id}' is remote, and this project's text may not leave the installation.`,
    )
}
