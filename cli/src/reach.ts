// From inside a container `localhost` is another machine than the one that the person means.

const NEAR = /^(localhost|127\.0\.0\.1|\[::1\])$/

/** The address to connect to: that of the server beside us, where `url` is on this machine. */
export function reachable(url: string, local: string | undefined = process.env['OCTAVO_LOCAL_URL']): string {
  const asked = URL.parse(url)
  if (!local || !asked || !NEAR.test(asked.hostname)) return url
  return `${local.replace(/\/+$/, '')}${asked.pathname === '/' ? '' : asked.pathname}${asked.search}`
}

/** Links that the server gives for files are mapped as well; what listens at another port is another server. */
export function reachingFetch(base: string, send: typeof fetch = fetch): typeof fetch {
  const port = URL.parse(base)?.port
  return (input, init) =>
    send(typeof input === 'string' && URL.parse(input)?.port === port ? reachable(input) : input, init)
}
