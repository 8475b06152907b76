// Messages between host and child, over Node's IPC channel.

export interface EngineRequest {
  model: string
  texts: string[]
}

export type EngineAnswer =
  | { is: 'vectors'; numbers: Float32Array; input_tokens: number }
  | { is: 'failed'; message: string }

/** Passed to the child as an argument. */
export interface EngineSettings {
  models_dir: string
  threads: number
}
