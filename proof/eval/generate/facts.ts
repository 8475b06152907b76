// Passages as they stand in papers, and claims about them in other words. Each topic has slots that are drawn anew, so that
// two passages of one topic differ in nothing but their facts: those are the swaps that are hard to see.

import type { Random } from '../../lib/random.ts'
import { companies, goods, people, towns } from './words.ts'
import { addDays, someDate } from './writing.ts'

export interface Fact {
  passage: string
  claim: string
}

export type Topic = (random: Random) => Fact

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

export const longDate = (iso: string): string =>
  `${Number(iso.slice(8))} ${months[Number(iso.slice(5, 7)) - 1]} ${iso.slice(0, 4)}`
export const shortDate = (iso: string): string =>
  `${months[Number(iso.slice(5, 7)) - 1]} ${Number(iso.slice(8))}, ${iso.slice(0, 4)}`
export const count = (value: number): string => value.toLocaleString('en-US')
export const small = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']

export const tuning_topics: readonly Topic[] = [
  (random) => {
    const [rent, tenant, start] = [random.whole(40, 300) * 10, random.one(people), someDate(random)]
    return {
      passage: `The Tenant, ${tenant}, shall pay a monthly rent of ${count(rent)} euros, payable in advance on the first working day of each month, beginning on ${longDate(start)}.`,
      claim: `${tenant} owes ${count(rent)} euros in rent every month from ${shortDate(start)}.`,
    }
  },
  (random) => {
    const years = random.whole(2, 9)
    const place = random.one(towns)
    return {
      passage: `This lease of the premises in ${place} is granted for a term of ${years} years and ends without notice when that term has run out.`,
      claim: `The ${place} premises are let for ${small[years - 2]} years.`,
    }
  },
  (random) => {
    const [firm, weeks, item] = [random.one(companies), random.whole(2, 12), random.one(goods)[0]]
    return {
      passage: `${firm} undertakes to deliver the goods ordered (${item}) within ${weeks} weeks of the date of the order; delays caused by force majeure are excepted.`,
      claim: `Delivery of the ${item.toLowerCase()} by ${firm} has to happen in ${small[weeks - 2]} weeks.`,
    }
  },
  (random) => {
    const [year, growth, millions] = [random.whole(2017, 2025), random.whole(11, 189) / 10, random.whole(30, 900) / 10]
    return {
      passage: `In the financial year ${year} revenue rose by ${growth} per cent to ${millions} million euros, mainly because of stronger demand in the second half.`,
      claim: `Sales reached ${millions} million euros in ${year}, an increase of ${growth}%.`,
    }
  },
  (random) => {
    const [chair, date, town] = [random.one(people), someDate(random), random.one(towns)]
    return {
      passage: `The meeting of the board was opened by ${chair} in ${town} on ${longDate(date)} at ten o'clock. A quorum was present.`,
      claim: `${chair} chaired the board meeting held in ${town} on ${shortDate(date)}.`,
    }
  },
  (random) => {
    const [votes, against, author] = [random.whole(12, 90), random.whole(1, 11), random.one(people)]
    return {
      passage: `The motion put forward by ${author} was carried by ${votes} votes to ${against}, with no abstentions, and takes effect at once.`,
      claim: `${author}'s motion was adopted with ${votes} in favour and ${against} against.`,
    }
  },
  (random) => {
    const [days, firm] = [random.one([14, 30, 45, 60, 90]), random.one(companies)]
    return {
      passage: `Either party may terminate this agreement with ${firm} by giving not less than ${days} days' written notice to the other.`,
      claim: `The contract with ${firm} can be ended on ${days} days' notice in writing.`,
    }
  },
  (random) => {
    const [sample, share, town] = [random.whole(120, 4_800), random.whole(12, 88), random.one(towns)]
    return {
      passage: `Of the ${count(sample)} households questioned in ${town}, ${share} per cent said that they would use the bus more often if it ran after midnight.`,
      claim: `${share}% of ${count(sample)} surveyed households in ${town} would take more buses if there were a night service.`,
    }
  },
  (random) => {
    const [dose, patients, weeks] = [random.one([5, 10, 20, 40, 80]), random.whole(40, 900), random.whole(4, 12)]
    return {
      passage: `A total of ${patients} patients received ${dose} mg of the preparation once daily for ${weeks} weeks. No serious adverse events were reported.`,
      claim: `${patients} people took ${dose} mg a day over ${small[weeks - 2]} weeks without serious side effects.`,
    }
  },
  (random) => {
    const [mass, depth, place] = [random.whole(12, 240), random.whole(3, 40), random.one(towns)]
    return {
      passage: `The bridge near ${place} may be crossed by vehicles of up to ${mass} tonnes; its foundations reach ${depth} metres below the river bed.`,
      claim: `Vehicles heavier than ${mass} tonnes are not allowed on the bridge at ${place}.`,
    }
  },
  (random) => {
    const [employee, date, role] = [
      random.one(people),
      someDate(random),
      random.one(['head of sales', 'chief engineer', 'works manager', 'treasurer']),
    ]
    return {
      passage: `With effect from ${longDate(date)}, ${employee} is appointed ${role} of the company and joins the management committee.`,
      claim: `${employee} becomes ${role} on ${shortDate(date)}.`,
    }
  },
  (random) => {
    const [sum, firm, date] = [random.whole(10, 990) * 100, random.one(companies), addDays(someDate(random), 10)]
    return {
      passage: `The outstanding balance of ${count(sum)} dollars in favour of ${firm} falls due on ${longDate(date)}; interest of four per cent is charged after that day.`,
      claim: `${firm} must be paid ${count(sum)} dollars by ${shortDate(date)}.`,
    }
  },
  (random) => {
    const [hours, item] = [random.whole(2, 12), random.one(['battery', 'pump', 'compressor', 'scanner'])]
    return {
      passage: `When fully charged the ${item} runs for up to ${hours} hours. Charge it only with the adapter supplied and never leave it in the rain.`,
      claim: `A full charge lets the ${item} work for ${small[hours - 2]} hours.`,
    }
  },
  (random) => {
    const [firm, number] = [random.one(companies), random.whole(120, 990)]
    return {
      passage: `${firm} announced that it will close its plant in ${random.one(towns)} at the end of the year. About ${number} jobs are affected, and talks with the works council have begun.`,
      claim: `Around ${number} employees of ${firm} lose their jobs through a plant closure.`,
    }
  },
  (random) => {
    const [low, high] = [random.whole(2, 9), random.whole(14, 30)]
    const item = random.one(['vaccine', 'serum', 'reagent', 'adhesive'])
    return {
      passage: `Store the ${item} between ${low} and ${high} degrees Celsius, protected from light. Do not freeze. Discard it six months after opening.`,
      claim: `The ${item} has to be kept at ${low} to ${high} °C.`,
    }
  },
  (random) => {
    const [insured, excess] = [random.one(people), random.whole(2, 20) * 50]
    return {
      passage: `The policy held by ${insured} covers damage by fire, storm and burst pipes. An excess of ${count(excess)} pounds applies to each claim; flooding is not covered.`,
      claim: `${insured} pays the first ${count(excess)} pounds of every claim.`,
    }
  },
]
