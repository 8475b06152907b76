import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { settings } from '../config/settings.ts'
import { loadSecretFiles, secretSettings } from './secret-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-secrets-'))
after(() => rmSync(folder, { recursive: true }))
const fileWith = (text: string): string => {
  const path = join(folder, String(Math.random()))
  writeFileSync(path, text)
  return path
}

test('reads a secret from the file that its variable names', () => {
  const env = { S3_SECRET_ACCESS_KEY_FILE: fileWith('hidden\n'), PORT: '1' }

  loadSecretFiles(env)

  assert.deepEqual(env, { S3_SECRET_ACCESS_KEY: 'hidden', PORT: '1' })
})

test('refuses a secret file that is missing, empty or set together with its value, without showing it', () => {
  const load = (env: Record<string, string>) => () => loadSecretFiles(env)

  assert.throws(load({ VALKEY_URL_FILE: '/nowhere' }), /^Error: VALKEY_URL_FILE: '\/nowhere' cannot be read/)
  assert.throws(load({ VALKEY_URL_FILE: fileWith(' \n') }), /is empty\.$/)
  assert.throws(
    load({ VALKEY_URL_FILE: fileWith('a'), VALKEY_URL: 'hidden' }),
    /^Error: VALKEY_URL and VALKEY_URL_FILE are both set\. Remove one of them\.$/,
  )
})

test('every setting that holds a key, a secret or a URL with a password can come from a file', () => {
  const secret = Object.keys(settings).filter((name) =>
    /SECRET|_KEY$|_KEY_ID$|PASSWORD|TOKEN|_HEADERS$|^(DATABASE|VALKEY|SMTP).*_URL$/.test(name),
  )

  assert.deepEqual(new Set(secretSettings), new Set(secret))
})
