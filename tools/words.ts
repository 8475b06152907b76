// Finds words that STYLE.md avoids, in comments, docs and the texts that users read. Each folder has a budget in
// words.budget.json that only falls: `node tools/words.ts --record` lowers it, `--list <folder>` shows the lines.

import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const BUDGET = join(import.meta.dirname, 'words.budget.json')

interface Rule {
  name: string
  pattern: RegExp
  /** Only in guides: comments may have it, and the proofs plant faults and say so. */
  is_guides_only?: boolean
}

const avoid = (name: string, words: string): Rule => ({ name, pattern: new RegExp(`\\b(?:${words})\\b`, 'i') })

const rules: readonly Rule[] = [
  { name: 'opening', pattern: /(?:^|[.!?] )(?:What|Who|Whoever|Whatever|Of|Where nobody)\b(?![^.!]*\?)/ },
  avoid('mend', 'mend(?:s|ed|ing)?'),
  avoid('ail', 'ail(?:s|ed|ing)?'),
  avoid('anew', 'anew'),
  avoid('besides', 'besides'),
  avoid('meanwhile', 'meanwhile'),
  avoid('to the letter', 'to the letter'),
  avoid('stands', 'stands?(?! for| in for|-in)'),
  avoid('told', 'told|tell(?:s|ing)?(?! you)'),
  avoid('speak of', 'sp(?:eaks?|oke|oken) of'),
  avoid('rest on', 'rest(?:s|ed)? on'),
  avoid('reach for', 'reach(?:es|ed)? for'),
  avoid('come along', '(?:come|comes|came) along'),
  avoid('sums up', 'sums? up'),
  avoid('the wish was heard', 'wish was heard'),
  avoid('nobody', 'nobody'),
  avoid('of its own', "of (?:its|their|his|her|our|your|one's) own"),
  avoid('as of', 'as of'),
  avoid('is worth', '(?:is|are) worth'),
  avoid('go by words', 'goe?s? by words'),
  avoid('a model that writes', 'models? that writes?'),
  avoid('doors', 'doors?'),
  avoid('house', 'house'),
  avoid('stranger', 'strangers?'),
  avoid('in your name', 'in (?:your|their) name'),
  avoid('with which', 'with which (?:you|users?|the user)'),
  { name: 'percent', pattern: /\d %(?!\w)/ },
  { ...avoid('planted', 'planted'), is_guides_only: true },
  { ...avoid('also', ', also (?:in|of|for|when|after|while|on|from|by|with|if|those)'), is_guides_only: true },
  { ...avoid('already', 'already(?=[.:;])'), is_guides_only: true },
  // "the `free` tier", not "the tier `free`".
  {
    name: 'apposition',
    pattern: /\b(?:the|an?) (?:scope|tier|schema|reader|namespace|workflow|claim) …/,
    is_guides_only: true,
  },
  avoid('spelling', '(?:colour|behaviour|favour|honour|neighbour|licence|centre|grey)\\w*|analys(?:ed?|ing)'),
  avoid(
    'spelling',
    '(?:summar|recogn|normal|organ|initial|optim|minim|maxim|serial|author|token|real)is(?:e[ds]?|ing|ation)',
  ),
]

/** Texts of examples, and a list of words of questions. */
const ALLOWED = /the house in Elm Street|Knowles v\. Mirzayance|long tell explain find/g
/** STYLE.md names the words to avoid; the others are not ours to change. */
const EXEMPT = ['STYLE.md', 'CHANGELOG.md', 'THIRD_PARTY_NOTICES.md', 'tools/words.ts', 'tools/words.test.ts']
const SOURCES = ['{contract,sdk,mcp,cli,server}/src/**/*.ts', '{proof,tools,deploy,clients,examples}/**/*.ts']
const PAGES = ['*.md', 'docs/**/*.md', 'sdk/*.md', '{clients,examples}/*/*.md', '.changeset/*.md']
const GENERATED = ['**/node_modules/**', 'sdk/src/generated/**']
const COMMENT = /^\s*(?:\/\/|\/\*\*?|\*(?=\s))\s?(.*?)(?:\*\/)?$|(?<=[;,{})\w'"]) \/\/ (.*)$/
const TEXT = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g

export interface WordFinding {
  file: string
  line: number
  rule: string
  text: string
}

/** Code, addresses and placeholders are not prose. */
const prose = (text: string): string =>
  text.replace(ALLOWED, '…').replace(/`[^`]*`|https?:\S+|\$?\{[^}]*\}|\]\([^)]*\)|<[^>]*>/g, '…')

function judge(file: string, line: number, text: string): WordFinding[] {
  const plain = prose(text).trim()
  const isGuide = /^(?:README|docs\/[^/]+)\.md$/.test(file) && file !== 'docs/proofs.md'
  return rules
    .filter(({ pattern, is_guides_only }) => (isGuide || !is_guides_only) && pattern.test(plain))
    .map(({ name }) => ({ file, line, rule: name, text: plain.slice(0, 140) }))
}

/** Outside fenced blocks; markers of lists, quotes, tables and headings are not part of a sentence. */
export function findInPage(file: string, text: string): WordFinding[] {
  let isCode = false
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode
    if (isCode) return []
    return line.split('|').flatMap((part) => judge(file, index + 1, part.replace(/^\s*(?:[#>*-]+|\d+\.)?\s*\**/, '')))
  })
}

/** Comments; and in what users see, texts of at least three words. A comment begins where the line before it is none. */
export function findInSource(file: string, text: string): WordFinding[] {
  const isShown =
    /^(?:base|contract|cli|extract|mcp|sdk|server)\//.test(file) && !/\.test\.ts$|\/testing\/|\/migrations\//.test(file)
  const found: WordFinding[] = []
  let isInside = false
  for (const [index, line] of text.split('\n').entries()) {
    const [, whole, trailing] = COMMENT.exec(line) ?? []
    const comment = whole ?? trailing
    if (comment !== undefined) found.push(...judge(file, index + 1, isInside ? `… ${comment}` : comment))
    isInside = whole !== undefined && !line.trimEnd().endsWith('*/')
    if (!isShown || whole !== undefined) continue
    for (const [, single, double, template] of line.matchAll(TEXT)) {
      const shown = single ?? double ?? template ?? ''
      if (/\S\s+\S+\s+\S/.test(shown) && !/\b(?:select|insert|update|delete) /i.test(shown))
        found.push(...judge(file, index + 1, shown))
    }
  }
  return found
}

export function folderOf(file: string): string {
  const [first = '', , third = ''] = file.split('/')
  if (!file.includes('/')) return 'root'
  return first === 'server' ? `server/src/${third.endsWith('.ts') ? '' : third}`.replace(/\/$/, '') : first
}

const list = (patterns: readonly string[]): string[] =>
  globSync(patterns, { cwd: root, exclude: GENERATED })
    .filter((file) => !EXEMPT.includes(file))
    .toSorted()
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

function findAll(): WordFinding[] {
  return [
    ...list(SOURCES).flatMap((file) => findInSource(file, read(file))),
    ...list(PAGES).flatMap((file) => findInPage(file, read(file))),
  ]
}

/** A folder without a budget has none left. */
export function overBudget(counts: ReadonlyMap<string, number>, budget: Readonly<Record<string, number>>): string[] {
  return [...counts]
    .filter(([folder, count]) => count > (budget[folder] ?? 0))
    .map(([folder, count]) => `${folder}: ${count} lines with words to avoid, the budget is ${budget[folder] ?? 0}`)
}

if (import.meta.main) {
  const found = findAll()
  const counts = new Map([...Map.groupBy(found, ({ file }) => folderOf(file))].map(([key, list]) => [key, list.length]))
  const budget = JSON.parse(readFileSync(BUDGET, 'utf8')) as Record<string, number>
  const [option, folder] = process.argv.slice(2)
  if (option === '--list')
    for (const { file, line, rule, text } of found)
      if (folder === undefined || file.startsWith(folder)) console.log(`${file}:${line} [${rule}] ${text}`)
  if (option === '--record') {
    const lower = Object.entries(budget).map(([name, most]) => [name, Math.min(most, counts.get(name) ?? 0)] as const)
    writeFileSync(BUDGET, `${JSON.stringify(Object.fromEntries(lower.filter(([, count]) => count > 0)), null, 2)}\n`)
  }
  const problems = option === '--list' ? [] : overBudget(counts, budget)
  if (option !== '--list')
    console.log(problems.join('\n') || `${found.length} findings, within the budget; the goal is 0`)
  if (problems.length > 0)
    console.log('`node tools/words.ts --list <folder>` shows the lines; STYLE.md says what to write.')
  process.exitCode = problems.length > 0 ? 1 : 0
}
