import { Button, Select } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useCall } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Failed } from '#kit/web/feedback/index.ts'
import { formatInstant, formatList, nameOf, useLabel, useLanguage, useT, withHeading } from '#kit/web/i18n/index.ts'
import { useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { DIMENSIONS, isNumbered, type DimensionKey } from '../figures/dimensions.contract.ts'
import { DimensionFilter } from '../figures/filters.web.tsx'
import { isWorkedOut, useKeptFigures, WorkedOut } from '../figures/kept.web.tsx'
import { MEANS } from '../figures/means.contract.ts'
import {
  FIGURE_MEASURES,
  MEASURE_KEYS,
  figureSubject,
  measureOf,
  type MeasureKey,
} from '../figures/measures.contract.ts'
import { formatsOf } from '../figures/screen.web.tsx'
import { FEW_TEXT, valueName } from '../figures/tables.rules.ts'
import { filtersOfSubject, nearestReport, rightOfMeasure } from '../own/choices.rules.ts'
import { ownReportCalls } from '../own/own.contract.ts'
import {
  askedOfFigure,
  countsPersons,
  differencesOf,
  figureInAddress,
  narrowedAlike,
  type Difference,
  type FigureBeside,
  type FigureSeen,
} from './differ.rules.ts'
import css from './differ.module.css'

const PLACES = ['a', 'b'] as const
const FIRST: FigureBeside = { measure: 'students', filters: {}, every: false }

/** Two figures beside each other: what each counts, of what, when and within whose reach, and every reason why they differ. */
export default function Differ() {
  const t = useT('reports')
  const { may } = useMe()
  const [address, setAddress] = useSearchParams()
  const allowed = MEASURE_KEYS.filter((key) => may(rightOfMeasure(key)))
  const usual = { ...FIRST, measure: allowed.find((key) => key === FIRST.measure) ?? allowed[0]! }
  const figures = PLACES.map((place) => figureInAddress(address.get(place)) ?? usual)
  const put = (place: 0 | 1, figure: FigureBeside) => {
    const next = new URLSearchParams(address)
    next.set(PLACES[place], JSON.stringify(figure))
    setAddress(next, { replace: true })
  }
  const read = [useFigure(figures[0]!), useFigure(figures[1]!)] as const
  const seen = read.map(({ data }, at) => (data ? { figure: figures[at]!, seen: data.data } : null))
  const [one, other] = seen
  return (
    <Page title={t('differ')} subtitle={t('differ_text')} wide>
      <Stack>
        <div className={css.pair}>
          {([0, 1] as const).map((place) => (
            <Choose
              key={place}
              title={t(place === 0 ? 'differ_first' : 'differ_second')}
              figure={figures[place]!}
              allowed={allowed}
              read={read[place]}
              put={(figure) => put(place, figure)}
            />
          ))}
        </div>
        {one && other && (
          <>
            <Why pair={[one, other]} put={put} />
            <Beside pair={[one, other]} />
          </>
        )}
      </Stack>
    </Page>
  )
}

function useFigure(figure: FigureBeside) {
  const { refetchInterval } = useKeptFigures('/own-reports/figures')
  return useCall(
    ownReportCalls.ownFigures,
    { body: askedOfFigure(figure) as never },
    { placeholderData: keepPreviousData, refetchInterval },
  )
}

/** A figure, chosen by its name, and what narrows it. */
function Choose({
  title,
  figure,
  allowed,
  read,
  put,
}: {
  title: string
  figure: FigureBeside
  allowed: readonly MeasureKey[]
  read: ReturnType<typeof useFigure>
  put: (figure: FigureBeside) => void
}) {
  const t = useT('reports')
  const say = useLabel()
  const { of } = measureOf(figure.measure)
  const report = nearestReport([figure.measure])
  const known = filtersOfSubject(of)
  const keys = report.filters.filter((key) => known.includes(key)).slice(0, 6)
  const subjects = [...new Set(allowed.map((key) => measureOf(key).of))]
  const value = read.data?.data.total.now.values[0]
  const set = (changes: Readonly<Record<string, string | number | null>>) => {
    let { filters, every } = figure
    for (const [name, next] of Object.entries(changes)) {
      if (name === 'every') every = next !== null
      else {
        const { [name as DimensionKey]: _before, ...rest } = filters
        filters = next === null ? rest : { ...rest, [name]: [isNumbered(name as DimensionKey) ? Number(next) : next] }
      }
    }
    put({ ...figure, filters, every })
  }
  return (
    <Card title={title}>
      <Select
        label={t('differ_figure')}
        data={subjects.map((subject) => ({
          group: say(figureSubject(subject).label),
          items: allowed
            .filter((key) => measureOf(key).of === subject)
            .map((key) => ({ value: key, label: say(FIGURE_MEASURES[key].label) })),
        }))}
        value={figure.measure}
        allowDeselect={false}
        searchable
        onChange={(key) => key && put(figureInAddress(JSON.stringify({ ...figure, measure: key })) ?? figure)}
      />
      <div className={css.filters}>
        {keys.map((key) => (
          <DimensionFilter
            key={`${figure.measure} ${key} ${figure.filters[key]?.join() ?? ''} ${figure.every ? 'all' : ''}`}
            by={key}
            report={report}
            address={{ filters: figure.filters as Record<string, (string | number)[]>, set, every: figure.every }}
            seen={read.data?.data}
          />
        ))}
      </div>
      {isWorkedOut(read.error) ? (
        <WorkedOut />
      ) : read.error && !read.data ? (
        <Failed error={read.error} retry={() => void read.refetch()} />
      ) : read.data ? (
        <p className={css.value}>
          <Code>
            {value === 'few' ? FEW_TEXT : value == null ? '–' : formatsOf(measureOf(figure.measure).unit).format(value)}
          </Code>
        </p>
      ) : (
        <Bone height={40} />
      )}
    </Card>
  )
}

type Pair = readonly [FigureSeen, FigureSeen]

/** Every reason, each with what makes the two alike where something does. */
function Why({ pair, put }: { pair: Pair; put: (place: 0 | 1, figure: FigureBeside) => void }) {
  const t = useT('reports')
  const say = useLabel()
  const found = differencesOf(...pair)
  const named = (at: 0 | 1) => say(FIGURE_MEASURES[pair[at].figure.measure].label)
  const counts = (at: 0 | 1) => say(figureSubject(measureOf(pair[at].figure.measure).of).label)
  const told = ({ code, by, only }: Difference): string => {
    const dimension = by ? say(DIMENSIONS[by].label) : ''
    const which = only === undefined ? '' : t(only === 0 ? 'differ_first' : 'differ_second')
    if (code === 'subject') return t('differ_subject', { a: counts(0), b: counts(1) })
    if (code === 'measure') return t('differ_measure', { a: named(0), b: named(1) })
    if (code === 'once') return t('differ_once', { which })
    if (code === 'narrowed') return t('differ_narrowed', { which, dimension })
    if (code === 'time') return t('differ_time', { which, dimension })
    if (code === 'values') return t('differ_values', { dimension })
    return {
      same: t('differ_same'),
      reach: t('differ_reach'),
      moment: t('differ_moment'),
      few: t('differ_hidden'),
      nothing: t('differ_nothing'),
    }[code]
  }
  const alike = ({ by, only, code }: Difference): (() => void) | null => {
    if (!by || code === 'values' || only === undefined) return null
    const to = only === 0 ? 1 : 0
    const figure = narrowedAlike(pair[only], pair[to].figure, by)
    return figure && (() => put(to, figure))
  }
  return (
    <Card title={t('differ_why')}>
      <ul className={css.why} aria-live="polite">
        {found.map((one) => {
          const act = alike(one)
          return (
            <li key={one.code + (one.by ?? '')}>
              <span>{told(one)}</span>
              {act && (
                <Button size="compact-sm" variant="light" onClick={act}>
                  {t('differ_alike')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

/** Both, line by line; lines that are not the same stand out. */
function Beside({ pair }: { pair: Pair }) {
  const t = useT('reports')
  const say = useLabel()
  const lang = useLanguage()
  const lineOf = (key: string, label: string, of: (one: FigureSeen) => string) => {
    const [a, b] = pair.map(of) as [string, string]
    return { key, label, a, b, same: a === b }
  }
  const lines = [
    lineOf('means', t('differ_means'), ({ figure }) => say(MEANS[figure.measure])),
    lineOf('of', t('differ_of'), ({ figure }) => say(figureSubject(measureOf(figure.measure).of).label)),
    lineOf('counted', t('differ_counted'), ({ figure }) =>
      measureOf(figure.measure).unit === 'count'
        ? t(countsPersons(figure.measure) ? 'differ_persons' : 'differ_rows')
        : t('differ_worked_out'),
    ),
    lineOf('narrowed', t('differ_by'), ({ seen }) =>
      seen.filters.length
        ? seen.filters
            .map(({ by, values }) =>
              withHeading(say(DIMENSIONS[by].label), values.map((one) => valueName(by, one, lang, say)).join(', ')),
            )
            .join(' · ')
        : t('differ_all'),
    ),
    lineOf('reach', t('differ_reach_of'), ({ seen }) =>
      seen.within === null
        ? t('differ_whole')
        : seen.within.length
          ? formatList(
              seen.within.map((one) => nameOf(one, lang)),
              lang,
            )
          : t('own_within_own'),
    ),
    lineOf('moment', t('differ_when'), ({ seen }) =>
      t(seen.kept ? 'kept_at' : 'live_at', { at: formatInstant(seen.at, lang) }),
    ),
  ]
  return (
    <Card title={t('differ_beside')}>
      <Table
        label={t('differ_beside')}
        className={css.table}
        rows={lines}
        rowKey={({ key }) => key}
        columns={[
          { key: 'label', label: t('differ_line'), head: true, cell: ({ label }) => label },
          { key: 'a', label: t('differ_first'), cell: ({ a, same }) => (same ? a : <strong>{a}</strong>) },
          { key: 'b', label: t('differ_second'), cell: ({ b, same }) => (same ? b : <strong>{b}</strong>) },
        ]}
      />
    </Card>
  )
}
