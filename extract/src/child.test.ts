import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'

/** Prints the modules that a file and what it imports load. */
const LIST = `
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  for (const file of process.argv.slice(1)) await import(file)
  const { formats } = await import(process.argv[1])
  for (const load of Object.values(formats)) await load()
  console.log(loaded.join('\\n'))
`
const file = (name: string): string => new URL(name, import.meta.url).href

test('a child loads no schemas of the API, since each document starts one', () => {
  const files = ['./formats/formats.ts', './serve.ts', './sniff.ts'].map(file)
  const loaded = execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', LIST, ...files])

  const modules = loaded.toString().split('\n')
  assert.ok(modules.some((url) => url.endsWith('/formats/pdf.ts')))
  assert.deepEqual(
    modules.filter((url) => /typebox|contract\/src\/(?!block-limits)/.test(url)),
    [],
  )
})
