// The worker process. Several may run on one host and on many.

import { setPriority } from 'node:os'
import { readConfigOrExit } from '../config.ts'
import { runJobs, runProcess } from './process.ts'

// Who waits for an answer comes before work in the background, where both are on one host.
setPriority(5)
await runProcess(readConfigOrExit(), [runJobs])
