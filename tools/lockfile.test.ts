import assert from 'node:assert/strict'
import { test } from 'node:test'
import { complete, unverified } from './lockfile.ts'

const formatter = {
  version: '2.0.0',
  dev: true,
  optionalDependencies: { '@f/linux-x64': '2.0.0', '@f/linux-arm64-musl': '2.0.0' },
}
const packages = {
  '': {},
  'node_modules/@f/linux-x64': { version: '2.0.0', integrity: 'sha512-x' },
  'node_modules/f': formatter,
}

test('adds a missing package of another platform and keeps the others', () => {
  const { lockfile, added } = complete({ packages })

  assert.deepEqual(added, ['@f/linux-arm64-musl@2.0.0'])
  assert.deepEqual(JSON.parse(JSON.stringify(lockfile.packages)), {
    ...packages,
    'node_modules/@f/linux-arm64-musl': {
      version: '2.0.0',
      cpu: ['arm64'],
      dev: true,
      libc: ['musl'],
      optional: true,
      os: ['linux'],
    },
  })
  assert.deepEqual(complete(lockfile).added, [])
})

test('ignores an optional package that is not bound to a platform', () => {
  const { added } = complete({ packages: { 'node_modules/f': { optionalDependencies: { fsevents: '2.3.3' } } } })

  assert.deepEqual(added, [])
})

test('treats packages named windows and wasm32 as bound to a platform', () => {
  const optionalDependencies = { '@f/windows-x64': '2.0.0', '@f/wasm32-wasi': '2.0.0' }
  const { lockfile } = complete({ packages: { 'node_modules/f': { optionalDependencies } } })

  assert.deepEqual(JSON.parse(JSON.stringify(lockfile.packages['node_modules/@f/windows-x64'])), {
    version: '2.0.0',
    cpu: ['x64'],
    optional: true,
    os: ['win32'],
  })
  assert.deepEqual(JSON.parse(JSON.stringify(lockfile.packages['node_modules/@f/wasm32-wasi'])), {
    version: '2.0.0',
    cpu: ['wasm32'],
    optional: true,
  })
})

test('names a package without integrity, but not a workspace link', () => {
  const missing = unverified({
    packages: { ...packages, 'node_modules/own': { link: true }, 'node_modules/f': { version: '2.0.0' } },
  })

  assert.deepEqual(missing, ['node_modules/f'])
})
