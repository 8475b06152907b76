// Every kind of event. Their names are contract; new ones are additive.

export const eventTypes = [
  'project.created',
  'project.updated',
  'project.deleted',
  'document.created',
  'document.updated',
  'document.deleted',
  'page.created',
  'page.updated',
  'page.deleted',
  'upload.created',
  'upload.completed',
  'upload.deleted',
  'job.queued',
  'job.running',
  'job.updated',
  'job.succeeded',
  'job.partially_succeeded',
  'job.failed',
  'job.cancelled',
  'job.deleted',
  'api_key.created',
  'api_key.updated',
  'api_key.rotated',
  'api_key.revoked',
] as const
/** How a job ends. Whatever ends an item of a batch may end the batch. */
export const jobEnds = ['job.succeeded', 'job.partially_succeeded', 'job.failed', 'job.cancelled'] as const
export type EventType = (typeof eventTypes)[number]
