import { SegmentedControl } from '@mantine/core'
import { IconFileSpreadsheet, IconFileTypePdf } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Language } from '#kit/contract/index.ts'
import { CURRENCY_CHOICES } from '#areas/money/fees/words.contract.ts'
import { Code, Empty } from '#kit/web/feedback/index.ts'
import { DateInput } from '#kit/web/fields/date-input.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { minorDigits } from '#kit/contract/money.ts'
import { formatAmount, formatNumber, formatPercent, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { RowAction } from '#kit/web/list/row-action.ts'
import { Link, useSearchParams } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import type { ReportColumn } from './financial.rules.ts'
import type { ReportTable } from './tables.rules.ts'
import css from './financial.module.css'

/** What of a report's filters stands in the address. */
const NUMBERS = ['year_id', 'other_year_id', 'term_id', 'faculty_id', 'program_id', 'level'] as const
const DAYS = ['as_of', 'from', 'to'] as const
type Filter = (typeof NUMBERS)[number] | (typeof DAYS)[number]
const isDay = (text: string | null): text is string => text !== null && /^\d{4}-\d\d-\d\d$/.test(text)

/** Filters of a report, kept in the address; `asked` has those that are set. */
export function useAsked<F extends Filter>(filters: readonly F[]) {
  const [address, setAddress] = useSearchParams()
  const asked: Partial<Record<Filter, number | string>> = {}
  for (const name of filters) {
    const text = address.get(name)
    if ((DAYS as readonly string[]).includes(name)) {
      if (isDay(text)) asked[name] = text
    } else if (text && Number(text) >= (name === 'level' ? 0 : 1) && Number.isInteger(Number(text)))
      // A preparatory level is the level 0.
      asked[name] = Number(text)
  }
  const set = (changes: Readonly<Record<string, number | string | null | undefined>>) => {
    const next = new URLSearchParams(address)
    for (const [name, value] of Object.entries(changes))
      if (value === null || value === undefined) next.delete(name)
      else next.set(name, String(value))
    setAddress(next, { replace: true })
  }
  return { asked: asked as { [K in F]?: never } & Record<string, never>, set, address }
}

const WORD = {
  year_id: ['year', 'filter_year'],
  other_year_id: ['year', 'filter_other_year'],
  term_id: ['term', 'filter_term'],
  faculty_id: ['faculty', 'filter_faculty'],
  program_id: ['program', 'filter_program'],
} as const

/** Where filters are chosen. */
export function Filters<F extends Filter>({
  filters,
  asked,
  set,
  shown = asked,
  children,
}: {
  filters: readonly F[]
  asked: Readonly<Record<string, unknown>>
  /** What is looked at where nothing was chosen: the current year. */
  shown?: Readonly<Record<string, unknown>>
  set: (changes: Readonly<Record<string, number | string | null>>) => void
  children?: ReactNode
}) {
  const t = useT('reports')
  return (
    <section className={css.bar} aria-label={t('filters')}>
      {children}
      {filters.map((name) =>
        name === 'level' ? null : name in WORD ? (
          <LookupInput
            key={`${name} ${String(shown[name] ?? '')}`}
            resource={WORD[name as keyof typeof WORD][0]}
            label={t(WORD[name as keyof typeof WORD][1])}
            placeholder={t('filter_any')}
            defaultValue={(shown[name] as number | undefined) ?? null}
            {...(name === 'program_id' &&
              typeof asked.faculty_id === 'number' && { filters: { faculty_id: asked.faculty_id } })}
            onChange={(value) => set({ [name]: value, ...(name === 'faculty_id' && { program_id: null }) })}
          />
        ) : (
          <DateInput
            key={name}
            name={name}
            label={t(`filter_${name as 'as_of' | 'from' | 'to'}`)}
            defaultValue={(asked[name] as string | undefined) ?? null}
            onChange={(value) => set({ [name]: typeof value === 'string' ? value : null })}
          />
        ),
      )}
    </section>
  )
}

/** Which currency is looked at: two are never added up. */
export function CurrencyChoice({ value, onChange }: { value: string; onChange: (currency: 'EGP' | 'USD') => void }) {
  const t = useT('reports')
  return (
    <SegmentedControl
      size="sm"
      aria-label={t('currency')}
      value={value}
      onChange={(next) => onChange(next === 'USD' ? 'USD' : 'EGP')}
      data={CURRENCY_CHOICES.map((choice) => ({ value: choice.value, label: choice.value }))}
    />
  )
}

/** The report as PDF and XLSX, in the reader's language and in the other one. */
export function fileActions(
  t: ReturnType<typeof useT<'reports'>>,
  lang: Language,
  take: (lang: 'ar' | 'en', type: 'pdf' | 'xlsx') => void,
): { main: RowAction; menu: RowAction[] } {
  const mine = lang === 'ar' ? 'ar' : 'en'
  const other = mine === 'ar' ? 'en' : 'ar'
  return {
    main: {
      key: 'pdf',
      label: t('as_pdf'),
      icon: <IconFileTypePdf size={16} aria-hidden />,
      onSelect: () => take(mine, 'pdf'),
    },
    menu: [
      {
        key: 'xlsx',
        label: t('as_sheet'),
        icon: <IconFileSpreadsheet size={15} aria-hidden />,
        onSelect: () => take(mine, 'xlsx'),
      },
      {
        key: 'other',
        label: t(other === 'ar' ? 'as_pdf_ar' : 'as_pdf_en'),
        icon: <IconFileTypePdf size={15} aria-hidden />,
        onSelect: () => take(other, 'pdf'),
      },
    ],
  }
}

/** Columns that fit on paper in letters of the usual size; more are printed smaller. */
const USUAL = 9

/** Whether no amount of a table has a fraction: then none is written with one, and the table has room. */
function inWholeAmounts<Row>({ columns, rows, currency }: ReportTable<Row>): boolean {
  const unit = 10 ** minorDigits(currency ?? 'EGP')
  const money = columns.filter(({ kind }) => kind === 'money')
  return rows.every((row) => money.every(({ of }) => Number(of(row) ?? 0) % unit === 0))
}

/** A report as a table, whose title says the currency of all its figures; they lead to their rows where `href` knows some. */
export function ReportView<Row>({
  title,
  table,
  href,
  empty,
}: {
  title: string
  table: ReportTable<Row> | undefined
  href?: (row: Row | null, column: string) => string | null
  empty: string
}) {
  const say = useLabel()
  const lang = useLanguage()
  if (!table)
    return (
      <Card title={title}>
        <Empty title={empty} />
      </Card>
    )
  const { columns, rows, total, currency } = table
  const whole = inWholeAmounts(table)
  const heads = columns.some((column) => column.head)
  const spans = columns.reduce<{ label: string | null; span: number; key: string }[]>((all, column) => {
    const label = column.head ? say(column.head) : null
    const last = all.at(-1)
    if (last && last.label === label) last.span += 1
    else all.push({ label, span: 1, key: column.key })
    return all
  }, [])
  const first = (i: number) =>
    heads &&
    i > 0 &&
    columns[i]!.head !== columns[i - 1]!.head &&
    say(columns[i]!.head ?? ['', '']) !== say(columns[i - 1]!.head ?? ['', ''])
      ? true
      : undefined
  const shown = (cell: string | number | null, column: ReportColumn<Row>, row: Row | null, i: number): ReactNode => {
    if (cell === null || cell === '') return null
    if (column.kind === 'text')
      return typeof cell === 'string' && /^[\d–-]+$/.test(cell) ? <Code>{cell}</Code> : <bdi>{cell}</bdi>
    const text =
      typeof cell === 'string' ? (
        <bdi className={css.dim}>{cell}</bdi>
      ) : cell === 0 ? (
        <span className={css.dim}>–</span>
      ) : column.kind === 'percent' ? (
        <Code>{formatPercent(cell / 100, 1)}</Code>
      ) : column.kind === 'decimal' ? (
        <Code>{formatNumber(cell, 2)}</Code>
      ) : (
        <Code>
          {column.kind === 'money'
            ? whole
              ? formatNumber(cell / 10 ** minorDigits(currency ?? 'EGP'))
              : formatAmount(cell, currency ?? 'EGP', lang)
            : formatNumber(cell)}
        </Code>
      )
    const to = cell === 0 || typeof cell === 'string' || i === 0 ? null : (href?.(row, column.key) ?? null)
    return to ? (
      <Link className={css.link} to={to}>
        {text}
      </Link>
    ) : (
      text
    )
  }
  return (
    <Card title={title}>
      <div className={css.scroll}>
        <Table
          label={title}
          className={columns.length > USUAL ? `${css.table} ${css.many}` : css.table}
          height="70vh"
          sticky
          heads={heads ? spans : undefined}
          rows={rows}
          rowKey={(_row, at) => at}
          columns={columns.map((column, i) => ({
            key: column.key,
            label: say(column.label),
            head: i === 0,
            figure: column.kind !== 'text',
            className:
              [column.kind === 'text' && css.words, first(i) && css.first].filter(Boolean).join(' ') || undefined,
            cell: (row: Row) => shown(column.of(row), column, row, i),
          }))}
          foot={
            total ? [columns.map((column, i) => (i === 0 ? total[0] : shown(total[i]!, column, null, i)))] : undefined
          }
        />
      </div>
    </Card>
  )
}
