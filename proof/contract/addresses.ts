// Requests that match no operation: unknown paths inside and outside the API, and bodies that nothing reads.

import type { ContractStage } from './stage.ts'

export async function checkAddresses(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const spelled = { path: `/%61pi/v1${endpoint.path}`, as: null }
  stage.refused(
    'another spelling of an address, without a token',
    await stage.send(endpoint, spelled),
    'unauthenticated',
  )
  for (const path of [
    '/api',
    '/api/',
    '/api/v1',
    '/api/v1/',
    '/api/v1/nothing',
    '/api/v2/projects',
    '/api/v1/%E0%A4%A',
    '/api/v1/errors',
  ]) {
    stage.refused(`${path} without a token`, await stage.send(endpoint, { path, as: null }), 'unauthenticated')
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      stage.refused(`${method} ${path}`, await stage.send(endpoint, { path, method }), 'not_found')
    }
  }
  for (const path of ['/', '/nothing', '/projects', '/v1/projects', '/%E0%A4%A', '/.env', '/API/v1/projects']) {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      stage.refused(`${method} ${path}`, await stage.send(endpoint, { path, method, as: null }), 'not_found')
    }
    const answer = await stage.send(endpoint, {
      path,
      method: 'POST',
      as: null,
      headers: { 'content-type': 'application/json' },
      body: '{',
    })
    stage.refused(`POST ${path} with a broken body`, answer, 'not_found')
  }
}
