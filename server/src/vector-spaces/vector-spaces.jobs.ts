import { defineJob } from '../jobs/types.ts'

export interface Reindex {
  /** uuid. */
  space_id: string
}

/** Embeds the missing chunks of a space, activates it, moves it into the graph index, or removes it. */
export const reindex = defineJob<Reindex>({
  name: 'reindex',
  version: 1,
  max_attempts: 10,
  timeout_seconds: 86_400,
  sees_all_projects: true,
})
