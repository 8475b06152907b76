// LibreOffice and pandoc, when they are there. LibreOffice takes long to start: all files of one target go in one call.

import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const MINUTES_MS = 60_000
const tools = {
  soffice: 'LibreOffice (Debian: apt install libreoffice-writer libreoffice-calc libreoffice-impress)',
  pandoc: 'pandoc (Debian: apt install pandoc)',
  'fc-list': 'fontconfig and fonts (Debian: apt install fontconfig fonts-liberation fonts-noto-core fonts-noto-cjk)',
} as const
type Tool = keyof typeof tools

const FONTS = ['Liberation Serif', 'Noto Naskh Arabic', 'Noto Serif CJK SC', 'Noto Serif CJK JP']

/** Missing tools, with the packages to install. */
export function findMissing(): { tool: Tool; install: string }[] {
  const isThere = (tool: Tool): boolean => {
    try {
      const said = execFileSync(tool, tool === 'fc-list' ? [':', 'family'] : ['--version'], {
        encoding: 'utf8',
        timeout: MINUTES_MS,
      })
      return tool !== 'fc-list' || FONTS.every((font) => said.includes(font))
    } catch {
      return false
    }
  }
  return (Object.keys(tools) as Tool[]).filter((tool) => !isThere(tool)).map((tool) => ({ tool, install: tools[tool] }))
}

/** Each source becomes a file of the same name with another ending, in `out`. */
export function convertByOffice(sources: readonly string[], filter: string, out: string): void {
  const profile = join(out, '.profile')
  mkdirSync(profile, { recursive: true })
  const settings = [`-env:UserInstallation=${pathToFileURL(profile).href}`, '--headless', '--norestore']
  try {
    execFileSync('soffice', [...settings, '--convert-to', filter, '--outdir', out, ...sources], {
      stdio: 'ignore',
      timeout: 5 * MINUTES_MS,
    })
  } finally {
    rmSync(profile, { recursive: true, force: true })
  }
}

export function convertByPandoc(source: string, target: string, options: readonly string[] = []): void {
  const fixed = ['--wrap=none', '--standalone', ...options]
  execFileSync('pandoc', [source, '-o', target, ...fixed], { stdio: 'ignore', timeout: MINUTES_MS })
}
