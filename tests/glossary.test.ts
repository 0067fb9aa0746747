import { readFileSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { AREAS } from '../apps/areas.contract.ts'

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')

interface Entry {
  readonly word: string
  readonly not: readonly string[]
}
/** Rows of the tables: word, Arabic, meaning, not, not in Arabic. */
const rows = read('docs/GLOSSARY.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (word|---)/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
const words = (cell = ''): string[] => cell.split(/[,،]\s*/).filter(Boolean)
const ENTRIES: Readonly<Record<'en' | 'ar', readonly Entry[]>> = {
  en: rows.map(([, word = '', , , not]) => ({ word, not: words(not) })),
  ar: rows.map(([, , word = '', , , not]) => ({ word, not: words(not) })),
}

/** Every text that a person reads: of the catalogues, and of the labels beside what they name. */
function textsOf(lang: 'en' | 'ar'): string[] {
  const texts: string[] = []
  const walk = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value)
    else if (value && typeof value === 'object') Object.values(value).forEach(walk)
  }
  for (const name of readdirSync(new URL(`../locales/${lang}/`, import.meta.url)))
    walk(JSON.parse(read(`locales/${lang}/${name}`)))
  const seen = new Set<unknown>()
  const labels = (value: unknown): void => {
    if (!value || typeof value !== 'object' || seen.has(value)) return
    seen.add(value)
    if (Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')) {
      if (/[\u0600-\u06ff]/.test(value[1] as string)) texts.push(value[lang === 'en' ? 0 : 1] as string)
    } else Object.values(value).forEach(labels)
  }
  labels(AREAS)
  return texts
}

const has = (text: string, word: string): boolean =>
  /[\u0600-\u06ff]/.test(word)
    ? new RegExp(`(?<![\\u0600-\\u06ff])(?:[وبلكف]|ال|وال|بال|لل)?${word}(?![\\u0600-\\u06ff])`).test(text)
    : new RegExp(`\\b${word}s?\\b`, 'i').test(text)

it.each(['en', 'ar'] as const)('one word per thing, %s', (lang) => {
  const texts = textsOf(lang)
  expect(texts.length).toBeGreaterThan(800)
  expect(ENTRIES[lang].filter(({ not }) => not.length > 0).length).toBeGreaterThan(3)
  const wrong = ENTRIES[lang].flatMap(({ word, not }) =>
    not.flatMap((other) => texts.filter((text) => has(text, other)).map((text) => `"${text}": say ${word}`)),
  )
  expect(wrong).toEqual([])
})
