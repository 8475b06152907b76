// Removes from an installation what no process ever loads: `node deploy/prune.ts <node_modules>…`. Each rule says why.

import { lstatSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'

export interface Platform {
  os: string
  cpu: string
}

const LEGAL = /^(licen[cs]e|copying|notice|copyright|authors|patents)/i
/** Dropped from every package. Node refuses TypeScript below node_modules, so no such file can be loaded. */
const everywhere = [
  /\.[cm]?ts$/,
  /\.map$/,
  /\.(md|markdown)$/i,
  /\.(flow|tsbuildinfo|coffee|nix)$/,
  /^\.(github|vscode|circleci)\//,
]
const FOLDERS = /^(tests?|__tests__|docs?|examples?|bench|benchmarks?|coverage|website)\//
/** Per package: patterns to drop, and exceptions to keep. */
const rules: Readonly<Record<string, { drop: readonly string[]; keep?: readonly string[] }>> = {
  // One build is required by its name (extract/src/ocr/wasm.child.ts); `.wasm.js` are the same again in base64.
  'tesseract.js-core': { drop: ['tesseract-core*', 'index.js'], keep: ['tesseract-core-simd-lstm.{js,wasm}'] },
  // Data for the engine before neural networks; extract/src/ocr/language-data.ts opens the other folder.
  '@tesseract.js-data/eng': { drop: ['4.0.0/**'] },
  // text/tokens.ts imports one encoding as a module; the others, the tables of models and the copies for browsers stay out.
  'gpt-tokenizer': {
    drop: ['cjs/**', 'src/**', 'data/**', 'dist/**', 'esm/model/**', 'esm/bpeRanks/*'],
    keep: ['esm/bpeRanks/o200k_base.js'],
  },
  // `eld/small` and `eld/medium` are imported.
  eld: {
    drop: ['src/ngrams/{large,extrasmall}.js', 'src/entries/static.{large,extrasmall}.js', 'src/entries/dynamic.js'],
  },
  // Bundles for browsers; what is imported as a module is in es6/ and min/.
  'libphonenumber-js': { drop: ['bundle/**', 'build/**', 'max/**', 'mobile/**', 'metadata.{max,mobile,full}.json*'] },
  // The same again for `<script>` and for require(): this code imports.
  'vega-*': { drop: ['build/*.min.js'] },
  vega: { drop: ['build/*.min.js'] },
  luxon: { drop: ['build/{amd,cjs-browser,es6,global}/**', 'src/**'] },
}

/** Libraries of other systems: one folder for each. */
function isForeign(name: string, path: string, { os, cpu }: Platform): boolean {
  const [, system, processor] = /^bin\/napi-v\d+\/([^/]+)\/([^/]+)\//.exec(path) ?? []
  return name === 'onnxruntime-node' && system !== undefined && (system !== os || processor !== cpu)
}

/** `path` is of a file, from node_modules on, and may pass through further ones. */
export function isDropped(path: string, platform: Platform): boolean {
  const [, name = '', file = ''] = /(?:^|.*\/node_modules\/)((?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(path) ?? []
  if (isForeign(name, file, platform)) return true
  if (LEGAL.test(file.slice(file.lastIndexOf('/') + 1))) return false
  if (FOLDERS.test(file) || everywhere.some((one) => one.test(file))) return true
  return Object.entries(rules).some(
    ([of, { drop, keep = [] }]) =>
      matchesGlob(name, of) &&
      drop.some((glob) => matchesGlob(file, glob)) &&
      !keep.some((glob) => matchesGlob(file, glob)),
  )
}

/** Files of a folder; links lead to workspaces, which are not pruned. */
export function* filesOf(folder: string, below = ''): Generator<string> {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) yield* filesOf(folder, path)
    else if (entry.isFile()) yield path
  }
}

function removeEmpty(folder: string): boolean {
  const entries = readdirSync(folder, { withFileTypes: true })
  const left = entries.filter((entry) => !(entry.isDirectory() && removeEmpty(join(folder, entry.name))))
  if (left.length === 0) rmdirSync(folder)
  return left.length === 0
}

export function prune(folder: string, platform: Platform): { files: number; bytes: number } {
  const removed = { files: 0, bytes: 0 }
  for (const path of filesOf(folder)) {
    if (!isDropped(path, platform)) continue
    removed.files++
    removed.bytes += lstatSync(join(folder, path)).size
    rmSync(join(folder, path))
  }
  removeEmpty(folder)
  return removed
}

if (import.meta.main) {
  const folders = process.argv.slice(2).filter((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory())
  if (folders.length === 0) throw new Error('Usage: node deploy/prune.ts <node_modules>…')
  for (const folder of folders) {
    const { files, bytes } = prune(folder, { os: process.platform, cpu: process.arch })
    process.stdout.write(`${folder}: ${files} files, ${Math.round(bytes / 1e6)} MB\n`)
  }
}
