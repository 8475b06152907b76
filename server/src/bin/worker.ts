// The worker process. Run any number, on one host or several.

import { setPriority } from 'node:os'
import { readConfigOrExit } from '../config/config.ts'
import { runInline } from '../text/thread.ts'
import { runJobs, runProcess } from './process.ts'
import { loadSecretFilesOrExit } from './secret-files.ts'

// On a shared host, API requests take priority over background work.
setPriority(5)
runInline()
loadSecretFilesOrExit()
await runProcess(readConfigOrExit(), [runJobs])
