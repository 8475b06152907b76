// The pages under /sign-in. They are outside of the API: they take a session cookie and no key, the API takes a key and
// no cookie.

import type { FastifyInstance, FastifyReply } from 'fastify'
import type { App } from '../app.ts'
import {
  addPasskey,
  changePassword,
  endSessions,
  removePasskey,
  revokeAuthorization,
  showAccount,
  signOut,
} from './account.ts'
import { acceptInvitation, showInvitation } from './invitation.ts'
import { type PageResult, prefixOf, SCRIPT, STYLE, sendPage } from './page.ts'
import { chooseAccount, showSignIn, submitPasskey, submitPassword } from './password-sign-in.ts'
import { Passwords } from './passwords.ts'
import { sendProblem } from './problems.ts'
import { goToProvider, linkProvider, returnFromProvider } from './provider-sign-in.ts'
import { showNewPassword, showResetHelp, submitNewPassword, submitResetRequest } from './reset.ts'
import { type SignInApp, Visit } from './visit.ts'

const MAX_FORM_BYTES = 64 * 1024

type PageHandler = (visit: Visit) => Promise<PageResult> | PageResult

export function serveSignIn(server: FastifyInstance, openedApp: App): void {
  const app: SignInApp = { ...openedApp, passwords: new Passwords() }
  server.addHook('onClose', () => app.passwords.close())
  server.register((scope, _options, done) => {
    scope.setErrorHandler((error, request, reply) => sendProblem(app, error, request, reply))
    const show = (path: string, handle: PageHandler): void => {
      scope.get(path, async (request, reply) => answer(await Visit.open(app, request, reply), handle))
    }
    const submit = (path: string, handle: PageHandler): void => {
      scope.post(path, { bodyLimit: MAX_FORM_BYTES }, async (request, reply) => {
        const visit = await Visit.open(app, request, reply)
        visit.checkForm()
        return answer(visit, handle)
      })
    }
    scope.get('/sign-in/style.css', (_, reply) => sendAsset(reply, 'text/css; charset=utf-8', STYLE))
    scope.get('/sign-in/passkeys.js', (_, reply) => sendAsset(reply, 'text/javascript; charset=utf-8', SCRIPT))
    show('/sign-in', showSignIn)
    submit('/sign-in', submitPassword)
    submit('/sign-in/passkey', submitPasskey)
    submit('/sign-in/choice', chooseAccount)
    show('/sign-in/invitations/:secret', showInvitation)
    submit('/sign-in/invitations/:secret', acceptInvitation)
    show('/sign-in/reset', showResetHelp)
    submit('/sign-in/reset', submitResetRequest)
    show('/sign-in/resets/:secret', showNewPassword)
    submit('/sign-in/resets/:secret', submitNewPassword)
    show('/sign-in/provider', goToProvider)
    show('/sign-in/provider/callback', returnFromProvider)
    submit('/sign-in/account/provider', linkProvider)
    submit('/sign-in/sign-out', signOut)
    show('/sign-in/account', showAccount)
    submit('/sign-in/account/sessions', endSessions)
    submit('/sign-in/account/authorizations', revokeAuthorization)
    submit('/sign-in/account/password', changePassword)
    submit('/sign-in/account/passkeys', addPasskey)
    submit('/sign-in/account/passkeys/removal', removePasskey)
    done()
  })
}

const sendAsset = (reply: FastifyReply, type: string, text: string): FastifyReply =>
  reply.headers({ 'content-type': type, 'cache-control': 'public, max-age=300' }).send(text)

async function answer(visit: Visit, handle: PageHandler): Promise<FastifyReply> {
  const result = await handle(visit)
  const { base_url } = visit.app.config
  const reply = visit.reply.header('cache-control', 'no-store')
  if ('leave_to' in result) return reply.redirect(result.leave_to, 303)
  if ('redirect_to' in result) return reply.redirect(prefixOf(base_url) + result.redirect_to, 303)
  return sendPage(visit.reply, base_url, result)
}
