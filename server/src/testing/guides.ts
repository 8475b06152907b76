// The pages for users as a reader follows them: what they show to be run is run as it is written.

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const ROOT = new URL('../../../', import.meta.url)
const SHOWN_URL = 'http://127.0.0.1:3000'

/** What a page shows in one language, in its order. `path` is from the root of the repository. */
export function blocksOf(path: string, language: 'sh' | 'ts'): string[] {
  const page = readFileSync(new URL(path, ROOT), 'utf8')
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, block]) => block!)
}

export interface Reader {
  /** Where the server is that the page speaks of. */
  url: string
  key: string
  /** What else is set in the shell. */
  env?: Record<string, string>
  /** Where it is run; the root of the repository if absent. */
  cwd?: string
}

/** What it prints. Throws where it fails. */
export const runShell = (block: string, reader: Reader): Promise<string> => run('sh', ['-eu', '-c', block], reader)

export const runTypeScript = (block: string, reader: Reader): Promise<string> =>
  run(process.execPath, ['--input-type=module-typescript', '--eval', block.replaceAll(SHOWN_URL, reader.url)], reader)

async function run(program: string, args: string[], { url, key, env = {}, cwd = fileURLToPath(ROOT) }: Reader): Promise<string> {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH, NO_COLOR: '1', KEY: key, API: `${url}/api/v1`, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const [code, told, complaint] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  if (code !== 0) throw new Error(`It ended with ${code}: ${complaint}\n${told}\n${args.at(-1)}`)
  return told
}
