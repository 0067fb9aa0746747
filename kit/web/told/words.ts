import {
  ACTING_AS,
  A_RECORD,
  GONE,
  RECORD_NAMED,
  RECORD_WITHIN,
  THE_SYSTEM,
  piecesOf,
  saidOf,
  within,
} from '#kit/contract/telling.ts'
import type { ToldChange, ToldPart, ToldRecord } from '#kit/contract/told.ts'
import type { Label, Language } from '#kit/contract/words.ts'
import {
  formatDate,
  formatInstant,
  formatList,
  formatNumber,
  formatTime,
  label,
  nameOf,
  translate,
} from '../i18n/index.ts'
import type { Named } from '../i18n/index.ts'

/** An entry of a history or of the log of changes. */
export interface ToldEntry {
  readonly action: string
  readonly record_id?: number | null
  /** Who sat there, and as whom. */
  readonly who: Named | null
  readonly as: Named | null
  readonly record: ToldRecord
  readonly changes: readonly ToldChange[]
}

/** Words that come in English and Arabic, in the reader's language. */
const wordIn = ({ name, name_local }: { name: string; name_local?: string | null | undefined }, l: Language): string =>
  label([name, name_local || name], l)
/** What a field is called. */
export const fieldWord = (change: ToldChange, l: Language): string =>
  change.label ? wordIn(change.label, l) : change.field

const partText = (part: ToldPart, l: Language): string => {
  const name = nameOf(part, l)
  return part.code && part.code !== name ? `${name} (${part.code})` : name
}
/** What a record is called. */
export const titleText = ({ parts }: Pick<ToldRecord, 'parts'>, l: Language): string =>
  parts
    .map((part) => partText(part, l))
    .filter(Boolean)
    .join(' · ')

/** Whether nothing stands there. */
export const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && !value.length)

/** A value as text in the reader's language. */
export function valueText(change: ToldChange, value: unknown, l: Language): string {
  if (isNothing(value)) return '–'
  if (Array.isArray(value))
    return formatList(
      value.map((one) => valueText({ ...change, kind: 'choice' }, one, l)),
      l,
    )
  if (typeof value === 'object') return 'gone' in value! ? label(GONE, l) : partText(value as ToldPart, l)
  const word = change.words?.[String(value)]
  if (word) return wordIn(word, l)
  switch (change.kind) {
    case 'flag':
      return translate('kit-screens', value ? 'yes' : 'no', undefined, l)
    case 'date':
      return formatDate(String(value), 'short', l)
    case 'instant':
      return formatInstant(String(value), l)
    case 'time':
      return formatTime(String(value))
    case 'money':
      return formatNumber(Number(value) / 100, 2, l)
    case 'integer':
    case 'number':
      return typeof value === 'number' ? formatNumber(value, undefined, l) : String(value)
    case 'decimal':
      return formatNumber(Number(value), undefined, l)
    default:
      return String(value)
  }
}

/** What a part of a sentence is: `strong` values stand out. */
export interface Piece {
  readonly text: string
  readonly place?: string
}

const filled = (sentence: Label, values: Readonly<Record<string, string | undefined>>, l: Language): Piece[] =>
  piecesOf(label(sentence, l)).map((piece) =>
    'text' in piece ? piece : { text: values[piece.place] ?? '', place: piece.place },
  )
const joined = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('')

/** An entry as a sentence, cut at what fills its places. */
export function sentencePieces(entry: ToldEntry, l: Language): Piece[] {
  const { sentence, change, parts } = saidOf(entry)
  const { record } = entry
  const actor = entry.who ? nameOf(entry.who, l) : label(THE_SYSTEM, l)
  const who = entry.as ? joined(filled(ACTING_AS, { who: actor, as: nameOf(entry.as, l) }, l)) : actor
  const one = within(record.one ? wordIn(record.one, l) : label(A_RECORD, l), l)
  const title = titleText(record, l)
  const whole = record.within && within(wordIn(record.within, l), l)
  const named = title
    ? joined(filled(whole ? RECORD_WITHIN : RECORD_NAMED, { one, title, within: whole }, l))
    : entry.record_id
      ? `${one} ${entry.record_id}`
      : one
  return filled(
    sentence,
    {
      // In a sentence of its own a person is called by the code, everything else by its name.
      ...Object.fromEntries(
        Object.entries(parts).flatMap(([of, part]) => {
          const name = (of === 'student' && part.code) || nameOf(part, l)
          return [
            [of, name],
            [`small_${of}`, within(name, l)],
            [`whole_${of}`, partText(part, l)],
          ]
        }),
      ),
      who,
      record: named,
      field: change ? fieldWord(change, l) : undefined,
      fields: formatList(
        entry.changes.map((one) => fieldWord(one, l)),
        l,
      ),
      old: change ? valueText(change, change.old, l) : undefined,
      new: change ? valueText(change, change.new, l) : undefined,
    },
    l,
  )
}
/** The same as plain text. */
export const sentenceText = (entry: ToldEntry, l: Language): string => joined(sentencePieces(entry, l))

/** Whether the sentence tells all there is, so that no table need stand beneath it. */
export function saysAll(entry: ToldEntry): boolean {
  const { change, sentence } = saidOf(entry)
  return entry.changes.length === 0 || (change !== null && /\{(?:old|new)\}/.test(sentence[0]))
}
