import { Button, Select, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { keepPreviousData } from '@tanstack/react-query'
import { useCall } from '#kit/web/api/index.ts'
import { Chart } from '#kit/web/charts/chart.tsx'
import { ScreenTabs } from '#kit/web/detail/parts.tsx'
import { Code, Empty, Failed, Name } from '#kit/web/feedback/index.ts'
import {
  fold,
  formatList,
  formatNumber,
  formatPercent,
  nameOf,
  useLabel,
  useLanguage,
  useT,
  withHeading,
} from '#kit/web/i18n/index.ts'
import type { Column } from '#kit/web/list/columns.ts'
import { DataTable } from '#kit/web/list/data-table.tsx'
import { to, useSearchParams } from '#kit/web/router/index.ts'
import { Cards, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { CONTROL_STATUSES } from '#areas/common/academics/offering-words.contract.ts'
import { TermPicker } from '#areas/study/terms/terms/term-picker.web.tsx'
import { ControlBadge, Rate } from '../parts.web.tsx'
import { controlCalls, type ControlResults } from './control.contract.ts'
import css from '../grading.module.css'

const STUDENTS = { key: 'count', label: ['Students', 'الطلاب'] as const }
type Offering = ControlResults['offerings'][number]
type Row = Offering & { readonly [key: string]: unknown }
/** What the screen keeps in the address for both of its tabs. */
const FILTERS = ['term_id', 'faculty_id', 'department_id', 'control_status'] as const
/** Cards drawn on a phone until somebody asks for all. */
const FIRST = 25

/** So many bars have room for their letters; of more, each says its letter when it is pointed at. */
const WITH_NAMES = 10
/** A distribution in the width of a cell: one bar for each letter, the best first. */
function Letters({ letters }: { letters: Offering['letters'] }) {
  if (!letters.length) return <span className={css.dim}>–</span>
  const most = Math.max(...letters.map((one) => one.count))
  return (
    <span className={css.letters} data-many={letters.length > WITH_NAMES || undefined}>
      {letters.map((one) => (
        <span key={one.letter} title={withHeading(one.letter, formatNumber(one.count))}>
          <span style={{ blockSize: `${Math.max(8, (one.count / most) * 100)}%` }} aria-hidden />
          <small>
            <Code>{one.letter}</Code>
          </small>
        </span>
      ))}
    </span>
  )
}

/** Results of a term: distribution of grades as a whole, by faculty and by offering, and where many fail. */
export default function ControlResultsScreen() {
  const t = useT('grading')
  const say = useLabel()
  const lang = useLanguage()
  const [query, setQuery] = useSearchParams()
  const asked = (key: string) => (query.get(key) ? Number(query.get(key)) : null)
  const set = (key: string, value: number | string | null, ...gone: string[]) => {
    const next = new URLSearchParams(query)
    for (const name of gone) next.delete(name)
    if (value === null) next.delete(key)
    else next.set(key, String(value))
    setQuery(next, { replace: true })
  }
  const lookup = useCall(controlCalls.reportLookup, {}, { staleTime: 60_000 }).data?.data
  const filters = Object.fromEntries(FILTERS.flatMap((key) => (query.get(key) ? [[key, query.get(key)]] : [])))
  const { data, error, refetch, isPlaceholderData } = useCall(
    controlCalls.results,
    { query: filters },
    { placeholderData: keepPreviousData },
  )
  const results = data?.data
  const faculty = asked('faculty_id')
  if (error && !results) return <Failed error={error} retry={() => void refetch()} />
  const totals = results?.totals
  const choose = (
    key: string,
    label: string,
    options: readonly { id: number | string; name: string; name_local?: string | null }[] | undefined,
    ...gone: string[]
  ) => (
    <Select
      size="xs"
      label={label}
      placeholder={t('all')}
      clearable
      searchable
      data={(options ?? []).map((option) => ({ value: String(option.id), label: nameOf(option, lang) }))}
      value={query.get(key)}
      onChange={(value) => set(key, value, ...gone)}
    />
  )
  return (
    <Page
      title={t('results')}
      subtitle={results ? <Name row={results.term} /> : '\u00A0'}
      facts={
        // The figures have their places before they are known.
        [
          { label: t('offerings'), value: <Code>{totals ? formatNumber(totals.offerings) : '–'}</Code> },
          { label: t('results_count'), value: <Code>{totals ? formatNumber(totals.results) : '–'}</Code> },
          {
            label: t('passed'),
            value: <Code>{totals?.results ? formatPercent(totals.passed / totals.results) : '–'}</Code>,
          },
          { label: t('mean'), value: <Code>{totals?.mean == null ? '–' : formatNumber(Number(totals.mean), 1)}</Code> },
        ]
      }
    >
      <div className={css.bar}>
        <TermPicker
          label={t('term')}
          value={asked('term_id') ?? lookup?.current_term_id ?? null}
          onChange={(id) => set('term_id', id)}
        />
        {choose('faculty_id', t('faculty'), lookup?.faculties, 'department_id')}
        {choose(
          'department_id',
          t('department'),
          lookup?.departments.filter((one) => faculty === null || one.faculty_id === faculty),
        )}
        {choose(
          'control_status',
          t('status'),
          CONTROL_STATUSES.map(({ value, label }) => ({ id: value, name: say(label), name_local: say(label) })),
        )}
      </div>
      {results && !results.offerings.length ? (
        <Empty title={t('results_empty')} text={t('results_empty_text')} />
      ) : (
        <Stack busy={isPlaceholderData}>
          <ScreenTabs
            keep={FILTERS}
            tabs={[
              { key: 'glance', label: t('distribution'), content: () => <Charts results={results} /> },
              {
                key: 'offerings',
                label: t('by_offering'),
                count: totals?.offerings,
                content: () => <Offerings rows={results?.offerings} />,
              },
            ]}
          />
        </Stack>
      )}
    </Page>
  )
}

/** Grades as a whole, apart by scale; where control stands; who passed, by faculty. */
function Charts({ results }: { results: ControlResults | undefined }) {
  const t = useT('grading')
  const say = useLabel()
  const lang = useLanguage()
  const scales = results?.scales ?? []
  const total = results?.totals.results
  return (
    <Stack>
      <Cards even>
        {scales.length > 1 ? (
          scales.map((scale) => (
            <Chart
              key={`${scale.kind} ${scale.gives.join(' ')}`}
              kind="bar"
              title={
                scale.gives.length
                  ? t('scale', { best: scale.gives[0]!, least: scale.gives.at(-1)! })
                  : t('unlisted_scale')
              }
              text={[
                t('distribution_text', { count: scale.results }),
                formatList(scale.bylaws.map((bylaw) => nameOf(bylaw, lang))),
              ]
                .filter(Boolean)
                .join(' · ')}
              data={scale.letters.map((one) => ({ name: one.letter, count: one.count }))}
              series={[STUDENTS]}
              pointLabel={['Grade', 'التقدير']}
            />
          ))
        ) : (
          <Chart
            kind="bar"
            title={t('distribution')}
            text={total === undefined ? '\u00A0' : t('distribution_text', { count: total })}
            data={results && (scales[0]?.letters ?? []).map((one) => ({ name: one.letter, count: one.count }))}
            series={[STUDENTS]}
            pointLabel={['Grade', 'التقدير']}
          />
        )}
      </Cards>
      <Cards even>
        <Chart
          kind="bar"
          horizontal
          title={t('by_status')}
          data={results?.statuses.map((one) => ({
            name: say(CONTROL_STATUSES.find((known) => known.value === one.control_status)!.label),
            count: one.count,
          }))}
          series={[{ key: 'count', label: ['Offerings', 'المقررات المطروحة'] }]}
          pointLabel={['Status', 'الحالة']}
        />
        {(!results || results.faculties.length > 1) && (
          <Chart
            kind="bar"
            horizontal
            stacked
            title={t('by_faculty')}
            data={results?.faculties.map((faculty) => ({
              name: nameOf(faculty, lang),
              passed: faculty.passed,
              failed: faculty.failed,
            }))}
            series={[
              { key: 'passed', label: ['Passed', 'ناجح'], tone: 'done' },
              { key: 'failed', label: ['Failed', 'راسب'], tone: 'refused' },
            ]}
            pointLabel={['Faculty', 'الكلية']}
          />
        )}
      </Cards>
    </Stack>
  )
}

const figure = (value: number | null, places?: number) =>
  value === null ? '–' : <Code>{formatNumber(value, places)}</Code>
const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'course',
    label: ['Course', 'المقرر'],
    width: 300,
    value: (row) => row.course.code,
    cell: (row) => (
      <span className={css.course}>
        <Name row={row.course} />
        <small>
          <Code>
            {row.course.code} ({row.code})
          </Code>
        </small>
      </span>
    ),
  },
  {
    key: 'control_status',
    label: ['Status', 'الحالة'],
    width: 140,
    priority: 1,
    value: (row) => CONTROL_STATUSES.findIndex(({ value }) => value === row.control_status),
    cell: (row) => <ControlBadge status={row.control_status} />,
  },
  {
    key: 'students',
    label: ['Students', 'الطلاب'],
    width: 96,
    align: 'end',
    value: (row) => row.students,
    cell: (row) => figure(row.students),
  },
  {
    key: 'missing',
    label: ['Without result', 'بلا نتيجة'],
    width: 110,
    align: 'end',
    value: (row) => row.missing,
    cell: (row) => (row.missing ? <span className={css.warn}>{figure(row.missing)}</span> : '–'),
  },
  {
    key: 'mean',
    label: ['Mean', 'المتوسط'],
    width: 96,
    align: 'end',
    value: (row) => (row.mean === null ? null : Number(row.mean)),
    cell: (row) => figure(row.mean === null ? null : Number(row.mean), 1),
  },
  {
    key: 'passed',
    label: ['Passed', 'ناجح'],
    width: 170,
    least: 140,
    value: (row) => (row.results ? row.passed / row.results : null),
    cell: (row) => <Rate part={row.passed} whole={row.results} />,
  },
  {
    key: 'letters',
    label: ['Distribution of grades', 'توزيع التقديرات'],
    width: 300,
    least: 240,
    cell: (row) => <Letters letters={row.letters} />,
  },
]

/** Every offering with its rate of passing; the head of a column puts the fewest first. */
function Offerings({ rows }: { rows: readonly Offering[] | undefined }) {
  const t = useT('grading')
  const narrow = useMediaQuery('(max-width: 40em)', undefined, { getInitialValueInEffect: false })
  const [search, setSearch] = useState('')
  const [all, setAll] = useState(false)
  const found = useMemo(() => {
    const words = fold(search).split(' ').filter(Boolean)
    return rows?.filter((one) => {
      const text = fold(`${one.course.code} ${one.course.name} ${one.course.name_local}`)
      return words.every((word) => text.includes(word))
    })
  }, [rows, search])
  const shown = narrow && !all ? found?.slice(0, FIRST) : found
  return (
    <Stack gap={10}>
      <TextInput
        maw={320}
        aria-label={t('search')}
        placeholder={t('search')}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <DataTable<Row>
        fill
        caption={t('by_offering')}
        columns={COLUMNS}
        rows={shown}
        rowName={(row) => row.course.code ?? ''}
        rowHref={(row) => to('/offerings/grades/:id', { id: row.id })}
        empty={<Empty title={t('results_empty')} text={t('results_empty_search')} />}
      />
      {shown && found && shown.length < found.length && (
        <Button variant="default" onClick={() => setAll(true)}>
          {t('show_all_courses', { count: found.length })}
        </Button>
      )}
    </Stack>
  )
}
