// A program of server/src/bin in a process that measures the turns of its event loop.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './port.ts'

/** CPU time of the main thread since the last look. */
export interface Turns {
  longest_ms: number
  total_ms: number
}

export interface MeteredProcess {
  url: string
  readTurns(): Promise<Turns>
  stop(): Promise<void>
}

const METER = new URL('./turn-meter.ts', import.meta.url).pathname

export async function startMetered(program: string, env: Record<string, string>): Promise<MeteredProcess> {
  const [port, management_port] = await Promise.all([freePort(), freePort()])
  const url = `http://127.0.0.1:${port}`
  const child = spawn(
    process.execPath,
    ['--import', METER, new URL(`../bin/${program}.ts`, import.meta.url).pathname],
    {
      env: { ...env, BASE_URL: url, PORT: String(port), MANAGEMENT_PORT: String(management_port) },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  )
  const ended = once(child, 'exit')
  const isReady = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${management_port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  for (const deadline = Date.now() + 60_000; !(await isReady()); await sleep(100))
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${program} did not start`)
  return {
    url,
    async readTurns() {
      const answer = once(child, 'message')
      child.send('')
      const [turns] = (await answer) as [Turns]
      return turns
    },
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
