// Output and effects of the operator's commands.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { findUuid } from '../lib/ids.ts'
import { createDatabase } from '../testing/database.ts'
import { run, settingsFor } from '../testing/processes.ts'

const database = await createDatabase()
after(() => database.drop())
const settings = settingsFor(database)

test('explains options that npm swallowed and changes nothing', async () => {
  const npm = { npm_config_tier: 'true' }
  const [surplus, kept, unknown] = await Promise.all([
    run('admin', settings, 'create-tenant', 'Kept', 'free'),
    run('admin', { ...settings, ...npm }, 'create-tenant', 'Kept'),
    run('admin', settings, 'create-tenant', 'Kept', '--teir', 'free'),
  ])
  const { out } = await run('admin', settings, 'list-tenants')

  const again = "Options need '--' before the command: npm run admin -- create-tenant …\n"
  assert.equal(surplus.error, `'free' is not expected by create-tenant. Put a name with spaces in quotes. ${again}`)
  assert.equal(kept.error, `npm did not pass --tier on. ${again}`)
  assert.match(unknown.error, /^Unknown option '--teir'\..*\n$/)
  assert.deepEqual([surplus.code, kept.code, unknown.code], [1, 1, 1])
  assert.doesNotMatch(out, /Kept/)
})

test('creates a tenant and its first key and explains wrong usage', async () => {
  const [made, tier, unknown, keyless] = await Promise.all([
    run('admin', settings, 'create-tenant', 'Acme', '--tier', 'free'),
    run('admin', settings, 'create-tenant', 'Acme', '--tier', 'gold'),
    run('admin', settings, 'set-tier', 'ten_01h455vb4pex5vsknk084sn02q', 'free'),
    run('admin', settings, 'create-key', 'ten_01h455vb4pex5vsknk084sn02q'),
  ])

  assert.match(made.out, /^tenant ten_\w{26}\nkey {4}key_\w{26}\nsecret oct_key_\w{46} {3}\(shown only once\)\n$/)
  assert.equal(tier.error, "'gold' is not a tier. Tiers: free, standard, enterprise, self_hosted\n")
  assert.equal(unknown.error, "No tenant has the id 'ten_01h455vb4pex5vsknk084sn02q'.\n")
  assert.equal(keyless.error, unknown.error)
  assert.deepEqual([made.code, tier.code, unknown.code, keyless.code], [0, 1, 1, 1])
})

test('invites the first owner of a tenant and explains wrong usage', async () => {
  const here = { ...settings, BASE_URL: 'https://octavo.example.com' }
  const { out: made } = await run('admin', here, 'create-tenant', 'People')
  const [, tenant = ''] = /tenant (\S+)/.exec(made) ?? []

  const invited = await run('admin', here, 'invite', tenant, 'ada@example.com')
  const [again, role, email] = await Promise.all([
    run('admin', here, 'invite', tenant, 'ada@example.com'),
    run('admin', here, 'invite', tenant, 'bo@example.com', '--role', 'boss'),
    run('admin', here, 'invite', tenant, 'bo'),
  ])

  assert.match(
    invited.out,
    /^link https:\/\/octavo\.example\.com\/sign-in\/invitations\/oct_inv_\w{46}\nworks once, until \S+Z\n$/,
  )
  assert.match(again.error, /^This address already has an invitation/)
  assert.equal(role.error, "'boss' is not a role. Roles: owner, admin, editor, viewer\n")
  assert.equal(email.error, "'bo' is not an email address.\n")
  assert.deepEqual([invited.code, again.code, role.code, email.code], [0, 1, 1, 1])
})

test('prints a link for a new password, and explains an unknown address', async () => {
  const { out: made } = await run('admin', settings, 'create-tenant', 'Forgetful')
  const [, tenant = ''] = /tenant (\S+)/.exec(made) ?? []
  const unknown = await run('admin', settings, 'reset-password', tenant, 'ada@example.com')

  assert.deepEqual([unknown.code, unknown.error], [1, "No user of the tenant has the address 'ada@example.com'.\n"])
  const owner = new pg.Client({ connectionString: database.owner_url })
  await owner.connect()
  await owner.query(`alter table users no force row level security`)
  await owner.query(
    `insert into users (tenant_id, id, email, email_key, name, role, created_at, updated_at)
    values ($1, gen_random_uuid(), 'Ada@example.com', 'ada@example.com', 'Ada', 'editor', now(), now())`,
    [findUuid('ten', tenant)],
  )
  await owner.query(`alter table users force row level security`)
  await owner.end()
  const { out } = await run('admin', settings, 'reset-password', tenant, 'ada@example.com')
  assert.match(out, /^link http\S+\/sign-in\/resets\/oct_rst_\w{46}\nworks once, until \S+Z\n$/)
})

test("sets a tenant's models and budget and shows them", async () => {
  const chat = { ...settings, CHAT_BASE_URL: 'http://llm.example.com/v1', CHAT_MODEL: 'writer' }
  const { out: made } = await run('admin', chat, 'create-tenant', 'Careful')
  const [, tenant = ''] = /tenant (\S+)/.exec(made) ?? []

  const set = await run('admin', chat, 'set-models', tenant, '--default-generator', 'writer', '--allow', 'writer')
  const [budget, wrong, nothing] = await Promise.all([
    run('admin', chat, 'set-budget', tenant, '2500000'),
    run('admin', chat, 'set-budget', tenant, '1.50'),
    run('admin', chat, 'set-models', tenant),
  ])
  const { out } = await run('admin', chat, 'show-tenant', tenant)

  for (const quiet of [set, budget]) assert.deepEqual(quiet, { code: 0, out: '', error: '' })
  assert.deepEqual([wrong.code, wrong.error], [1, 'The budget must be a whole number of micros or none.\n'])
  assert.deepEqual([nothing.code, nothing.error], [1, 'Nothing to set: name a default model or the allowed models.\n'])
  assert.deepEqual(out.split('\n').slice(1, -1), [
    'tier      self_hosted',
    'generator writer',
    'embedder  none (installation default)',
    'labels    none (installation default)',
    'allowed   writer',
    'budget    2500000 micros per day',
    'spent     0 micros today',
  ])
})

test('sweeps the storage after a dry run that shows the result', async (t) => {
  const FILES_DIR = mkdtempSync(join(tmpdir(), 'octavo-bin-'))
  t.after(() => rmSync(FILES_DIR, { recursive: true, force: true }))
  const { out: made } = await run('admin', settings, 'create-tenant', 'Sweeper')
  const tenant = findUuid('ten', /ten_\w{26}/.exec(made)![0])!
  const object = '01900000-0000-7000-8000-000000000000'
  const folder = join(FILES_DIR, 'objects', tenant, object.slice(0, 6))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, object), 'bytes')
  utimesSync(join(folder, object), 0, 0)

  const dry = await run('admin', { ...settings, FILES_DIR }, 'sweep', '--dry-run')
  const swept = await run('admin', { ...settings, FILES_DIR }, 'sweep')

  assert.match(dry.out, /^1 objects without a row \(5 bytes\) and 0 uploads in parts would be removed$/m)
  assert.match(swept.out, /^1 objects without a row \(5 bytes\) and 0 uploads in parts were removed$/m)
  assert.deepEqual([dry.code, swept.code, existsSync(join(folder, object))], [0, 0, false])
})

test('admin uses the secret from the data directory of the single process', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'octavo-admin-'))
  t.after(() => rmSync(data, { recursive: true }))
  const { OCTAVO_SECRETS, ...rest } = settings
  const env = { ...rest, OCTAVO_DATA_DIR: data }
  const without = await run('admin', env, 'list-tenants')
  writeFileSync(join(data, 'secrets'), `${OCTAVO_SECRETS}\n`)
  const listed = await run('admin', env, 'list-tenants')

  assert.equal(without.code, 1)
  assert.match(without.error, /OCTAVO_SECRETS/)
  assert.deepEqual([listed.code, listed.error], [0, ''])
})
