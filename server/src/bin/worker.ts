// The worker process. Several may run on one host and on many.

import { setPriority } from 'node:os'
import { readConfigOrExit } from '../config.ts'
import { runJobs, runProcess } from './process.ts'

// On a shared host, API requests take priority over background work.
setPriority(5)
await runProcess(readConfigOrExit(), [runJobs])
