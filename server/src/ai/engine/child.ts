// The process that runs models: a run blocks its process, and takes memory that only the end of a process gives back.

import { messageOf } from '@octavo/base/unknown.ts'
import { OnnxEmbedder } from './onnx.ts'
import type { EngineAnswer, EngineRequest, EngineSettings } from './protocol.ts'
import { specsIn } from './specs.ts'

const setting = JSON.parse(process.argv[2] ?? '{}') as EngineSettings
const loaded = new Map<string, Promise<OnnxEmbedder>>()

function load(id: string): Promise<OnnxEmbedder> {
  const known = loaded.get(id)
  if (known) return known
  const spec = specsIn(setting.models_dir).find((one) => one.id === id)
  if (!spec) throw new Error(`There is no model '${id}'.`)
  const loading = OnnxEmbedder.load(spec, setting)
  loaded.set(id, loading)
  loading.catch(() => loaded.delete(id))
  return loading
}

async function answer({ model, texts }: EngineRequest): Promise<EngineAnswer> {
  try {
    return { is: 'vectors', ...(await (await load(model)).embed(texts)) }
  } catch (error) {
    return { is: 'failed', message: messageOf(error) }
  }
}

process.on('message', (ask: EngineRequest) => void answer(ask).then((answered) => process.send?.(answered)))
// Its host is gone.
process.on('disconnect', () => process.exit())
