import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from './html.ts'

test('escapes values in text and in attributes', () => {
  const name = `<script>"&'`

  assert.equal(
    html`<p title="${name}">${name}</p>`.text,
    '<p title="&lt;script&gt;&quot;&amp;&#39;">&lt;script&gt;&quot;&amp;&#39;</p>',
  )
})

test('nests HTML and lists, and leaves null out', () => {
  const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`)

  assert.equal(html`<ul>${items}</ul>${null}${7}`.text, '<ul><li>a</li><li>&lt;b&gt;</li></ul>7')
})
