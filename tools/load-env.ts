// The settings of a checkout, from the file .env where there is one. Node's own option for it speaks of a missing file at every start.

import { existsSync } from 'node:fs'

if (existsSync('.env')) process.loadEnvFile('.env')
