// The extract process: parses files and recognizes text for workers in other containers. It needs no setting, network
// or secret.

import { once } from 'node:events'
import { messageOf } from '@octavo/base/unknown.ts'
import { detectLevel } from '@octavo/extract/sandbox/detect.ts'
import { serveSandbox } from '@octavo/extract/sandbox/server.ts'

const path = process.argv[2] ?? '/sandbox/extract.sock'
// The group of the socket's folder is that of the workers; other users have no access.
process.umask(0o007)
try {
  const server = await serveSandbox(path)
  process.stdout.write(`Extracting at ${path}, sandbox level ${detectLevel().level}.\n`)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0))
  await once(server, 'close')
} catch (error) {
  process.stderr.write(`The socket '${path}' cannot be opened: ${messageOf(error)}.\n`)
  process.exit(1)
}
