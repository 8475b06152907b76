// Writes THIRD_PARTY_NOTICES.md from package-lock.json; `--check` fails if it is stale or if a package has a license that
// is not on the list below.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface LicensesEntry {
  version?: string
  license?: string
  dev?: boolean
  link?: boolean
  optionalDependencies?: Record<string, string>
}
export interface Package {
  name: string
  version: string
  license: string
  isShipped: boolean
}

const PERMISSIVE = ['MIT', 'MIT-0', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', '0BSD', 'Unlicense', 'Zlib']
/** MPL-2.0 only covers changes to its files, so it is fine for packages that we run but do not ship. */
const TOOLS_ONLY = [...PERMISSIVE, 'MPL-2.0']

/** Understands `MIT`, `(MIT OR CC0-1.0)` and `(MIT AND Zlib)`. */
export function isAllowed(license: string, allowed: readonly string[]): boolean {
  const expression = license.replace(/[()]/g, '')
  return expression.split(' OR ').some((choice) => choice.split(' AND ').every((name) => allowed.includes(name.trim())))
}

export function packagesIn(packages: Record<string, LicensesEntry>): Package[] {
  const parents = new Map<string, string>()
  for (const { license, optionalDependencies = {} } of Object.values(packages))
    for (const name of Object.keys(optionalDependencies)) if (license) parents.set(name, license)
  const found = Object.entries(packages).flatMap(([path, { version = '', license, dev = false, link }]) => {
    const at = path.lastIndexOf('node_modules/')
    if (at < 0 || link) return []
    const name = path.slice(at + 'node_modules/'.length)
    // The lockfile knows no license of a platform package that was never installed: it has that of its parent.
    return [{ name, version, license: license ?? parents.get(name) ?? 'unknown', isShipped: !dev }]
  })
  return found.toSorted((a, b) => (a.name + a.version < b.name + b.version ? -1 : 1))
}

export const refused = (packages: readonly Package[]): string[] =>
  packages
    .filter(({ license, isShipped }) => !isAllowed(license, isShipped ? PERMISSIVE : TOOLS_ONLY))
    .map(({ name, version, license }) => `${name}@${version}: ${license}`)

function notices(packages: readonly Package[]): string {
  const rows = packages
    .filter(({ isShipped }) => isShipped)
    .map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`)
  return `# Third-party notices

Octavo is licensed under the [Apache License 2.0](LICENSE). Its image and its server install the packages below; each
package contains its own license text under \`node_modules/<package>\`. \`node tools/licenses.ts\` writes this page from
\`package-lock.json\`, and \`npm run check\` refuses a package whose license is not permissive.

Model weights are not part of the repository; docs/operations.md names the license of each.

| package | version | license |
| --- | --- | --- |
${[...new Set(rows)].join('\n')}
`
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LicensesEntry>
  }
  const packages = packagesIn(lockfile.packages)
  const problems = refused(packages)
  const page = notices(packages)
  const path = join(root, 'THIRD_PARTY_NOTICES.md')
  if (!process.argv.includes('--check')) writeFileSync(path, page)
  else if (readFileSync(path, 'utf8') !== page) problems.push('THIRD_PARTY_NOTICES.md is stale: node tools/licenses.ts')
  for (const problem of problems) console.error(problem)
  if (problems.length === 0) console.log(`${packages.length} packages, every license allowed`)
  process.exitCode = problems.length ? 1 : 0
}
