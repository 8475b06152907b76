// Predicts the machines, the storage and the first limit of a load, from the measured cost of each operation.

const resources = [
  'api_cpu_seconds',
  'worker_cpu_seconds',
  'embedding_cpu_seconds',
  'postgres_cpu_seconds',
  'wal_bytes',
  'database_bytes',
  'file_bytes',
  'connection_seconds',
  'round_trips',
] as const
type Resource = (typeof resources)[number]
export type Cost = Readonly<Record<Resource, number>>

/** `second` is what an idle installation costs. A page costs the same whether its document is long or short. */
export const operations = ['second', 'document', 'text_page', 'ocr_page', 'search', 'read'] as const
export type Operation = (typeof operations)[number]
export type Counts = Readonly<Record<Operation, number>>

export interface Coefficients {
  measured_on: string
  machine: string
  chunks_per_page: number
  costs: Readonly<Record<Operation, Cost>>
}

export interface Load {
  documents_per_day: number
  pages: number
  /** Share of the pages that need OCR. */
  ocr: number
  searches_per_second: number
  reads_per_second: number
  /** How long documents are kept. */
  retention_days: number
}

export interface Machines {
  /** Cores of each machine; PostgreSQL has one machine per cell. */
  cores: number
  postgres_cores: number
  /** How busy a machine may be in the busiest hour. */
  utilization: number
  /** Documents of the busiest hour, relative to an average hour. */
  peak: number
  connections: number
  wal_bytes_per_second: number
  /** Size that a PostgreSQL may reach. */
  database_bytes: number
  /** Chunks per second of an external embedding server; null: workers embed with the built-in model. */
  embeddings_per_second: number | null
}

export const usualMachines: Machines = {
  cores: 8,
  postgres_cores: 16,
  utilization: 0.6,
  peak: 3,
  connections: 200,
  wal_bytes_per_second: 50e6,
  database_bytes: 4e12,
  embeddings_per_second: null,
}

/** Octavo deletes searches after this time. */
const SEARCH_DAYS = 30

const costFrom = (valueOf: (resource: Resource) => number): Cost => ({
  api_cpu_seconds: valueOf('api_cpu_seconds'),
  worker_cpu_seconds: valueOf('worker_cpu_seconds'),
  embedding_cpu_seconds: valueOf('embedding_cpu_seconds'),
  postgres_cpu_seconds: valueOf('postgres_cpu_seconds'),
  wal_bytes: valueOf('wal_bytes'),
  database_bytes: valueOf('database_bytes'),
  file_bytes: valueOf('file_bytes'),
  connection_seconds: valueOf('connection_seconds'),
  round_trips: valueOf('round_trips'),
})

/** The cost of a number of operations. */
export const totalCost = ({ costs }: Coefficients, counts: Counts): Cost =>
  costFrom((resource) => operations.reduce((sum, operation) => sum + counts[operation] * costs[operation][resource], 0))

/** Operations in one second of the busiest hour. */
export function countsPerSecond(load: Load, peak: number): Counts {
  const documents = (load.documents_per_day / 86_400) * peak
  return {
    second: 1,
    document: documents,
    text_page: documents * load.pages * (1 - load.ocr),
    ocr_page: documents * load.pages * load.ocr,
    search: load.searches_per_second,
    read: load.reads_per_second,
  }
}

interface Limit {
  part: string
  /** How much of one machine, or of one PostgreSQL, the load needs; 1 is all that it may use. */
  share: number
}

export interface Prediction {
  /** For one second of the busiest hour. */
  demand: Cost
  /** With one machine of each kind, the one that saturates first comes first. */
  limits: readonly Limit[]
  api_machines: number
  worker_machines: number
  embedding_servers: number
  /** Each has one PostgreSQL. */
  cells: number
  database_bytes_per_day: number
  file_bytes_per_day: number
  wal_bytes_per_day: number
}

export function predict(load: Load, coefficients: Coefficients, machines: Machines): Prediction {
  const counts = countsPerSecond(load, machines.peak)
  const demand = totalCost(coefficients, counts)
  const usable = machines.cores * machines.utilization
  const is_external = machines.embeddings_per_second !== null
  const embeddings = (counts.text_page + counts.ocr_page) * coefficients.chunks_per_page + counts.search
  const workerCpu = demand.worker_cpu_seconds + (is_external ? 0 : demand.embedding_cpu_seconds)
  const workers = workerCpu / usable
  const api = demand.api_cpu_seconds / usable
  const servers = machines.embeddings_per_second === null ? 0 : embeddings / machines.embeddings_per_second
  const day = totalCost(coefficients, scaled(countsPerSecond(load, 1), 86_400))
  const searchBytes = load.searches_per_second * 86_400 * coefficients.costs.search.database_bytes
  const stored =
    (day.database_bytes - searchBytes) * load.retention_days + searchBytes * Math.min(SEARCH_DAYS, load.retention_days)
  const postgres = [
    { part: 'PostgreSQL storage', share: stored / machines.database_bytes },
    { part: 'PostgreSQL CPU', share: demand.postgres_cpu_seconds / (machines.postgres_cores * machines.utilization) },
    { part: 'PostgreSQL WAL', share: demand.wal_bytes / machines.wal_bytes_per_second },
    {
      part: 'PostgreSQL connections',
      share: demand.connection_seconds / (machines.connections * machines.utilization),
    },
  ]
  const limits = [
    { part: 'API processes', share: api },
    { part: is_external ? 'workers' : 'workers with the built-in embedding model', share: workers },
    ...(is_external ? [{ part: 'embedding server', share: servers }] : []),
    ...postgres,
  ].toSorted((a, b) => b.share - a.share)
  return {
    demand,
    limits,
    api_machines: Math.ceil(api),
    worker_machines: Math.ceil(workers),
    embedding_servers: Math.ceil(servers),
    cells: Math.ceil(Math.max(...postgres.map(({ share }) => share))),
    database_bytes_per_day: day.database_bytes,
    file_bytes_per_day: day.file_bytes,
    wal_bytes_per_day: day.wal_bytes,
  }
}

const scaled = (counts: Counts, factor: number): Counts => ({
  second: counts.second * factor,
  document: counts.document * factor,
  text_page: counts.text_page * factor,
  ocr_page: counts.ocr_page * factor,
  search: counts.search * factor,
  read: counts.read * factor,
})

/** One measured run: how often each operation happened, and what all of them cost together. */
export interface MeasuredRun {
  counts: Counts
  cost: Cost
}

/** The cost of each operation, by least squares. Needs at least as many different runs as operations. */
export function solveCosts(runs: readonly MeasuredRun[]): Record<Operation, Cost> {
  const rows = runs.map(({ counts }) => operations.map((operation) => counts[operation]))
  const byResource = new Map(
    resources.map((resource) => [
      resource,
      leastSquares(
        rows,
        runs.map(({ cost }) => cost[resource]),
      ),
    ]),
  )
  const costAt = (index: number): Cost => costFrom((resource) => Math.max(0, byResource.get(resource)?.[index] ?? 0))
  return {
    second: costAt(0),
    document: costAt(1),
    text_page: costAt(2),
    ocr_page: costAt(3),
    search: costAt(4),
    read: costAt(5),
  }
}

/** Solves the normal equations. Each column is scaled to 1, because the counts differ by orders of magnitude. */
export function leastSquares(rows: readonly (readonly number[])[], values: readonly number[]): number[] {
  const width = rows[0]?.length ?? 0
  const scales = Array.from({ length: width }, (_, j) => Math.hypot(...rows.map((row) => row[j] ?? 0)) || 1)
  const at = (row: readonly number[], j: number): number => (row[j] ?? 0) / (scales[j] ?? 1)
  const sum = (term: (row: readonly number[], i: number) => number): number =>
    rows.reduce((total, row, i) => total + term(row, i), 0)
  const matrix = Array.from({ length: width }, (_, j) => [
    ...Array.from({ length: width }, (_, k) => sum((row) => at(row, j) * at(row, k))),
    sum((row, i) => at(row, j) * (values[i] ?? 0)),
  ])
  return eliminate(matrix).map((value, j) => value / (scales[j] ?? 1))
}

/** Gauss-Jordan elimination with pivoting. The last column holds the right side. */
function eliminate(matrix: number[][]): number[] {
  const rows = matrix.map((row) => [...row])
  for (let j = 0; j < rows.length; j++) {
    const pivot = rows.slice(j).reduce((best, row) => (Math.abs(row[j] ?? 0) > Math.abs(best[j] ?? 0) ? row : best))
    const at = rows.indexOf(pivot, j)
    if (Math.abs(pivot[j] ?? 0) < 1e-9) throw new Error('The runs do not determine the cost of each operation')
    rows[at] = rows[j] ?? []
    const head = pivot.map((value) => value / (pivot[j] ?? 1))
    rows[j] = head
    rows.forEach((row, i) => {
      const factor = row[j] ?? 0
      if (i !== j) rows[i] = row.map((value, k) => value - factor * (head[k] ?? 0))
    })
  }
  return rows.map((row) => row.at(-1) ?? 0)
}
