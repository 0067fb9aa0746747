import { keepPreviousData } from '@tanstack/react-query'
import type { ResponseOf } from '#kit/contract/call.ts'
import { useCall } from '#kit/web/api/index.ts'
import { Chart } from '#kit/web/charts/chart.tsx'
import { Empty, Failed } from '#kit/web/feedback/index.ts'
import { MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { formatNumber, formatPercent, nameOf, useT } from '#kit/web/i18n/index.ts'
import { useParams, useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Card, Cards, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { useFormWords } from '../filling/words.web.ts'
import type { FormQuestion } from '../types/form.contract.ts'
import { Comments } from './comments.web.tsx'
import { resultCalls, type QuestionnaireResult, type ResultFigure } from './results.contract.ts'
import css from '../questionnaires.module.css'

/** Results: of everything within reach, or of one offering or instructor. */
export default function QuestionnaireStatistics() {
  const t = useT('questionnaires')
  const id = Number(useParams().id)
  const [search, setSearch] = useSearchParams()
  const set = Number(search.get('set')) || undefined
  const { data, error, refetch } = useCall(
    resultCalls.stats,
    { params: { id }, body: set === undefined ? {} : { set_id: set } },
    { placeholderData: keepPreviousData },
  )
  const of = data?.data
  const about = of ? [of.course, of.instructor].flatMap((one) => (one ? [nameOf(one)] : [])).join(' · ') : ''
  return (
    <Page
      title={of?.type}
      subtitle={of ? about || t('all_together') : '\u00A0'}
      facts={[
        { label: t('asked'), value: of ? formatNumber(of.asked) : '–' },
        { label: t('answered'), value: of ? formatNumber(of.answered) : '–' },
        { label: t('rate'), value: of?.asked ? formatPercent(of.answered / of.asked) : '–' },
      ]}
    >
      {error && !of ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !of ? (
        <Bone height={420} />
      ) : (
        <Stack>
          {of.withheld === null ? <Results of={of} /> : <Empty title={t('no_results')} text={t(of.withheld)} />}
          {of.withheld === null && <Comments id={id} set={set} questions={of.questions} />}
          <Sets id={id} chosen={set} choose={(one) => setSearch(one === undefined ? {} : { set: String(one) })} />
        </Stack>
      )}
    </Page>
  )
}

function Results({ of }: { of: QuestionnaireResult }) {
  const t = useT('questionnaires')
  const words = useFormWords()
  const named = (key: string) => {
    const [question = '', part = '0'] = key.split(' ')
    const found = of.questions.find((one) => one.key === question)
    const row = found?.rows[Number(part) - 1]
    return found ? `${words(found.text)}${row ? ` · ${words(row)}` : ''}` : ''
  }
  if (of.figures.length === 0) return <Empty title={t('no_figures')} text={t('no_figures_text')} />
  return (
    <>
      {(of.strong.length > 0 || of.weak.length > 0) && (
        <Cards>
          {(
            [
              ['strengths', of.strong],
              ['weaknesses', of.weak],
            ] as const
          ).map(([title, all]) => (
            <Card key={title} title={t(title)} text={t('compared_text')}>
              <ol className={css.judged}>
                {all.map((one) => (
                  <li key={one.key}>
                    {named(one.key)} {one.few && <small>{t('few_answers')}</small>}
                  </li>
                ))}
              </ol>
            </Card>
          ))}
        </Cards>
      )}
      {of.figures.map((figure) => {
        const question = of.questions.find(({ key }) => key === figure.question)
        return (
          question && (
            <Figure
              key={`${figure.question} ${figure.part}`}
              of={figure}
              question={question}
              title={named(`${figure.question} ${figure.part}`)}
            />
          )
        )
      })}
    </>
  )
}

/** The answers that were possible, in their order. */
function answersOf(question: FormQuestion, counts: Readonly<Record<string, number>>): number[] {
  if (question.kind === 'number')
    return Object.keys(counts)
      .map(Number)
      .toSorted((a, b) => a - b)
  const most = question.kind === 'rating' || question.kind === 'grid' ? (question.points ?? 0) : question.options.length
  return Array.from({ length: most }, (_, i) => i + 1)
}

function Figure({ of, question, title }: { of: ResultFigure; question: FormQuestion; title: string }) {
  const t = useT('questionnaires')
  const words = useFormWords()
  const { counts, moments } = of
  const text = [
    t('answers', { count: of.n }),
    moments && t('mean_is', { mean: formatNumber(moments.mean, 2) }),
    moments?.interval &&
      t('interval_is', { low: formatNumber(moments.interval[0], 2), high: formatNumber(moments.interval[1], 2) }),
    of.department !== null && t('department_is', { mean: formatNumber(of.department, 2) }),
    of.faculty !== null && t('faculty_is', { mean: formatNumber(of.faculty, 2) }),
    of.before !== null && t('before_is', { mean: formatNumber(of.before, 2) }),
  ].filter((one) => typeof one === 'string')
  if (!counts) return <Card title={title} text={t('all_the_same', { count: of.n })} />
  const label = (value: number) => {
    const option = question.kind === 'number' || question.kind === 'ranking' ? undefined : question.options[value - 1]
    return option ? words(option) : formatNumber(value)
  }
  return (
    <Chart
      kind="bar"
      horizontal
      title={title}
      text={text.join(' · ')}
      data={answersOf(question, counts).map((value) => ({ name: label(value), times: counts[String(value)] ?? 0 }))}
      series={[{ key: 'times', label: [t('answers_series'), t('answers_series')] }]}
    />
  )
}

type AnsweredSet = ResponseOf<typeof resultCalls.sets>['data'][number]
function Sets({
  id,
  chosen,
  choose,
}: {
  id: number
  chosen: number | undefined
  choose: (set: number | undefined) => void
}) {
  const t = useT('questionnaires')
  const { most, more } = useMost()
  const { data } = useCall(resultCalls.sets, { params: { id }, query: { most } }, { placeholderData: keepPreviousData })
  if (!data) return <Bone height={160} />
  if (data.total < 2) return null
  const name = (one: AnsweredSet) =>
    one.pooled
      ? t('small_together')
      : [one.course, one.instructor].flatMap((of) => (of ? [nameOf(of)] : [])).join(' · ')
  return (
    <Card
      title={t('parts')}
      aside={
        chosen !== undefined && (
          <button type="button" onClick={() => choose(undefined)}>
            {t('all_together')}
          </button>
        )
      }
    >
      <Table
        label={t('parts')}
        rows={data.data}
        rowKey={(row) => row.id}
        columns={[
          {
            key: 'name',
            label: t('about'),
            head: true,
            cell: (row) => (
              <button type="button" aria-pressed={row.id === chosen} onClick={() => choose(row.id)}>
                {name(row)}
              </button>
            ),
          },
          { key: 'asked', label: t('asked'), figure: true, cell: (row) => formatNumber(row.asked) },
          { key: 'answered', label: t('answered'), figure: true, cell: (row) => formatNumber(row.answered) },
          { key: 'note', label: t('note'), cell: (row) => (row.small ? t('counted_with_others') : '') },
        ]}
      />
      <MoreRows shown={data.data.length} total={data.total} onMore={more} />
    </Card>
  )
}
