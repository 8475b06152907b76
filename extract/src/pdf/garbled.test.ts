import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { line } from '../layout/testing.ts'
import { isGarbled } from './garbled.ts'

const textIn = (language: string): string =>
  readFileSync(new URL(`../../../proof/corpus/texts/${language}.txt`, import.meta.url), 'utf8').slice(0, 3_000)
const wordsFrom = (text: string) => line(0, 0, text.replace(/\s+/g, ' ').trim())
/** As in a font whose codes are those of other letters. */
const moved = (text: string, by: number): string =>
  text.replace(/[!-~]/g, (sign) => String.fromCharCode(Math.max(33, Math.min(126, sign.charCodeAt(0) + by))))

test('text in which each letter was replaced by another one is garbled', () => {
  for (const language of ['en', 'de', 'es', 'fr', 'pl'])
    for (const by of [-31, -29, -1, 1, 3])
      assert.equal(isGarbled(wordsFrom(moved(textIn(language), by))), true, `${language} ${by}`)
})

test('text is not garbled in any language', () => {
  const vietnamese = 'Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi. '
  const turkish = 'Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler. '
  const welsh = "Genir pawb yn rhydd ac yn gydradd â'i gilydd mewn urddas a hawliau. Fe'u cynysgaeddir â rheswm. "
  const swahili = 'Watu wote wamezaliwa huru, hadhi na haki zao ni sawa. Wote wamejaliwa akili na dhamiri. '

  for (const language of ['ar', 'de', 'en', 'es', 'fr', 'ja', 'pl', 'ru', 'zh'])
    assert.equal(isGarbled(wordsFrom(textIn(language))), false, language)
  for (const text of [vietnamese, turkish, welsh, swahili]) assert.equal(isGarbled(wordsFrom(text.repeat(6))), false)
})

test('keys and short texts are not garbled text', () => {
  const key = Buffer.from(textIn('ru')).toString('base64').replace(/.{64}/g, '$& ')

  assert.equal(isGarbled(wordsFrom(key)), false)
  assert.equal(isGarbled(wordsFrom(moved('Total of all invoices', -1))), false)
})
