// Checks the weights of the built-in models and the OCR engine.

import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openOcr } from '@octavo/extract/ocr/open.ts'
import { OcrNotInstalled } from '@octavo/extract/ocr/paddle.ts'
import { bge, type EmbedderSpec, minilm, publicMinilm, specsIn, TOKENIZER_FILES, WEIGHTS } from '../ai/engine/specs.ts'
import { type Check, type Finding, failed, ok, warning } from './finding.ts'
import { isImage } from './operator-commands.ts'
import { lacking, type Settings } from './settings.ts'

/** Features that are missing without each model. */
const LOSSES: readonly [EmbedderSpec, string][] = [
  [minilm, 'Without it search, answers and summaries use keywords only, and embeddings are not available.'],
  [bge, 'Without it sentiment and topics are not available.'],
]

export function modelChecks(settings: Settings): Check[] {
  return [
    { name: 'models', run: () => lookAtWeights(settings) },
    { name: 'ocr', run: () => lookAtOcr(settings) },
  ]
}

const NONE = 'search, answers and summaries use keywords only; embeddings, sentiment and topics are not available'

/** The fix, with its commands. */
function wayOf(models_dir: string): [string, ...string[]] {
  if (isImage())
    return [
      `Build the image with its models, or download them in a checkout and mount that directory at ${models_dir}:`,
      'npm run fetch-models -- data/models',
    ]
  return ['Download the weights, then restart the processes:', `npm run fetch-models -- ${models_dir}`]
}

async function lookAtWeights({ config }: Settings): Promise<Finding> {
  const { models_dir, models } = config
  if (models_dir === null) {
    if (models.models.some(({ kind }) => kind === 'embedder'))
      return ok('No built-in weights; an embedder on another server is used.')
    const [, command = ''] = wayOf('data/models')
    return warning(
      `OCTAVO_MODELS_DIR is not set: ${NONE}.`,
      'Download the weights and set OCTAVO_MODELS_DIR to their directory:',
      command,
    )
  }
  if (!existsSync(models_dir))
    return failed(
      `The models directory '${models_dir}' (OCTAVO_MODELS_DIR) does not exist: ${NONE}.`,
      ...wayOf(models_dir),
    )
  if (readdirSync(models_dir).length === 0)
    return warning(`The models directory '${models_dir}' (OCTAVO_MODELS_DIR) is empty: ${NONE}.`, ...wayOf(models_dir))
  for (const [spec, loss] of LOSSES) {
    const problem = await findProblem(spec, models_dir)
    if (problem) return failed(`${problem} ${loss}`, ...wayOf(models_dir))
  }
  return ok(`${LOSSES.map(([{ folder }]) => folder).join(' and ')} are in '${models_dir}', unchanged.`)
}

async function findProblem({ id, folder }: EmbedderSpec, dir: string): Promise<string | null> {
  const absent = [WEIGHTS, ...TOKENIZER_FILES].find((name) => !existsSync(join(dir, folder, name)))
  if (absent !== undefined) return `The model ${folder} is missing: '${join(dir, folder, absent)}' does not exist.`
  const known = [minilm, publicMinilm, bge].filter((one) => one.id === id).map(({ sha256 }) => sha256)
  if (specsIn(dir).some((one) => one.id === id) && known.includes(await hashOf(join(dir, folder, WEIGHTS)))) return null
  return `The model ${folder} is damaged or a different version: '${join(dir, folder, WEIGHTS)}' has an unknown SHA-256.`
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

async function lookAtOcr(settings: Settings): Promise<Finding> {
  const lack = lacking(settings, 'OCR_ENGINE')
  if (lack) return lack
  const { ocr, models_dir } = settings.config
  const install = 'Install it with the languages of your scans, as on Debian, or set OCR_ENGINE=auto:'
  try {
    const engine = await openOcr({ ...ocr, models_dir })
    if (engine === null)
      return failed(
        ocr.engine === 'tesseract'
          ? 'OCR_ENGINE is tesseract, but there is no tesseract with a language on the PATH.'
          : 'No OCR engine is installed, so scans cannot be read.',
        install,
        'apt-get install tesseract-ocr tesseract-ocr-deu',
      )
    const languages = await engine.languages()
    await engine.close()
    return ok(`${engine.id} ${engine.version} reads scans in ${namesOf(languages)}.`)
  } catch (error) {
    if (error instanceof OcrNotInstalled)
      return failed(`OCR_ENGINE is pp_ocr. ${error.message}`, 'Install it, or set OCR_ENGINE=auto.')
    throw error
  }
}

const namesOf = (languages: readonly string[]): string =>
  languages.length <= 8
    ? languages.join(', ')
    : `${languages.slice(0, 8).join(', ')} and ${languages.length - 8} more languages`
