import { recordOf } from '@octavo/base/unknown.ts'

/** Calls a function that the module exports. */
export async function callExported(module: string, name: string, values: unknown[]): Promise<unknown> {
  const exported: unknown = await import(module)
  const called = recordOf(exported)[name]
  if (!isCallable(called)) throw new Error(`${module} exports no function '${name}'`)
  return called(...values)
}

const isCallable = (value: unknown): value is (...values: unknown[]) => unknown => typeof value === 'function'
