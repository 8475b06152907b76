// Files pruned from the image are never files that a process loads.

import assert from 'node:assert/strict'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire, isBuiltin, registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { filesOf, isDropped, prune } from './prune.ts'

const ROOT = join(import.meta.dirname, '..')
const here = { os: 'linux', cpu: 'x64' }
/** Statements and calls that name a module: too many rather than too few. */
const IMPORTS = /(?:\bfrom\s*|\bimport\s*\(?\s*|\bimport\.meta\.resolve\(\s*)['"]([^'"\n]+)['"]/g
const REQUIRES = /(?:\brequire\w*\(\s*|createRequire\(import\.meta\.url\)\(\s*)['"]([^'"\n]+)['"]/g

// Node resolves for the module that asks: this lets another ask.
let asker = ''
registerHooks({
  resolve: (name, context, next) =>
    name.startsWith('asked:')
      ? next(name.slice('asked:'.length), { ...context, parentURL: asker })
      : next(name, context),
})

function resolveImport(from: string, name: string): string {
  asker = pathToFileURL(from).href
  return fileURLToPath(import.meta.resolve(`asked:${name}`))
}

const resolveRequire = (from: string, name: string): string => createRequire(from).resolve(name)

/**
 * Library files that our sources import, directly or indirectly. Names that do not resolve are optional or not modules.
 */
function findReached(): Set<string> {
  const reached = new Set<string>()
  const pending = globSync(['{base,extract,server}/src/**/*.ts', 'cli/src/**/*.ts', 'contract/src/**/*.ts'], {
    cwd: ROOT,
  })
    .filter((file) => !/\.test\.ts$|\/testing\//.test(file))
    .map((file) => join(ROOT, file))
  const visit = (from: string, name: string, resolve: typeof resolveImport): void => {
    try {
      const found = isBuiltin(name) ? '' : resolve(from, name)
      if (!found.includes('/node_modules/') || reached.has(found) || !existsSync(found) || found.endsWith('.d.ts'))
        return
      reached.add(found)
      if (/\.[cm]?js$/.test(found)) pending.push(found)
    } catch {
      // Neither installed nor needed.
    }
  }
  for (const file of pending) {
    const text = readFileSync(file, 'utf8')
    for (const [, name] of text.matchAll(IMPORTS)) visit(file, name!, resolveImport)
    for (const [, name] of text.matchAll(REQUIRES)) visit(file, name!, resolveRequire)
  }
  return reached
}

const filePath = (file: string): string =>
  relative(join(ROOT, 'node_modules'), file).replace(/^\.\.\/\w+\/node_modules\//, '')

test('keeps every file that the sources import', () => {
  const reached = [...findReached()].map(filePath)
  assert.ok(reached.length > 500, `only ${reached.length} files were found`)
  assert.deepEqual(
    reached.filter((path) => isDropped(path, here)),
    [],
  )
})

test('keeps files opened by path and drops files for other platforms', () => {
  const opened = [
    '@hyzyla/pdfium/dist/pdfium.wasm',
    '@jsquash/webp/codec/dec/webp_dec.wasm',
    '@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz',
    'onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1',
    'onnxruntime-node/bin/napi-v6/linux/x64/onnxruntime_binding.node',
    'tesseract.js-core/package.json',
    'tesseract.js-core/tesseract-core-simd-lstm.wasm',
  ]
  for (const path of opened) {
    assert.ok(existsSync(join(ROOT, 'node_modules', path)), `${path} is not there: is it still opened?`)
    assert.equal(isDropped(path, here), false, path)
  }
  assert.equal(
    isDropped('onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1', { os: 'linux', cpu: 'arm64' }),
    true,
  )
  assert.equal(
    isDropped('onnxruntime-node/bin/napi-v6/linux/arm64/libonnxruntime.so.1', { os: 'linux', cpu: 'arm64' }),
    false,
  )
  assert.equal(isDropped('a/node_modules/b/index.d.ts', here), true)
  assert.equal(isDropped('a/test/x.js', here), true)
  assert.equal(isDropped('a/lib/test/x.js', here), false)
})

test('keeps license files under any name', () => {
  for (const path of ['a/LICENSE.md', 'a/license', '@b/c/docs/NOTICE.md', 'a/test/COPYING'])
    assert.equal(isDropped(path, here), false, path)
})

test('removes dropped files and the folders they leave empty', () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-prune-'))
  try {
    for (const path of ['a/index.js', 'a/types/index.d.ts', 'a/readme.md', '@b/c/test/x.js', '@b/c/LICENSE']) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), 'x')
    }
    assert.deepEqual(prune(folder, here), { files: 3, bytes: 3 })
    assert.deepEqual([...filesOf(folder)].toSorted(), ['@b/c/LICENSE', 'a/index.js'])
    assert.equal(existsSync(join(folder, 'a/types')), false)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the Dockerfile copies every workspace and no other', () => {
  const { workspaces } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { workspaces: string[] }
  const text = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8')
  const [libraries = ''] = text.split('FROM scratch')
  const copied = [...libraries.matchAll(/^COPY (\w+)\/package\.json \1\/$/gm)].map(([, name]) => name!)
  assert.deepEqual(copied.toSorted(), workspaces.toSorted())
})
