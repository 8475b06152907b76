// Access tokens that must be refused, each made from a valid one or with the server's own signing key.

import {
  constants,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  type webcrypto,
} from 'node:crypto'
import { recordOf } from '../../base/src/unknown.ts'

type Claims = Record<string, unknown>
type Header = Record<string, unknown>

export interface ForgeryKit {
  /** A token that works. */
  token: string
  /** The key that signed it: a correct signature on wrong claims. */
  private_key: webcrypto.JsonWebKey
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (text: string): Record<string, unknown> =>
  recordOf(JSON.parse(Buffer.from(text, 'base64url').toString()))

/** Name and token. */
export function forgeTokens({ token, private_key }: ForgeryKit): [name: string, token: string][] {
  const [head = '', body = '', signature = ''] = token.split('.')
  const header = decode(head)
  const claims = decode(body)
  const key = createPrivateKey({ key: private_key, format: 'jwk' })
  const pem = createPublicKey(key).export({ type: 'spki', format: 'pem' })
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const edwards = generateKeyPairSync('ed25519').privateKey
  const now = Math.floor(Date.now() / 1000)

  const signed = (h: Header, c: unknown, by: KeyObject = key, hash: string | null = 'sha256'): string => {
    const text = `${encode(h)}.${encode(c)}`
    return `${text}.${sign(hash, Buffer.from(text), by).toString('base64url')}`
  }
  const withClaims = (changes: Claims): string => signed(header, { ...claims, ...changes })
  const withoutClaim = (name: string): string => {
    const { [name]: _, ...rest } = claims
    return signed(header, rest)
  }
  const withHeader = (changes: Header): string => signed({ ...header, ...changes }, claims)
  const hmac = (alg: string, hash: string, secret: string | Buffer): string => {
    const text = `${encode({ ...header, alg })}.${body}`
    return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`
  }
  const otherJwk = other.publicKey.export({ format: 'jwk' })
  const pss = (): string => {
    const text = `${encode({ ...header, alg: 'PS256' })}.${body}`
    const bytes = sign('sha256', Buffer.from(text), { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 })
    return `${text}.${bytes.toString('base64url')}`
  }

  return [
    ['alg none', `${encode({ ...header, alg: 'none' })}.${body}.`],
    ['alg none with a signature', `${encode({ ...header, alg: 'none' })}.${body}.${signature}`],
    ['alg None', `${encode({ ...header, alg: 'None' })}.${body}.${signature}`],
    ['alg nOnE, empty signature', `${encode({ ...header, alg: 'nOnE' })}.${body}.`],
    ['no signature', `${head}.${body}.`],
    ['two parts', `${head}.${body}`],
    ['four parts', `${token}.${signature}`],
    ['five parts, like an encrypted token', `${head}.${body}.${signature}.${body}.${signature}`],
    ['HS256 with the public key as PEM', hmac('HS256', 'sha256', pem)],
    ['HS256 with the modulus', hmac('HS256', 'sha256', String(private_key.n))],
    ['HS256 with the key id', hmac('HS256', 'sha256', String(header.kid))],
    ['HS256 with an empty secret', hmac('HS256', 'sha256', '')],
    ['HS384 with the public key', hmac('HS384', 'sha384', pem)],
    ['HS512 with the public key', hmac('HS512', 'sha512', pem)],
    ['RS256 header, HMAC signature', hmac('RS256', 'sha256', pem)],
    ['RS384', signed({ ...header, alg: 'RS384' }, claims, key, 'sha384')],
    ['RS512', signed({ ...header, alg: 'RS512' }, claims, key, 'sha512')],
    ['PS256', pss()],
    ['ES256', signed({ ...header, alg: 'ES256' }, claims, curve)],
    ['EdDSA', signed({ ...header, alg: 'EdDSA' }, claims, edwards, null)],
    ['RS256 header, SHA-512 signature', signed(header, claims, key, 'sha512')],
    ['another key with our key id', signed(header, claims, other.privateKey)],
    ['unknown key id', signed({ ...header, kid: 'unknown' }, claims, other.privateKey)],
    ['our key, unknown key id', withHeader({ kid: 'unknown' })],
    ['no key id', withHeader({ kid: undefined })],
    ['empty key id', withHeader({ kid: '' })],
    ['key id as a list', withHeader({ kid: [header.kid] })],
    ['key id as a path', withHeader({ kid: '../../../dev/null' })],
    ['key id as SQL', withHeader({ kid: "x' union select 'x" })],
    ['key id __proto__', withHeader({ kid: '__proto__' })],
    ['embedded jwk', signed({ ...header, jwk: otherJwk }, claims, other.privateKey)],
    ['embedded jwk without key id', signed({ typ: 'at+jwt', alg: 'RS256', jwk: otherJwk }, claims, other.privateKey)],
    ['jku', signed({ ...header, jku: 'https://evil.example.com/jwks' }, claims, other.privateKey)],
    ['x5u', signed({ ...header, x5u: 'https://evil.example.com/cert' }, claims, other.privateKey)],
    ['x5c', signed({ ...header, x5c: ['MIIB'] }, claims, other.privateKey)],
    ['crit', withHeader({ crit: ['exp'] })],
    ['b64 false', withHeader({ b64: false, crit: ['b64'] })],
    ['zip', withHeader({ zip: 'DEF' })],
    ['typ JWT, an ID token', withHeader({ typ: 'JWT' })],
    ['no typ', withHeader({ typ: undefined })],
    ['typ logout+jwt', withHeader({ typ: 'logout+jwt' })],
    ['ID token', signed({ ...header, typ: 'JWT' }, { ...claims, aud: claims.client_id, nonce: 'x' })],
    ['another issuer', withClaims({ iss: 'https://evil.example.com' })],
    ['issuer with a slash', withClaims({ iss: `${String(claims.iss)}/` })],
    ['no issuer', withoutClaim('iss')],
    ['another audience', withClaims({ aud: 'https://evil.example.com/api' })],
    ['the client as audience', withClaims({ aud: claims.client_id })],
    ['the issuer as audience', withClaims({ aud: claims.iss })],
    ['the MCP endpoint as audience', withClaims({ aud: `${String(claims.iss)}/mcp` })],
    ['no audience', withoutClaim('aud')],
    ['empty list of audiences', withClaims({ aud: [] })],
    ['expired two minutes ago', withClaims({ iat: now - 1000, exp: now - 120 })],
    ['expired long ago', withClaims({ iat: 1, exp: 2 })],
    ['no expiry', withoutClaim('exp')],
    ['expiry as text', withClaims({ exp: String(now + 900) })],
    ['expiry null', withClaims({ exp: null })],
    ['expiry in milliseconds', withClaims({ exp: (now + 900) * 1000 })],
    ['expiry negative', withClaims({ exp: -1 })],
    ['issued in the future', withClaims({ iat: now + 3600, exp: now + 4500 })],
    ['not valid yet', withClaims({ nbf: now + 3600 })],
    ['no issue time', withoutClaim('iat')],
    ['no subject', withoutClaim('sub')],
    ['subject as a number', withClaims({ sub: 1 })],
    ['another subject', withClaims({ sub: 'usr_01h455vb4pex5vsknk084sn02q' })],
    ['no client', withoutClaim('client_id')],
    [
      'unknown client',
      withClaims({ client_id: 'cli_01h455vb4pex5vsknk084sn02q', sub: 'cli_01h455vb4pex5vsknk084sn02q' }),
    ],
    ['no tenant', withoutClaim('tenant')],
    ['unknown tenant', withClaims({ tenant: 'ten_01h455vb4pex5vsknk084sn02q' })],
    ['unknown grant', withClaims({ grant_id: 'grt_01h455vb4pex5vsknk084sn02q' })],
    ['scope as a list', withClaims({ scope: ['documents:read'] })],
    ['changed scope, old signature', `${head}.${encode({ ...claims, scope: 'api_keys:manage' })}.${signature}`],
    ['changed tenant, old signature', `${head}.${encode({ ...claims, tenant: 'x' })}.${signature}`],
    [
      'signature with one other character',
      `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    ],
    ['truncated signature', `${head}.${body}.${signature.slice(0, -4)}`],
    ['padded signature', `${token}==`],
    ['signature in plain base64', `${head}.${body}.${Buffer.from(signature, 'base64url').toString('base64')}`],
    ['all-zero signature', `${head}.${body}.${Buffer.alloc(256).toString('base64url')}`],
    ['claims are a list', signed(header, [claims])],
    ['claims are text', signed(header, 'claims')],
    ['claims are null', signed(header, null)],
    ['header is a list', `${encode([header])}.${body}.${signature}`],
    ['claims are not JSON', `${head}.${Buffer.from('{"sub":').toString('base64url')}.${signature}`],
    ['oversized claims', withClaims({ padding: 'x'.repeat(6_000) })],
  ]
}
