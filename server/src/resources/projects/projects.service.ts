import type { NewProject, Processing, ProjectPatch } from '@octavo/contract'
import type { Needs } from '../../app.ts'
import type { Db, Reader, Tx } from '../../db/database.ts'
import type { ChangeFilters, PageRequest, TimeFilters } from '../../db/listing.ts'
import { record } from '../../events/record.ts'
import { hasSameFields, mergeMetadata } from '../../lib/changes.ts'
import { Failure, invalidValue, notFound } from '../../lib/failure.ts'
import { mergePatch } from '../../lib/merge-patch.ts'
import { checkProcessing } from '../models/models.service.ts'
import * as store from './projects.store.ts'

export function listProjects(
  db: Db,
  filters: TimeFilters & ChangeFilters,
  page: PageRequest,
): Promise<store.ProjectRow[]> {
  return store.listProjects(db, filters, page)
}

export async function readProject(db: Reader, id: string): Promise<store.ProjectRow> {
  const project = await store.findProject(db, id)
  if (!project) throw notFound()
  return project
}

export async function createProject(app: Needs<'readers'>, tx: Tx, input: NewProject): Promise<store.ProjectRow> {
  if (tx.caller.projects !== null) {
    throw new Failure(
      'permission_denied',
      'A key that is limited to projects cannot create a project. Use a key without project_ids.',
    )
  }
  await checkDefaults(app, tx, fieldsOf(input))
  const project = await store.insertProject(tx, fieldsOf(input))
  record(tx, 'project.created', project, project.id)
  return project
}

export async function replaceProject(
  app: Needs<'readers'>,
  tx: Tx,
  id: string,
  input: NewProject,
): Promise<store.ProjectRow> {
  const project = await lockProject(tx, id)
  await checkDefaults(app, tx, fieldsOf(input))
  return saveProject(tx, project, fieldsOf(input))
}

export async function updateProject(
  app: Needs<'readers'>,
  tx: Tx,
  id: string,
  patch: ProjectPatch,
): Promise<store.ProjectRow> {
  const project = await lockProject(tx, id)
  const fields: store.ProjectFields = {
    name: patch.name ?? project.name,
    description: patch.description === undefined ? project.description : patch.description,
    retention_days: patch.retention_days === undefined ? project.retention_days : patch.retention_days,
    privacy: patch.privacy ?? project.privacy,
    default_processing: mergePatch(project.default_processing, patch.default_processing ?? {}) as Processing,
    metadata: mergeMetadata(project.metadata, patch.metadata),
  }
  if (patch.default_processing !== undefined || patch.privacy !== undefined) await checkDefaults(app, tx, fields)
  return saveProject(tx, project, fields)
}

/** A project whose text must not leave the installation cannot have a remote reader. */
const checkDefaults = (
  app: Needs<'readers'>,
  tx: Tx,
  { default_processing, privacy }: store.ProjectFields,
): Promise<void> =>
  checkProcessing(app, tx, default_processing, {
    field: 'default_processing',
    isPrivate: () => privacy === 'local_only',
  })

export async function removeProject(tx: Tx, id: string): Promise<null> {
  const project = checked(tx, await store.lockWhole(tx, id))
  if (await store.hasDocuments(tx, id))
    throw new Failure('resource_in_use', 'The project is not empty. Delete its contents first.')
  store.deleteProject(tx, id)
  record(tx, 'project.deleted', project, project.id)
  return null
}

/** Those of the ids that do not exist for this caller. */
export async function findMissingProjects(db: Reader, ids: readonly string[]): Promise<string[]> {
  const visible = new Set(await store.listVisibleProjects(db, ids))
  return ids.filter((id) => !visible.has(id))
}

/** For a body with `project_ids`. */
export async function refuseMissingProjects(db: Reader, project_ids: readonly string[]): Promise<void> {
  const [missing] = await findMissingProjects(db, project_ids)
  if (missing !== undefined)
    throw invalidValue(
      `project_ids[${project_ids.indexOf(missing)}]`,
      'reference_not_found',
      'No project with this id exists, or your credentials do not give access to it.',
    )
}

const fieldsOf = (input: NewProject): store.ProjectFields => ({
  name: input.name,
  description: input.description ?? null,
  retention_days: input.retention_days ?? null,
  privacy: input.privacy ?? 'allowed',
  default_processing: input.default_processing ?? {},
  metadata: input.metadata ?? {},
})

const lockProject = async (tx: Tx, id: string): Promise<store.ProjectRow> =>
  checked(tx, await store.lockProject(tx, id))

function checked(tx: Tx, project: store.ProjectRow | null): store.ProjectRow {
  if (!project) throw notFound()
  tx.precondition.check(project)
  return project
}

async function saveProject(tx: Tx, project: store.ProjectRow, fields: store.ProjectFields): Promise<store.ProjectRow> {
  if (hasSameFields(project, fields)) {
    tx.is_unchanged = true
    return project
  }
  const saved = await store.updateProject(tx, project.id, fields)
  record(tx, 'project.updated', saved, saved.id)
  return saved
}

/** Which of these projects keep their text inside the installation. */
export const listLocalOnly = (db: Reader, ids: readonly (string | null)[]): Promise<string[]> => {
  const named = ids.flatMap((id) => id ?? [])
  return named.length === 0 ? Promise.resolve([]) : store.listLocalOnly(db, named)
}
