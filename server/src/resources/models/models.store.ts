import type { Reader } from '../../db/database.ts'
import { sql } from '../../db/statement.ts'

/** The operator's model settings for a tenant. */
export interface TenantModels {
  default_models: { generator?: string; embedder?: string; labels?: string }
  /** null: all. */
  allowed_models: string[] | null
}

const FIND = sql(`select default_models, allowed_models from tenants where id = $1`)

export async function findTenantModels(db: Reader): Promise<TenantModels> {
  return (await db.find<TenantModels>(FIND)) ?? { default_models: {}, allowed_models: null }
}
