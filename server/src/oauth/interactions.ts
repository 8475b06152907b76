// The page on which a user gives an application access, or refuses.

import { required } from '@octavo/base/required.ts'
import type { Scope } from '@octavo/contract'
import { scopeNames, scopes as scopeWords } from '@octavo/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Interaction, InteractionResults, Provider } from 'oidc-provider'
import type { App } from '../app.ts'
import { resourceNames, resourceUrl } from '../auth/access-token.ts'
import { CLI_CLIENT, isClientUrl } from '../lib/client-ids.ts'
import { html } from '../lib/html.ts'
import { readCookie } from '../sign-in/cookies.ts'
import { sendPage } from '../sign-in/page.ts'
import { sendProblem } from '../sign-in/problems.ts'
import { type CurrentSession, currentSession, signInUrl } from '../sign-in/sessions.ts'
import { formToken, isFormToken, isFromOtherSite } from '../sign-in/sign-in.rules.ts'
import { INTERACTIONS, oauthPaths } from './endpoints.ts'
import type { OauthServer } from './oauth-server.ts'
import { accountId, findAccount } from './subjects.ts'

/** One request of a browser in an interaction. */
interface Exchange {
  app: App
  provider: Provider
  details: Interaction
  session: CurrentSession
  account: string
  request: FastifyRequest
  reply: FastifyReply
}

export function serveInteractions(server: FastifyInstance, app: App, oauth: OauthServer): void {
  server.register((scope, _options, done) => {
    scope.setErrorHandler((error, request, reply) => sendProblem(app, error, request, reply))
    scope.get(`${INTERACTIONS}/:uid`, (request, reply) => visit(app, oauth, { request, reply }, ask))
    scope.post(`${INTERACTIONS}/:uid`, (request, reply) => visit(app, oauth, { request, reply }, decide))
    done()
  })
}

/** null: it has expired, or belongs to another browser. */
async function findInteraction(provider: Provider, request: FastifyRequest, reply: FastifyReply) {
  try {
    return await provider.interactionDetails(request.raw, reply.raw)
  } catch (error) {
    if (error instanceof Error && error.name === 'SessionNotFound') return null
    throw error
  }
}

async function visit(
  app: App,
  oauth: OauthServer,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  work: (exchange: Exchange) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const { base_url } = app.config
  const { provider } = await oauth.open()
  const details = await findInteraction(provider, request, reply)
  if (!details) return refuse(app, reply, 'This request has expired. Go back to the application and start again.')
  const session = await currentSession(app, request)
  if (!session) return reply.redirect(signInUrl(base_url, `${INTERACTIONS}/${details.uid}`), 303)
  const account = accountId(session.user.tenant, session.user.user)
  const client = await findClient(provider, details)
  if (!client) return refuse(app, reply, 'The application no longer exists.')
  if (client.tenant !== undefined && client.tenant !== account.split('.', 1)[0])
    return refuse(
      app,
      reply,
      'This application belongs to another tenant. Sign out, and sign in with an account of that tenant.',
    )
  return work({ app, provider, details, session, account, request, reply })
}

/** null: it was removed, or its document can no longer be read. */
async function findClient(provider: Provider, { params }: Interaction) {
  try {
    return (await provider.Client.find(String(params.client_id))) ?? null
  } catch (error) {
    if (error instanceof Error && error.name.startsWith('InvalidClient')) return null
    throw error
  }
}

const refuse = (app: App, reply: FastifyReply, text: string): FastifyReply =>
  sendPage(reply, app.config.base_url, {
    title: 'Error',
    status: 400,
    body: html`<h1>This does not work</h1><p>${text}</p>`,
  })

async function ask(exchange: Exchange): Promise<FastifyReply> {
  const { app, details, session, account, reply } = exchange
  if (details.prompt.name === 'consent') return showConsent(exchange)
  const earlier = details.session?.accountId
  if (earlier !== undefined && earlier !== account) return startAgain(exchange)
  const mustRepeat = ['login_prompt', 'max_age'].some((reason) => details.prompt.reasons.includes(reason))
  const isRepeated = session.signed_in_at.getTime() / 1000 >= details.iat
  if (mustRepeat && !isRepeated)
    return reply.redirect(signInUrl(app.config.base_url, `${INTERACTIONS}/${details.uid}`, { is_repeated: true }), 303)
  const ts = Math.floor(session.signed_in_at.getTime() / 1000)
  return reply.redirect(await finish(exchange, { login: { accountId: account, ts, remember: false } }), 303)
}

const finish = ({ provider, request, reply }: Exchange, result: InteractionResults): Promise<string> =>
  provider.interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission: true })

/** Another user signed in since: the flow begins again, without what the earlier user left. */
async function startAgain({ app, provider, details, reply }: Exchange): Promise<FastifyReply> {
  const earlier = await provider.Session.find(String(details.session?.cookie))
  await earlier?.destroy()
  await details.destroy()
  if (details.deviceCode !== undefined) {
    await refuseDevice(provider, details.deviceCode)
    const text = 'Another user was signed in to this browser before. Run octavo login again, and enter the new code.'
    return refuse(app, reply, text)
  }
  const params = Object.entries(details.params).map(([name, value]) => [name, String(value)])
  return reply.redirect(`${app.config.base_url}${oauthPaths.authorization}?${new URLSearchParams(params)}`, 303)
}

/** A code works once, so the device has to ask for another one. */
async function refuseDevice(provider: Provider, device_code: string): Promise<void> {
  const code = await provider.DeviceCode.find(device_code)
  if (!code || code.error !== undefined || code.accountId !== undefined) return
  Object.assign(code, { error: 'access_denied', errorDescription: 'Another user was signed in to the browser.' })
  await code.save()
}

const requestedScopes = ({ params }: Interaction): Scope[] => {
  const requested = String(params.scope ?? '').split(' ')
  return scopeNames.filter((scope) => requested.includes(scope))
}

async function showConsent({
  app,
  provider,
  details,
  session,
  account,
  request,
  reply,
}: Exchange): Promise<FastifyReply> {
  const client = required(await findClient(provider, details), 'client')
  const principal = await findAccount(app, account)
  const name = client.clientName ?? client.clientId
  const host = isClientUrl(client.clientId) ? new URL(client.clientId).host : null
  const target = URL.parse(String(details.params.redirect_uri ?? ''))
  const scopes = requestedScopes(details)
  const isWhole = client.clientId === CLI_CLIENT && scopes.length === scopeNames.length
  const items = scopes.map((scope) => {
    const note = principal?.scopes.has(scope) ? '' : ' (your role does not allow this)'
    return html`<li>${scopeWords[scope]}${note}</li>`
  })
  const token = formToken(required(readCookie(request, app.config.base_url, 'session'), 'session'))
  return sendPage(reply, app.config.base_url, {
    title: `Give access to ${name}`,
    body: html`<h1>Give ${name} access?</h1>
<p>You are signed in as <strong>${session.user.email}</strong> in ${session.user.tenant_name}.</p>
${host && html`<p>This application is not registered in Octavo. It describes itself at <strong>${host}</strong>. Continue only if you know this host.</p>`}
${target?.host ? html`<p>You return to <strong>${target.host}</strong>.</p>` : null}
${
  isWhole
    ? html`<p>${name} will be able to do everything that your role, <strong>${session.user.role}</strong>, allows.</p>`
    : html`<p>${name} will be able to:</p>
<ul>${items}</ul>`
}
<p>The access lasts until you revoke it on your <a href="${app.config.base_url}/sign-in/account">account page</a>, at most one year. ${name} never sees your password.</p>
<form method="post">
<input type="hidden" name="form_token" value="${token}">
<button name="answer" value="allow">Allow</button>
<button name="answer" value="deny" class="second">Cancel</button>
</form>`,
  })
}

async function decide(exchange: Exchange): Promise<FastifyReply> {
  const { app, provider, details, account, request, reply } = exchange
  const { base_url } = app.config
  const form = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString() : '')
  const secret = required(readCookie(request, base_url, 'session'), 'session')
  if (isFromOtherSite(request.headers, base_url) || !isFormToken(form.get('form_token') ?? '', secret))
    return refuse(
      app,
      reply,
      'This form has expired or came from another site. Go back to the application and start again.',
    )
  if (details.prompt.name !== 'consent') return refuse(app, reply, 'Go back to the application and start again.')
  const next =
    form.get('answer') === 'allow'
      ? await finish(exchange, { consent: { grantId: await giveAccess(provider, details, account, base_url) } })
      : await finish(exchange, { error: 'access_denied', error_description: 'The user refused.' })
  // A page instead of a redirect: the policy of the form's page would block the way to the application.
  return sendPage(reply, base_url, {
    title: 'Continue',
    continue_to: next.slice(base_url.length),
    body: html`<p>You are being returned to the application. <a href="${next}">Continue</a></p>`,
  })
}

async function giveAccess(
  provider: Provider,
  details: Interaction,
  account: string,
  base_url: string,
): Promise<string> {
  const known = details.grantId === undefined ? undefined : await provider.Grant.find(details.grantId)
  const grant = known ?? new provider.Grant({ accountId: account, clientId: String(details.params.client_id) })
  const scopes = requestedScopes(details)
  // The user agrees to scopes. A token is for one resource, but the grant has the same scopes for all of them.
  for (const name of scopes.length > 0 ? resourceNames : [])
    grant.addResourceScope(resourceUrl(base_url, name), scopes.join(' '))
  grant.addOIDCScope('offline_access')
  return grant.save()
}
