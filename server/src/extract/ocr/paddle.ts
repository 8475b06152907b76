// PP-OCR: better than Tesseract on what is hard to read, at several times the processor time and memory. Its packages are
// not installed by default and its weights are the operator's.

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Word } from '../layout/types.ts'
import { type OcrEngine, UnsupportedLanguage } from './ocr.ts'
import { type OcrChild, OcrProcesses } from './process.ts'
import { wordsOfLines } from './text-lines.ts'

const MAIN = new URL('paddle.child.ts', import.meta.url)
const MODEL = 'pp-ocrv6-small'
const FILES = ['det.onnx', 'rec.onnx', 'dict.txt']
const PACKAGES = { 'ppu-paddle-ocr': '6.3.0', '@napi-rs/canvas': '1.1.0', 'onnxruntime-node': '1.30.0' }
const DEADLINE_MS = 180_000
// One model reads them all; what is written in other scripts comes out as rubbish.
const LANGUAGES = ['de', 'en', 'es', 'fr', 'it', 'ja', 'pl', 'zh']

export class OcrNotInstalled extends Error {}

/** Throws `OcrNotInstalled` with what to do. */
export function openPaddle(models_dir: string | null): OcrEngine {
  const folder = checkInstalled(models_dir)
  const processes = new OcrProcesses(() => spawnChild(folder), DEADLINE_MS)
  return {
    id: 'pp_ocr',
    version: MODEL,
    languages: async () => LANGUAGES,
    async read({ width, height, dpi, pixels }, { languages, signal }) {
      const unknown = languages.find((tag) => !LANGUAGES.includes(tag.toLowerCase().split('-')[0] as string))
      if (unknown) throw new UnsupportedLanguage(unknown, LANGUAGES)
      const answer = (await processes.ask({ width, height, dpi, names: [] }, pixels, signal)) as Parameters<
        typeof wordsOfLines
      >[0]
      const words = wordsOfLines(answer)
      return { words, confidence: confidenceOf(words), languages: [...languages], turned: 0 }
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
const FLAGS = ['--permission', '--allow-addons', '--allow-fs-read=*', '--no-warnings', '--max-old-space-size=512']

function spawnChild(folder: string): OcrChild {
  const child = spawn(process.execPath, [...FLAGS, fileURLToPath(MAIN), folder], {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.once('spawn', () => {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  })
  return child
}

function confidenceOf(words: readonly Word[]): number {
  const letters = words.reduce((sum, word) => sum + word.text.length, 0)
  return letters === 0 ? 0 : words.reduce((sum, word) => sum + (word.confidence ?? 0) * word.text.length, 0) / letters
}
