// A prediction as text.

import type { Coefficients, Load, Machines, Prediction } from './model.ts'

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']

function bytes(value: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)))
  return `${Number((value / 1000 ** power).toPrecision(3))} ${UNITS[power] ?? ''}`
}

const percent = (share: number): string => `${Math.round(share * 100)}%`
const number = (value: number): string => Number(value.toPrecision(3)).toLocaleString('en-US')

export function describePrediction(
  load: Load,
  machines: Machines,
  prediction: Prediction,
  { measured_on, machine }: Coefficients,
): string {
  const { demand, limits } = prediction
  const embedding =
    machines.embeddings_per_second === null
      ? `built-in model, on the workers (${number(demand.embedding_cpu_seconds)} cores busy)`
      : `${prediction.embedding_servers} × an external server with ${number(machines.embeddings_per_second)} chunks/s`
  return [
    `${number(load.documents_per_day)} documents a day of ${number(load.pages)} pages, ${percent(load.ocr)} of them scanned; ${number(load.searches_per_second)} searches/s, ${number(load.reads_per_second)} reads/s; documents are kept for ${number(load.retention_days)} days`,
    `costs measured on ${measured_on} (${machine}); machines ${percent(machines.utilization)} busy in the busiest hour, which has ${machines.peak} × the average`,
    '',
    `API        ${prediction.api_machines} × ${machines.cores} cores (${number(demand.api_cpu_seconds)} cores busy)`,
    `workers    ${prediction.worker_machines} × ${machines.cores} cores (${number(demand.worker_cpu_seconds)} cores busy)`,
    `embedding  ${embedding}`,
    `cells      ${prediction.cells} × a PostgreSQL with ${machines.postgres_cores} cores (${number(demand.postgres_cpu_seconds)} cores busy, WAL ${bytes(demand.wal_bytes)}/s, ${number(demand.connection_seconds)} connections busy, ${number(demand.round_trips)} round trips/s)`,
    `storage    database ${bytes(prediction.database_bytes_per_day)}, files ${bytes(prediction.file_bytes_per_day)}, WAL ${bytes(prediction.wal_bytes_per_day)} a day`,
    '',
    'With one machine of each kind, this saturates first:',
    ...limits.map(({ part, share }) => `  ${percent(share).padStart(8)}  ${part}`),
  ].join('\n')
}
