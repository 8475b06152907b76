// Puts a fault into a source text. White space and trailing commas do not count, so the formatter cannot hide a fault.

import type { Plant } from './proof.ts'

const escaped = (token: string): string => token.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

function pattern(find: string): RegExp {
  const tokens = find.match(/\w+|[^\w\s]/g) ?? []
  const parts = tokens.map((token, at) => {
    if (/[)\]}]/.test(token)) return `,?\\s*${escaped(token)}`
    const isSecondWord = at > 0 && /\w/.test(token) && /\w$/.test(tokens[at - 1] ?? '')
    return (isSecondWord ? '(?<=\\s)' : '') + escaped(token)
  })
  return new RegExp(parts.join('\\s*'), 'g')
}

/** A fault whose text is not found is an error: a proof must not pass because its fault is stale. */
export function plantText(text: string, { file, find, replace }: Plant): string {
  const found = pattern(find)
  if (!found.test(text)) throw new Error(`planted fault is stale: ${file} does not contain ${JSON.stringify(find)}`)
  return text.replace(found, () => replace)
}
