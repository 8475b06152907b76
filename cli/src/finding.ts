// What a check of the doctor finds, here and in the server.

export interface CliFinding {
  name: string
  status: 'ok' | 'warning' | 'failed' | 'skipped'
  says: string
  /** What to do. */
  remedy?: string
  /** To type, in this order. */
  commands?: string[]
}
