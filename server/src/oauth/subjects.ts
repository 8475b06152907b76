// The parts of App that the authorization server uses.

import type { Needs } from '../app.ts'

export type OauthNeeds = Needs<'config' | 'db' | 'system' | 'log' | 'limiter'>
