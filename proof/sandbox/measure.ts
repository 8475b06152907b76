// Runs in a process that plants can change: attacks each level and prints what was reached, as JSON.

import { rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type ExtractConfig, openExtract } from '../../extract/src/extract.ts'
import { detectLevel } from '../../extract/src/sandbox/detect.ts'
import { openSandbox, type Sandbox } from '../../extract/src/sandbox/launch.ts'
import { type HostileProgram, openHostileProgram } from '../../extract/src/testing/hostile-program.ts'
import { openContainer } from './container.ts'
import type { SandboxMeasurement } from './measurement.ts'

const PLANTED = new URL('../../extract/src/testing/planted-parser.ts', import.meta.url)
const LIMITS: ExtractConfig = {
  max_read_bytes: 1e6,
  max_pages: 50,
  max_inflated_bytes: 1e6,
  max_pixels: 1e6,
  parser_heap_mb: 128,
  parser_resident_mb: 300,
  parser_open_seconds: 20,
  parser_page_seconds: 20,
}
const DEEDS = [
  'read a secret',
  'list a folder',
  'write a file',
  'start a process',
  'start a thread',
  'open a socket',
  'open a unix socket',
  'send a datagram',
  'ask for a name',
  'fetch',
  'load an add-on',
  'open a database',
  'open an inspector',
]
/** JavaScript that has left the permission model: it has all of Node. */
const UNBOUND = `
  const tried = {
    'read /etc/passwd': () => fs.readFileSync('/etc/passwd'),
    'read the environment of the host': () => fs.readFileSync('/proc/HOST/environ'),
    'write a file': () => fs.writeFileSync('/tmp/octavo-sandbox-proof', 'x'),
    'start a process': () => { const { error } = cp.spawnSync(process.execPath, ['--version']); if (error) throw error },
    'signal the host': () => process.kill(HOST, 0),
  }
  const fs = require('node:fs'), cp = require('node:child_process'), net = require('node:net')
  for (const [name, act] of Object.entries(tried)) try { act(); console.log(name) } catch {}
  net.connect(80, '169.254.169.254').on('error', () => {}).setTimeout(2000, function () { this.destroy(); console.log('send to the metadata address') })
`

/** Deeds of a parser's JavaScript that the permission model allowed. */
async function attackByScript(sandbox: Sandbox): Promise<string[]> {
  const extract = openExtract(LIMITS, PLANTED, sandbox)
  const bytes = Buffer.from(DEEDS.map((deed, index) => `${index + 1} ${deed}`).join('\n'))
  const claims = { media_type: null, file_name: null, size_bytes: bytes.length, signal: AbortSignal.timeout(120_000) }
  const reached: string[] = []
  try {
    const reading = await extract.open(async () => Readable.from([bytes]), claims)
    for (const [index, deed] of DEEDS.entries()) {
      const said = await reading.page(index + 1).then(
        (page) => page.blocks[0]?.text ?? '',
        () => 'ERR_FAILED',
      )
      if (!said.startsWith('ERR_')) reached.push(`script: ${deed}`)
    }
    await reading.close()
  } finally {
    await extract.close()
  }
  return reached
}

async function run(sandbox: Sandbox, args: readonly string[], cpu_seconds: number) {
  const limits = { data_bytes: 2 ** 30, cpu_seconds }
  const child = sandbox.launch({ program: process.execPath, args, reads: [], ...limits })
  child.stdin.end()
  const [output, , code] = await Promise.all([text(child.stdout), text(child.stderr), child.ended])
  return { output, code }
}

async function attackUnbound(sandbox: Sandbox): Promise<string[]> {
  const { output } = await run(sandbox, ['-e', UNBOUND.replaceAll('HOST', String(process.pid))], 60)
  return output.split('\n').flatMap((line) => (line ? [`unbound script: ${line}`] : []))
}

/** A loop without end must be ended by the kernel. */
async function attackCpu(sandbox: Sandbox): Promise<string[]> {
  const script = 'const end = process.cpuUsage().user + 3e6; while (process.cpuUsage().user < end);'
  const { code } = await run(sandbox, ['-e', script], 1)
  return code === 0 ? ['unbound script: use 3 s of CPU time where 1 is allowed'] : []
}

async function attack(sandbox: Sandbox, hostile: HostileProgram): Promise<string[]> {
  return [
    ...(await attackByScript(sandbox)),
    ...(await attackUnbound(sandbox)),
    ...(await attackCpu(sandbox)),
    ...(await hostile.run(sandbox)).map((one) => `native: ${one}`),
  ]
}

async function attackContainer(hostile: HostileProgram): Promise<string[]> {
  const { sandbox, level, close } = await openContainer(hostile.confine)
  try {
    const reached = await attack(sandbox, hostile)
    return level === 'container' ? reached : [...reached, `the extract process offers only ${level}`]
  } finally {
    close()
  }
}

const hostile = await openHostileProgram()
const measured: SandboxMeasurement = { detected: detectLevel().level, reached: {} }
try {
  for (const level of ['process', 'seccomp', 'landlock', 'bubblewrap'] as const) {
    if (level === 'bubblewrap' && measured.detected !== level) continue
    measured.reached[level] = await attack(
      openSandbox(level, level === 'bubblewrap' ? undefined : hostile.confine),
      hostile,
    )
  }
  if (process.env.OCTAVO_PROOF_CONTAINER) measured.reached.container = await attackContainer(hostile)
} finally {
  hostile.close()
  // At the level process an empty file is left.
  rmSync('/tmp/octavo-sandbox-proof', { force: true })
}
process.stdout.write(JSON.stringify(measured))
