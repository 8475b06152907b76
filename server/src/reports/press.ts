// Typesets PDFs in a separate process: the typesetter is native code that blocks its caller, and text that crashes it
// must not bring down a worker.

import { spawn } from 'node:child_process'
import { buffer, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { ReportPage } from './page.ts'

const MAIN = fileURLToPath(new URL('press.child.ts', import.meta.url))
const DEADLINE_MS = 120_000
/** Keeps the JavaScript around the typesetter from the network, from writing and from starting others. */
const FLAGS = ['--permission', '--allow-addons', '--allow-fs-read=*', '--no-warnings', '--max-old-space-size=768']

export async function pressPage(page: ReportPage, format: 'html' | 'pdf', signal?: AbortSignal): Promise<Uint8Array> {
  const deadline = AbortSignal.timeout(DEADLINE_MS)
  const stop = signal ? AbortSignal.any([signal, deadline]) : deadline
  stop.throwIfAborted()
  const child = spawn(process.execPath, [...FLAGS, MAIN, format], {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const kill = () => child.kill('SIGKILL')
  stop.addEventListener('abort', kill)
  try {
    const ended = new Promise<string>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, by) => resolve(code === 0 ? '' : `${code ?? by}`))
    })
    // A child that dies early closes this pipe; how it died says more.
    child.stdin.on('error', () => undefined)
    child.stdin.end(JSON.stringify(page))
    const [end, bytes, complaint] = await Promise.all([ended, buffer(child.stdout), text(child.stderr)])
    stop.throwIfAborted()
    if (end) throw new Error(`The page could not be set (${end}): ${complaint.slice(-2_000)}`)
    return bytes
  } finally {
    stop.removeEventListener('abort', kill)
    kill()
  }
}
