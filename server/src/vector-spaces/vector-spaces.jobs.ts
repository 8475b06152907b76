import { defineJob } from '../jobs/types.ts'

export interface Reindex {
  /** uuid. */
  space_id: string
}

/** Makes up for what a space lacks, takes it into use, moves it into the graph, or clears it away. */
export const reindex = defineJob<Reindex>({
  name: 'reindex',
  version: 1,
  max_attempts: 10,
  timeout_seconds: 86_400,
  sees_all_projects: true,
})
