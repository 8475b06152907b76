import { type EntityType, findEntities } from '../../../server/src/ai/built-in/entities.ts'
import { readData } from '../data.ts'
import { f1Of, halvesOf, standardErrorOf } from '../measures.ts'
import type { EvalRow } from '../row.ts'

const TYPES: Record<string, EntityType> = {
  person: 'person',
  location: 'location',
  corporation: 'organization',
  group: 'organization',
}

export const row: EvalRow = {
  about:
    'WNUT17 test: tweets and comments chosen because they contain new names. Corporations and groups count as organizations; spans must match exactly.',
  weak: 'Experimental: rules and short lists find people, places and organizations, in English only. They miss most names of this data set. Well-edited text is easier; we did not measure it.',
  async measure() {
    const { held_out } = halvesOf(sentences())
    const tallies: EntitiesTally[] = []
    for (const { text, wanted } of held_out) {
      const found = await findEntities(text, 'en')
      for (const type of new Set(Object.values(TYPES))) {
        const own = wanted.filter((one) => one.type === type)
        const ours = found.filter((one) => one.type === type)
        const right = ours.filter((a) => own.some((b) => a.start === b.start && a.end === b.end)).length
        tallies.push({ type, right, found: ours.length, wanted: own.length })
      }
    }
    return [...new Set(Object.values(TYPES))].map((type) => {
      const own = tallies.filter((tally) => tally.type === type)
      const figures = {
        value: f1(own),
        standard_error: standardErrorOf(own, f1),
        items: own.reduce((sum, { wanted }) => sum + wanted, 0),
      }
      return { what: `${type} names in tweets, F1`, model: 'rules', ...figures, goal: null, baseline: 'none' }
    })
  },
}

interface EntitiesTally {
  type: EntityType
  right: number
  found: number
  wanted: number
}

function f1(tallies: readonly EntitiesTally[]): number {
  const sum = (key: 'right' | 'found' | 'wanted') => tallies.reduce((total, tally) => total + tally[key], 0)
  return f1Of(sum('right'), sum('found'), sum('wanted'))
}

function sentences(): { text: string; wanted: { type: EntityType | null; start: number; end: number }[] }[] {
  const blocks = readData('wnut-test.txt')
    .toString()
    .split(/\n\s*\n/)
  return blocks.map((block) => {
    let text = ''
    const wanted: { type: EntityType | null; start: number; end: number }[] = []
    for (const line of block.split('\n').filter(Boolean)) {
      const [word = '', tag = 'O'] = line.split('\t')
      if (text !== '') text += ' '
      const start = [...text].length
      text += word
      const end = [...text].length
      if (tag.startsWith('B-')) wanted.push({ type: TYPES[tag.slice(2)] ?? null, start, end })
      else if (tag.startsWith('I-') && wanted.length > 0) wanted.at(-1)!.end = end
    }
    return { text, wanted }
  })
}
