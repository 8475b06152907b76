// Which model does the work: the one that the request names, the tenant's, or the installation's; always one that the
// tenant may use and that may see the text.

import type { Capability, ModelCard } from '../../ai/model.ts'
import type { Needs } from '../../app.ts'
import type { Reader } from '../../db/database.ts'
import { invalidValue } from '../../lib/failure.ts'
import { listLocalOnly } from '../projects/projects.service.ts'
import { mayUse } from './models.rules.ts'
import { findTenantModels } from './models.store.ts'

interface ModelChoice {
  /** The model that the request names. */
  model: string | undefined
  /** The field that names it, for error messages. */
  field?: string
  capability: Capability
  role: 'generator' | 'embedder' | 'labels'
  /** Whose text it is to see. */
  project_ids: readonly (string | null)[]
}

/** null: there is none that can do it, and none was named. */
export async function selectModel(app: Needs<'models'>, db: Reader, choice: ModelChoice): Promise<ModelCard | null> {
  const { default_models, allowed_models } = await findTenantModels(db)
  const isAllowed = (card: ModelCard): boolean => mayUse(card, allowed_models)
  const isPrivate = (await listLocalOnly(db, choice.project_ids)).length > 0
  if (choice.model !== undefined) return readNamed(app, choice, { isAllowed, isPrivate })
  for (const id of [default_models[choice.role], app.models.defaults[choice.role]]) {
    const card = id === undefined || id === null ? null : app.models.find(id)
    if (!card || !isAllowed(card) || !card.capabilities.includes(choice.capability)) continue
    if (isPrivate && card.locality === 'remote') continue
    return card
  }
  return null
}

function readNamed(
  app: Needs<'models'>,
  { model, field = 'model', capability }: ModelChoice,
  { isAllowed, isPrivate }: { isAllowed: (card: ModelCard) => boolean; isPrivate: boolean },
): ModelCard {
  const card = model ? app.models.find(model) : null
  if (!card || !isAllowed(card))
    throw invalidValue(field, 'reference_not_found', 'Must be the id of a model from GET /models.')
  if (!card.capabilities.includes(capability))
    throw invalidValue(
      field,
      'capability_missing',
      `The model '${card.id}' does not support this. GET /models lists the capabilities of each model.`,
    )
  if (isPrivate && card.locality === 'remote')
    throw invalidValue(
      field,
      'not_allowed_value',
      `The model '${card.id}' is remote, and this project's text may not leave the installation.`,
    )
  return card
}

export const noGenerator = (field: string) =>
  invalidValue(
    field,
    'capability_missing',
    'This needs a generative model, and none is available to you. GET /models lists the available models.',
  )
