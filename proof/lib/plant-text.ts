// Puts a fault into a source text. White space and trailing commas do not count, so the formatter cannot hide a fault.

import type { Plant } from './proof.ts'

const escaped = (token: string): string => token.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

export function pattern(find: string): RegExp {
  const tokens = find.match(/\w+|[^\w\s]/g) ?? []
  const parts = tokens.map((token, at) => {
    if (/[)\]}]/.test(token)) return `,?\\s*${escaped(token)}`
    const isSecondWord = at > 0 && /\w/.test(token) && /\w$/.test(tokens[at - 1] ?? '')
    return (isSecondWord ? '(?<=\\s)' : '') + escaped(token)
  })
  return new RegExp(parts.join('\\s*'), 'g')
}

export const isPath = (at: string): boolean => /[./]/.test(at)

const TOP =
  /^(?:export )?(?:default )?(?:abstract )?(?:async )?(?:function\*?|class|const|let|interface|type) ([\w$]+)/gm
const MEMBER = /^ {2}(?:(?:private|protected|static|override|readonly|async|get|set) )*[*#]?([\w$]+)(?= =|: |[<(])/gm

function spans(text: string, offset: number, starts: RegExp): [name: string, start: number, end: number][] {
  const found = [...text.matchAll(starts)]
  return found.map((match, i) => [match[1] ?? '', offset + match.index, offset + (found[i + 1]?.index ?? text.length)])
}

/** Start and end of the declarations with this name. Each ends where the next one begins, so no parser is needed. */
export function findDeclaration(text: string, name: string): [start: number, end: number][] {
  return spans(text, 0, TOP)
    .flatMap((top) => {
      const body = text.slice(top[1], top[2])
      return [top, ...(/^(?:export )?(?:abstract )?class /.test(body) ? spans(body, top[1], MEMBER) : [])]
    })
    .flatMap(([found, start, end]) => (found === name ? [[start, end] satisfies [number, number]] : []))
}

/** A fault whose text is not found is an error: a proof must not pass because its fault is stale. */
export function plantText(text: string, { at, find, replace }: Omit<Plant, 'file'>): string {
  const found = pattern(find)
  const spans: [number, number][] = isPath(at) ? [[0, text.length]] : findDeclaration(text, at)
  const span = spans.find(([start, end]) => text.slice(start, end).search(found) >= 0)
  if (!span) throw new Error(`planted fault is stale: ${at} does not contain ${JSON.stringify(find)}`)
  const [start, end] = span
  return text.slice(0, start) + text.slice(start, end).replace(found, () => replace) + text.slice(end)
}
