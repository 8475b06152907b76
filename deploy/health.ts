// The image's health check: exits with 0 if the process in the container reports that it is ready.

import { get } from 'node:http'

const { MANAGEMENT_HOST, MANAGEMENT_PORT } = process.env
const host =
  !MANAGEMENT_HOST || MANAGEMENT_HOST === '0.0.0.0' || MANAGEMENT_HOST === '::' ? '127.0.0.1' : MANAGEMENT_HOST

const request = get({ host, port: Number(MANAGEMENT_PORT || 9090), path: '/readyz', timeout: 4_000 }, (response) => {
  // Shown by `docker inspect`.
  response.pipe(process.stdout)
  response.once('end', () => process.exit(response.statusCode === 200 ? 0 : 1))
})
request.once('timeout', () => request.destroy(new Error('no answer within 4 s')))
request.once('error', (error) => {
  process.stdout.write(`${error.message}\n`)
  process.exit(1)
})
