import { fill, inLanguage } from '#kit/contract/index.ts'
import type { Label, PaperLanguage } from '#kit/contract/index.ts'
import {
  ACTING_AS,
  A_RECORD,
  GONE,
  RECORD_NAMED,
  RECORD_WITHIN,
  THE_SYSTEM,
  WITH_PLACE,
  WITH_TIME,
  saidOf,
  within,
} from '#kit/contract/telling.ts'
import type { ToldChange, ToldPart, ToldRecord } from '#kit/contract/told.ts'
import { amount, nameIn, readable } from '../base/fields.ts'

type Named = { readonly name: string; readonly name_local?: string | null | undefined }
const wordIn = (word: Named, lang: PaperLanguage): string => inLanguage([word.name, word.name_local || word.name], lang)
const listIn = (words: readonly string[], lang: PaperLanguage): string => words.join(lang === 'ar' ? '، ' : ', ')

/** What a record is called: its name with its code, and those it belongs to. */
const partIn = (part: ToldPart, lang: PaperLanguage): string => {
  const name = nameIn({ ...part, name_local: part.name_local ?? null }, lang) ?? ''
  return part.code && part.code !== name ? `${name} (${part.code})` : name
}
export const titleIn = ({ parts }: Pick<ToldRecord, 'parts'>, lang: PaperLanguage): string =>
  parts
    .map((part) => partIn(part, lang))
    .filter(Boolean)
    .join(' · ')

/** A value as a paper writes it; empty: a dash. */
export function valueIn({ kind, words, places }: ToldChange, value: unknown, lang: PaperLanguage): string {
  if (value === null || value === undefined || value === '') return '–'
  if (Array.isArray(value))
    return listIn(
      value.map((one) => valueIn({ field: '', old: null, new: null, words }, one, lang)),
      lang,
    )
  if (typeof value === 'object') {
    if ('gone' in value) return inLanguage(GONE, lang)
    const named = value as ToldPart
    return partIn(named, lang)
  }
  const word = words?.[String(value)]
  if (word) return wordIn(word, lang)
  if (kind === 'flag') return inLanguage(value ? ['Yes', 'نعم'] : ['No', 'لا'], lang)
  if (kind === 'instant') return readable(String(value))
  if (kind === 'money') return amount(Number(value))
  if (kind === 'time') return String(value).slice(0, 5)
  if (kind === 'decimal' && places !== undefined) return String(Number(value))
  return String(value)
}

/** The fields of one side of a change: `Level: 2`, in lines. */
export const sideIn = (changes: readonly ToldChange[], side: 'old' | 'new', lang: PaperLanguage): string | null =>
  changes
    .filter((change) => ![null, undefined, ''].includes(change[side] as null))
    .map(
      (change) => `${change.label ? wordIn(change.label, lang) : change.field}: ${valueIn(change, change[side], lang)}`,
    )
    .join('\n') || null

/** An entry of the log as a sentence, with when and from where. */
export function sentenceIn(
  entry: {
    readonly at: string
    readonly action: string
    readonly ip: string | null
    readonly record_id?: number | null
    readonly actor: Named | null
    readonly impersonator: Named | null
    readonly record: ToldRecord
    readonly changes: readonly ToldChange[]
  },
  lang: PaperLanguage,
): string {
  const say = (label: Label) => inLanguage(label, lang)
  const { sentence, change, parts } = saidOf(entry)
  const { record, actor, impersonator } = entry
  const doing = actor ? wordIn(actor, lang) : say(THE_SYSTEM)
  const who = impersonator ? fill(say(ACTING_AS), { who: wordIn(impersonator, lang), as: doing }) : doing
  const title = titleIn(record, lang)
  const one = within(record.one ? wordIn(record.one, lang) : say(A_RECORD), lang)
  const whole = record.within && within(wordIn(record.within, lang), lang)
  const named = title
    ? fill(say(whole ? RECORD_WITHIN : RECORD_NAMED), { one, title, within: whole })
    : entry.record_id
      ? `${one} ${entry.record_id}`
      : one
  const said = fill(say(sentence), {
    ...Object.fromEntries(
      Object.entries(parts).flatMap(([of, part]) => {
        const name =
          (of === 'student' && part.code) || (nameIn({ ...part, name_local: part.name_local ?? null }, lang) ?? '')
        return [
          [of, name],
          [`small_${of}`, within(name, lang)],
          [`whole_${of}`, partIn(part, lang)],
        ]
      }),
    ),
    who,
    record: named,
    field: change?.label ? wordIn(change.label, lang) : '',
    fields: listIn(
      entry.changes.map(({ label, field }) => (label ? wordIn(label, lang) : field)),
      lang,
    ),
    old: change && valueIn(change, change.old, lang),
    new: change && valueIn(change, change.new, lang),
  })
  return fill(say(entry.ip ? WITH_PLACE : WITH_TIME), { said, at: readable(entry.at), ip: entry.ip })
}
