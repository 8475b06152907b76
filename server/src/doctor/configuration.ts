// Each wrong setting, in the words that the server itself would end with.

import { doctorCommand } from '../lib/commands.ts'
import { type Check, failed, ok } from './finding.ts'
import { findMisspelt } from './misspelt.ts'
import type { Settings } from './settings.ts'

export function configurationChecks({ wrong, is_single, is_new, env }: Settings): Check[] {
  const found = [...wrong].map(([name, message]) =>
    failed(sentenceOf(message), remedyOf(name, message), ...commandsOf(name)),
  )
  const kind = is_single ? 'one process, which makes the rest for itself' : 'separate processes'
  const well = ok(`All settings can be read (${kind}).${is_new ? ' It has not been started yet.' : ''}`)
  return [...(found.length > 0 ? found : [well]), ...findMisspelt(env)].map((finding) => ({
    name: 'configuration',
    run: async () => finding,
  }))
}

const WHERE = 'in .env or compose.yaml and start it again; docs/configuration.md explains it.'

function remedyOf(name: string, message: string): string {
  if (name === 'OCTAVO_SECRETS')
    return 'Set OCTAVO_SECRETS to 1:<64 hex digits>. Make the digits once, keep them, and give every process the same:'
  if (name === 'DATABASE_URL' && message.includes('is not set'))
    return `For everything in one process set DATABASE_OWNER_URL and nothing else. For separate processes set DATABASE_URL ${WHERE}`
  if (name === 'OCTAVO_DATA_DIR')
    return 'Give the directory to the user that Octavo runs as, name another one, or run this as that user:'
  if (name === 'MODELS_FILE')
    return 'Correct the file that MODELS_FILE names. docs/configuration.md shows every member.'
  if (message.includes('must be set together')) return `Set both or neither, ${WHERE}`
  return `${message.includes('is not set') ? 'Set' : 'Correct'} ${name} ${WHERE}`
}

function commandsOf(name: string): string[] {
  if (name === 'OCTAVO_DATA_DIR') return [doctorCommand()]
  return name === 'OCTAVO_SECRETS' ? ['openssl rand -hex 32'] : []
}

/** Where to read on is the remedy's matter. */
function sentenceOf(message: string): string {
  const text = message.replace(/ See \.env\.example.*$/, '')
  return text.endsWith('.') ? text : `${text}.`
}
