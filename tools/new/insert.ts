// Lines in files that exist already.

/** Before the first place that matches. */
function before(text: string, place: RegExp, line: string): string {
  const at = text.search(place)
  if (at < 0) throw new Error(`There is no place that matches ${place} for '${line.trim()}'.`)
  return text.slice(0, at) + line + text.slice(at)
}

const module = (line: string): string => /from '([^']+?)(?:\.ts)?'/.exec(line)?.[1] ?? ''

/** Adds an import, in the order of the modules. */
function withImport(text: string, line: string): string {
  const lines = text.split('\n')
  const at = lines.findIndex(
    (candidate) =>
      candidate.startsWith('import ') && module(candidate).startsWith('.') && module(candidate) > module(line),
  )
  const last = lines.findLastIndex((candidate) => candidate.startsWith('import ') && module(candidate) !== '')
  return lines.toSpliced(at < 0 ? last + 1 : at, 0, line).join('\n')
}

type InsertNames = Record<string, string>
/** Insertions by file path. */
export const insertions: Record<string, (text: string, names: InsertNames) => string> = {
  'server/src/api.ts': (text, { thingVar, 'things-path': path }) => {
    const imported = withImport(text, `import { ${thingVar}Routes } from './resources/${path}/${path}.routes.ts'`)
    return before(imported, / {2}serviceRoutes\(/, `  ${thingVar}Routes(routes)\n`)
  },
}
