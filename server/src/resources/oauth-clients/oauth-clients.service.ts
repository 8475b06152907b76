import type { NewOauthClient, OauthClientPatch, OauthClientWithSecret } from '@octavo/contract'
import { hashSecret, newSecret, previewSecret } from '../../auth/credential.ts'
import type { Db, Reader, Tx } from '../../db/database.ts'
import type { PageRequest, TimeFilters } from '../../db/listing.ts'
import { record } from '../../events/record.ts'
import { hasSameFields, mergeMetadata, refuseEscalation, refuseFixed } from '../../lib/changes.ts'
import { Failure, notFound } from '../../lib/failure.ts'
import { refuseMissingProjects } from '../projects/projects.service.ts'
import { checkClient, checkRedirectUris } from './oauth-clients.rules.ts'
import * as store from './oauth-clients.store.ts'

const MAX_CLIENTS = 1_000
const MANAGED = { by: 'credential', one: 'an application', many: 'applications' }

type ClientWithSecret = OauthClientWithSecret & { version: number }

export function listClients(db: Db, filters: TimeFilters, page: PageRequest): Promise<store.OauthClientRow[]> {
  return store.listClients(db, filters, page)
}

export async function readClient(db: Reader, id: string): Promise<store.OauthClientRow> {
  const client = await store.findClient(db, id)
  if (!client) throw notFound()
  return client
}

export async function createClient(tx: Tx, input: NewOauthClient): Promise<ClientWithSecret> {
  const project_ids = input.project_ids ?? null
  if (project_ids !== null) await refuseMissingProjects(tx, project_ids)
  refuseEscalation(tx.caller, { scopes: input.scopes, project_ids }, MANAGED)
  checkClient(input)
  if ((await store.countClients(tx)) >= MAX_CLIENTS)
    throw new Failure('conflict', `A tenant has at most ${MAX_CLIENTS} OAuth applications. Remove an unused one.`)
  const secret = (input.is_confidential ?? true) ? newSecret('cs') : null
  const row = {
    name: input.name,
    grant_types: input.grant_types,
    redirect_uris: input.redirect_uris ?? [],
    scopes: input.scopes,
    project_ids,
    secret_hash: secret === null ? null : hashSecret(secret),
    secret_preview: secret === null ? null : previewSecret(secret),
    metadata: input.metadata ?? {},
  }
  const client = await store.insertClient(tx, row, hashSecret)
  record(tx, 'oauth_client.created', client)
  return { ...client, secret }
}

export async function updateClient(
  tx: Tx,
  id: string,
  patch: OauthClientPatch,
  fixed: Record<string, unknown>,
): Promise<store.OauthClientRow> {
  const client = await lockClient(tx, id)
  refuseFixed(client, fixed)
  const fields = {
    name: patch.name ?? client.name,
    redirect_uris: patch.redirect_uris ?? client.redirect_uris,
    scopes: patch.scopes ?? client.scopes,
    metadata: mergeMetadata(client.metadata, patch.metadata),
  }
  refuseEscalation(tx.caller, { scopes: fields.scopes, project_ids: client.project_ids }, MANAGED)
  checkRedirectUris(client.grant_types, fields.redirect_uris)
  if (hasSameFields(client, fields)) {
    tx.is_unchanged = true
    return client
  }
  const saved = await store.updateClient(tx, id, fields)
  store.notifyChange(tx, id)
  record(tx, 'oauth_client.updated', saved)
  return saved
}

export async function removeClient(tx: Tx, id: string): Promise<null> {
  const client = await lockClient(tx, id)
  store.deleteClient(tx, id)
  store.notifyChange(tx, id)
  record(tx, 'oauth_client.deleted', client)
  return null
}

async function lockClient(tx: Tx, id: string): Promise<store.OauthClientRow> {
  const client = await store.lockClient(tx, id)
  if (!client) throw notFound()
  refuseEscalation(tx.caller, client, MANAGED)
  tx.precondition.check(client)
  return client
}
