// A fetch that counts what is sent, and that tears one connection in the middle of a part.

import { request } from 'node:http'

export interface UploadTornWrite {
  fetch: typeof fetch
  /** The addresses of the PUTs since this was last read, without their signatures. */
  take(): string[]
  /** The next PUT but so many breaks off half-way. */
  tearAfter(count: number): void
}

export function openTorn(): UploadTornWrite {
  let puts: string[] = []
  let left = -1
  return {
    async fetch(input, init) {
      if (init?.method !== 'PUT') return fetch(input, init)
      puts.push(String(input))
      if (left-- === 0) await tear(String(input), init)
      return fetch(input, init)
    },
    take() {
      const taken = puts
      puts = []
      return taken
    },
    tearAfter(count) {
      left = count
    },
  }
}

async function tear(url: string, init: RequestInit): Promise<never> {
  const body = init.body as Blob
  const half = Buffer.from(await body.slice(0, Math.floor(body.size / 2)).arrayBuffer())
  await new Promise<void>((resolve) => {
    const sending = request(url, {
      method: 'PUT',
      headers: { ...(init.headers as Record<string, string>), 'content-length': body.size },
    })
    sending.on('error', () => resolve())
    sending.write(half, () => sending.destroy())
    sending.on('close', resolve)
  })
  throw new TypeError('fetch failed')
}
