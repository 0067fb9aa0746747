import { keepPreviousData, type UseQueryResult } from '@tanstack/react-query'
import { IconArrowLeft, IconList, IconScale } from '@tabler/icons-react'
import { openedBy } from '#kit/contract/address.ts'
import { useCall, type ApiError } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Empty, Failed } from '#kit/web/feedback/index.ts'
import {
  formatAmount,
  formatDate,
  formatNumber,
  useLabel,
  useLanguage,
  useT,
  withHeading,
} from '#kit/web/i18n/index.ts'
import { ListFoot } from '#kit/web/list/list-foot.tsx'
import { Link, SCREENS, screenAt } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { useLists } from '../overview/lists.web.ts'
import { listBehind, type OpenCell, type ReportAddress } from './asked.web.ts'
import { DIMENSIONS, isNumbered } from './dimensions.contract.ts'
import { ROW_FACTS, type RowFact } from './facts.contract.ts'
import { figuresCalls, type CellRows as Rows, type SystemFigures } from './figures.contract.ts'
import { FIGURE_MEASURES, figureSubject } from './measures.contract.ts'
import type { ReportLink, SystemReport } from './reports.contract.ts'
import { RowsSheet } from './rows-sheet.web.tsx'
import { valueName } from './tables.rules.ts'
import css from './figures.module.css'

const PATHS = SCREENS.map(({ path }) => path)
/** The screen of a record by its address. */
const screenOf = (address: string) => {
  const opened = openedBy(PATHS, address.split('?')[0]!)
  return opened ? screenAt(opened.path) : undefined
}
type Row = Rows['rows'][number]
interface RowsFound {
  readonly data: Rows
  readonly meta: { readonly count: number; readonly people: number }
}

/** The rows behind a figure, each with the way to its record; and the list that holds them, where it can be narrowed alike. */
export function CellRows({
  link,
  report,
  address,
  cell,
  seen,
}: {
  link: ReportLink
  report: SystemReport
  address: ReportAddress
  cell: OpenCell
  seen: SystemFigures | undefined
}) {
  const t = useT('reports')
  const say = useLabel()
  const lang = useLanguage()
  const list = useLists()
  const answer = useCall(
    figuresCalls.rows,
    { params: { link }, body: { ...address.asked, ...cell, perPage: address.perPage } },
    { placeholderData: keepPreviousData },
  )
  const rowsBy = address.asked.rows ?? report.rows[0]!
  const columnsBy = address.asked.columns ?? null
  const named = (by: typeof rowsBy, key: string | null, among: SystemFigures['columns'] | undefined) =>
    valueName(by, among?.find((one) => one.key === key) ?? { key, of: null }, lang, say)
  const narrowed = [
    ...(cell.of_row ? [{ by: rowsBy, key: cell.row ?? null, name: named(rowsBy, cell.row ?? null, seen?.rows) }] : []),
    ...(cell.of_column && columnsBy
      ? [{ by: columnsBy, key: cell.column ?? null, name: named(columnsBy, cell.column ?? null, seen?.columns) }]
      : []),
  ]
  const filtered = (seen?.filters ?? []).map(({ by, values }) =>
    withHeading(say(DIMENSIONS[by].label), values.map((one) => valueName(by, one, lang, say)).join(', ')),
  )
  // Of the current term, which nobody named, the list is narrowed to it too.
  const term = seen?.filters.find((one) => one.by === 'term' && !address.filters.term)?.values[0]?.key
  const behind = listBehind(figureSubject(report.of).list, address.filters, cell.measure, [
    ...narrowed,
    ...(term ? [{ by: 'term' as const, key: term }] : []),
  ])
  const to = behind && list(behind.path, behind.filters)
  // The figure as it stands here, beside which another one is put.
  const beside = JSON.stringify({
    measure: cell.measure,
    filters: {
      ...address.filters,
      ...Object.fromEntries(
        narrowed.flatMap(({ by, key }) => (key === null ? [] : [[by, [isNumbered(by) ? Number(key) : key]]])),
      ),
    },
    every: address.every,
  })
  const title = [say(FIGURE_MEASURES[cell.measure].label), ...narrowed.map((one) => one.name)].join(' · ')
  return (
    <Stack>
      <div className={css.back}>
        <Link to={`?${address.at({ cell: null, row: null, column: null, page: null })}`}>
          <IconArrowLeft size={16} aria-hidden className={css.flip} /> {t('back_to_report')}
        </Link>
        {to && (
          <Link to={to}>
            <IconList size={16} aria-hidden /> {t('open_list')}
          </Link>
        )}
        <Link to={`/reports/differ?${new URLSearchParams({ a: beside, b: beside })}`}>
          <IconScale size={16} aria-hidden /> {t('differ_ask')}
        </Link>
        {answer.data !== undefined && answer.data.meta.count > 0 && <RowsSheet {...{ link, address, cell }} />}
      </div>
      <FoundRows
        answer={answer}
        title={title}
        told={filtered}
        page={cell.page}
        perPage={address.perPage}
        onPage={(next) => address.setAddress(address.at({ page: next }))}
        onPageSize={(rows) => address.setAddress(address.at({ page: null, perPage: rows }))}
      />
    </Stack>
  )
}

/** Rows as they were found, page by page: each with the way to its record, as far as the reader may open it. */
export function FoundRows({
  answer: { data, error, refetch },
  title,
  told,
  page,
  perPage,
  onPage,
  onPageSize,
}: {
  answer: Pick<UseQueryResult<RowsFound, ApiError>, 'data' | 'error' | 'refetch'>
  title: string
  /** What narrows them, in words. */
  told: readonly string[]
  page: number
  perPage: number
  onPage: (page: number) => void
  onPageSize: (rows: number) => void
}) {
  const t = useT('reports')
  const say = useLabel()
  const lang = useLanguage()
  const { may } = useMe()
  const shown = (fact: Row['facts'][number], kind: RowFact['kind']) => {
    if (fact === null) return null
    if (Array.isArray(fact)) return <bdi>{fact[lang === 'ar' ? 1 : 0]}</bdi>
    if (kind === 'day') return formatDate(String(fact), 'short', lang)
    if (kind === 'usd') return <Code>{formatAmount(Number(fact), 'USD', lang)}</Code>
    return kind === 'number' ? <Code>{formatNumber(fact)}</Code> : <bdi>{fact}</bdi>
  }
  const facts = (data?.data.facts ?? []).map((key) => ROW_FACTS[key])
  return error && !data ? (
    <Failed error={error} retry={() => void refetch()} />
  ) : !data ? (
    <Bone height={420} />
  ) : (
    <Card
      title={title}
      text={[
        data.meta.people === data.meta.count
          ? t('rows_count', { count: data.meta.count })
          : t('rows_and_people', { count: data.meta.count, people: formatNumber(data.meta.people) }),
        ...told,
      ].join(' · ')}
    >
      {data.data.rows.length === 0 ? (
        <Empty title={t('no_rows')} />
      ) : (
        <>
          <Table
            label={title}
            className={css.rows}
            rows={data.data.rows}
            rowKey={(_row, at) => at}
            columns={[
              {
                key: 'code',
                className: css.code,
                label: say(['Code', 'الكود']),
                cell: (row: Row) => <Code>{row.code}</Code>,
              },
              {
                key: 'name',
                className: css.name,
                label: say(['Name', 'الاسم']),
                head: true,
                cell: (row: Row) => {
                  const name = <bdi>{(lang === 'ar' ? row.name_local : row.name) || row.name}</bdi>
                  const screen = row.to ? screenOf(row.to) : undefined
                  return row.to && screen && may(screen.permission) ? <Link to={row.to}>{name}</Link> : name
                },
              },
              ...facts.map((fact, at) => ({
                key: String(at),
                label: say(fact.label),
                className: css.fact,
                figure: fact.kind === 'number' || fact.kind === 'usd',
                cell: (row: Row) => shown(row.facts[at] ?? null, fact.kind),
              })),
            ]}
          />
          <ListFoot
            count={data.meta.count}
            asked={{
              page,
              perPage,
              search: '',
              order_by: null,
              order_direction: 'asc',
              filters: {},
              removed: false,
            }}
            sortedBy={null}
            onPage={onPage}
            onPageSize={onPageSize}
          />
        </>
      )}
    </Card>
  )
}
