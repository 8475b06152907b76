import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeBrowser, formToken, isFormToken, passwordProblem, safeReturnTo } from './sign-in.rules.ts'

test('accepts long passwords and refuses those that are easy to guess', () => {
  assert.equal(passwordProblem('correct horse battery', 'ada@example.com'), null)
  assert.equal(passwordProblem('пароль из слов', 'ada@example.com'), null)
  assert.match(passwordProblem('short', 'ada@example.com') ?? '', /at least 12/)
  assert.match(passwordProblem('x'.repeat(257), 'ada@example.com') ?? '', /at most 256/)
  for (const password of ['aaaaaaaaaaaaaa', 'Ada.Lovelace@Example.com', 'ada.lovelace1843'])
    assert.match(passwordProblem(password, 'ada.lovelace@example.com') ?? '', /easy to guess/, password)
})

test('returns only to pages of this server', () => {
  for (const path of ['/oauth/authorization?client_id=a&state=b', '/sign-in/account', '/sign-in'])
    assert.equal(safeReturnTo(path), path)
  for (const path of [
    'https://evil.example/sign-in',
    '//evil.example/sign-in',
    '/\\evil.example',
    '/oauth/../../evil',
    '/oauth\\..\\..\\api',
    '/sign-in@evil.example',
    '/oauthx',
    '/api/v1/documents',
    'javascript:alert(1)',
    '',
    null,
    undefined,
    `/oauth/${'x'.repeat(5_000)}`,
  ])
    assert.equal(safeReturnTo(path), null, String(path))
})

test('a form token belongs to one secret', () => {
  assert.ok(isFormToken(formToken('secret'), 'secret'))
  assert.ok(!isFormToken(formToken('secret'), 'other'))
  assert.ok(!isFormToken('', 'secret'))
})

test('names the browser of a session', () => {
  assert.equal(
    describeBrowser(
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
    ),
    'Chrome on Linux',
  )
  assert.equal(
    describeBrowser('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1'),
    'Safari on iOS',
  )
  assert.equal(describeBrowser(''), 'Unknown browser')
})
