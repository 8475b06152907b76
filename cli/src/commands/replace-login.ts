import { explain } from '../errors.ts'
import { DEFAULT_URL, type Login, readSound, saveLogin } from '../login.ts'
import { revokeAccess } from '../oauth.ts'
import { withLoginLock } from '../tokens.ts'
import { clean } from '../width.ts'
import type { Session } from './session.ts'

/** Saves a login and revokes the tokens of the previous one, which are no longer stored anywhere. */
export async function replaceLogin({ terminal }: Session, login: Login): Promise<void> {
  await withLoginLock(async () => {
    const { url = DEFAULT_URL, tokens } = readSound()
    saveLogin(login)
    if (!tokens) return
    await revokeAccess(url, tokens).catch((error: unknown) => {
      const { message } = explain(error, url)
      terminal.remark(
        `Your earlier access was not revoked. Revoke it at ${url}/sign-in/account. (${clean(message ?? 'No reason given.')})`,
      )
    })
  })
}
