// The API process.

import { readConfigOrExit } from '../config/config.ts'
import { runProcess, serveRequests } from './process.ts'
import { loadSecretFilesOrExit } from './secret-files.ts'

loadSecretFilesOrExit()
await runProcess(readConfigOrExit(), [serveRequests])
