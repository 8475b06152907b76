// Result of a doctor check, in the CLI and in the server.

export interface CliFinding {
  name: string
  status: 'ok' | 'warning' | 'failed' | 'skipped'
  says: string
  /** How to fix it. */
  remedy?: string
  /** To type, in this order. */
  commands?: string[]
}
