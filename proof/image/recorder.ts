// Loaded before a process (`node --import`): notes the packages that it loads. SIGUSR2 writes their names to OCTAVO_LOADED.

import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const packages = new Set<string>()

registerHooks({
  load(url, context, next) {
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]
    if (name !== undefined) packages.add(name)
    return next(url, context)
  },
})

process.on('SIGUSR2', () => writeFileSync(process.env.OCTAVO_LOADED!, [...packages].toSorted().join('\n')))
