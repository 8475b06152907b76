import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLog } from '../telemetry/log.ts'
import { until } from '../testing/jobs.ts'
import { startMailServer } from '../testing/mail-server.ts'
import { Mailer } from './mailer.ts'

const mailTo = (to: string) => ({ to, subject: 'Test', text: 'Test' })

function openMailer(url: string, finish_ms?: number) {
  const lines: string[] = []
  const log = openLog('error', (line) => lines.push(line))
  return { lines, mailer: new Mailer({ url, from: 'octavo@example.com' }, log, finish_ms) }
}

test('sends over few connections, and drops further mails while 1,000 are underway', async () => {
  const ready = Promise.withResolvers<void>()
  const mails = await startMailServer(ready.promise)
  const { mailer, lines } = openMailer(mails.url)

  for (let i = 0; i < 1_001; i++) mailer.send(mailTo(`guest-${i}@example.com`))
  const dropped = lines.join('')
  ready.resolve()
  await until(() => mails.received.length >= 1_000, 'the arrival of all mails', 60)
  await mailer.close()
  await mails.close()

  assert.match(dropped, /^[^\n]*"reason":"too many emails are pending"[^\n]*"event":"mail was not sent"}\n$/)
  assert.equal(lines.length, 1)
  assert.ok(mails.peak <= 5, `${mails.peak} connections`)
})

test('closing does not wait for a mail server that hangs', { timeout: 9_000 }, async () => {
  const ready = Promise.withResolvers<void>()
  const mails = await startMailServer(ready.promise)
  const { mailer, lines } = openMailer(mails.url, 100)

  for (let i = 0; i < 6; i++) mailer.send(mailTo(`guest-${i}@example.com`))
  await mailer.close()
  ready.resolve()
  await mails.close()

  assert.equal(lines.filter((line) => line.includes('mail was not sent')).length, 6)
})
