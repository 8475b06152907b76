// Some clients that ask one thing after the other.

type OutcomeRatioLoadResult = Record<'per_second' | 'median_ms', number>

/** `ask` is given the number of the question. */
export async function load(
  clients: number,
  ms: number,
  ask: (number: number) => Promise<void>,
): Promise<OutcomeRatioLoadResult> {
  const times: number[] = []
  let number = 0
  const began = performance.now()
  const lane = async (): Promise<void> => {
    while (performance.now() - began < ms) {
      const asked = performance.now()
      await ask(number++)
      times.push(performance.now() - asked)
    }
  }
  await Promise.all(Array.from({ length: clients }, lane))
  const seconds = (performance.now() - began) / 1000
  return {
    per_second: times.length / seconds,
    median_ms: times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!,
  }
}
