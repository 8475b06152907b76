// Two sides of a ratio, measured in turn within one run, so that both meet the same machine.

import { median, type ProofRun, round } from './proof.ts'

const ROUNDS = { short: 3, normal: 5, long: 5 }

type Side = 'ours' | 'bare'

export interface Comparison<K extends string> {
  /** Median of ours / bare over all rounds. */
  ratio: number
  /** Median of one figure of one side. */
  of: (side: Side, figure: K, digits?: number) => number
  /** `12 of 15 jobs/s`, by medians. */
  rates: string
}

interface Comparing<K extends string> {
  name: string
  /** The figure that is compared, and its unit. */
  by: K
  unit: string
  /** A first round, number 0, that does not count. */
  has_warm_up?: boolean
}

/** Each side gets the number of the round. */
export async function compareSides<K extends string>(
  run: Pick<ProofRun, 'length' | 'say'>,
  { name, by, unit, has_warm_up = false }: Comparing<NoInfer<K>>,
  sides: Record<Side, (round: number) => Promise<Record<K, number>>>,
): Promise<Comparison<K>> {
  const rounds: Record<Side, Record<K, number>>[] = []
  const ratioOf = ({ ours, bare }: Record<Side, Record<K, number>>): number => ours[by] / bare[by]
  for (let number = has_warm_up ? 0 : 1; number <= ROUNDS[run.length]; number++) {
    const bare = await sides.bare(number)
    const ours = await sides.ours(number)
    if (number === 0) continue
    rounds.push({ ours, bare })
    run.say(
      `${name} ${number}: ${round(ours[by], 1)} of ${round(bare[by], 1)} ${unit} = ${round(ratioOf({ ours, bare }))}`,
    )
  }
  const of: Comparison<K>['of'] = (side, figure, digits = 1) =>
    round(median(rounds.map((each) => each[side][figure])), digits)
  return { ratio: round(median(rounds.map(ratioOf))), of, rates: `${of('ours', by)} of ${of('bare', by)} ${unit}` }
}
