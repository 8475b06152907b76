// Users for proofs, created through the API.

import type { NewUser } from '@octavo/contract'
import type { Octavo, User } from '@octavo/sdk'

let users = 0
/** `owner` is the SDK with a key that may create users. */
export const newUser = (owner: Octavo, user: Pick<NewUser, 'role' | 'project_access'>): Promise<User> =>
  owner.users.create({ email: `person${++users}@example.com`, name: 'Ada Okafor', ...user })
