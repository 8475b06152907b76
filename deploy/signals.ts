// Preloaded by every program of the image. PID 1 ignores signals without a handler, so stopping a container during
// startup would otherwise wait until the kill timeout.

import { constants } from 'node:os'

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal])
  })
