import { z } from 'zod'
import {
  code as codeSchema,
  date,
  decimal as decimalSchema,
  failing,
  flags,
  id,
  instant,
  number as numberSchema,
  safeText,
  sameOnce,
} from './schema.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Label } from './words.ts'

/** Every kind of field. Each has three halves keyed by kind: contract (here), server (`kit/server/base/fields.ts`), web (`kit/web/fields`). */
export const FIELD_KINDS = [
  'text',
  'localText',
  'longText',
  'richText',
  'code',
  'email',
  'phone',
  'nationalId',
  'passport',
  'integer',
  'decimal',
  'number',
  'money',
  'date',
  'instant',
  'time',
  'flag',
  'choice',
  'choices',
  'flags',
  'lookup',
  'lookups',
  'rows',
  'file',
  'json',
] as const
export type FieldKind = (typeof FIELD_KINDS)[number]

/** One value of a choice, as stored. */
export interface Choice<V extends string | number = string | number> {
  readonly value: V
  readonly label: Label
  /** Tone of the badge that shows it: the one table of status colours. */
  readonly tone?: Tone
}
/** Status colours, the same on every screen: draft grey, waiting amber, done green, refused red, frozen blue-grey, active accent. */
export type Tone = 'draft' | 'waiting' | 'done' | 'refused' | 'frozen' | 'active'

/** Who reads a field: holders of a permission, within its reach, or the person whose record it is. */
export type FieldReader = PermissionKey | 'self'

export interface FieldOptions {
  /** Must be filled. Optional is the default, and is marked on forms. */
  required?: boolean
  /** May be saved empty, and is asked for by a later step: it is not marked as optional. `help` says by which. */
  later?: true
  /** Shown and exported, never accepted from a caller (computed by the server). */
  readOnly?: boolean
  /** Accepted when created, not changed afterwards. */
  createOnly?: boolean
  help?: Label
  /** Left out of spreadsheets out and in. */
  noExport?: boolean
  /** Not sent in lists, only in the detail. */
  detailOnly?: boolean
  /** A long one that stands beside another in the form: the same text in two languages. */
  paired?: boolean
  /**
   * Who reads it, where not everybody does who may open the record. Declared here once: every call that answers,
   * filters, sorts, exports or writes the field obeys. To others it is empty, and they cannot write it.
   */
  readers?: readonly FieldReader[]
  /**
   * What becomes of it when two records of one person are merged. Unless told, whoever merges chooses which value stays;
   * `kept`: it is that of the record that is kept, with what is bound to it.
   */
  merged?: 'kept'
  /** Kept to reach somebody, and may be empty: of a person who has left it is erased after the time that the university says. */
  erased?: true
}

export interface Field<Value = unknown, Kind extends FieldKind = FieldKind, Required extends boolean = boolean> {
  readonly kind: Kind
  readonly label: Label
  readonly required: Required
  readonly later?: true
  readonly readOnly: boolean
  readonly createOnly: boolean
  readonly help?: Label
  readonly noExport: boolean
  readonly detailOnly: boolean
  readonly paired?: boolean
  readonly readers?: readonly FieldReader[]
  readonly merged?: 'kept'
  readonly erased?: true
  /** Schema of a given (not empty) value as a caller sends it. */
  readonly schema: z.ZodType
  /** Schema of a value in a row; lookups are objects there. */
  readonly rowSchema: z.ZodType
  readonly choices?: readonly Choice[]
  /** lookup: name of the resource it points to. */
  readonly to?: string
  /** lookups: joining table and its two columns; the server reads and writes it. */
  readonly through?: { readonly table: string; readonly from: string; readonly to: string }
  /** rows: the table that keeps them, and what a row is made of. */
  readonly rows?: RowsOf
  /** lookup: which other field of the form narrows it, e.g. department by faculty_id. */
  readonly dependsOn?: string
  readonly max?: number
  readonly min?: number
  readonly places?: number
  /** integer: a year, written without separators. code: that of a year. */
  readonly year?: boolean
  /** text: an English name, where Arabic letters are not typed. */
  readonly latin?: boolean
  /** text, localText: the name of a person. */
  readonly person?: boolean
  readonly accept?: readonly string[]
  readonly _value?: Value
}

/** Child rows: kept in a table of their own, which belongs to the record alone. */
export interface RowsOf {
  readonly table: string
  /** Column of the table that points to the record. */
  readonly parent: string
  /** Column that keeps their order; absent: they stand in the order of `by`, and cannot be moved. */
  readonly position?: string
  /** SQL order where there is no position; the row is `c`. */
  readonly by?: string
  readonly fields: Fields
}
/** Kinds of fields that child rows can have: those stored in one column. */
export type ChildKind = Exclude<FieldKind, 'lookups' | 'rows' | 'file' | 'json' | 'richText'>
/** One child row as it is sent: rows that are there already carry their id. */
export type ChildRow<F> = { id?: number } & {
  [K in keyof F]: F[K] extends Field<infer V, FieldKind, true> ? V : (F[K] extends Field<infer V> ? V : never) | null
}

type Opt = FieldOptions | undefined
type Req<O> = O extends { required: true } ? true : false
const make = <V, K extends FieldKind, O extends Opt>(
  kind: K,
  label: Label,
  options: O,
  schema: z.ZodType,
  more: Partial<Field> = {},
): Field<V, K, Req<O>> =>
  ({
    kind,
    label,
    required: false,
    readOnly: false,
    createOnly: false,
    noExport: false,
    detailOnly: false,
    rowSchema: schema,
    ...more,
    ...options,
    schema,
  }) as never

const YEAR = /^[12]\d{3}(?:[-/](?:[12]\d)?\d\d)?$/
/** Words of an English name may come from any tongue that is written in Latin letters. */
const ARABIC_LETTER = /\p{Script=Arabic}/u
/** What a person's name is written with: letters, spaces, and the signs within names. */
const OF_NAMES = /^[\p{L}\p{M}\u0640 .,'’ʼ()-]*$/u
const ARABIC = /^[\p{Script=Arabic}\p{M}\u0640\p{N}\p{P}\p{Zs}a-zA-Z+°º&]*$/u

const wholeNumber = sameOnce((min, max) => z.int().min(min).max(max))

/** One of the choices; a screen that offers what it was answered may have none. */
const oneOf = (choices: readonly Choice[]): z.ZodType =>
  choices.length ? z.literal(choices.map((c) => c.value)) : z.enum([])

/** Kinds of fields. The label is [English, Arabic]. */
export const f = {
  /** The English form of a name: no Arabic letters; `person`: the name of a person, in letters. */
  englishText: <const O extends FieldOptions & { max?: number; person?: true }>(label: Label, o?: O) =>
    make<string, 'text', O>(
      'text',
      label,
      o as O,
      safeText(o?.max ?? 200, o?.required ? 1 : 0)
        .refine((s) => !ARABIC_LETTER.test(s), failing('english_only'))
        .refine((s) => !o?.person || OF_NAMES.test(s), failing('letters_only')),
      { max: o?.max ?? 200, latin: true },
    ),
  /** One line of text; `max` 200 characters unless told. */
  text: <const O extends FieldOptions & { max?: number; min?: number }>(label: Label, o?: O) =>
    make<string, 'text', O>('text', label, o as O, safeText(o?.max ?? 200, o?.min ?? (o?.required ? 1 : 0)), {
      max: o?.max ?? 200,
    }),
  /** The Arabic form of a name: its letters are Arabic, foreign ones only among them; `person`: the name of a person, in Arabic letters. */
  localText: <const O extends FieldOptions & { max?: number; person?: true }>(label: Label, o?: O) =>
    make<string, 'localText', O>(
      'localText',
      label,
      o as O,
      safeText(o?.max ?? 200, o?.required ? 1 : 0)
        .refine((s) => ARABIC.test(s) && (ARABIC_LETTER.test(s) || !/\p{L}/u.test(s)), failing('arabic_only'))
        .refine((s) => !o?.person || OF_NAMES.test(s), failing('letters_only'))
        .refine((s) => !o?.person || !/\p{Script=Latin}/u.test(s), failing('arabic_only')),
      { max: o?.max ?? 200 },
    ),
  /** Several lines of plain text; `max` 4000. */
  longText: <const O extends FieldOptions & { max?: number; min?: number }>(label: Label, o?: O) =>
    make<string, 'longText', O>('longText', label, o as O, safeText(o?.max ?? 4000, o?.min ?? 0), {
      max: o?.max ?? 4000,
    }),
  /** Formatted text as sanitised HTML. */
  richText: <const O extends FieldOptions>(label: Label, o?: O) =>
    make<string, 'richText', O>('richText', label, o as O, z.string().max(100_000)),
  /** `year`: of a year or an academic year, like 2022 or 2022/2023. */
  code: <const O extends FieldOptions & { max?: number; year?: boolean }>(label: Label, o?: O) =>
    make<string, 'code', O>(
      'code',
      label,
      o as O,
      o?.year
        ? codeSchema(o.max ?? 40).refine((s) => YEAR.test(s), failing('year_not_valid'))
        : codeSchema(o?.max ?? 40),
      { max: o?.max ?? 40 },
    ),
  /** E-mail with a top-level domain of letters. */
  email: <const O extends FieldOptions>(label: Label, o?: O) =>
    make<string, 'email', O>('email', label, o as O, z.string().trim().toLowerCase().max(200).pipe(z.email())),
  /** 7 to 15 digits with an optional leading plus; how a number is written within a country is a rule of the record. */
  phone: <const O extends FieldOptions>(label: Label, o?: O) =>
    make<string, 'phone', O>(
      'phone',
      label,
      o as O,
      z
        .string()
        .trim()
        .refine((s) => /^\+?\d{7,15}$/.test(s), failing('mobile_not_valid')),
    ),
  /** Egyptian national id: exactly 14 digits. */
  nationalId: <const O extends FieldOptions>(label: Label, o?: O) =>
    make<string, 'nationalId', O>(
      'nationalId',
      label,
      o as O,
      z
        .string()
        .trim()
        .refine((s) => /^\d{14}$/.test(s), failing('national_id_digits')),
    ),
  /** At least 8 characters, the first an upper-case letter. */
  passport: <const O extends FieldOptions>(label: Label, o?: O) =>
    make<string, 'passport', O>(
      'passport',
      label,
      o as O,
      z
        .string()
        .trim()
        .max(20)
        .refine((s) => !/^[a-z]/.test(s), failing('passport_first_letter'))
        .refine((s) => /^[A-Z][A-Z0-9]{7,}$/.test(s), failing('passport_not_valid')),
    ),
  /** A whole number; `year`: a year of the calendar. */
  integer: <const O extends FieldOptions & { min?: number; max?: number; year?: boolean }>(label: Label, o?: O) =>
    make<number, 'integer', O>('integer', label, o as O, wholeNumber(o?.min ?? 0, o?.max ?? 1_000_000_000)),
  /** A decimal that travels as text. */
  decimal: <const O extends FieldOptions & { places: number; min?: number; max?: number }>(label: Label, o: O) =>
    make<string, 'decimal', O>('decimal', label, o, decimalSchema(o.places, o.min, o.max)),
  /** A decimal that travels as a plain number: of few digits, and read without needless zeros (credit hours). */
  number: <const O extends FieldOptions & { places: number; min?: number; max?: number }>(label: Label, o: O) =>
    make<number, 'number', O>('number', label, o, numberSchema(o.places, o.min, o.max)),
  /** Integer minor units; the currency is another field or fixed by the record. */
  money: <const O extends FieldOptions>(label: Label, o?: O) =>
    make<number, 'money', O>('money', label, o as O, z.int().min(0)),
  date: <const O extends FieldOptions>(label: Label, o?: O) => make<string, 'date', O>('date', label, o as O, date),
  instant: <const O extends FieldOptions>(label: Label, o?: O) =>
    make<string, 'instant', O>('instant', label, o as O, instant),
  /** Time of day `HH:MM`. */
  time: <const O extends FieldOptions>(label: Label, o?: O) =>
    make<string, 'time', O>('time', label, o as O, z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)),
  flag: <const O extends FieldOptions>(label: Label, o?: O) =>
    make<boolean, 'flag', O & { required: true }>('flag', label, { ...o } as never, z.boolean()),
  /** One of a fixed set. */
  choice: <const V extends string | number, const O extends FieldOptions>(
    label: Label,
    choices: readonly Choice<V>[],
    o?: O,
  ) => make<V, 'choice', O>('choice', label, o as O, oneOf(choices), { choices }),
  /** Several of a fixed set. */
  choices: <const V extends string | number, const O extends FieldOptions>(
    label: Label,
    choices: readonly Choice<V>[],
    o?: O,
  ) => make<V[], 'choices', O>('choices', label, o as O, z.array(oneOf(choices)), { choices }),
  /** 64-bit flags as a decimal text; the words of each flag, by its value, where people read them. */
  flags: <const O extends FieldOptions>(label: Label, o?: O, choices?: readonly Choice<string>[]) =>
    make<string, 'flags', O>('flags', label, o as O, flags, { choices }),
  /** A record of another resource. The column is `{name}` (ends in `_id`); in rows `{name without _id}` is `{id, name, name_local, code}`. */
  lookup: <const O extends FieldOptions & { dependsOn?: string }>(label: Label, to: string, o?: O) =>
    make<number, 'lookup', O>('lookup', label, o as O, id, { to }),
  /** Several records of another resource, kept in a joining table. */
  lookups: <const O extends FieldOptions & { through: { table: string; from: string; to: string } }>(
    label: Label,
    to: string,
    o: O,
  ) => make<number[], 'lookups', O>('lookups', label, o, z.array(id).max(500), { to }),
  /**
   * Child rows of a record (questions, members, preferences): added, changed, removed and, with a `position`, put in order.
   * They are sent whole, and belong to the record: its version, lock and history are theirs. Their table has `id`, the
   * column to the record, the columns of the fields, and stands under `audit_rows`.
   */
  rows: <
    const F extends Readonly<Record<string, Field<unknown, ChildKind>>>,
    const O extends FieldOptions & Omit<RowsOf, 'fields'> & { max?: number },
  >(
    label: Label,
    fields: F,
    { table, parent, position, by, ...o }: O,
  ) => {
    const shape = Object.fromEntries(
      Object.entries(fields as Fields).map(([name, field]) => {
        if (field.required) return [name, field.schema]
        // As everywhere, what is left out or empty is null.
        return [name, z.union([z.literal('').transform(() => null), z.null(), field.schema]).default(null)]
      }),
    )
    const schema = z
      .array(z.strictObject({ id: id.optional(), ...shape }))
      .min(o.required ? 1 : 0)
      .max(o.max ?? 100)
    return make<ChildRow<F>[], 'rows', Omit<O, keyof RowsOf>>('rows', label, o as never, schema, {
      rows: { table, parent, position, by, fields: fields },
    })
  },
  /** An uploaded file: its id; in rows `{id, name, size}`. */
  file: <const O extends FieldOptions & { accept?: readonly string[] }>(label: Label, o?: O) =>
    make<number, 'file', O>('file', label, o as O, id, { accept: o?.accept }),
  /** A structure with a schema of its own; it needs an own input and cell. */
  json: <S extends z.ZodType, const O extends FieldOptions>(label: Label, schema: S, o?: O) =>
    make<z.output<S>, 'json', O>('json', label, o as O, schema),
}

export type Fields = Readonly<Record<string, Field>>
export type ValueOf<F> = F extends Field<infer V, FieldKind> ? V : never
