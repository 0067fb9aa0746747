/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the mark of a flag is one picture with a word */
import type { ReactNode } from 'react'
import { IconCheck, IconMinus } from '@tabler/icons-react'
import type { Field, FieldKind } from '#kit/contract/field.ts'
import { refName } from '#kit/contract/resource.ts'
import type { Ref } from '#kit/contract/schema.ts'
import type { Label } from '#kit/contract/words.ts'
import { Code, Status } from '../feedback/index.ts'
import { hijriText } from './hijri.ts'
import { formatDate, formatInstant, formatMoney, formatNumber, nameOf } from '../i18n/index.ts'
import type { Language, T } from '../i18n/index.ts'
import { plainText } from './rich.ts'
import { Chip } from './chip.tsx'
import css from './fields.module.css'

/** What a cell needs to speak the reader's language: made once per table, not once per cell. */
export interface Show {
  readonly lang: Language
  readonly label: (label: Label) => string
  readonly t: T<'kit-screens'>
}

export interface CellInput {
  readonly value: unknown
  readonly field: Field
  /** Name of the field in the row. */
  readonly name: string
  readonly row: Readonly<Record<string, unknown>>
  readonly show: Show
}

/** Web half of a field kind for reading: how a value is shown in a table or in the facts of a detail. */
export interface Cell {
  /** `end`: numbers, under each other by their last digit. */
  readonly align?: 'end' | 'center'
  /** Usual width of its column in pixels. */
  readonly width: number
  readonly render: (input: CellInput) => ReactNode
}

/** Stands where nothing is stored. */
export const NONE: ReactNode = (
  <span className={css.none} aria-hidden="true">
    –
  </span>
)

/** A number in a room for `places` figures. */
const units = (places: number, shown: string): ReactNode => (
  <Code className={css.units} style={{ minWidth: `${places}ch` }}>
    {shown}
  </Code>
)
const text: Cell = { width: 200, render: ({ value }) => <bdi>{String(value)}</bdi> }
/** In one piece: never broken inside, cut with dots where there is no room, and whole when it is pointed at. */
const code = (width: number): Cell => ({
  width,
  render: ({ value }) => (
    <Code className={css.whole} title={String(value)}>
      {String(value)}
    </Code>
  ),
})

const option = (field: Field, value: unknown, show: Show): ReactNode => {
  const choice = field.choices?.find((c) => c.value === value)
  if (!choice) return <bdi>{String(value)}</bdi>
  return choice.tone ? <Status tone={choice.tone} label={show.label(choice.label)} /> : show.label(choice.label)
}

/** A missing kind does not compile. */
export const CELLS: { readonly [K in FieldKind]: Cell } = {
  text,
  localText: { width: 200, render: ({ value }) => <bdi lang="ar">{String(value)}</bdi> },
  longText: { width: 260, render: ({ value }) => <bdi>{String(value)}</bdi> },
  richText: { width: 260, render: ({ value }) => <bdi>{plainText(String(value))}</bdi> },
  code: code(120),
  email: code(220),
  phone: code(140),
  nationalId: code(150),
  passport: code(130),
  integer: {
    width: 96,
    align: 'end',
    render: ({ value, field, show }) =>
      units(5, field.year ? String(value) : formatNumber(value as number, undefined, show.lang)),
  },
  decimal: {
    width: 104,
    align: 'end',
    render: ({ value, field, show }) => units(6, formatNumber(String(value), field.places, show.lang)),
  },
  number: {
    width: 96,
    align: 'end',
    render: ({ value, show }) => units(5, formatNumber(value as number, undefined, show.lang)),
  },
  money: {
    width: 145,
    align: 'end',
    // The currency is fixed by the record, when the row names one.
    render: ({ value, row, show }) =>
      units(
        10,
        typeof row.currency === 'string'
          ? formatMoney(value as number, row.currency, show.lang)
          : formatNumber((value as number) / 100, 2, show.lang),
      ),
  },
  date: {
    width: 136,
    render: ({ value, show }) => {
      const other = hijriText(String(value), show.lang)
      return (
        <time className={css.figures} dateTime={String(value)}>
          {formatDate(String(value), 'short', show.lang)}
          {other && <small className={css.hijri}>{other}</small>}
        </time>
      )
    },
  },
  instant: {
    width: 190,
    render: ({ value, show }) => (
      <time className={css.figures} dateTime={String(value)}>
        {formatInstant(String(value), show.lang)}
      </time>
    ),
  },
  time: code(80),
  flag: {
    width: 90,
    align: 'center',
    render: ({ value, show }) => (
      <span
        className={css.flag}
        data-on={value ? true : undefined}
        role="img"
        aria-label={show.t(value ? 'yes' : 'no')}
      >
        {value ? <IconCheck size={16} /> : <IconMinus size={14} />}
      </span>
    ),
  },
  choice: { width: 140, render: ({ value, field, show }) => option(field, value, show) },
  choices: {
    width: 200,
    render: ({ value, field, show }) =>
      (value as unknown[]).length
        ? (value as unknown[])
            .map((v) => field.choices?.find((c) => c.value === v))
            .map((c) => (c ? show.label(c.label) : ''))
            .filter(Boolean)
            .join(show.lang === 'ar' ? '، ' : ', ')
        : NONE,
  },
  flags: code(140),
  lookup: {
    width: 200,
    render: ({ row, name, value, show }) => {
      const r = row[refName(name)] as Ref | null | undefined
      return r ? <bdi>{nameOf(r, show.lang)}</bdi> : <Code>{String(value)}</Code>
    },
  },
  lookups: {
    width: 240,
    render: ({ value, show }) =>
      (value as Ref[]).length ? (
        <span>
          {(value as Ref[]).map((r, i) => (
            <span key={r.id} className={r.colour && css.chips}>
              {i > 0 && !r.colour && (show.lang === 'ar' ? '، ' : ', ')}
              {r.colour ? <Chip colour={r.colour}>{nameOf(r, show.lang)}</Chip> : <bdi>{nameOf(r, show.lang)}</bdi>}
            </span>
          ))}
        </span>
      ) : (
        NONE
      ),
  },
  rows: {
    width: 280,
    render: ({ value, field, show }) =>
      (value as Record<string, unknown>[]).length ? (
        <span>
          {(value as Record<string, unknown>[]).map((row, i) => (
            <span key={i} className={css.rowsCell}>
              {i > 0 && <span className={css.rowsBetween}>{show.lang === 'ar' ? '؛ ' : '; '}</span>}
              {Object.entries(field.rows?.fields ?? {})
                .filter(([name, child]) => isSaid(child, row[name]))
                .map(([name, child]) => (
                  <span key={name}>
                    {FIGURES.includes(child.kind) && `${show.label(child.label)} `}
                    {child.kind === 'flag' ? show.label(child.label) : fieldValue(child, name, row, show)}
                  </span>
                ))}
            </span>
          ))}
        </span>
      ) : (
        NONE
      ),
  },
  file: {
    width: 180,
    render: ({ value }) => {
      const file = value as { id: number; name: string; size: number; url?: string }
      return (
        <a href={file.url ?? `/api/files/${file.id}/${encodeURIComponent(file.name)}`} target="_blank" rel="noreferrer">
          <bdi>{file.name}</bdi>
        </a>
      )
    },
  },
  json: { width: 200, render: ({ value }) => <Code>{JSON.stringify(value)}</Code> },
}

/** Kinds that say nothing in a line without the word of what they count. */
const FIGURES: readonly string[] = ['integer', 'decimal', 'money']
/** Whether a line of child rows says a value: nothing that is missing, off, or none of what need not be there. */
const isSaid = ({ kind, required }: Field, value: unknown): boolean =>
  value !== null && value !== undefined && value !== false && (required || kind !== 'integer' || Number(value) !== 0)

/** The value of a field in a row, by its kind; a dash where nothing is stored. */
export function fieldValue(field: Field, name: string, row: Readonly<Record<string, unknown>>, show: Show): ReactNode {
  const value = row[name]
  if (value === null || value === undefined || value === '') return NONE
  return CELLS[field.kind].render({ value, field, name, row, show })
}
