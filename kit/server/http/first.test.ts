import { expect, test } from 'vitest'
import { languageAsked, markup, withFirst } from './first.ts'

test('what fills a piece of a page is escaped, unless it is a piece', () => {
  const name = '<script>"&\''
  expect(markup`<b title="${name}">${[markup`<i>`, name, null, false, 3]}</b>`.text).toBe(
    '<b title="&#60;script&#62;&#34;&#38;&#39;"><i>&#60;script&#62;&#34;&#38;&#39;3</b>',
  )
})

test.each([
  [{}, 'en'],
  [{ 'accept-language': 'ar-EG,en;q=0.8' }, 'ar'],
  [{ 'accept-language': 'tlh, de' }, 'de'],
  [{ 'accept-language': 'de', cookie: 'x=1; language=fr' }, 'fr'],
  [{ 'accept-language': 'de', cookie: 'language=xx' }, 'de'],
  [{ 'accept-language': 'de', cookie: 'slanguage=fr' }, 'de'],
])('the language of %j is %s', (headers, lang) => expect(languageAsked(headers)).toBe(lang))

test('what stands first comes before the styles of the screen, with its own under the nonce of the page', () => {
  const page =
    '<!doctype html><html lang="en" dir="ltr"><head><link rel="stylesheet" crossorigin href="/assets/a.css"></head><body><div id="root"></div></body></html>'
  const whole = withFirst(page, { html: '<div id="first">$& x</div>', lang: 'ar' }, 'n0nce')
  expect(whole).toMatch(/^<!doctype html><html lang="ar" dir="rtl">/)
  expect(whole).toContain('<style nonce="n0nce">')
  // What is drawn stands there as it is: `$&` has no meaning in it.
  expect(whole).toContain('<div id="first">$& x</div>')
  expect(whole.indexOf('$& x')).toBeLessThan(whole.indexOf('/assets/a.css'))
  expect(whole.match(/a\.css/g)).toHaveLength(1)
  expect(whole.indexOf('a.css')).toBeGreaterThan(whole.indexOf('</head>'))
})
