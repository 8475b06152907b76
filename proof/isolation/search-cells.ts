// Looking for what others wrote, by its words and by its meaning: they have documents of the same words as the attacker.

import { api, searchModes } from '@octavo/contract'
import { fillPath } from '../lib/belongings.ts'
import { fillBody } from '../lib/shapes.ts'
import * as allow from './allow.ts'
import { cell, fillingOf, type IsolationCell, type IsolationScene } from './cell.ts'

const WORDS = 'What is the rent of the lease, and when is it due?'

export function* searchCells(scene: IsolationScene): Generator<IsolationCell> {
  const { operation, attacker, victims } = scene
  const { endpoint } = operation
  const make = (what: string, more: object): IsolationCell => {
    const body = JSON.stringify({ ...fillBody(endpoint, fillingOf(attacker)), ...more })
    const request = { method: 'POST', path: fillPath(endpoint, {}), body }
    return cell(scene, 'search', what, { request, absent: null, allows: allow.ownEffect(endpoint, attacker) })
  }
  // Without a project everything is looked through that the caller may see.
  if (endpoint === api.answers.create) yield make('words of theirs', { question: WORDS, project_id: undefined })
  if (endpoint !== api.searches.create) return
  for (const mode of searchModes) {
    yield make(`words of theirs, ${mode}`, { query: WORDS, mode, limit: 100, project_id: undefined })
    yield make(`their own word, ${mode}`, { query: victims.file_text, mode, limit: 100, project_id: undefined })
  }
}
