// The tables of docs/configuration.md, from the table that the server reads its settings by.

import { type Setting, settingGroups } from '../server/src/config/settings.ts'

const BEGIN = '<!-- Settings: written by `npm run openapi` from server/src/config/settings.ts. -->'
const END = '<!-- End of the settings. -->'

function printDefault({ is_required, fallback, follows, words }: Setting): string {
  if (is_required) return is_required === true ? 'required' : `required ${is_required}`
  const value = follows ?? fallback ?? words?.[0]
  return value === undefined ? '' : `\`${value}\``
}

function printMeaning({ meaning, least = 0, most, words }: Setting): string {
  const choice = words && `(${words.map((word) => `\`${word}\``).join(', ')})`
  const bounds = most === undefined ? least > 1 && `(at least ${least})` : `(${least}–${most})`
  return [meaning, choice ?? bounds].filter(Boolean).join(' ')
}

function printGroup(title: string, group: Readonly<Record<string, Setting>>): string {
  const rows = Object.entries(group).map(
    ([name, setting]) => `| \`${name}\` | ${printDefault(setting)} | ${printMeaning(setting)} |`,
  )
  return [`## ${title}`, '', '| variable | default | meaning |', '|---|---|---|', ...rows, ''].join('\n')
}

/** Returns `page` with regenerated tables; the text around them is written by hand. */
export function printConfigurationPage(page: string): string {
  const [before, rest] = page.split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined)
    throw new Error(`docs/configuration.md needs the lines '${BEGIN}' and '${END}'.`)
  const tables = Object.entries(settingGroups).map(([title, group]) => printGroup(title, group))
  return [before, BEGIN, '\n\n', tables.join('\n'), '\n', END, after].join('')
}
