// Makes the corpus in a folder, once for each state of its generator.

import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import type { CorpusSpecimen } from './model.ts'
import { convertByOffice, convertByPandoc, findMissing } from './office.ts'
import type { Order, Way } from './orders.ts'
import { planScans } from './plan-scans.ts'
import { planTables } from './plan-tables.ts'
import { planTexts } from './plan-texts.ts'

export interface Corpus {
  folder: string
  specimens: CorpusSpecimen[]
  /** Programs that are not there, and what to install. Files that need them were left out. */
  missing: string[]
}

const HERE = new URL('./', import.meta.url).pathname

function hashOfGenerator(given: readonly string[]): string {
  const hash = createHash('sha256').update(given.join(','))
  const files = globSync(['*.ts', 'texts/*.txt', '../lib/random.ts'], { cwd: HERE }).filter(
    (file) => !/test|measure|read|score|report|faults/.test(file),
  )
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(HERE, file)))
  return hash.digest('hex').slice(0, 16)
}

type OfficeWay = Extract<Way, { by: 'soffice' }>

function makeByOffice(folder: string, orders: readonly Order[]): void {
  const groups = Map.groupBy(
    orders,
    ({ specimen, way }) => `${(way as OfficeWay).ending} ${extname(specimen.path).slice(1)}`,
  )
  for (const [group, members] of groups) {
    const [ending, filter] = group.split(' ') as [string, string]
    const work = join(folder, `.${ending}-${filter}`)
    mkdirSync(work, { recursive: true })
    // Two folders may hold files of one name.
    const named = members.map((one, index) => ({
      ...one,
      name: `${index}-${basename(one.specimen.path, `.${filter}`)}`,
    }))
    for (const { name, way } of named) writeFileSync(join(work, `${name}.${ending}`), (way as OfficeWay).source)
    convertByOffice(
      named.map(({ name }) => join(work, `${name}.${ending}`)),
      filter,
      work,
    )
    for (const { name, specimen } of named) renameSync(join(work, `${name}.${filter}`), join(folder, specimen.path))
    rmSync(work, { recursive: true })
  }
}

function makeByPandoc(folder: string, { specimen, way }: Order): void {
  if (way.by !== 'pandoc') return
  const source = join(folder, '.source.md')
  writeFileSync(source, way.source)
  const title = specimen.text.slice(0, specimen.text.indexOf('\n'))
  const options = ['--from=gfm', `--metadata=lang:${specimen.language}`, `--metadata=pagetitle:${title}`]
  convertByPandoc(source, join(folder, specimen.path), [
    ...options,
    `--metadata=title:${extname(specimen.path) === '.epub' ? title : ''}`,
  ])
  rmSync(source)
}

/** Whichever program is missing, the others still make their files. `only` names some of them. */
export async function generate(
  parent: string,
  only: readonly string[] | null,
  say: (line: string) => void,
): Promise<Corpus> {
  const missing = findMissing()
  const isMissing = (by: string): boolean => missing.some(({ tool }) => tool === by || tool === 'fc-list')
  const install = missing.map(({ tool, install }) => `${tool}: ${install}`)
  const folder = join(parent, hashOfGenerator([...install, ...(only ?? [])]))
  const manifest = join(folder, 'manifest.json')
  if (existsSync(manifest))
    return { folder, specimens: JSON.parse(readFileSync(manifest, 'utf8')) as CorpusSpecimen[], missing: install }

  const orders = [...planTexts(), ...planTables(), ...planScans()]
    .filter(({ specimen }) => !only || only.includes(specimen.path))
    .filter(({ way }) => way.by === 'own' || !isMissing(way.by))
  for (const { specimen } of orders) mkdirSync(join(folder, dirname(specimen.path)), { recursive: true })
  for (const one of orders) {
    if (one.way.by === 'pandoc') makeByPandoc(folder, one)
    if (one.way.by === 'own' || one.way.by === 'typst')
      writeFileSync(join(folder, one.specimen.path), await one.way.make())
  }
  const by_office = orders.filter(({ way }) => way.by === 'soffice')
  say(`LibreOffice makes ${by_office.length} of ${orders.length} files`)
  makeByOffice(folder, by_office)
  const specimens = orders.map(({ specimen }) => specimen)
  writeFileSync(manifest, JSON.stringify(specimens))
  return { folder, specimens, missing: install }
}
