// Cookies of the sign-in pages. With an https base URL their names begin with `__Host-`: browsers then accept them only
// over TLS and from this host, so that no other host of the domain can set them.

import type { FastifyReply, FastifyRequest } from 'fastify'

export type CookieName = 'session' | 'visit' | 'device' | 'provider'

const isSecure = (base_url: string): boolean => base_url.startsWith('https:')
const cookieName = (base_url: string, name: CookieName): string =>
  `${isSecure(base_url) ? '__Host-' : ''}octavo_${name}`

export function readCookie(request: FastifyRequest, base_url: string, name: CookieName): string | null {
  const wanted = `${cookieName(base_url, name)}=`
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(wanted))?.slice(wanted.length) || null
}

/** `seconds`: 0 removes the cookie, null keeps it until the browser closes. */
export function setCookie(
  reply: FastifyReply,
  base_url: string,
  cookie: { name: CookieName; value: string; seconds: number | null },
): void {
  const { name, value, seconds } = cookie
  const parts = [`${cookieName(base_url, name)}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax']
  if (isSecure(base_url)) parts.push('Secure')
  if (seconds !== null) parts.push(`Max-Age=${seconds}`)
  const earlier = reply.getHeader('set-cookie')
  const list = Array.isArray(earlier) ? earlier : [earlier ?? []].flat().map(String)
  reply.header('set-cookie', [...list, parts.join('; ')])
}
