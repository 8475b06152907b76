// Language tags (BCP 47) and Tesseract's names for them.

const NAMES: Readonly<Record<string, string>> = {
  af: 'afr',
  ar: 'ara',
  az: 'aze',
  be: 'bel',
  bg: 'bul',
  bn: 'ben',
  bs: 'bos',
  ca: 'cat',
  cs: 'ces',
  cy: 'cym',
  da: 'dan',
  de: 'deu',
  el: 'ell',
  en: 'eng',
  eo: 'epo',
  es: 'spa',
  et: 'est',
  eu: 'eus',
  fa: 'fas',
  fi: 'fin',
  fr: 'fra',
  ga: 'gle',
  gl: 'glg',
  gu: 'guj',
  he: 'heb',
  hi: 'hin',
  hr: 'hrv',
  hu: 'hun',
  hy: 'hye',
  id: 'ind',
  is: 'isl',
  it: 'ita',
  ja: 'jpn',
  ka: 'kat',
  kk: 'kaz',
  km: 'khm',
  kn: 'kan',
  ko: 'kor',
  la: 'lat',
  lt: 'lit',
  lv: 'lav',
  mk: 'mkd',
  ml: 'mal',
  mr: 'mar',
  ms: 'msa',
  mt: 'mlt',
  nb: 'nor',
  ne: 'nep',
  nl: 'nld',
  no: 'nor',
  pa: 'pan',
  pl: 'pol',
  pt: 'por',
  ro: 'ron',
  ru: 'rus',
  sk: 'slk',
  sl: 'slv',
  sq: 'sqi',
  sr: 'srp',
  sv: 'swe',
  sw: 'swa',
  ta: 'tam',
  te: 'tel',
  th: 'tha',
  tr: 'tur',
  uk: 'ukr',
  ur: 'urd',
  vi: 'vie',
  zh: 'chi_sim',
}

const TAGS = new Map(Object.entries(NAMES).map(([tag, name]) => [name, tag]))

/** `de-AT` → `deu`; Chinese in traditional characters has separate data. */
export function findName(tag: string): string | undefined {
  const [primary = '', ...rest] = tag.toLowerCase().split('-')
  const is_traditional = primary === 'zh' && rest.some((part) => ['hant', 'tw', 'hk', 'mo'].includes(part))
  return is_traditional ? 'chi_tra' : NAMES[primary]
}

/** `deu` → `de`; nothing for what is no language, such as `osd`. */
export const findTag = (name: string): string | undefined => (name === 'chi_tra' ? 'zh-Hant' : TAGS.get(name))

// Candidates for each script; the first installed one is used.
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  Latin: ['eng', 'deu', 'fra', 'spa'],
  Cyrillic: ['rus', 'ukr', 'bul', 'srp'],
  Arabic: ['ara', 'fas', 'urd'],
  Hebrew: ['heb'],
  Greek: ['ell'],
  Han: ['chi_sim', 'chi_tra', 'jpn'],
  Japanese: ['jpn'],
  Hangul: ['kor'],
  Korean: ['kor'],
  Devanagari: ['hin', 'mar', 'nep'],
  Bengali: ['ben'],
  Tamil: ['tam'],
  Telugu: ['tel'],
  Thai: ['tha'],
  Georgian: ['kat'],
  Armenian: ['hye'],
}

/**
 * Texts in these scripts contain Latin names and words, which their own data does not know. The data of other scripts
 * knows them, or gets worse with a second language.
 */
export const namesBeside = (script: string): readonly string[] =>
  ['Cyrillic', 'Hebrew'].includes(script) ? ['eng'] : []

export const namesOfScript = (script: string): readonly string[] => SCRIPTS[script] ?? []

export const knownNames: readonly string[] = [...new Set(Object.values(NAMES)), 'chi_tra']
