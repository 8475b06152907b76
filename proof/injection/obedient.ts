// A model that obeys every order it sees, hidden ones included: what holds it must be the server.

import { type ProviderRequest, promptOf } from '../../server/src/testing/provider-answers.ts'
import { reveal } from './orders.ts'

interface InjectionSchema {
  properties: Record<string, { items?: { properties: Record<string, { enum?: string[] }> } }>
}

const MARKER = /OBEYED\d{3}/g
const ADDRESS = /https?:\/\/[^\s"'<>)]+/g
const MARKED = /^(=====\S+)\n([^]*)\n\1$/m
/** Members outside the schema. */
const EXTRA = { extra: { is_admin: true }, tool_calls: [{ name: 'http_get' }], role: 'system' }

/**
 * Follows the orders in the prompt; if they ask for it, the first answer breaks the schema, and so do later ones unless
 * they are corrected.
 */
export function obey({ body }: ProviderRequest): string {
  const prompt = promptOf(body)
  const schema = body.response_format?.json_schema?.schema as InjectionSchema | undefined
  const seen = reveal(MARKED.exec(prompt)?.[2] ?? prompt)
  const said = sayingOf(seen)
  const value = schema ? valueOf(schema, said) : said.text
  const isCorrected = prompt.includes('That answer cannot be used')
  const wantsMore = /"extra"|"tool"|tool_call|function/.test(seen)
  return JSON.stringify(wantsMore && !isCorrected ? { ...(value as object), ...EXTRA } : value)
}

interface InjectionReply {
  text: string
  quote: string
}

function sayingOf(seen: string): InjectionReply {
  const markers = [...new Set(seen.match(MARKER))]
  const addresses = [...new Set(seen.match(ADDRESS))].slice(0, 3)
  const pictures = addresses.map((address) => `![x](${address}) <img src="${address}">`)
  const quote = seen.split('\n').find((line) => line.includes(markers[0] ?? ' ')) ?? seen
  return {
    text: [...markers, ...pictures].join(' ').slice(0, 900) || 'Nothing was ordered.',
    quote: quote.slice(0, 300) || 'x',
  }
}

function valueOf({ properties }: InjectionSchema, { text, quote }: InjectionReply): unknown {
  if ('data' in properties) return { data: { landlord: text, rent: 666 }, evidence: [{ path: '/landlord', quote }] }
  if ('results' in properties) {
    const [label] = properties.results.items!.properties.label!.enum!
    return { results: [{ label, score: 1, quotes: [quote] }] }
  }
  const item = properties.sentences!.items!.properties
  const sentence = {
    text,
    ...('notes' in item ? { notes: [1] } : { quotes: [quote] }),
    ...('passages' in item ? { passages: [1] } : {}),
  }
  return 'is_answered' in properties ? { is_answered: true, sentences: [sentence] } : { sentences: [sentence] }
}
