// PP-OCR: better than Tesseract on what is hard to read, at several times the processor time and memory. Its packages are
// not installed by default and its weights are the operator's.

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Word } from '../layout/types.ts'
import type { Sandbox } from '../sandbox/launch.ts'
import type { SandboxProcess } from '../sandbox/process.ts'
import { listReadable } from '../spawn.ts'
import { PADDLE_LIMITS, withDoubts } from './doubts.ts'
import { type OcrEngine, UnsupportedLanguage, UnsupportedScript } from './ocr.ts'
import { OcrProcesses } from './process.ts'
import { isMostlyUnread, wordsOfLines } from './text-lines.ts'

const MAIN = new URL('paddle.child.ts', import.meta.url)
const MODEL = 'pp-ocrv6-small'
const FILES = ['det.onnx', 'rec.onnx', 'dict.txt']
const PACKAGES = { 'ppu-paddle-ocr': '6.3.0', '@napi-rs/canvas': '1.1.0', 'onnxruntime-node': '1.30.0' }
const DEADLINE_MS = 180_000
const MAX_DATA_BYTES = 4 * 2 ** 30
/** All pages that one process reads. */
const MAX_CPU_SECONDS = 6 * 3600
// One model reads them all; what is written in other scripts comes out as rubbish.
const LANGUAGES = ['de', 'en', 'es', 'fr', 'it', 'ja', 'pl', 'zh']

export class OcrNotInstalled extends Error {}

/** Throws `OcrNotInstalled` with what to do. */
export function openPaddle(models_dir: string | null, sandbox: Sandbox): OcrEngine {
  const folder = checkInstalled(models_dir)
  const processes = new OcrProcesses(() => spawnChild(sandbox, folder), DEADLINE_MS)
  return {
    id: 'pp_ocr',
    version: MODEL,
    languages: async () => LANGUAGES,
    async read(image, { languages, signal }) {
      const { width, height, dpi, pixels } = image
      const unknown = languages.find((tag) => !LANGUAGES.includes(tag.toLowerCase().split('-')[0] ?? ''))
      if (unknown) throw new UnsupportedLanguage(unknown, LANGUAGES)
      const answer = (await processes.ask({ width, height, dpi, names: [] }, pixels, signal)) as Parameters<
        typeof wordsOfLines
      >[0]
      if (isMostlyUnread(answer.lines)) throw new UnsupportedScript(null, LANGUAGES)
      const words = wordsOfLines(answer)
      const page = { words, confidence: confidenceOf(words), languages: [...languages], turned: 0 as const }
      return withDoubts(page, image, { limits: PADDLE_LIMITS, script: null, available: LANGUAGES })
    },
    close: () => processes.close(),
  }
}

function checkInstalled(models_dir: string | null): string {
  const missing = Object.entries(PACKAGES).filter(([name]) => !isInstalled(name))
  if (missing.length > 0) {
    const names = missing.map(([name, version]) => `${name}@${version}`).join(' ')
    throw new OcrNotInstalled(`PP-OCR needs packages that are not installed: npm install --ignore-scripts ${names}`)
  }
  // An absolute path, because the child process has another working directory.
  const folder = models_dir === null ? null : resolve(models_dir, MODEL)
  if (folder === null || FILES.some((file) => !existsSync(join(folder, file)))) {
    throw new OcrNotInstalled(`PP-OCR needs ${FILES.join(', ')} in the folder '${MODEL}' of OCTAVO_MODELS_DIR.`)
  }
  return folder
}

function isInstalled(name: string): boolean {
  try {
    return existsSync(fileURLToPath(import.meta.resolve(name)))
  } catch {
    return false
  }
}

/** Its add-ons are outside of Node's permissions; these keep the JavaScript around them from the network, from writing and from starting others. */
const FLAGS = [
  '--permission',
  '--allow-addons',
  '--allow-fs-read=*',
  '--no-experimental-sqlite',
  '--no-warnings',
  '--max-old-space-size=512',
]

function spawnChild(sandbox: Sandbox, folder: string): SandboxProcess {
  return sandbox.launch({
    program: process.execPath,
    args: [...FLAGS, fileURLToPath(MAIN), folder],
    reads: [...listReadable(), folder],
    data_bytes: MAX_DATA_BYTES,
    cpu_seconds: MAX_CPU_SECONDS,
  })
}

function confidenceOf(words: readonly Word[]): number {
  const letters = words.reduce((sum, word) => sum + word.text.length, 0)
  return letters === 0 ? 0 : words.reduce((sum, word) => sum + (word.confidence ?? 0) * word.text.length, 0) / letters
}
