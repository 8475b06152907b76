// The directory of files, and the room on its volume.

import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { codeOf, type Finding, failed, ok, reasonOf, skipped, warning } from './finding.ts'
import { lacking, type Settings } from './settings.ts'

const MB = 1_000_000
const FAIL_BYTES = 100 * MB
const WARN_BYTES = 1_000 * MB
const WARN_SHARE = 0.05

const full = new Set(['ENOSPC', 'EDQUOT'])

export async function lookAtDirectory(settings: Settings, name: string, dir: string): Promise<Finding> {
  const lack = lacking(settings, 'FILES_DIR', 'FILES_DRIVER', 'OCTAVO_DATA_DIR')
  if (lack) return lack
  const path = resolve(dir)
  const there = await findAncestor(path)
  // The server makes it at its first file; here nothing is left behind.
  const probe = join(there, `.octavo-doctor-${randomUUID()}`)
  try {
    await mkdir(probe, { mode: 0o700 })
    const bytes = Buffer.from('octavo')
    await writeFile(join(probe, 'probe'), bytes, { flush: true })
    if (!(await readFile(join(probe, 'probe'))).equals(bytes))
      return failed(
        `'${path}' returns different bytes than were written.`,
        'Check the disk, and read the kernel log:',
        'dmesg --level err',
      )
  } catch (error) {
    return await explain(error, name, path)
  } finally {
    await rm(probe, { recursive: true, force: true }).catch(() => {})
  }
  if (there !== path) return ok(`'${path}' does not exist yet and can be created.`)
  return ok(`Files can be written to, read from and removed from '${path}'.`)
}

async function explain(error: unknown, name: string, path: string): Promise<Finding> {
  const code = codeOf(error)
  const there = await findAncestor(path)
  const { username, uid, gid } = userInfo()
  if (full.has(code)) {
    const { free_bytes } = await readVolume(there)
    if (free_bytes < FAIL_BYTES) return skipped('Writing failed: the disk is full; see disk.')
    return failed(
      `Writing to '${path}' fails although its volume has free space: a quota or the inodes are used up.`,
      `Check the quota of '${username}' and the inodes of the volume, and raise or free them:`,
      'quota -s',
      `df -i ${there}`,
    )
  }
  if (code === 'EACCES' || code === 'EPERM')
    return failed(
      `The user '${username}' (${uid}) may not write to '${there}', where ${name} is.`,
      "Make Octavo's user the owner of the directory:",
      `mkdir -p ${path} && chown -R ${uid}:${gid} ${path}`,
    )
  return failed(
    `Files cannot be stored in '${path}' (${name}): ${reasonOf(error)}.`,
    `Correct ${name}, or mount the missing volume.`,
  )
}

/** Itself, or the nearest directory above it that exists. */
async function findAncestor(path: string): Promise<string> {
  for (let one = path; ; one = dirname(one)) {
    const found = await stat(one).catch(() => null)
    if (found || one === dirname(one)) return one
  }
}

interface Volume {
  free_bytes: number
  total_bytes: number
  free_files: number
  total_files: number
}

async function readVolume(path: string): Promise<Volume> {
  const { bavail, blocks, bsize, ffree, files } = await statfs(path)
  return { free_bytes: bavail * bsize, total_bytes: blocks * bsize, free_files: ffree, total_files: files }
}

export async function lookAtVolume(settings: Settings, dir: string): Promise<Finding> {
  const lack = lacking(settings, 'FILES_DIR', 'FILES_DRIVER', 'OCTAVO_DATA_DIR')
  if (lack) return lack
  const path = await findAncestor(resolve(dir))
  return judgeVolume(await readVolume(path), path)
}

export function judgeVolume({ free_bytes, total_bytes, free_files, total_files }: Volume, path: string): Finding {
  if (total_bytes === 0) return skipped(`The volume of '${path}' does not report its free space.`)
  const share = free_bytes / total_bytes
  const room = `${byteText(free_bytes)} of ${byteText(total_bytes)} is free on the volume of '${path}'`
  const remedy = 'Enlarge the volume, or delete files. To find large ones:'
  const commands = [`df -h ${path}`, `du -xh --max-depth=2 ${path} | sort -h | tail`]
  // Some file systems count no files.
  if (total_files > 0 && free_files === 0)
    return failed(`The volume of '${path}' cannot store more files: its inodes are used up.`, remedy, `df -i ${path}`)
  if (free_bytes < FAIL_BYTES) return failed(`The disk is full: ${room}. Uploads fail.`, remedy, ...commands)
  if (free_bytes < WARN_BYTES || share < WARN_SHARE)
    return warning(`The disk is nearly full: ${room}.`, remedy, ...commands)
  return ok(`${room}.`)
}

export const byteText = (bytes: number): string =>
  bytes >= 1_000 * MB ? `${(bytes / (1_000 * MB)).toFixed(1)} GB` : `${Math.floor(bytes / MB)} MB`
