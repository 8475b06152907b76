// Sign-in attempts over HTTP, each from the client address that it names.

import { Agent, request } from 'node:http'

export interface SignInTarget {
  url: string
  /** A visitor's cookie and the token of its form. */
  cookie: string
  form_token: string
}
export interface SignInAnswer {
  /** 0: none. */
  status: number
  ms: number
  text: string
  cookies: string[]
}

const TIMEOUT_MS = 60_000
const agent = new Agent({ keepAlive: true, maxSockets: 1_000 })

function send(
  url: string,
  options: { method: string; headers: Record<string, string> },
  body = '',
): Promise<SignInAnswer> {
  const started = performance.now()
  return new Promise((resolve) => {
    const end = (status: number, text: string, cookies: string[]): void =>
      resolve({ status, text, cookies, ms: performance.now() - started })
    const sent = request(url, { ...options, agent, timeout: TIMEOUT_MS }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.once('end', () => end(answer.statusCode ?? 0, text, answer.headers['set-cookie'] ?? []))
    })
    sent.once('timeout', () => sent.destroy())
    sent.once('error', () => end(0, '', []))
    sent.end(body)
  })
}

const pairOf = (cookie: string): string => cookie.split(';', 1)[0] ?? ''

export async function openTarget(url: string): Promise<SignInTarget> {
  const { text, cookies } = await send(`${url}/sign-in`, { method: 'GET', headers: {} })
  const form_token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ''
  return { url, cookie: pairOf(cookies[0] ?? ''), form_token }
}

export function attempt(
  target: SignInTarget,
  attempted: { email: string; password: string; from: string; device?: string },
): Promise<SignInAnswer> {
  const { email, password, from, device } = attempted
  const body = new URLSearchParams({ form_token: target.form_token, email, password }).toString()
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(Buffer.byteLength(body)),
    cookie: device === undefined ? target.cookie : `${target.cookie}; ${device}`,
    'x-forwarded-for': from,
  }
  return send(`${target.url}/sign-in`, { method: 'POST', headers }, body)
}

/** The cookie that marks a browser which has signed in before. */
export const deviceOf = ({ cookies }: SignInAnswer): string =>
  pairOf(cookies.find((cookie) => cookie.startsWith('octavo_device=')) ?? '')

export const read = (url: string, secret: string): Promise<SignInAnswer> =>
  send(url, { method: 'GET', headers: { authorization: `Bearer ${secret}` } })

let count = 0
/** A client address that was not used before. */
export function newAddress(): string {
  count++
  return `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`
}
