// Topics from a short fixed list: labels that the caller does not have to name.

import { type LabelOptions, type LabelResult, scoreLabels } from './labels.ts'
import { wordsOf } from './words.ts'

/** Named after the first level of subjects that news agencies and libraries use. */
const TOPICS = [
  ['agriculture', 'farming, crops, livestock, food production, fishing and forestry'],
  ['arts_and_culture', 'music, film, books, painting, theatre, museums and exhibitions'],
  ['business_and_finance', 'companies, earnings, stock markets, banks, investment and trade'],
  ['computing', 'software, computers, programming, data, networks and the internet'],
  ['construction_and_property', 'buildings, architecture, real estate, leases, tenants and landlords'],
  ['crime_and_justice', 'police, crimes, trials, courts, prisons and sentences'],
  ['economy', 'inflation, unemployment, growth, interest rates, taxes and public budgets'],
  ['education', 'schools, universities, teachers, students, courses and exams'],
  ['employment', 'jobs, contracts of employment, wages, hiring, human resources and unions'],
  ['energy', 'oil, gas, electricity, nuclear power, wind and solar energy'],
  ['engineering', 'machines, manufacturing, materials, aerodynamics, electronics and technical design'],
  ['environment', 'climate, pollution, conservation, wildlife and natural disasters'],
  ['health_and_medicine', 'diseases, patients, doctors, hospitals, drugs and treatment'],
  ['law_and_contracts', 'contracts, agreements, clauses, liability, legislation and legal rights'],
  ['military_and_conflict', 'war, armed forces, weapons, attacks, terrorism and peace talks'],
  ['politics_and_government', 'elections, parties, parliament, ministers, diplomacy and public administration'],
  ['religion', 'churches, faith, belief, prayer, clergy and religious communities'],
  ['science', 'research, experiments, physics, chemistry, biology, mathematics and space'],
  ['society', 'families, communities, migration, human rights, charity and daily life'],
  ['sports', 'games, matches, teams, players, coaches, leagues and championships'],
  ['transport', 'cars, railways, aviation, shipping, logistics and traffic'],
  ['travel_and_leisure', 'tourism, hotels, restaurants, cooking, hobbies and entertainment'],
] as const

const MIN_SCORE = 0.2
/** Fewer say nothing, and of many topics one is always a little nearer than the others. */
const MIN_WORDS = 6
const MAX_TOPICS = 5
const ENOUGH_UNITS = 10_000

/** Likeliest first; none where none fits. */
export async function topicsOf(
  texts: readonly string[],
  options: Omit<LabelOptions, 'multi_label'>,
): Promise<LabelResult[]> {
  if (wordsOf(texts.join('\n').slice(0, ENOUGH_UNITS)).filter((word) => /\p{L}{2}/u.test(word)).length < MIN_WORDS)
    return []
  const labels = TOPICS.map(([name, description]) => ({ name, description }))
  const results = await scoreLabels(texts, labels, { ...options, multi_label: false })
  return results.filter(({ score }) => score >= MIN_SCORE).slice(0, MAX_TOPICS)
}
