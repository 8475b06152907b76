// The native `tesseract`, one sandboxed process for each page.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import type { Sandbox } from '../sandbox/launch.ts'
import type { PageImage } from '../types.ts'
import { parseHocr } from './hocr.ts'
import { type OcrEngine, OcrFailure } from './ocr.ts'
import { parseOrientation } from './orientation.ts'
import { engineOf, type Recognizer } from './recognizer.ts'

/** Wall time: on a busy machine, a page that needs two seconds takes many. */
const DEADLINE_MS = 180_000
const MAX_CPU_SECONDS = 180
/** A page of 100 million pixels takes a few hundred. */
const MAX_DATA_BYTES = 1536 * 2 ** 20
const MAX_ANSWER_BYTES = 32 * 2 ** 20
const SEARCHED = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin'
const LANGUAGES_IN = /^List of available languages in "(.+?)\/?"/

type Env = Readonly<Record<string, string | undefined>>

interface Installed {
  program: string
  version: string
  names: readonly string[]
  /** Holds its languages. */
  data_folder: string | null
  env: Readonly<Record<string, string>>
}

/** Null if there is none, or one that knows no language. */
export async function openTesseract(env: Env, sandbox: Sandbox): Promise<OcrEngine | null> {
  const installed = await findInstalled(env)
  return installed && engineOf(recognizerOf(installed, sandbox))
}

/** Questions that involve no file of a caller, so that they need no sandbox. */
async function findInstalled({ PATH = SEARCHED, TESSDATA_PREFIX }: Env): Promise<Installed | null> {
  const program = PATH.split(delimiter)
    .map((folder) => join(folder, process.platform === 'win32' ? 'tesseract.exe' : 'tesseract'))
    .find((path) => isAbsolute(path) && existsSync(path))
  if (program === undefined) return null
  // More threads spend several times the processor time for little: pages are read side by side instead.
  const env = { OMP_THREAD_LIMIT: '1', LC_ALL: 'C', ...(TESSDATA_PREFIX && { TESSDATA_PREFIX }) }
  const ask = async (question: string): Promise<string> => {
    const { stdout, stderr } = await promisify(execFile)(program, [question], { env, timeout: DEADLINE_MS })
    return stdout || stderr
  }
  const [version, list] = await Promise.all([ask('--version'), ask('--list-langs')]).catch(() => ['', ''])
  const [head = '', ...lines] = list.split('\n')
  const names = lines.flatMap((line) => line.trim() || [])
  if (names.every((name) => name === 'osd')) return null
  const data_folder = LANGUAGES_IN.exec(head)?.[1] ?? TESSDATA_PREFIX ?? null
  return { program, version: /\d[\w.-]*/.exec(version)?.[0] ?? 'unknown', names, data_folder, env }
}

function recognizerOf(tesseract: Installed, sandbox: Sandbox): Recognizer {
  const run = (image: PageImage, signal: AbortSignal, args: string[]) =>
    readImage(launch(tesseract, sandbox, [...args, '--dpi', String(Math.round(image.dpi))]), image, signal)
  return {
    id: 'tesseract',
    version: tesseract.version,
    installed: tesseract.names,
    async recognize(image, names, signal) {
      const args = ['-l', names.join('+'), '--psm', '3', '-c', 'tessedit_create_hocr=1']
      return parseHocr(await run(image, signal, args))
    },
    async findOrientation(image, signal) {
      if (!tesseract.names.includes('osd')) return null
      // It fails on pages with too few letters.
      const answer = await run(image, signal, ['-l', 'osd', '--psm', '0']).catch((error: unknown) => {
        if (signal.aborted) throw error
        return ''
      })
      return parseOrientation(answer)
    },
    async close() {},
  }
}

function launch({ program, data_folder, env }: Installed, sandbox: Sandbox, args: readonly string[]) {
  return sandbox.launch({
    program,
    args: ['stdin', 'stdout', ...args],
    reads: data_folder === null ? [] : [data_folder],
    env,
    data_bytes: MAX_DATA_BYTES,
    cpu_seconds: MAX_CPU_SECONDS,
  })
}

async function readImage(child: ReturnType<typeof launch>, image: PageImage, signal: AbortSignal): Promise<string> {
  const deadline = AbortSignal.timeout(DEADLINE_MS)
  const kill = () => child.kill()
  const ends = AbortSignal.any([signal, deadline])
  ends.addEventListener('abort', kill)
  if (ends.aborted) kill()
  const answer: Buffer[] = []
  let [bytes, complaint] = [0, '']
  child.stdout.on('data', (data: Buffer) => ((bytes += data.length) > MAX_ANSWER_BYTES ? kill() : answer.push(data)))
  child.stderr.on('data', (data: Buffer) => (complaint = (complaint + data.toString()).slice(0, 1000)))
  child.stdin.write(`P5\n${image.width} ${image.height}\n255\n`)
  child.stdin.end(image.pixels)
  try {
    const code = await child.ended
    signal.throwIfAborted()
    if (deadline.aborted) throw new OcrFailure('timeout', 'Text recognition took too long.')
    if (code !== 0) throw new OcrFailure('crashed', `tesseract ended with ${code ?? 'a signal'}: ${complaint.trim()}`)
    return Buffer.concat(answer).toString()
  } finally {
    ends.removeEventListener('abort', kill)
  }
}
