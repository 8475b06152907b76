// How dates and amounts are written on paper.

import type { Random } from '../../lib/random.ts'
import { months, type PaperLanguage } from './words.ts'

const DAY_MS = 86_400_000

export interface Hand {
  language: PaperLanguage
  date(iso: string): string
  amount(cents: number): string
}

const pad = (part: number): string => String(part).padStart(2, '0')

export const addDays = (iso: string, days: number): string =>
  new Date(Date.parse(iso) + days * DAY_MS).toISOString().slice(0, 10)

export const someDate = (random: Random): string => addDays('2025-01-02', random.whole(0, 640))

type DateWriter = (year: number, month: number, day: number) => string

const dates: Record<PaperLanguage, readonly DateWriter[]> = {
  en: [
    (year, month, day) => `${day} ${months.en[month - 1]} ${year}`,
    (year, month, day) => `${months.en[month - 1]} ${day}, ${year}`,
    (year, month, day) => `${year}-${pad(month)}-${pad(day)}`,
    (year, month, day) => `${pad(day)} ${months.en[month - 1]?.slice(0, 3)} ${year}`,
  ],
  de: [
    (year, month, day) => `${pad(day)}.${pad(month)}.${year}`,
    (year, month, day) => `${day}. ${months.de[month - 1]} ${year}`,
    (year, month, day) => `${year}-${pad(month)}-${pad(day)}`,
  ],
}

/** One paper is written by one hand: the same form throughout. */
export function handOf(random: Random, language: PaperLanguage): Hand {
  const write = random.one(dates[language])
  const is_grouped = random.next() < 0.7
  return {
    language,
    date: (iso) => write(...(iso.split('-').map(Number) as [number, number, number])),
    amount(cents) {
      const whole = String(Math.floor(cents / 100))
      const shown = is_grouped ? whole.replace(/\B(?=(\d{3})+$)/g, language === 'de' ? '.' : ',') : whole
      return `${shown}${language === 'de' ? ',' : '.'}${pad(cents % 100)}`
    },
  }
}
