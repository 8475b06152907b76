// A web application that reads documents of its users. They sign in at Octavo and agree; the application never sees a
// password or an API key. It keeps tokens in memory; a real one encrypts and stores them.

import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { AuthenticationError, Octavo } from '@octavo/sdk'
import * as oauth from 'openid-client'

const OCTAVO_URL = process.env['OCTAVO_URL'] ?? 'http://127.0.0.1:3000'
const PORT = Number(process.env['PORT'] ?? 4000)
const APP_URL = process.env['APP_URL'] ?? `http://127.0.0.1:${PORT}`
const CLIENT_ID = process.env['CLIENT_ID'] ?? ''
const CLIENT_SECRET = process.env['CLIENT_SECRET'] ?? ''
/** A token is refreshed this long before it expires. */
const EARLY_MS = Number(process.env['REFRESH_EARLY_SECONDS'] ?? 30) * 1000

interface Session {
  /** A sign-in that has begun. */
  begun?: { state: string; verifier: string }
  tokens?: { access: string; refresh: string; expires_at_ms: number }
}
interface Page {
  status?: number
  location?: string
  body?: string
}

const sessions = new Map<string, Session>()
// oxlint-disable-next-line typescript/no-deprecated -- Octavo on localhost has no TLS
const insecure = OCTAVO_URL.startsWith('http:') ? [oauth.allowInsecureRequests] : []
// Reads /.well-known/oauth-authorization-server.
const config = await oauth.discovery(new URL(OCTAVO_URL), CLIENT_ID, undefined, oauth.ClientSecretPost(CLIENT_SECRET), {
  algorithm: 'oauth2',
  execute: insecure,
})

/** Sends the browser to Octavo, with PKCE and for one resource. */
async function signIn(session: Session): Promise<Page> {
  const verifier = oauth.randomPKCECodeVerifier()
  const state = oauth.randomState()
  session.begun = { state, verifier }
  const location = oauth.buildAuthorizationUrl(config, {
    redirect_uri: `${APP_URL}/callback`,
    scope: 'documents:read',
    resource: `${OCTAVO_URL}/api`,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  return { location: location.href }
}

/** Exchanges the code. The library compares `state` and `iss`. */
async function finishSignIn(session: Session, path: string): Promise<Page> {
  const { begun } = session
  if (!begun) return { status: 400, body: 'Start again: <a href="/sign-in">sign in</a>.' }
  delete session.begun
  const checks = { expectedState: begun.state, pkceCodeVerifier: begun.verifier }
  keep(session, await oauth.authorizationCodeGrant(config, new URL(path, APP_URL), checks))
  return { location: '/' }
}

function keep(session: Session, answer: oauth.TokenEndpointResponse): void {
  const { access_token: access, refresh_token: refresh = '', expires_in = 0 } = answer
  session.tokens = { access, refresh, expires_at_ms: Date.now() + expires_in * 1000 }
}

/** A client that refreshes the token before it expires, and once if Octavo refuses it. */
function openClient(session: Session): Octavo {
  const token = async ({ refused }: { refused: string | null }): Promise<string> => {
    const { tokens } = session
    if (!tokens) throw new Error('not signed in')
    if (refused !== tokens.access && tokens.expires_at_ms - Date.now() > EARLY_MS) return tokens.access
    keep(session, await oauth.refreshTokenGrant(config, tokens.refresh))
    return session.tokens?.access ?? ''
  }
  return new Octavo({ base_url: OCTAVO_URL, token, max_retries: 2 })
}

const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

async function listDocuments(client: Octavo): Promise<Page> {
  const { data } = await client.documents.list({ limit: 20 })
  const items = data.map(({ id, title }) => `<li><a href="/documents/${id}">${escape(title ?? id)}</a></li>`)
  return { body: `<h1>Your documents</h1><ul>${items.join('')}</ul>` }
}

async function showDocument(client: Octavo, id: string): Promise<Page> {
  const { title } = await client.documents.get(id)
  const { data } = await client.pages.list(id, { limit: 1, fields: 'text' })
  return { body: `<h1>${escape(title ?? id)}</h1><pre>${escape(data[0]?.text ?? '')}</pre>` }
}

async function answer(session: Session, path: string): Promise<Page> {
  const [, first = '', id = ''] = path.split(/[/?]/)
  if (first === 'sign-in') return signIn(session)
  if (first === 'callback') return finishSignIn(session, path)
  if (!session.tokens) return { body: '<h1>Leases app</h1><a href="/sign-in">Sign in with Octavo</a>' }
  try {
    const client = openClient(session)
    return await (first === 'documents' ? showDocument(client, id) : listDocuments(client))
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error
    // The user revoked the access, or it has expired: only the user can give it again.
    delete session.tokens
    return { status: 401, body: 'Octavo no longer gives access. <a href="/sign-in">Sign in again</a>' }
  }
}

function sessionOf(request: IncomingMessage): { id: string; session: Session } {
  const [, known = ''] = /\bapp_session=([\w-]+)/.exec(request.headers.cookie ?? '') ?? []
  const id = sessions.has(known) ? known : randomUUID()
  const session = sessions.get(id) ?? {}
  sessions.set(id, session)
  return { id, session }
}

async function answerSafely(session: Session, path: string): Promise<Page> {
  try {
    return await answer(session, path)
  } catch (error) {
    const reason = error instanceof oauth.AuthorizationResponseError ? error.error : 'the request failed'
    return { status: 400, body: `It did not work: ${escape(reason)}. <a href="/sign-in">Try again</a>` }
  }
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { id, session } = sessionOf(request)
  const { status = 200, location, body = '' } = await answerSafely(session, request.url ?? '/')
  response.setHeader('set-cookie', `app_session=${id}; HttpOnly; SameSite=Lax; Path=/`)
  response.setHeader('content-type', 'text/html; charset=utf-8')
  if (location) response.setHeader('location', location)
  response.writeHead(location ? 303 : status).end(`<!doctype html><title>Leases app</title>${body}`)
}

createServer((request, response) => void serve(request, response)).listen(PORT, '127.0.0.1')
