import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectsOf } from './changed.ts'

const root = join(import.meta.dirname, '..')

test('a change of the server compiles the server and its clients, not the proofs', () => {
  assert.deepEqual(projectsOf(['server/src/app.ts']), ['cli'])
  assert.deepEqual(projectsOf(['contract/src/jobs.ts', 'server/src/app.ts']), ['cli'])
})

test('proofs and tools compile when they change', () => {
  assert.deepEqual(projectsOf(['proof/slots.ts']), ['proof'])
  assert.deepEqual(projectsOf(['deploy/entry.ts']), ['tools'])
  assert.deepEqual(projectsOf(['README.md']), [])
})

test('every folder that the compiler knows belongs to a project', () => {
  const { include } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as { include: string[] }

  assert.deepEqual(
    include.filter((folder) => projectsOf([`${folder}/a.ts`]).length === 0),
    [],
  )
})

test('every folder with TypeScript is a project that a full check compiles', () => {
  const { references } = JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8')) as {
    references: { path: string }[]
  }
  const paths = references.map(({ path }) => path)
  const folders = new Set(globSync('{*,packages/*}/tsconfig.json', { cwd: root }).map((file) => file.slice(0, -14)))

  assert.deepEqual(paths.toSorted(), [...folders].filter((folder) => folder !== 'site').toSorted())
})
