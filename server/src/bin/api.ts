// The API process.

import { readConfigOrExit } from '../config.ts'
import { runProcess, serveRequests } from './process.ts'

await runProcess(readConfigOrExit(), [serveRequests])
