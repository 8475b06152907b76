import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLanguage } from './language.ts'

const texts = {
  en: 'The tenant pays the rent on the first day of each month and keeps the house in good order.',
  de: 'Der Mieter zahlt die Miete am ersten Tag jedes Monats und hält das Haus in gutem Zustand.',
  fr: "Le locataire paie le loyer le premier jour de chaque mois et garde la maison en bon état d'entretien.",
  ru: 'Арендатор платит за дом в первый день каждого месяца и содержит его в порядке.',
  he: 'השוכר משלם את שכר הדירה ביום הראשון של כל חודש ושומר על הבית במצב טוב.',
  ja: '借主は毎月一日に家賃を支払い、家を良い状態に保つものとする。',
}

for (const [language, text] of Object.entries(texts)) {
  test(`recognizes a sentence in '${language}'`, async () => {
    assert.equal(await findLanguage(text), language)
  })
}

test('recognizes a short sentence by its script', async () => {
  assert.equal(await findLanguage('今日は雨です。'), 'ja')
  assert.equal(await findLanguage('我们明天见。'), 'zh')
  assert.equal(await findLanguage('Мужчина едет на большой лошади.'), 'ru')
  assert.equal(await findLanguage('Мъжът язди голям кон край реката.'), 'bg')
  assert.equal(await findLanguage('¡Sí, es común!'), 'es')
  assert.equal(await findLanguage('Kot liże butelkę.'), 'pl')
  assert.equal(await findLanguage('Чоловік їде на великому коні.'), 'uk')
})

test('returns no language if there is too little text', async () => {
  for (const text of ['', ' \n', 'Total', '1,250.00 / 2027-03-01 / 77 %', '.'.repeat(5_000)])
    assert.equal(await findLanguage(text), null, text)
})

test('the start of a long text is sufficient', async () => {
  const start = performance.now()

  assert.equal(await findLanguage(texts.de.repeat(10_000)), 'de')
  assert.ok(performance.now() - start < 1_000)
})
