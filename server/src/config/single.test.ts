import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readConfig } from './config.ts'
import { hasOwnRoles, readPasswords, singleEnvironment } from './single.ts'

const data = mkdtempSync(join(tmpdir(), 'octavo-single-'))
after(() => rmSync(data, { recursive: true }))
const given = { DATABASE_OWNER_URL: 'postgres://octavo:p%40ss@db:5432/octavo?sslmode=require', OCTAVO_DATA_DIR: data }

test('a database URL is sufficient, and derived settings are stable across starts', () => {
  assert.throws(() => singleEnvironment(given), /No secret found/)
  const env = singleEnvironment(given, { may_make: true })

  const { base_url, files, database_url, database_system_url } = readConfig(env)
  const [app, system] = [new URL(database_url), new URL(database_system_url)]
  assert.equal(base_url, 'http://localhost:3000')
  assert.equal(files.dir, join(data, 'files'))
  assert.deepEqual(
    [app.username, app.host, app.pathname, app.search],
    ['octavo_app', 'db:5432', '/octavo', '?sslmode=require'],
  )
  assert.equal(system.username, 'octavo_system')
  assert.ok(app.password.length >= 32 && app.password !== system.password)
  assert.deepEqual(readPasswords(env), { octavo_app: app.password, octavo_system: system.password })
  assert.deepEqual(singleEnvironment(given), env)
  assert.equal(statSync(join(data, 'secrets')).mode & 0o777, 0o600)
})

test('keeps explicit settings and does not manage roles that are named explicitly', () => {
  const DATABASE_URL = 'postgres://octavo_app:own@db/octavo'
  const DATABASE_SYSTEM_URL = 'postgres://someone:else@db/octavo'

  const env = singleEnvironment({
    ...given,
    DATABASE_URL,
    DATABASE_SYSTEM_URL,
    BASE_URL: 'https://octavo.example.com',
    FILES_DIR: 'elsewhere',
  })

  assert.deepEqual(
    [env.DATABASE_URL, env.BASE_URL, env.FILES_DIR],
    [DATABASE_URL, 'https://octavo.example.com', 'elsewhere'],
  )
  assert.deepEqual(readPasswords(env), { octavo_app: 'own' })
  assert.deepEqual([hasOwnRoles(given), hasOwnRoles({ ...given, DATABASE_URL })], [true, false])
})

test('reports a missing or invalid database URL', () => {
  assert.throws(() => singleEnvironment({ OCTAVO_DATA_DIR: data }), /DATABASE_OWNER_URL is not set/)
  assert.throws(() => singleEnvironment({ ...given, DATABASE_OWNER_URL: 'db' }), /DATABASE_OWNER_URL must be a URL/)
})

test('refuses a URL that cannot carry a role and shows how to write it', () => {
  const socket = { ...given, DATABASE_OWNER_URL: 'postgres:///octavo?host=/run/postgresql' }
  assert.throws(
    () => singleEnvironment(socket, { may_make: true }),
    /has no host.*postgres:\/\/octavo:password@%2Frun%2Fpostgresql\/octavo/,
  )

  const written = singleEnvironment({ ...given, DATABASE_OWNER_URL: 'postgres://octavo:a@%2Frun%2Fpostgresql/octavo' })

  assert.match(written.DATABASE_URL!, /^postgres:\/\/octavo_app:[\w-]+@%2Frun%2Fpostgresql\/octavo$/)
})

test('names an unusable file or setting and says what to do', () => {
  const damaged = mkdtempSync(join(data, 'damaged-'))
  writeFileSync(join(damaged, 'secrets'), 'garbage\n')
  const make = (env: Record<string, string>) => () => singleEnvironment({ ...given, ...env }, { may_make: true })

  assert.throws(
    make({ OCTAVO_DATA_DIR: damaged }),
    /^Error: The secret in '.*damaged-.*secrets' is damaged\. Restore the file/,
  )
  assert.throws(
    make({ OCTAVO_DATA_DIR: join(damaged, 'secrets') }),
    /^Error: OCTAVO_DATA_DIR: '.*' cannot be created or is not a directory/,
  )
  assert.throws(
    make({ DATABASE_OWNER_URL: 'mysql://a:b@db/octavo' }),
    /DATABASE_OWNER_URL must be a URL such as postgres:/,
  )
  assert.throws(make({ DATABASE_OWNER_URL: '' }), /DATABASE_OWNER_URL is not set\. Set it to the URL of a database/)
})
