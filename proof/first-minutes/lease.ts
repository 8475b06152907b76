// A lease that no model has seen: its facts are random, and each appears on only one page.

import type { CorpusPiece } from '../corpus/model.ts'
import { makePdf } from '../corpus/typst.ts'
import type { Random } from '../lib/random.ts'

export interface FirstMinutesLease {
  bytes: Uint8Array
  /** As written. */
  rent: string
  rent_page: number
  tenant: string
  pages: number
}

const NAMES = [
  'Ottilie Brandvold',
  'Casimir Threlfall',
  'Ximena Okonjo',
  'Barnaby Quillfeather',
  'Liv Sundqvist',
  'Tobiah Marchetti',
]
const STREETS = ['Lanternhill Road', 'Copper Beech Lane', 'Old Ferry Street', 'Windmill Crescent']
const CLAUSES = [
  'The tenant keeps the garden tidy and clears leaves from the path in autumn.',
  'The landlord repairs the roof, the outer walls and the pipes within a reasonable time.',
  'Bicycles are kept in the cellar and never in the stairwell.',
  'The tenant may keep one cat, and asks before keeping any other animal.',
  'Windows are cleaned twice a year, on the outside by the landlord.',
  'Music is played quietly after ten in the evening.',
  'The heating is serviced each spring by a firm that the landlord chooses.',
  'Keys that are lost are replaced at the cost of whoever lost them.',
  'The tenant reads the meters with the landlord on the day of moving in.',
  'Walls may be painted in light colours without asking.',
]

export function makeLease(random: Random): FirstMinutesLease {
  const tenant = random.one(NAMES)
  const rent = `${random.whole(600, 2400)}.${random.whole(10, 99)} euros`
  const deposit = `${random.whole(2500, 7000)} euros`
  const pages = random.whole(4, 7)
  const rent_page = random.whole(2, pages)
  const facts: Record<number, string> = {
    1: `This lease is made between the landlord Harrow Estates and the tenant ${tenant} for the flat at ${random.whole(2, 199)} ${random.one(STREETS)}.`,
    [rent_page]: `The rent is ${rent} a month and is due on day ${random.whole(2, 27)} of each month.`,
  }
  const deposit_page = rent_page === pages ? rent_page - 1 : rent_page + 1
  facts[deposit_page] = [facts[deposit_page], `The tenant pays a deposit of ${deposit} before moving in.`]
    .filter(Boolean)
    .join(' ')
  const model = Array.from({ length: pages }, (_, i): CorpusPiece[] => [
    i === 0 ? { type: 'title', text: 'Lease' } : { type: 'heading', text: `Part ${i + 1}` },
    ...(facts[i + 1] ? [{ type: 'paragraph', text: facts[i + 1]! } as const] : []),
    ...random
      .shuffle(CLAUSES)
      .slice(0, 3)
      .map((text) => ({ type: 'paragraph', text }) as const),
  ])
  return {
    bytes: makePdf({ language: 'en', pages: model, columns: 1, is_justified: false, running: null }),
    rent,
    rent_page,
    tenant,
    pages,
  }
}
