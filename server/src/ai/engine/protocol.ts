// What host and child say to each other, over the channel that Node opens between them.

export interface EngineRequest {
  model: string
  texts: string[]
}

export type EngineAnswer =
  | { is: 'vectors'; numbers: Float32Array; input_tokens: number }
  | { is: 'failed'; message: string }

/** The child is told where things are by its arguments. */
export interface EngineSettings {
  models_dir: string
  threads: number
}
