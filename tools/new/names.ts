// All spellings of a resource's name that the templates need.

export interface NameOptions {
  singular?: string | undefined
  prefix?: string | undefined
}

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)
const pascal = (kebab: string): string => kebab.split('-').map(capital).join('')
const camel = (kebab: string): string => kebab.split('-')[0]! + pascal(kebab.split('-').slice(1).join('-'))

function singularOf(plural: string): string {
  if (plural.endsWith('ies')) return `${plural.slice(0, -3)}y`
  if (/(s|x|z|ch|sh)es$/.test(plural)) return plural.slice(0, -2)
  if (/[^s]s$/.test(plural)) return plural.slice(0, -1)
  throw new Error(`The singular of '${plural}' is not clear. Say it: --singular <word>`)
}

/** A short word is its own prefix; of more than one word, the beginnings. */
function prefixOf(singular: string): string {
  const words = singular.split('-')
  if (words.length > 1) return words.map((word) => word.slice(0, 3)).join('')
  return singular.length <= 5 ? singular : singular.slice(0, 4)
}

/** `saved-searches` → the words between `{{` and `}}` in the templates. */
export function namesOf(name: string, options: NameOptions = {}): Record<string, string> {
  if (!/^[a-z]+(-[a-z]+)*$/.test(name))
    throw new Error(`'${name}' is not a plural noun in kebab-case, such as 'labels' or 'saved-searches'.`)
  const singular = options.singular ?? singularOf(name)
  const prefix = options.prefix ?? prefixOf(singular)
  if (!/^[a-z]{3,12}$/.test(prefix))
    throw new Error(
      `'${prefix}' cannot be a prefix of ids: 3 to 12 lower-case letters. Say another: --prefix <letters>`,
    )
  const one = singular.replaceAll('-', ' ')
  const a = `${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one}`
  return {
    prefix,
    'things-path': name,
    things: name.replaceAll('-', '_'),
    thing: singular.replaceAll('-', '_'),
    Things: pascal(name),
    Thing: pascal(singular),
    thingsVar: camel(name),
    thingVar: camel(singular),
    'many things': name.replaceAll('-', ' '),
    'one thing': one,
    'a thing': a,
    'A thing': capital(a),
  }
}

export function fillIn(template: string, names: Record<string, string>): string {
  return template.replace(/\{\{([A-Za-z][\w -]*)\}\}/g, (_, word: string) => {
    const name = names[word]
    if (name === undefined) throw new Error(`A template says {{${word}}}, which is no spelling of a name.`)
    return name
  })
}
