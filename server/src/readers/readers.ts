// Every reader that this installation has, by its id.

import type { Model, OcrMode } from '@octavo/contract'
import type { Generator } from '../ai/model.ts'
import { BuiltInReader } from './built-in.ts'
import { type DoclingConfig, DoclingReader } from './docling.ts'
import type { PageOcr } from './page-ocr.ts'
import type { PageReader } from './reader.ts'
import { type TikaConfig, TikaReader } from './tika.ts'
import { VisionReader } from './vision.ts'

export interface ReadersConfig {
  version: string
  docling: DoclingConfig | null
  tika: TikaConfig | null
}

export interface Readers {
  /** Without the models that look at pictures: they are listed among the models, with the capability `vision`. */
  list(): Promise<Model[]>
  has(id: string): boolean
  /** For one document: `ocr` is a matter of the built-in reader, others look at every page anyway. */
  find(id: string, given: { ocr: OcrMode }): PageReader | null
  /** Reads the formats that the parser does not know; null where none is configured. */
  readonly converter: TikaReader | null
}

const DEFAULT = 'built_in'
const SAMPLE = { ocr: 'auto' } as const

/** `vision`: the models that look at pictures. Each is a reader, by the same id. */
export function openReaders(config: ReadersConfig, engine: PageOcr, vision: readonly Generator[] = []): Readers {
  const docling = config.docling && new DoclingReader(config.docling)
  const openers = new Map<string, (given: { ocr: OcrMode }) => PageReader>([
    [DEFAULT, ({ ocr }) => new BuiltInReader({ version: config.version, ocr, engine })],
    ...(docling ? [[docling.id, () => docling] as const] : []),
  ])
  const looking = new Map(vision.map((model) => [model.card.id, new VisionReader(model)]))
  return {
    converter: config.tika && new TikaReader(config.tika),
    has: (id) => openers.has(id) || looking.has(id),
    find: (id, given) => openers.get(id)?.(given) ?? looking.get(id) ?? null,
    async list() {
      // Not awaited: the version shows up in the next listing.
      void docling?.learnVersion()
      const languages = await engine.languages()
      const built_in = {
        capabilities: ['embedded_text', 'tables', ...(languages.length > 0 ? ['ocr'] : [])],
        languages,
        is_default: true,
      }
      const other = { capabilities: ['ocr', 'tables'], languages: [], is_default: false }
      return [...openers].map(([id, open]) => ({ ...modelOf(open(SAMPLE)), ...(id === DEFAULT ? built_in : other) }))
    },
  }
}

const modelOf = ({ id, version, locality }: PageReader) => ({
  id,
  object: 'model' as const,
  kind: 'reader' as const,
  provider: id,
  version,
  locality,
  context_tokens: null,
  dimensions: null,
  price: { input: 0, output: 0 },
  licence: null,
})
