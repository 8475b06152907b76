// Run by k6: reads by id, lists of 50 and new documents of three pages, in equal parts; ONLY one of them if told so.
// Without RATE a closed loop of VUS callers. Else an open loop: CALM_RATE for LEAD_SECONDS, RATE for SECONDS, and
// CALM_RATE again, to see how long the overload is felt.
import http from 'k6/http'
import exec from 'k6/execution'
import { Counter, Trend } from 'k6/metrics'

const { URL, KEY, DOCUMENT, ONLY, VUS, RATE, CALM_RATE, SUMMARY } = __ENV
const SECONDS = Number(__ENV.SECONDS)
const LEAD_SECONDS = RATE ? Number(__ENV.LEAD_SECONDS) : 0
const CALM_SECONDS = RATE ? Number(__ENV.CALM_SECONDS) : 0
const SLOT_MS = 100
const SLOW_MS = 500

const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
const page = 'The tenant pays the rent on the first of each month. '.repeat(40)
const body = JSON.stringify({
  title: 'Lease, 12 Elm Street',
  source: { type: 'pages', pages: [{ text: page }, { text: page }, { text: page }] },
  metadata: { year: '2026' },
})

const accepted = { read: new Counter('read'), list: new Counter('list'), write: new Counter('write') }
const accepted_ms = new Trend('accepted_ms')
const shed = new Counter('shed')
const shed_ms = new Trend('shed_ms')
const broken = new Counter('broken')
const wrong = new Counter('wrong')
/** After the overload, by the tenth of a second: requests, and those that were refused, lost or slow. */
const slots = Array.from({ length: (CALM_SECONDS * 1000) / SLOT_MS }, (_, i) => ({
  asked: new Counter(`asked_${i}`),
  felt: new Counter(`felt_${i}`),
}))

export const options = {
  discardResponseBodies: true,
  summaryTrendStats: ['med', 'p(95)', 'max'],
  scenarios: {
    load: RATE
      ? {
          executor: 'ramping-arrival-rate',
          startRate: Number(CALM_RATE),
          timeUnit: '1s',
          preAllocatedVUs: Number(VUS),
          maxVUs: Number(VUS),
          gracefulStop: '12s',
          stages: [
            { target: Number(CALM_RATE), duration: `${LEAD_SECONDS}s` },
            { target: Number(RATE), duration: '0s' },
            { target: Number(RATE), duration: `${SECONDS}s` },
            { target: Number(CALM_RATE), duration: '0s' },
            { target: Number(CALM_RATE), duration: `${CALM_SECONDS}s` },
          ],
        }
      : { executor: 'constant-vus', vus: Number(VUS), duration: `${SECONDS}s`, gracefulStop: '12s' },
  },
}

const all = [
  ['read', () => http.get(`${URL}/api/v1/documents/${DOCUMENT}`, { headers, timeout: '10s' })],
  ['list', () => http.get(`${URL}/api/v1/documents?limit=50`, { headers, timeout: '10s' })],
  ['write', () => http.post(`${URL}/api/v1/documents`, body, { headers, timeout: '10s' })],
]
const calls = ONLY ? all.filter(([name]) => name === ONLY) : all

export default function () {
  const at_ms = Date.now() - exec.scenario.startTime - LEAD_SECONDS * 1000
  const [name, send] = calls[Math.floor(Math.random() * calls.length)]
  const answer = send()
  if (answer.status === 0) broken.add(1)
  else if (!isAccepted(answer) && !isShed(answer)) wrong.add(1)
  if (at_ms >= 0 && at_ms < SECONDS * 1000) countLoad(name, answer)
  else if (at_ms >= 0) countCalm(at_ms - SECONDS * 1000, answer)
}

const isAccepted = ({ status }) => status === 200 || status === 201
const isShed = ({ status, headers: given }) => status === 503 && given['Retry-After'] !== undefined && given['Request-Id'] !== undefined

function countLoad(name, answer) {
  if (isAccepted(answer)) {
    accepted[name].add(1)
    accepted_ms.add(answer.timings.duration)
  } else if (isShed(answer)) {
    shed.add(1)
    shed_ms.add(answer.timings.duration)
  }
}

function countCalm(since_ms, answer) {
  const slot = slots[Math.min(Math.floor(since_ms / SLOT_MS), slots.length - 1)]
  slot.asked.add(1)
  if (!isAccepted(answer) || answer.timings.duration > SLOW_MS) slot.felt.add(1)
}

export function handleSummary(data) {
  const figures = {}
  for (const [name, { values }] of Object.entries(data.metrics)) figures[name] = values
  return { [SUMMARY]: JSON.stringify(figures) }
}
