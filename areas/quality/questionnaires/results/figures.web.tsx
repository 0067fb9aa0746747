import { Chart } from '#kit/web/charts/chart.tsx'
import { Empty } from '#kit/web/feedback/index.ts'
import { formatNumber, useT } from '#kit/web/i18n/index.ts'
import { Card, Cards } from '#kit/web/shell/card.tsx'
import { useFormWords } from '../filling/words.web.ts'
import type { FormQuestion } from '../types/form.contract.ts'
import { answersOf, partOf } from './compare.rules.ts'
import type { QuestionnaireResult, ResultFigure } from './results.contract.ts'
import css from '../questionnaires.module.css'

/** Figures of a result: what stands out, then each question with how often each answer was given. */
export function ResultFigures({ of }: { of: QuestionnaireResult }) {
  const t = useT('questionnaires')
  const words = useFormWords()
  const named = (key: string) => {
    const [question = '', part = '0'] = key.split(' ')
    const found = of.questions.find((one) => one.key === question)
    const row = found && partOf(found, Number(part))
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
          ).map(
            ([title, all]) =>
              all.length > 0 && (
                <Card key={title} title={t(title)} text={t('compared_text')}>
                  <ol className={css.judged}>
                    {all.map((one) => (
                      <li key={one.key}>
                        {named(one.key)} {one.few && <small>{t('few_answers')}</small>}
                      </li>
                    ))}
                  </ol>
                </Card>
              ),
          )}
        </Cards>
      )}
      <Cards least={440}>
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
      </Cards>
    </>
  )
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
