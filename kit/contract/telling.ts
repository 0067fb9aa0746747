import type { Fields } from './field.ts'
import type { ToldChange, ToldPart, ToldRecord } from './told.ts'
import type { Label } from './words.ts'

/**
 * What the log says of an audited table that is no resource, or more than its resource says: what one of its rows is
 * called, and its columns by kinds of fields. Columns that point to other records need no words: they are called like
 * what they point to, unless a field says otherwise.
 */
export interface TableTold {
  readonly one?: Label
  readonly many?: Label
  /** Its columns, as fields. */
  readonly fields?: Fields
  /** Columns that say nothing to people: digests, numbers of the program, what is derived. */
  readonly untold?: readonly string[]
  /**
   * What a row is called by: its own text columns and the records it points to, in this order. Unless told: its name,
   * number or title, else the records that it always points to. A record that must stay unknown (the student of an
   * anonymous paper) is left out here, and among the fields.
   */
  readonly title?: readonly string[]
  /**
   * A sentence of its own for the change of one column, with the records by which a row is called, by the names of their
   * resources: `['{who} changed the {small_mark_category} of {student} …', …]`. `small_`: as a word within the sentence,
   * `whole_`: with its code.
   */
  readonly says?: Readonly<Record<string, Label>>
  /** The same for a row that is added: by the first of these columns that says something; `{new}` is its value. */
  readonly adds?: readonly { readonly by: string; readonly says: Label }[]
}
export type TablesTold = Readonly<Record<string, TableTold>>

type Way =
  | 'changed'
  | 'set'
  | 'emptied'
  | 'touched'
  | 'several'
  | 'bare'
  | 'added'
  | 'deleted'
  | 'removed'
  | 'restored'
  | 'entered'
  | 'left'
/**
 * The sentences. Arabic has noun forms, which suit whoever acted; German, French and Portuguese name the record after a
 * dash, so that no article has to fit it.
 */
export const SENTENCES: Readonly<Record<Way, Label>> = {
  changed: [
    '{who} changed “{field}” of {record} from {old} to {new}',
    '{who}: تعديل «{field}» من {old} إلى {new} ({record})',
  ],
  set: ['{who} set “{field}” of {record} to {new}', '{who}: تسجيل «{field}» بالقيمة {new} ({record})'],
  emptied: ['{who} emptied “{field}” of {record}: it was {old}', '{who}: مسح «{field}»، وكانت القيمة {old} ({record})'],
  touched: ['{who} changed “{field}” of {record}', '{who}: تعديل «{field}» ({record})'],
  several: ['{who} changed {record}: {fields}', '{who}: تعديل {fields} ({record})'],
  bare: ['{who} changed {record}', '{who}: تعديل ({record})'],
  added: ['{who} added {record}', '{who}: إضافة ({record})'],
  deleted: ['{who} deleted {record}', '{who}: حذف ({record})'],
  removed: ['{who} removed {record}', '{who}: إزالة ({record})'],
  restored: ['{who} restored {record}', '{who}: استعادة ({record})'],
  entered: ['{who} added {new} to “{field}” of {record}', '{who}: إضافة {new} إلى «{field}» ({record})'],
  left: ['{who} took {old} out of “{field}” of {record}', '{who}: إزالة {old} من «{field}» ({record})'],
}
/** A record within a sentence: what it is, and what it is called. */
export const RECORD_NAMED: Label = ['{one} {title}', '{one}: {title}']
/** A row that belongs to a record. */
export const RECORD_WITHIN: Label = ['{one} ({within} {title})', '{one} ({within}: {title})']
/** Who acted as somebody else. */
export const ACTING_AS: Label = ['{who}, acting as {as},', '{who} (بالنيابة عن {as})']
/** When and from where, after the sentence. */
export const WITH_PLACE: Label = ['{said}, {at}, from {ip}', '{said}، {at}، من {ip}']
export const WITH_TIME: Label = ['{said}, {at}', '{said}، {at}']
export const THE_SYSTEM: Label = ['The system', 'النظام']
export const A_RECORD: Label = ['Record', 'سجل']
/** Stands for a record that is gone. */
export const GONE: Label = ['A record that is no longer there', 'سجل لم يعد موجودًا']
/** What no definition names. */
export const OTHER_DATA: Label = ['Other data', 'بيانات أخرى']

/** How an entry is said: the sentence, and what fills its places. */
export interface Said {
  readonly sentence: Label
  /** The only change that the sentence tells wholly. */
  readonly change: ToldChange | null
  /** Records that the sentence names by their resources. */
  readonly parts: Readonly<Record<string, ToldPart>>
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
/** Longer texts stand in the table beneath alone. */
const LONG = 80

/** The sentence of an entry of the log. */
export function saidOf(entry: {
  readonly action: string
  readonly record: ToldRecord
  readonly changes: readonly ToldChange[]
}): Said {
  const { record } = entry
  const parts = Object.fromEntries(record.parts.map((part) => [part.of, part]))
  const plain = (way: Way, change: ToldChange | null = null): Said => ({ sentence: SENTENCES[way], change, parts })
  const action = entry.action.toLowerCase()
  if (action === 'insert') {
    const by = record.says_by === undefined ? undefined : entry.changes.find(({ field }) => field === record.says_by)
    if (!by || !record.says) return plain('added')
    return { sentence: [record.says.name, record.says.name_local ?? record.says.name], change: by, parts }
  }
  if (action === 'delete') return plain('deleted')
  if (action === 'remove') return plain('removed')
  if (action === 'restore') return plain('restored')
  const [change, ...more] = entry.changes
  if (!change || more.length) return plain(change ? 'several' : 'bare')
  const both = !isEmpty(change.old) && !isEmpty(change.new)
  if (record.says && both)
    return { sentence: [record.says.name, record.says.name_local ?? record.says.name], change, parts }
  if (action === 'enter') return plain('entered', change)
  if (action === 'leave') return plain('left', change)
  const long = [change.old, change.new].some((value) => typeof value === 'string' && value.length > LONG)
  if (change.kind === 'json' || long) return plain('touched', change)
  return plain(both ? 'changed' : isEmpty(change.new) ? 'emptied' : 'set', change)
}

/** A sentence cut at its places: texts, and names of places. */
export const piecesOf = (sentence: string): readonly ({ readonly text: string } | { readonly place: string })[] =>
  sentence
    .split(/(\{\w+\})/)
    .filter(Boolean)
    .map((piece) => (/^\{\w+\}$/.test(piece) ? { place: piece.slice(1, -1) } : { text: piece }))

/** A word within a sentence: English, French and Portuguese write it small, but not what is written in capitals. */
export const within = (word: string, language: string): string =>
  ['en', 'fr', 'pt'].includes(language) && /^\p{Lu}[\p{Ll}\s]/u.test(word) && !/^\p{Lu}[^\s]*\p{Lu}/u.test(word)
    ? word[0]!.toLowerCase() + word.slice(1)
    : word
