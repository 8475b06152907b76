// Loaded before every program of the image. The first process of a container does not end by a signal that nobody takes: whoever
// stops it while it still starts would wait for the end of their patience.

import { constants } from 'node:os'

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal])
  })
