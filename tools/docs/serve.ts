// Serves a built site on this machine.

import { createReadStream } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { extname } from 'node:path'
import { builtFile } from './built.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
}

/** `port` 0 takes any free one. */
export async function serveFolder(folder: string, port: number): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const file = builtFile(folder, new URL(request.url ?? '/', 'http://site').pathname)
    if (file === null) {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('There is no such page.')
    } else {
      response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'application/octet-stream' })
      createReadStream(file).pipe(response)
    }
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as { port: number }).port}` }
}
