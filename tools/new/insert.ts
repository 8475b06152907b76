// Lines in files that exist: each resource has one in a few tables.

/** Before the first place that matches. */
function before(text: string, place: RegExp, line: string): string {
  const at = text.search(place)
  if (at < 0) throw new Error(`There is no place that matches ${place} for '${line.trim()}'.`)
  return text.slice(0, at) + line + text.slice(at)
}

const module = (line: string): string => /from '([^']+?)(?:\.ts)?'/.exec(line)?.[1] ?? ''

/** Among lines that begin alike, in the order of the modules that they name. */
function sorted(text: string, line: string): string {
  const word = line.split(' ')[0]!
  const lines = text.split('\n')
  const at = lines.findIndex(
    (candidate) =>
      candidate.startsWith(`${word} `) && module(candidate).startsWith('.') && module(candidate) > module(line),
  )
  const last = lines.findLastIndex((candidate) => candidate.startsWith(`${word} `) && module(candidate) !== '')
  return lines.toSpliced(at < 0 ? last + 1 : at, 0, line).join('\n')
}

type InsertNames = Record<string, string>
/** Insertions by file path. */
export const insertions: Record<string, (text: string, names: InsertNames) => string> = {
  'contract/src/ids.ts': (text, { prefix, thing }) => {
    if (new RegExp(`'${prefix}'`).test(text))
      throw new Error(`The prefix '${prefix}' is taken. Say another: --prefix <letters>`)
    const listed = before(text, /(?<=prefixes = \[[^\]]*)\] as const/, `  '${prefix}',\n`)
    const member = before(
      listed,
      /\} as const satisfies Record<string, Prefix>\nexport type IdMember/,
      `  ${thing}_id: '${prefix}',\n`,
    )
    return before(
      member,
      /\} as const satisfies Record<string, Prefix>\nexport type ObjectName/,
      `  ${thing}: '${prefix}',\n`,
    )
  },
  'contract/src/scopes.ts': (text, { things, 'many things': many }) =>
    before(
      text,
      /\} as const/,
      `  '${things}:read': 'Read ${many}',\n  '${things}:write': 'Create, change and delete ${many}',\n`,
    ),
  'contract/src/event-types.ts': (text, { thing }) =>
    before(text, /\] as const/, ['created', 'updated', 'deleted'].map((word) => `  '${thing}.${word}',\n`).join('')),
  'contract/src/index.ts': (text, { things, 'things-path': path }) => {
    const imported = sorted(text, `import { ${things} } from './${path}.ts'`)
    return sorted(
      before(imported, /(?<=export const api = \{[^}]*)\bcapabilities\b/, `${things}, `),
      `export * from './${path}.ts'`,
    )
  },
  'server/src/api.ts': (text, { thingVar, 'things-path': path }) => {
    const imported = sorted(text, `import { ${thingVar}Routes } from './resources/${path}/${path}.routes.ts'`)
    return before(imported, / {2}serviceRoutes\(/, `  ${thingVar}Routes(routes)\n`)
  },
}
