// The example configuration of docs/high-availability.md agrees with itself.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const read = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8')
const ROOT = '../../'

test('Patroni, HAProxy and the guide name the same machines and ports', () => {
  const hosts = read('patroni.yml').match(/hosts: \[(.*)\]/)?.[1] ?? ''
  const machines = hosts.split(', ').map((host) => host.replace(':2379', ''))
  const proxied = [...read('haproxy.cfg').matchAll(/server \w+ ([\d.]+):5432 check port 8008/g)].map(([, host]) => host)
  const guide = read(`${ROOT}docs/high-availability.md`)

  assert.equal(machines.length, 3)
  assert.deepEqual(proxied, machines)
  for (const machine of machines) assert.ok(guide.includes(machine), machine)
  assert.ok(guide.includes('127.0.0.1:5000') && read('haproxy.cfg').includes('bind 127.0.0.1:5000'))
})
