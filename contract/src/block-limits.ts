// Apart from the schemas, so that a process that parses one file does not load them.

export const MAX_BLOCKS = 20_000
export const MAX_CELLS = 100_000
