// Topics of the held-out half, worded without regard to the others.

import { count, longDate, shortDate, small, type Topic } from './facts.ts'
import { companies, goods, people, towns } from './words.ts'
import { addDays, someDate } from './writing.ts'

export const held_out_topics: readonly Topic[] = [
  (random) => {
    const [author, sum, place] = [random.one(people), random.whole(5, 95) * 1_000, random.one(towns)]
    return {
      passage: `In her will ${author} leaves ${count(sum)} pounds to the public library of ${place}, on the condition that the reading room stays open on Sundays.`,
      claim: `The library in ${place} inherits ${count(sum)} pounds from ${author}.`,
    }
  },
  (random) => {
    const [speed, before, place] = [random.one([30, 40, 50]), random.one([60, 70, 80]), random.one(towns)]
    return {
      passage: `On the ring road of ${place} the speed limit is lowered from ${before} to ${speed} kilometres per hour after a series of accidents.`,
      claim: `Drivers around ${place} may now go no faster than ${speed} km/h.`,
    }
  },
  (random) => {
    const [firm, shares, price] = [random.one(companies), random.whole(100, 9_000), random.whole(20, 950) / 10]
    return {
      passage: `The offeror acquires ${count(shares)} shares of ${firm} at a price of ${price} euros each; completion is subject to approval by the competition authority.`,
      claim: `${count(shares)} ${firm} shares are being bought for ${price} euros apiece.`,
    }
  },
  (random) => {
    const [pupils, classes, place] = [random.whole(90, 900), random.whole(4, 12), random.one(towns)]
    return {
      passage: `${place} primary school has ${pupils} pupils in ${small[classes - 2]} classes this year. A further teacher will join in spring.`,
      claim: `At the school in ${place}, ${pupils} children are taught in ${classes} classes.`,
    }
  },
  (random) => {
    const [inspector, date, faults] = [random.one(people), someDate(random), random.whole(2, 12)]
    return {
      passage: `The lift was examined by ${inspector} on ${longDate(date)}. The report lists ${faults} defects, none of which requires that it be taken out of service.`,
      claim: `During the inspection on ${shortDate(date)}, ${inspector} found ${small[faults - 2]} faults in the lift.`,
    }
  },
  (random) => {
    const [item, minimum, discount] = [random.one(goods)[0], random.whole(10, 90) * 10, random.whole(3, 25)]
    return {
      passage: `For orders of at least ${minimum} units of "${item}" we grant a discount of ${discount} % on the list price, not to be combined with other offers.`,
      claim: `Buying ${minimum} or more of ${item.toLowerCase()} makes it ${discount} per cent cheaper.`,
    }
  },
  (random) => {
    const [patient, date, days] = [random.one(people), someDate(random), random.whole(3, 12)]
    return {
      passage: `${patient} was admitted on ${longDate(date)} with acute appendicitis, was operated on the same evening and went home after ${days} days without complications.`,
      claim: `${patient} left hospital ${small[days - 2]} days after being admitted on ${shortDate(date)}.`,
    }
  },
  (random) => {
    const [firm, date, kilowatts] = [random.one(companies), addDays(someDate(random), 30), random.whole(20, 900)]
    return {
      passage: `The solar plant built by ${firm} with a peak output of ${kilowatts} kilowatts is to be connected to the grid on ${longDate(date)}.`,
      claim: `From ${shortDate(date)} the ${kilowatts} kW installation of ${firm} feeds power into the grid.`,
    }
  },
]
