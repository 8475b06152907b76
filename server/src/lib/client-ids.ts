// Client ids of OAuth: of the command line, of a registered application, or the address of a document that describes one.

import { uuidOf } from './ids.ts'

/** The command line of Octavo: part of every installation, for all tenants. */
export const CLI_CLIENT = 'octavo-cli'

/** An application: its uuid, or the address of the document that describes it. The command line has neither. */
export interface ClientSubject {
  client: string | null
  client_url: string | null
}

export const isClientUrl = (client_id: string): boolean => client_id.startsWith('https://')

export function parseClientId(client_id: string): ClientSubject {
  if (client_id === CLI_CLIENT) return { client: null, client_url: null }
  if (isClientUrl(client_id)) return { client: null, client_url: client_id }
  return { client: uuidOf('cli', client_id), client_url: null }
}
