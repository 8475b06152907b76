// Where data is kept: the database, files, weights.

import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bge, minilm } from '../../server/src/ai/engine/specs.ts'
import { weightsDir } from '../../server/src/testing/weights.ts'
import { openBucket } from './bucket.ts'
import { createBare, createOld, migrate } from './databases.ts'
import { SECRET, type Setup } from './setup.ts'

function withPassword(url: string, password: string): string {
  const changed = new URL(url)
  changed.password = password
  return changed.href
}

const FILL =
  'mount -t tmpfs -o size="$1" tmpfs "$0" && { head -c 200M /dev/zero >"$0/filler" 2>/dev/null; shift; exec "$@"; }'
/** Runs a program with a separate file system of this size mounted there, 200 MB of it used. */
const onVolume = (dir: string, size: string): string[] => [
  'unshare',
  '--map-root-user',
  '--mount',
  'sh',
  '-c',
  FILL,
  dir,
  size,
]

export const dataSetups: readonly Setup[] = [
  {
    name: 'wrong password',
    check: 'database',
    status: 'failed',
    says: /^The password of 'octavo_app' in DATABASE_URL is wrong\.$/,
    remedy: /Correct the password in DATABASE_URL.*\\password octavo_app/s,
    make: async (well) => ({
      broken: [{ env: { ...well, DATABASE_URL: withPassword(well.DATABASE_URL!, SECRET) } }],
      repair: async () => ({ env: well }),
    }),
  },
  {
    name: 'wrong role',
    check: 'role',
    status: 'failed',
    says: /^DATABASE_URL connects as '\w+', (which (owns tables|is a superuser): |but the database policies name only )/,
    remedy: /Connect as octavo_app.*DATABASE_URL=postgres:\/\/octavo_app:<password>@/s,
    make: async (well) => ({
      broken: [
        { env: { ...well, DATABASE_URL: well.DATABASE_OWNER_URL! } },
        { env: { ...well, DATABASE_URL: well.DATABASE_SYSTEM_URL! } },
        { env: { ...well, DATABASE_URL: well.DATABASE_ADMIN_URL! } },
      ],
      repair: async () => ({ env: well }),
    }),
  },
  {
    name: 'missing extension',
    check: 'extension',
    status: 'failed',
    says: /^The extension pgvector is not in the database 'octavo_proof_\w+'/,
    remedy: /create extension vector.*npm run migrate/s,
    async make(well) {
      const bare = await createBare(well)
      return {
        broken: [{ env: bare.env }],
        async repair() {
          await bare.asAdmin('create extension vector')
          await migrate(bare.env)
          return { env: bare.env }
        },
        clear: () => bare.drop(),
      }
    },
  },
  {
    name: 'old schema',
    check: 'schema',
    status: 'failed',
    says: /^The database is older than this program: it lacks \d{4}_\w+, \d{4}_\w+\.$/,
    remedy: /npm run migrate/,
    async make(well) {
      const old = await createOld(well, 2)
      return {
        broken: [{ env: old.env }],
        async repair() {
          await migrate(old.env)
          return { env: old.env }
        },
        clear: () => old.drop(),
      }
    },
  },
  {
    name: 'bucket missing',
    check: 'storage',
    status: 'failed',
    says: /^The bucket 'octavo-proof-[\w-]+' does not exist at http/,
    remedy: /Create it, or correct S3_BUCKET.*aws s3 mb s3:\/\/octavo-proof-[\w-]+ --endpoint-url http/s,
    async make(well) {
      const bucket = await openBucket(well, { is_missing: true })
      return {
        broken: [{ env: bucket.env }],
        async repair() {
          await bucket.create()
          return { env: bucket.env }
        },
        clear: () => bucket.close(),
      }
    },
  },
  {
    name: 'model missing',
    check: 'models',
    status: 'failed',
    says: /^The model bge-small-en-v1\.5 is missing: .* sentiment/,
    remedy: /download.*npm run fetch-models -- /is,
    async make(well) {
      const dir = mkdtempSync(join(tmpdir(), 'octavo-models-'))
      const link = ({ folder }: { folder: string }): void => symlinkSync(join(weightsDir(), folder), join(dir, folder))
      link(minilm)
      const env = { ...well, OCTAVO_MODELS_DIR: dir }
      return {
        broken: [{ env }],
        async repair() {
          link(bge)
          return { env }
        },
        clear: async () => rmSync(dir, { recursive: true }),
      }
    },
  },
  {
    name: 'full disk',
    check: 'disk',
    status: 'failed',
    says: /^The disk is full: 0 MB of \d+ MB is free/,
    remedy: /Enlarge the volume, or delete files.*df -h/s,
    async make(well) {
      const dir = mkdtempSync(join(tmpdir(), 'octavo-volume-'))
      const env = { ...well, FILES_DIR: dir }
      return {
        broken: [{ env, before: onVolume(dir, '200m') }],
        repair: async () => ({ env, before: onVolume(dir, '2g') }),
        clear: async () => rmSync(dir, { recursive: true }),
      }
    },
  },
]
