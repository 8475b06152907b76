// Each wrong setting, in the words that the server itself would end with.

import { type Check, failed, ok } from './finding.ts'
import { findMisspelt } from './misspelt.ts'
import { doctorCommand } from './operator-commands.ts'
import type { Settings } from './settings.ts'

export function configurationChecks({ wrong, is_single, is_new, env }: Settings): Check[] {
  const found = [...wrong].map(([name, message]) =>
    failed(sentenceOf(message), remedyOf(name, message), ...commandsOf(name)),
  )
  const kind = is_single ? 'single process, which creates the rest' : 'separate processes'
  const well = ok(`All settings are valid (${kind}).${is_new ? ' It has not been started yet.' : ''}`)
  return [...(found.length > 0 ? found : [well]), ...findMisspelt(env)].map((finding) => ({
    name: 'configuration',
    run: async () => finding,
  }))
}

const WHERE = 'in .env or compose.yaml and restart. docs/configuration.md explains it.'

function remedyOf(name: string, message: string): string {
  if (name === 'OCTAVO_SECRETS')
    return 'Set OCTAVO_SECRETS to 1:<64 hex digits>, the same for every process. Generate the digits once and keep them:'
  if (name === 'DATABASE_URL' && message.includes('is not set'))
    return `For single-process mode set only DATABASE_OWNER_URL. For separate processes set DATABASE_URL ${WHERE}`
  if (name === 'OCTAVO_DATA_DIR')
    return "Make Octavo's user the owner of the directory, choose another directory, or run the doctor as that user:"
  if (name === 'MODELS_FILE') return 'Correct the file in MODELS_FILE. docs/configuration.md describes every field.'
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
