// The native `tesseract`, one process for each page.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import type { PageImage } from '../types.ts'
import { parseHocr } from './hocr.ts'
import { type OcrEngine, OcrFailure } from './ocr.ts'
import { parseOrientation } from './orientation.ts'
import { engineOf, type Recognizer } from './recognizer.ts'

/** Wall time: on a busy machine, a page that needs two seconds takes many. */
const DEADLINE_MS = 180_000
const MAX_ANSWER_BYTES = 32 * 2 ** 20
const NICENESS = 19
const SEARCHED = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin'

type Env = Readonly<Record<string, string | undefined>>

/** Null if there is none, or one that knows no language. */
export async function openTesseract(env: Env): Promise<OcrEngine | null> {
  const signal = AbortSignal.timeout(DEADLINE_MS)
  const version = await run(['--version'], { env, signal }).catch(() => null)
  if (version === null) return null
  const list = await run(['--list-langs'], { env, signal }).catch(() => '')
  const installed = list
    .split('\n')
    .slice(1)
    .flatMap((line) => line.trim() || [])
  if (installed.every((name) => name === 'osd')) return null
  return engineOf(recognizerOf(env, /\d[\w.-]*/.exec(version)?.[0] ?? 'unknown', installed))
}

function recognizerOf(env: Env, version: string, installed: string[]): Recognizer {
  return {
    id: 'tesseract',
    version,
    installed,
    async recognize(image, names, signal) {
      const args = ['stdin', 'stdout', '-l', names.join('+'), '--psm', '3', ...resolution(image)]
      return parseHocr(await run([...args, '-c', 'tessedit_create_hocr=1'], { env, signal, image }))
    },
    async findOrientation(image, signal) {
      if (!installed.includes('osd')) return null
      // It fails on pages with too few letters.
      const answer = await run(['stdin', 'stdout', '-l', 'osd', '--psm', '0', ...resolution(image)], {
        env,
        signal,
        image,
      }).catch((error: unknown) => {
        if (signal.aborted) throw error
        return ''
      })
      return parseOrientation(answer)
    },
    async close() {},
  }
}

const resolution = (image: PageImage) => ['--dpi', String(Math.round(image.dpi))]

async function run(
  args: string[],
  { env, signal, image }: { env: Env; signal: AbortSignal; image?: PageImage },
): Promise<string> {
  signal.throwIfAborted()
  const { PATH = SEARCHED, TESSDATA_PREFIX } = env
  // More threads spend several times the processor time for little: pages are read side by side instead.
  const child_env = { PATH, OMP_THREAD_LIMIT: '1', LC_ALL: 'C', ...(TESSDATA_PREFIX && { TESSDATA_PREFIX }) }
  const child = spawn('tesseract', args, { env: child_env, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true })
  const closed = once(child, 'close') as Promise<[number | null]>
  const deadline = AbortSignal.timeout(DEADLINE_MS)
  const kill = () => child.kill('SIGKILL')
  const ends = AbortSignal.any([signal, deadline])
  ends.addEventListener('abort', kill)
  const answer: Buffer[] = []
  let [bytes, complaint] = [0, '']
  child.stdout.on('data', (data: Buffer) => ((bytes += data.length) > MAX_ANSWER_BYTES ? kill() : answer.push(data)))
  child.stderr.on('data', (data: Buffer) => (complaint = (complaint + data.toString()).slice(0, 1000)))
  // It may end before it has read everything; its exit says why.
  child.stdin.on('error', () => {})
  if (child.pid !== undefined) lower(child.pid)
  if (image) child.stdin.write(`P5\n${image.width} ${image.height}\n255\n`)
  child.stdin.end(image?.pixels)
  try {
    const [code] = await closed
    signal.throwIfAborted()
    if (deadline.aborted) throw new OcrFailure('timeout', 'Text recognition took too long.')
    if (code !== 0) throw new OcrFailure('crashed', `tesseract ended with ${code ?? 'a signal'}: ${complaint.trim()}`)
    return Buffer.concat(answer).toString()
  } finally {
    ends.removeEventListener('abort', kill)
  }
}

function lower(pid: number): void {
  try {
    setPriority(pid, NICENESS)
  } catch {
    // It has ended already.
  }
}
