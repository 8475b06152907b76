// Where a test finds the weights of the built-in models.

export function weightsDir(): string {
  const dir = process.env.OCTAVO_MODELS_DIR
  if (!dir) throw new Error('OCTAVO_MODELS_DIR is not set: this test needs the weights of the built-in models.')
  return dir
}
