import { readFileSync } from 'node:fs'
import path from 'node:path'
import { query } from '#db/connect.ts'
import type { Queryable } from '#db/connect.ts'
import { LANGUAGES, fill } from '#kit/contract/index.ts'
import type { Label, Language } from '#kit/contract/index.ts'
import { amountIn, moneyIn } from '#kit/contract/money.ts'
import { LOCALES, saidIn } from '#kit/contract/words.ts'
import { checkNoticeText, placesIn } from '#kit/contract/notice-texts.ts'
import type { NoticeShape, NoticeText } from '#kit/contract/notice-texts.ts'
import { declaredNotices } from './notifications.ts'

interface Catalogue {
  ui?: Record<string, string>
  labels?: Record<string, string>
}
const read = <T>(name: string): T =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, `../../../locales/${name}.json`), 'utf8')) as T
const catalogues = new Map<string, Catalogue>()
function catalogue(lang: Language, area: string): Catalogue {
  const name = `${lang}/${area}`
  let known = catalogues.get(name)
  if (!known) catalogues.set(name, (known = read<Catalogue>(name)))
  return known
}

/** A label in any language of the interface; English if there is no translation. */
export const say = ([en, ar]: Label, lang: Language, area: string): string =>
  lang === 'ar'
    ? ar
    : lang === 'en'
      ? en
      : (catalogue(lang, area).labels?.[en] ?? catalogue(lang, 'kit').labels?.[en] ?? en)

// --- What is shipped ------------------------------------------------------------------------------------------------

type Mails = Readonly<Record<string, { subject: string; text: string }>>
const mails = Object.fromEntries(LANGUAGES.map((lang) => [lang, read<Mails>(`${lang}/mail`)])) as Record<
  Language,
  Mails
>
/** What a mail says as it is shipped. @throws {Error} when the key has no text */
export function shippedMail(key: string, lang: Language): { subject: string; text: string } {
  const found = mails[lang][key]
  if (!found) throw new Error(`locales/${lang}/mail.json has no text '${key}'`)
  return found
}

/** The text of a notice by its plural forms, as the catalogues have it. */
function shippedForms(key: string, lang: Language): Readonly<Record<string, string>> {
  const [area = 'kit', name = ''] = key.split('.', 2)
  const texts = catalogue(lang, area).ui ?? {}
  if (texts[name] !== undefined) return { text: texts[name] }
  const { pluralCategories } = new Intl.PluralRules(lang).resolvedOptions()
  return Object.fromEntries(
    pluralCategories.flatMap((form) => {
      const text = texts[`${name}_${form}`]
      return text === undefined ? [] : [[form, text]]
    }),
  )
}

/** What a notice or mail says as it is shipped; null: there is no such kind. */
export function shippedText(key: string, lang: Language): NoticeText | null {
  if (key.startsWith('mail.')) {
    const name = key.slice(5)
    if (!Object.hasOwn(mails[lang], name)) return null
    const { subject, text } = shippedMail(name, lang)
    return { subject, forms: { text } }
  }
  const declared = declaredNotices.get(key)
  return declared ? { subject: say(declared.notice.title, lang, declared.area), forms: shippedForms(key, lang) } : null
}

/** A mail is of no use without these, where what is shipped has them. */
const NEEDED = new Set(['link', 'text', 'lines', 'stop', 'preferences'])

/** What may be said in a kind of notice or mail: the places that any language of what is shipped names. */
export function shapeOf(key: string): NoticeShape {
  const mail = key.startsWith('mail.')
  const texts = LANGUAGES.flatMap((lang) => {
    const { subject, forms } = shippedText(key, lang) ?? { subject: '', forms: {} }
    return [...(mail ? [subject] : []), ...Object.values(forms)]
  })
  const places = [...new Set(texts.flatMap(placesIn))]
  return { places, required: mail ? places.filter((place) => NEEDED.has(place)) : [], lines: mail }
}

/** All kinds, mails first. */
export const textKeys = (): string[] => [
  ...Object.keys(mails.en).map((key) => `mail.${key}`),
  ...declaredNotices.keys(),
]

// --- What the university says itself --------------------------------------------------------------------------------

/**
 * The university's own texts of some kinds in a language. A text that no longer fits its kind (a placeholder that a
 * release removed) is ignored, and the shipped text is used.
 */
export async function ownTexts(
  db: Queryable,
  keys: readonly string[],
  lang: Language,
): Promise<ReadonlyMap<string, NoticeText>> {
  const rows = await query<{ key: string; subject: string | null; forms: Record<string, string> | null }>(
    db,
    'own_texts',
    `select distinct on (key) key, subject, forms from notice_texts
     where key = any($1::text[]) and language = $2 order by key, version desc`,
    [[...new Set(keys)], lang],
  )
  return new Map(
    rows.flatMap(({ key, subject, forms }) => {
      const shipped = forms && shippedText(key, lang)
      if (!shipped) return []
      const own = { subject: subject ?? shipped.subject, forms }
      return checkNoticeText(shipped, shapeOf(key), own).length ? [] : [[key, own] as const]
    }),
  )
}

/** What the university says itself in a mail; null: what is shipped. */
export async function ownMail(
  db: Queryable,
  key: string,
  lang: Language,
): Promise<{ subject: string; text: string } | null> {
  const own = (await ownTexts(db, [`mail.${key}`], lang)).get(`mail.${key}`)
  return own ? { subject: own.subject, text: own.forms.text! } : null
}

/** What a notice says in a language: by the university's own text, else as shipped. */
export function noticeText(
  key: string,
  data: Readonly<Record<string, unknown>>,
  lang: Language,
  own: NoticeText | null | undefined = null,
): string {
  const forms = own?.forms ?? shippedForms(key, lang)
  const found = forms.text ?? forms[new Intl.PluralRules(LOCALES[lang]).select(Number(data.count ?? 0))] ?? forms.other
  if (found === undefined) throw new Error(`no text in ${lang} for '${key}'`)
  return programsBefore(data, lang) + fill(found, worded(data, lang))
}

/** To whom has a record in several programs: which of them it is about, before what is told. */
const programsBefore = (data: Readonly<Record<string, unknown>>, lang: Language): string => {
  const programs = data.of_programs as { name: string; name_local: string }[] | undefined
  return programs?.length ? `${programs.map((one) => (lang === 'ar' ? one.name_local : one.name)).join(', ')} · ` : ''
}
/** The subject of its mail. */
export const noticeTitle = (
  key: string,
  data: Readonly<Record<string, unknown>>,
  lang: Language,
  own: NoticeText | null | undefined = null,
): string =>
  programsBefore(data, lang) + (own ? fill(own.subject, worded(data, lang)) : shippedText(key, lang)!.subject)

/** A day on the wire. */
const DAY = /^\d{4}-\d{2}-\d{2}$/
const dayIn = (day: string, lang: Language): string =>
  new Intl.DateTimeFormat(LOCALES[lang], { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(day),
  )

/** Names and words of an area (`what` in English, `what_local` in Arabic), what a person wrote in several languages, days and amounts, as the reader has them. */
const worded = (data: Readonly<Record<string, unknown>>, lang: Language): Readonly<Record<string, unknown>> => {
  const { area } = data
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      if (typeof value !== 'string') return [key, saidIn(value, lang) ?? value]
      if (DAY.test(value)) return [key, dayIn(value, lang)]
      const local = data[`${key}_local`]
      if (typeof local === 'string' && (typeof area === 'string' || lang === 'ar'))
        return [key, typeof area === 'string' ? say([value, local], lang, area) : local]
      const amount = amountIn(value)
      return [key, amount ? moneyIn(amount.minor, amount.currency, LOCALES[lang]) : value]
    }),
  )
}
