import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mainFields } from './summary-fields.ts'

const shown = (text: string): string[] =>
  mainFields({ text, language: 'en', blocks: null }).map(({ label, start, end }) => {
    const value = [...text].slice(start, end).join('')
    return label === '' ? value : `${label}: ${value}`
  })

test('a receipt summary starts with the shop, its number, the total and the date', () => {
  const receipt = `NORTHWIND BOOKS
12 Harbor Street
Receipt #: R-20481
Date: 03/14/2026
Customer: Ana Lindqvist
Atlas of Rivers 48.00
Pencil 2.50
Subtotal: $50.50
Tax: $4.04
TOTAL: $54.54
Thank you for your visit!`

  assert.deepEqual(shown(receipt), [
    'NORTHWIND BOOKS',
    'Customer: Ana Lindqvist',
    'Receipt #: R-20481',
    'TOTAL: $54.54',
    'Date: 03/14/2026',
  ])
})

test('the amount to pay takes precedence over other totals, in other languages too', () => {
  const bill = `Muster Gartenbau AG
Rechnungsnummer: 3140
Rechnungsdatum: 02.07.2026
Kunde: Petra Keller
Summe: CHF 3'100.00
Rechnungsbetrag: CHF 3'360.00`

  assert.deepEqual(shown(bill), [
    'Muster Gartenbau AG',
    'Kunde: Petra Keller',
    'Rechnungsnummer: 3140',
    "Rechnungsbetrag: CHF 3'360.00",
    'Rechnungsdatum: 02.07.2026',
  ])
})

test('does not treat an article with a few fields as a form', () => {
  const letter = `Date: 1 May 2026
Name: Ana Lindqvist
Total: 12.00
Dear Ana, we are glad that you have chosen our library for your work on the rivers of the north.
The reading room is open on every day of the week, and the catalog lists more than ten thousand maps.
Please bring your card with you, because the doors of the map room open only with a valid card.`

  assert.deepEqual(shown(letter), [])
  assert.deepEqual(shown(''), [])
  assert.deepEqual(shown('Total: 5'), [])
})
