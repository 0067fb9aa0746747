import { Select, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { keepPreviousData } from '@tanstack/react-query'
import { useCall } from '#kit/web/api/index.ts'
import { Chart } from '#kit/web/charts/chart.tsx'
import { Code, Empty, Failed, Name } from '#kit/web/feedback/index.ts'
import { fold, formatNumber, formatPercent, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Card, Cards, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { CONTROL_STATUSES } from '#areas/academics/offering-words.contract.ts'
import { TermPicker } from '#areas/terms/terms/term-picker.web.tsx'
import { ControlBadge, Rate, Scroll } from '../parts.web.tsx'
import { controlCalls, type ControlResults } from './control.contract.ts'
import css from '../grading.module.css'

const STUDENTS = { key: 'count', label: ['Students', 'الطلاب'] as const }
type Offering = ControlResults['offerings'][number]
const ORDERS = {
  course: (a: Offering, b: Offering) =>
    (a.course.code ?? '').localeCompare(b.course.code ?? '') || a.code.localeCompare(b.code),
  rate: (a: Offering, b: Offering) => (a.results ? a.passed / a.results : 2) - (b.results ? b.passed / b.results : 2),
  mean: (a: Offering, b: Offering) => Number(a.mean ?? 101) - Number(b.mean ?? 101),
  students: (a: Offering, b: Offering) => b.students - a.students,
}

/** A distribution in the width of a cell: one bar for each letter, the best first. */
function Letters({ letters }: { letters: Offering['letters'] }) {
  if (!letters.length) return <span className={css.dim}>–</span>
  const most = Math.max(...letters.map((one) => one.count))
  return (
    <span className={css.letters}>
      {letters.map((one) => (
        <span key={one.letter} title={`${one.letter}: ${formatNumber(one.count)}`}>
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
  const [search, setSearch] = useState('')
  const [order, setOrder] = useState<keyof typeof ORDERS>('course')
  const asked = (key: string) => (query.get(key) ? Number(query.get(key)) : null)
  const set = (key: string, value: number | string | null, ...gone: string[]) => {
    const next = new URLSearchParams(query)
    for (const name of gone) next.delete(name)
    if (value === null) next.delete(key)
    else next.set(key, String(value))
    setQuery(next, { replace: true })
  }
  const lookup = useCall(controlCalls.reportLookup, {}, { staleTime: 60_000 }).data?.data
  const filters = Object.fromEntries(
    ['term_id', 'faculty_id', 'department_id', 'control_status'].flatMap((key) =>
      query.get(key) ? [[key, query.get(key)]] : [],
    ),
  )
  const { data, error, refetch, isPlaceholderData } = useCall(
    controlCalls.results,
    { query: filters },
    { placeholderData: keepPreviousData },
  )
  const results = data?.data
  const faculty = asked('faculty_id')
  const shown = useMemo(() => {
    const words = fold(search).split(' ').filter(Boolean)
    return results?.offerings
      .filter((one) =>
        words.every((word) => fold(`${one.course.code} ${one.course.name} ${one.course.name_local}`).includes(word)),
      )
      .toSorted(ORDERS[order])
  }, [results, search, order])
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
      data={(options ?? []).map((one) => ({ value: String(one.id), label: nameOf(one, lang) }))}
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
          <Cards even>
            <Chart
              kind="bar"
              title={t('distribution')}
              text={totals ? t('distribution_text', { count: totals.results }) : '\u00A0'}
              data={totals?.letters.map((one) => ({ name: one.letter, count: one.count }))}
              series={[STUDENTS]}
              pointLabel={['Grade', 'التقدير']}
            />
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
                data={results?.faculties.map((one) => ({
                  name: nameOf(one, lang),
                  passed: one.passed,
                  failed: one.failed,
                }))}
                series={[
                  { key: 'passed', label: ['Passed', 'ناجح'], tone: 'done' },
                  { key: 'failed', label: ['Failed', 'راسب'], tone: 'refused' },
                ]}
                pointLabel={['Faculty', 'الكلية']}
              />
            )}
          </Cards>
          <Card
            title={t('by_offering')}
            aside={
              <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8 }}>
                <TextInput
                  size="xs"
                  aria-label={t('search')}
                  placeholder={t('search')}
                  leftSection={<IconSearch size={14} aria-hidden />}
                  value={search}
                  onChange={(event) => setSearch(event.currentTarget.value)}
                />
                <Select
                  size="xs"
                  aria-label={t('order')}
                  allowDeselect={false}
                  data={(['course', 'rate', 'mean', 'students'] as const).map((key) => ({
                    value: key,
                    label: t(`order_${key}`),
                  }))}
                  value={order}
                  onChange={(value) => setOrder(value ?? 'course')}
                />
              </div>
            }
          >
            <Scroll label={t('by_offering')}>
              <table className={css.table}>
                <thead>
                  <tr>
                    <th scope="col">{t('course')}</th>
                    <th scope="col">{t('status')}</th>
                    <th scope="col" className={css.end}>
                      {t('students')}
                    </th>
                    <th scope="col" className={css.end}>
                      {t('without_result')}
                    </th>
                    <th scope="col" className={css.end}>
                      {t('mean')}
                    </th>
                    <th scope="col">{t('passed')}</th>
                    <th scope="col">{t('distribution')}</th>
                  </tr>
                </thead>
                <tbody>
                  {shown?.map((one) => (
                    <tr key={one.id}>
                      <td style={{ minInlineSize: 200 }}>
                        <Link className={css.link} to={to('/offerings/grades/:id', { id: one.id })}>
                          <Name row={one.course} />
                        </Link>{' '}
                        <small className={css.dim}>
                          <Code>
                            {one.course.code} ({one.code})
                          </Code>
                        </small>
                      </td>
                      <td>
                        <ControlBadge status={one.control_status} />
                      </td>
                      <td className={css.end}>
                        <Code>{formatNumber(one.students)}</Code>
                      </td>
                      <td className={css.end}>
                        {one.missing ? (
                          <Code className={css.warn}>{formatNumber(one.missing)}</Code>
                        ) : (
                          <span className={css.dim}>–</span>
                        )}
                      </td>
                      <td className={css.end}>
                        <Code>{one.mean === null ? '–' : formatNumber(Number(one.mean), 1)}</Code>
                      </td>
                      <td style={{ minInlineSize: 130 }}>
                        <Rate part={one.passed} whole={one.results} />
                      </td>
                      <td>
                        <Letters letters={one.letters} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {!results && <Bone />}
            </Scroll>
          </Card>
        </Stack>
      )}
    </Page>
  )
}
