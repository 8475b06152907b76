// Lists the documentation's shell blocks that need more than a server: proofs and other tests run them.

import { globSync } from 'node:fs'
import { fencesOf } from '../../../tools/docs/markdown.ts'
import { ROOT } from '../../../tools/docs/pages.ts'
import { blocksOf, readPage } from './guides.ts'

/** A proof runs what it reads from a page, by the heading and, under it, the number of the block. */
const READING = /\b(?:commandsOf|readCommands)\((?:'([^']+\.md)', )?'([^']+)'(?:, (\d+))?\)/g
/** Programs with the commands in their source, each as `stack('…')` without the prefix. */
const typing: readonly (readonly [program: string, before: string])[] = [
  ['proof/scale.ts', 'docker compose -f compose.scale.yaml '],
  ['proof/survive/scene.ts', ''],
]
const EXTRACTION = 'server/src/resources/analysis/analysis.extract.test.ts'

function listRead(): (string | undefined)[] {
  const source = globSync('proof/**/*.ts', { cwd: ROOT }).map(readPage).join('\n')
  return [...source.matchAll(READING)].map(([, page = 'docs/backup.md', heading = '', number = '0']) => {
    const [, section = ''] = readPage(page).split(new RegExp(`^#+ ${heading}$`, 'm'))
    const shown = fencesOf(section.split(/^#+ /m)[0]!).filter(({ language }) => language === 'sh')
    return shown[Number(number)]?.body
  })
}

function listTyped(): string[] {
  return typing.flatMap(([program, before]) => {
    const source = readPage(program)
    const isTyped = (line: string): boolean => source.includes(`stack('${line.replace(before, '')}')`)
    return blocksOf('docs/deploy.md', 'sh').filter((body) => body.trim().split('\n').every(isTyped))
  })
}

/** Pages with Python, which the tests of the Python clients run if Python is installed. */
export const pythonPages = ['docs/python.md', 'clients/python/README.md'] as const
export const retrieverPages = [
  'clients/langchain-octavo/README.md',
  'clients/llama-index-retrievers-octavo/README.md',
] as const

function listPython(): string[] {
  return [...pythonPages, ...retrieverPages].flatMap((path) => [...blocksOf(path, 'sh'), ...blocksOf(path, 'python')])
}

/** Blocks covered elsewhere; the same block on another page is covered too. */
export function listCoveredBlocks(): Set<string | undefined> {
  const [, extraction] = readPage(EXTRACTION).includes("[, example] = examplesOf('analysis.md')")
    ? blocksOf('docs/analysis.md', 'sh')
    : []
  return new Set([...listRead(), ...listTyped(), ...listPython(), extraction])
}
