// The words of a text, in any language.

/** Scripts that do not write spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’.-][\p{L}\p{N}\p{M}]+)*/gu
/** The segmenter's time grows faster than its text. */
const PIECE_UNITS = 4_000

const isUnspaced = (text: string): boolean => UNSPACED.test(text)

export function wordsOf(text: string): string[] {
  if (!isUnspaced(text)) return text.match(WORD) ?? []
  const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })
  const words: string[] = []
  for (let at = 0; at < text.length; at += PIECE_UNITS) {
    for (const { segment, isWordLike } of segmenter.segment(text.slice(at, at + PIECE_UNITS)))
      if (isWordLike) words.push(segment)
  }
  return words
}

/** Words that say little of what a text is about, in the languages that are met most. */
const STOP_WORDS: Record<string, string> = {
  en: `a about above after again against all also am an and any are as at be because been before being below between both but by can could did
    do does doing down during each few for from further had has have having he her here hers him his how i if in into is it its itself just me
    more most my no nor not now of off on once only or other our ours out over own same she should so some such than that the their theirs them
    then there these they this those through to too under until up upon us very was we were what when where which while who whom why will with
    would you your yours may might must shall via per however therefore thus said says`,
  de: `aber als also am an auch auf aus bei bin bis bist da dann das dass dem den der des die dies diese dieser du durch ein eine einem einen
    einer eines er es für gegen haben hat hatte ich ihr im in ist ja kann kein keine mit nach nicht noch nur ob oder ohne sein seine sich sie
    sind so über um und uns unter vom von vor war waren was wenn wer wie wir wird wurde wurden werden worden zu zum zur`,
  fr: `au aux avec ce ces cette comment dans de des du elle en et eux il ils je la le les leur leurs lui ma mais me même mes mon ne nos notre nous on ou
    où par pas plus pour qu que qui sa sans se ses son sont sur ta te tes ton tu un une vos votre vous est été être ont a aussi comme`,
  es: `a al algo como con de del desde donde e el ella ellos en entre era es esta este esto fue ha han hay la las le les lo los más me mi muy no
    nos o para pero por que qué se ser si sin sobre son está están su sus también tan te tu un una unos y ya`,
  it: `a ad ai al alla alle anche che chi ci come con da dal dalla dei del della delle di e è ed gli ha hanno i il in io la le lo ma mi nel nella
    non o per più quale quella questo se si sono su sua suo sul tra un una uno`,
  pt: `a ao aos as com como da das de do dos e é ela ele em entre era essa este foi há isso já mais mas me na não nas no nos o os ou para pela pelo
    por que se sem ser seu sua são também um uma`,
  nl: `aan al als bij dat de der die dit door een en er had heeft het hij hoe hun ik in is je kan maar me met mijn naar niet nog nu of om onder ook
    op over te tot uit van veel voor was wat we wel werd wie wij worden zij zijn zo zou`,
}
const stops = new Map<string, ReadonlySet<string>>()

/** Empty for a language that has no list here. */
export function stopWordsOf(language: string | null): ReadonlySet<string> {
  const key = language?.slice(0, 2) ?? ''
  const known = stops.get(key)
  if (known) return known
  const made = new Set((STOP_WORDS[key] ?? '').split(/\s+/).filter(Boolean))
  stops.set(key, made)
  return made
}
