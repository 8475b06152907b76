// Whether bytes can be kept, read and removed, where the server would keep them.

import { relative } from 'node:path'
import type { Installation } from './connections.ts'
import type { Check } from './finding.ts'
import type { Settings } from './settings.ts'
import { lookAtDirectory, lookAtVolume } from './storage-disk.ts'
import { storageInBucket } from './storage-s3.ts'
import { lookForFiles } from './stored-files.ts'

export function storageChecks(installation: Installation): Check[] {
  return [...placeChecks(installation), { name: 'files', run: () => lookForFiles(installation) }]
}

function placeChecks(settings: Settings): Check[] {
  const { dir, driver } = settings.config.files
  const { is_single, env } = settings
  const data = env.OCTAVO_DATA_DIR || 'data'
  // The secret is kept there; mostly the files are in the same directory, and their check covers both.
  const is_apart = is_single && (driver === 's3' || !isWithin(dir, data))
  const more: Check[] = is_apart
    ? [{ name: 'data', run: () => lookAtDirectory(settings, 'OCTAVO_DATA_DIR', data) }]
    : []
  if (driver === 's3') return [{ name: 'storage', run: () => storageInBucket(settings) }, ...more]
  return [
    { name: 'storage', run: () => lookAtDirectory(settings, 'FILES_DIR', dir) },
    { name: 'disk', run: () => lookAtVolume(settings, dir) },
    ...more,
  ]
}

const isWithin = (path: string, dir: string): boolean => !relative(dir, path).startsWith('..')
