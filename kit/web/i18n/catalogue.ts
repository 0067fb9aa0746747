import { isInstant } from '#kit/contract/day.ts'
import { amountIn } from '#kit/contract/money.ts'
import { groupedNumber, saidIn, typeset } from '#kit/contract/words.ts'
import { use, useMemo } from 'react'
import type { Problem } from '#kit/contract/schema.ts'
import type { Keys } from '#locales/keys.ts'
import { ApiError } from '../api/error.ts'
import { formatDate, formatInstant, formatMoney, formatNumber, noteNames } from './format.ts'
import { areasIn, fileOf } from './files.ts'
import type { Catalogue } from './files.ts'
import {
  directionOf,
  keepLanguage,
  language,
  languageStore,
  localeOf,
  paperLanguageOf,
  useLanguage,
} from './language.ts'
import type { Label, Language } from './language.ts'

/** Names of the catalogues: `kit` and one per area. */
export type Area = keyof Keys
/** Values for the `{places}` of a text; `count` chooses the plural form. */
export type Values = Readonly<Record<string, string | number | null | undefined>>
/** Translates the keys of one area. */
export type T<A extends Area> = (key: Keys[A], values?: Values) => string

/** Texts of each area, by language and area. */
const texts = new Map<string, Readonly<Record<string, string>>>()

const plurals = new Map<Language, Intl.PluralRules>()
const pluralOf = (count: number, l: Language): string => {
  const rules = plurals.get(l) ?? new Intl.PluralRules(localeOf(l))
  plurals.set(l, rules)
  return rules.select(count)
}
/** The text under a key, in the form that a count asks for; a language that has no such form has another that serves. */
function textUnder(key: string, area: string, count: unknown, l: Language): string | undefined {
  const known = texts.get(`${l}/${area}`)
  if (typeof count !== 'number') return known?.[key]
  const forms = [...(count === 0 ? ['zero'] : []), pluralOf(count, l), 'other']
  return forms.map((form) => known?.[`${key}_${form}`]).find((text) => text !== undefined) ?? known?.[key]
}

/**
 * Wraps a value in Unicode isolates where its direction differs from the sentence around it, so that a Latin name, a code
 * or a range keeps its own order inside Arabic, and an Arabic name inside the other languages.
 */
export const isolate = (value: string, l: Language = language()): string => {
  const foreign = directionOf(l) === 'rtl' ? /[\p{Script=Latin}\d]/u : /[\u0590-\u08ff\ufb1d-\ufefc]/
  return foreign.test(value) ? `\u2068${value}\u2069` : value
}

const labels = new Map<Language, Map<string, string>>()
const errors = new Map<Language, Map<string, string>>()
const loading = new Map<string, Promise<void>>()
const wanted = new Set<string>(['kit'])

const into = (target: Map<Language, Map<string, string>>, l: Language, entries: Record<string, string> = {}) => {
  const map = target.get(l) ?? new Map<string, string>()
  for (const [key, text] of Object.entries(entries)) if (!map.has(key)) map.set(key, text)
  target.set(l, map)
}

/** Fetches the texts of an area in a language; each is fetched once. An area without own catalogue has no texts to fetch. */
export function loadTexts(area: string, l: Language = language()): Promise<void> {
  wanted.add(area)
  const key = `${l}/${area}`
  const going = loading.get(key)
  if (going) return going
  const file = fileOf(l, area) ?? fileOf('en', area)
  const fetchTexts = async () => {
    const catalogue: Catalogue = file ? await file() : {}
    texts.set(key, typeset(catalogue.ui, l) ?? {})
    into(labels, l, typeset(catalogue.labels, l))
    noteNames(l, typeset(catalogue.names, l))
    into(errors, l, typeset(catalogue.errors, l))
  }
  const promise = fetchTexts()
  loading.set(key, promise)
  // Tells React that there is nothing to wait for any more.
  promise.then(
    () => Object.assign(promise, { status: 'fulfilled', value: undefined }),
    () => loading.delete(key),
  )
  return promise
}

/** Changes the language of the interface: fetches every catalogue in use first, so that nothing flickers. */
export async function setLanguage(l: Language): Promise<void> {
  await Promise.all([...wanted].map((area) => loadTexts(area, l)))
  document.documentElement.lang = l
  document.documentElement.dir = directionOf(l)
  keepLanguage(l)
  languageStore.set(l)
}

/** Translates outside components; the area must have been loaded (the kit's always is). A key without a text says itself. */
export const translate = <A extends Area>(
  area: A,
  key: Keys[A],
  values: Values = {},
  l: Language = language(),
): string =>
  (textUnder(key as string, area, values.count, l) ?? (key as string)).replace(
    /\{(\w+)\}/g,
    (place: string, name: string) => {
      const value = values[name]
      if (value === undefined) return Object.hasOwn(values, name) ? '' : place
      // React escapes HTML; what needs protection here is the order of letters.
      return typeof value === 'number' ? formatNumber(value, undefined, l) : isolate(value ?? '', l)
    },
  )

/**
 * Texts of an area's screens in the reader's language. Keys are those of `locales/en/{area}.json`; `count` chooses plurals.
 * @example const t = useT('grading'); t('rows_selected', { count: 12 })
 */
export function useT<A extends Area>(area: A): T<A> {
  const l = useLanguage()
  // Always asked, so that the order of hooks is the same before and after the texts are there.
  use(loadTexts(area, l))
  return useMemo(() => (key, values) => translate(area, key, values, l), [area, l])
}

const translated = (text: string, l: Language): string | undefined => labels.get(l)?.get(text)
/**
 * The text of a label `[English, Arabic]` in a language; German, French and Portuguese come from the catalogues loaded so
 * far. A label of two (`Add: Faculties`) is put together from both.
 */
export const label = (words: Label, l: Language = language()): string => {
  if (l === 'ar') return words[1]
  const known = l === 'en' ? words[0] : translated(words[0], l)
  if (known !== undefined) return known
  const [verb, subject] = words[0].split(': ').map((part) => translated(part, l))
  return verb && subject ? `${verb}${l === 'fr' ? '\u00A0' : ''}: ${subject}` : words[0]
}
/** `label` that follows the reader's language; labels of catalogues that no screen has loaded are fetched by their names. */
export const useLabel = (...catalogues: readonly string[]): ((words: Label) => string) => {
  const l = useLanguage()
  // English and Arabic come with the words themselves.
  if (l !== 'en' && l !== 'ar') for (const catalogue of catalogues) use(loadTexts(catalogue, l))
  return useMemo(() => (words) => label(words, l), [l])
}

/** `useLabel` for screens that show words of every area (logs): what is not there yet is fetched, of all of them. */
export const useEveryLabel = (): ((words: Label) => string) => {
  const l = useLanguage()
  use(everyText(l))
  return useMemo(() => (words) => label(words, l), [l])
}
const complete = new Map<Language, Promise<unknown>>()
export function everyText(l: Language): Promise<unknown> {
  const known = complete.get(l)
  if (known) return known
  const areas = areasIn(l)
  // English and Arabic come with the words themselves.
  const all = l === 'en' || l === 'ar' ? Promise.resolve() : Promise.all(areas.map((area) => loadTexts(area, l)))
  complete.set(l, all)
  all.catch(() => complete.delete(l))
  return all
}

/** A day on the wire: in a sentence it is written as people write it. */
const DAY = /^\d{4}-\d{2}-\d{2}$/
/** Puts data into a text as people write it: days, hours, amounts and numbers by the reader's language. */
export const fillIn = (text: string, data: Readonly<Record<string, unknown>> = {}, l: Language): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = data[name]
    if (value === undefined) return whole
    if (typeof value === 'number') return groupedNumber(value, localeOf(l))
    if (typeof value === 'string' && DAY.test(value)) return isolate(formatDate(value, 'short', l), l)
    if (typeof value === 'string' && isInstant(value)) return isolate(formatInstant(value, l), l)
    const amount = typeof value === 'string' ? amountIn(value) : null
    if (amount) return isolate(formatMoney(amount.minor, amount.currency, l), l)
    // A word that comes in English and Arabic (a status, a kind of record) may be known in the reader's language; heads of
    // sheets are to be written as they are told.
    const known = name !== 'column' && `${name}_local` in data ? labels.get(l)?.get(String(value)) : undefined
    return isolate(known ?? String(value), l)
  })

/** One reason of a refusal in the reader's language: Arabic and English from the answer, the others by code. */
export function problemText(problem: Pick<Problem, 'code' | 'en' | 'ar' | 'data'>, l: Language = language()): string {
  const own = errors.get(l)?.get(problem.code)
  return own ? fillIn(own, inOwnWords(problem.data, l), l) : problem[paperLanguageOf(l)]
}
/** Words of the program among what a refusal tells (`x` in English, `x_local` in Arabic) are said as everywhere else. */
const inOwnWords = (data: Problem['data'], l: Language): Problem['data'] =>
  data &&
  Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      const local = data[`${key}_local`]
      // A whole expression comes in every language.
      const own = data[`${key}_${l}`]
      if (typeof own === 'string') return [key, own]
      return [
        key,
        typeof value === 'string' && typeof local === 'string'
          ? value
              .split(', ')
              .map((word) => label([word, word], l))
              .join(', ')
          : value,
      ]
    }),
  )

/** A whole refusal in one sentence: its first reason, or what went wrong on the way. Never a number. */
export function errorText(error: unknown, l: Language = language()): string {
  if (error instanceof ApiError) {
    const first = error.errors[0]
    if (first && (error.errors.length === 1 || !error.error)) return problemText(first, l)
    const own = errors.get(l)?.get(error.code)
    if (own && !/\{\w+\}/.test(own)) return own
    if (error.error) return error.error[paperLanguageOf(l)]
    if (first) return problemText(first, l)
    if (error.status === 0) return translate('kit', 'offline', undefined, l)
  }
  return translate('kit', 'something_went_wrong', undefined, l)
}

/**
 * What fills the places of a text that travels by its key: a day as people write it, a name that comes in two languages
 * (`name`, `name_local`) as the reader knows it. Where it says whose words it tells (`area`), such a word is said in the reader's language.
 */
const worded = (data: Values, l: Language): Values =>
  Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      if (typeof value !== 'string') return [key, saidIn(value, l) ?? value]
      if (DAY.test(value)) return [key, formatDate(value, 'short', l)]
      const local = data[`${key}_local`]
      const amount = amountIn(value)
      return [
        key,
        typeof local === 'string'
          ? typeof data.area === 'string' || l === 'ar'
            ? label([value, local], l)
            : value
          : amount
            ? formatMoney(amount.minor, amount.currency, l)
            : value,
      ]
    }),
  )

/** A text that travels by its key: work, a notice. */
interface Travelling {
  readonly key: string
  readonly data: Values
}
/** Whose texts it needs. */
export const areasOf = (texts: readonly Travelling[]): string[] =>
  [
    ...new Set(
      texts.flatMap(({ key, data }) => [areaOfText(key)[0], ...(typeof data.area === 'string' ? [data.area] : [])]),
    ),
  ].toSorted()
/** It in the reader's language; its areas must have been loaded. */
export function travelled({ key, data }: Travelling, l: Language = language()): string {
  const [area, name] = areaOfText(key)
  const text = translate(area, name as never, worded(data, l), l)
  // Who has a record in several programs is told which of them it is about.
  const programs = data.of_programs as readonly { name: string; name_local: string }[] | undefined
  if (!programs?.length) return text
  return `${isolate(programs.map((program) => (l === 'ar' ? program.name_local : program.name)).join(', '), l)} · ${text}`
}

/** The area and the name of a text that travels by its key (`grading.notice_published`). */
const areaOfText = (key: string): [area: Area, name: string] => {
  const dot = key.indexOf('.')
  return [(dot < 0 ? 'kit' : key.slice(0, dot)) as Area, key.slice(dot + 1)]
}
