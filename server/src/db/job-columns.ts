/** Progress of a job; for a batch, the number of items. */
export const JOB_PROGRESS = `case when j.items_total is null then j.progress
  else jsonb_build_object('unit', 'items', 'completed', j.items_done, 'failed', j.items_failed, 'total', j.items_total) end as progress`
