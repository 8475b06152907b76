import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAllowed, packagesIn, refused } from './licenses.ts'

test('allows a license expression if one of its choices is allowed', () => {
  const allowed = ['MIT', 'Zlib']

  assert.equal(isAllowed('MIT', allowed), true)
  assert.equal(isAllowed('(GPL-3.0 OR MIT)', allowed), true)
  assert.equal(isAllowed('(MIT AND Zlib)', allowed), true)
  assert.equal(isAllowed('(MIT AND GPL-3.0)', allowed), false)
  assert.equal(isAllowed('unknown', allowed), false)
})

test('refuses a copyleft package, and a platform package has the license of its parent', () => {
  const packages = packagesIn({
    '': { version: '1.0.0' },
    'node_modules/a': { version: '1.0.0', license: 'MIT', optionalDependencies: { 'a-win32': '1.0.0' } },
    'node_modules/a-win32': { version: '1.0.0' },
    'node_modules/b': { version: '2.0.0', license: 'AGPL-3.0' },
    'node_modules/c': { version: '2.0.0', license: 'MPL-2.0', dev: true },
    'node_modules/d': { version: '2.0.0', license: 'MPL-2.0' },
  })

  assert.deepEqual(refused(packages), ['b@2.0.0: AGPL-3.0', 'd@2.0.0: MPL-2.0'])
})
