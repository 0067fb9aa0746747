import { expect, test } from 'vitest'
import { instantOf, isLanguage, isObject, isUrl, listed, textOf, typesOf } from './values.rules.ts'

test('what others wrote is read without knowing what it is', () => {
  expect([{}, [], null, 'a', undefined].map(isObject)).toEqual([true, false, false, false, false])
  expect([undefined, null, 'a', ['a', 'b'], []].map(listed)).toEqual([[], [null], ['a'], ['a', 'b'], []])
  expect(['a', 1, null].map(textOf)).toEqual(['a', null, null])
  expect([{ type: 'A' }, { type: ['A', 1, 'B'] }, {}, 'A'].map(typesOf)).toEqual([['A'], ['A', 'B'], [], []])
})

test.each<[unknown, boolean]>([
  ['https://example.org', true],
  ['https://example.org/a?b=c#d', true],
  ['http://user@example.org:8080/', true],
  ['https://[2001:db8::1]/a', true],
  ['https://جامعة.example/طالب', true],
  ['did:web:example.org', true],
  ['did:key:z6Mk', true],
  ['urn:uuid:1234', true],
  ['mailto:a@example.org', true],
  ['https://example.org/%41', true],
  ['https:///a', false],
  ['https://', false],
  ['https://example.org:123456/', false],
  ['https://example.org:a/', false],
  ['https://a:b:c/', false],
  ['https://[xyz]/', false],
  ['https://example.org/%4', false],
  ['https://example.org/%zz', false],
  ['https://example.org/a b', false],
  ['https://example.org/<a>', false],
  ['https://example.org/\u0007', false],
  ['HTTPS:nothing', false],
  ['did:', false],
  ['did:web', false],
  ['did:WEB:a', false],
  ['did::a', false],
  ['did:web::a', false],
  ['urn:a', false],
  ['urn:-a:b', false],
  [`urn:${'a'.repeat(33)}:b`, false],
  ['1a:b', false],
  ['example.org', false],
  ['a:', false],
  ['', false],
  [1, false],
  [null, false],
])('an address: %s', (value, is) => {
  expect(isUrl(value)).toBe(is)
})

const DAY = Date.UTC(2024, 1, 29)
const HOUR = 3_600_000
test.each<[unknown, number | null]>([
  ['2024-02-29T00:00:00Z', DAY],
  ['2024-02-29T23:59:59Z', DAY + 24 * HOUR - 1000],
  ['2024-02-28T24:00:00Z', DAY],
  ['2024-02-28T24:00:00.0Z', DAY],
  ['2024-02-28T24:00:00.5Z', null],
  ['2024-02-28T24:01:00Z', null],
  ['2024-02-28T24:00:01Z', null],
  ['2024-02-28T25:00:00Z', null],
  ['2024-02-29T00:00:00.25Z', DAY + 250],
  ['2024-02-29T02:00:00+02:00', DAY],
  ['2024-02-28T20:30:00-03:30', DAY],
  ['2024-02-29T14:00:00+14:00', DAY],
  ['2024-02-29T14:01:00+14:01', null],
  ['2024-02-28T10:00:00-14:00', DAY],
  ['2024-02-29T00:00:00+02:60', null],
  ['2023-02-29T00:00:00Z', null],
  ['2024-04-31T00:00:00Z', null],
  ['2024-00-01T00:00:00Z', null],
  ['2024-13-01T00:00:00Z', null],
  ['2024-01-00T00:00:00Z', null],
  ['2024-01-01T00:60:00Z', null],
  ['2024-01-01T00:00:60Z', null],
  ['9999-12-31T00:00:00Z', Date.UTC(9999, 11, 31)],
  ['10000-01-01T00:00:00Z', null],
  ['0050-01-01T00:00:00Z', new Date('0050-01-01T00:00:00Z').getTime()],
  ['-0050-01-01T00:00:00Z', new Date('-000050-01-01T00:00:00Z').getTime()],
  ['2024-02-29', null],
  ['2024-02-29T00:00:00', null],
  ['2024-2-29T00:00:00Z', null],
  [' 2024-02-29T00:00:00Z', null],
  [DAY, null],
  [undefined, null],
])('a moment with its zone: %s', (value, at) => {
  expect(instantOf(value)).toBe(at)
})

test.each<[unknown, boolean]>([
  ['en', true],
  ['ar-EG', true],
  ['zh-Hant-TW', true],
  ['e', false],
  ['en_US', false],
  ['en-', false],
  ['123', false],
  ['en-abcdefghi', false],
  [1, false],
])('a language: %s', (value, is) => {
  expect(isLanguage(value)).toBe(is)
})
