import { Button } from '@mantine/core'
import { IconCalculator } from '@tabler/icons-react'
import { f } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Chart } from '#kit/web/charts/chart.tsx'
import { Facts } from '#kit/web/detail/parts.tsx'
import { Empty, Failed, Problems, Status, notify } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatInstant, formatNumber, formatPercent, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card, Cards, Stack } from '#kit/web/shell/card.tsx'
import { offeringReportCalls, type OfferingReport } from './report.contract.ts'
import css from '../course-files.module.css'

const AFTER = ['/courseFile', '/quality'] as const
const ASKED = { later: true, help: ['Asked for before the file is handed in', 'مطلوب قبل تسليم الملف'] } as const
const STUDENTS = { key: 'count', label: ['Students', 'الطلاب'] as const }

/** The report of the offering: figures that are filled by themselves, and the questions to who taught it. */
export function Report({ id, version }: { id: number; version: number }) {
  const { data, error, refetch } = useCall(offeringReportCalls.reportQuestions, { body: { id } }, { meta: { version } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={360} />
  const of = data.data
  return (
    <Stack>
      <Fill of={of} />
      {of.figures && <Figures figures={of.figures} />}
      {of.figures && <Questions key={of.filled_at} of={of} />}
    </Stack>
  )
}

/** Fills it, and says where its figures are not those of now. */
function Fill({ of }: { of: OfferingReport }) {
  const t = useT('course-files')
  const { busy, problem, go, send } = useChange(...AFTER)
  const fill = () => go(() => send(offeringReportCalls.fillReport, { params: { id: of.id } }))
  const button = of.mine && of.published && (
    <Button
      variant={of.figures && !of.changed.length ? 'default' : 'filled'}
      loading={busy}
      leftSection={<IconCalculator size={16} aria-hidden />}
      onClick={() => void fill().then((done) => done && notify.done(t('filled')))}
    >
      {t(of.figures ? 'fill_again' : 'fill')}
    </Button>
  )
  if (!of.figures)
    return (
      <>
        <Empty
          title={t('not_filled')}
          text={t(of.published ? 'not_filled_text' : 'marks_open')}
          action={button || undefined}
        />
        {problem !== null && <Problems error={problem} />}
      </>
    )
  return (
    <Card
      title={t('figures')}
      text={t('filled_at', {
        at: of.filled_at ? formatInstant(of.filled_at) : '',
        by: of.filled_by ? nameOf(of.filled_by) : '–',
      })}
      aside={of.changed.length > 0 && <Status is="late" label={t('outdated')} />}
    >
      {of.changed.length > 0 && (
        <p className={css.text}>
          {t('changed', { what: of.changed.map((one) => t(`figure_${one as 'mean'}`)).join(' · ') })}
        </p>
      )}
      {button && <div className={css.line}>{button}</div>}
      {problem !== null && <Problems error={problem} />}
    </Card>
  )
}

const COUNTS = ['registered', 'withdrawn', 'marked', 'outliers', 'planned', 'held', 'cancelled'] as const
const MARKS = ['mean', 'mean_before', 'median', 'deviation', 'lowest', 'highest'] as const
const SHARES = ['passed', 'passed_before', 'attendance', 'rated'] as const
const SAID = ['asked', 'answered'] as const

function Figures({ figures }: { figures: NonNullable<OfferingReport['figures']> }) {
  const t = useT('course-files')
  const said = (value: number | null, format: (value: number) => string) => (value === null ? '–' : format(value))
  return (
    <>
      <Card>
        <Facts
          items={[
            ...COUNTS.map((key) => ({ label: t(`figure_${key}`), value: formatNumber(figures[key]) })),
            ...SAID.map((key) => ({ label: t(`figure_${key}`), value: said(figures[key], formatNumber) })),
            ...MARKS.map((key) => ({
              label: t(`figure_${key}`),
              value: said(figures[key], (one) => formatNumber(one, 2)),
            })),
            ...SHARES.map((key) => ({
              label: t(`figure_${key}`),
              value: said(figures[key], (one) => formatPercent(one / 100)),
            })),
          ]}
        />
      </Card>
      <Cards even>
        <Chart
          kind="bar"
          title={t('figure_letters')}
          data={figures.letters.map(({ letter, count }) => ({ name: letter, count }))}
          series={[STUDENTS]}
          pointLabel={['Grade', 'التقدير']}
        />
        <Chart
          kind="bar"
          title={t('figure_tens')}
          data={figures.tens.map((count, i) => ({ name: `${i * 10}–${i === 9 ? 100 : i * 10 + 9}`, count }))}
          series={[STUDENTS]}
          pointLabel={['Percent', 'النسبة']}
        />
      </Cards>
    </>
  )
}

function Questions({ of }: { of: OfferingReport }) {
  const t = useT('course-files')
  const { send } = useChange(...AFTER)
  if (!of.questions.length) return null
  if (!of.mine)
    return (
      <Card title={t('questions')}>
        <Facts
          items={of.questions.map((one) => ({
            label: nameOf(one),
            value: one.answer ? <span dir="auto">{one.answer}</span> : '–',
            wide: true,
          }))}
        />
      </Card>
    )
  return (
    <Card title={t('questions')} text={t('questions_text')}>
      <Form
        bar="dialog"
        submit={t('save_answers')}
        draft={`offering-report ${of.id}`}
        fields={Object.fromEntries(
          of.questions.map((one) => [
            `q${one.id}`,
            f.longText(asLabel(nameOf(one)), { max: 8000, ...(!one.is_optional && ASKED) }),
          ]),
        )}
        values={Object.fromEntries(of.questions.map((one) => [`q${one.id}`, one.answer]))}
        onSave={(values) =>
          send(offeringReportCalls.answerReport, {
            body: {
              id: of.id,
              answers: of.questions.map((one) => ({
                question_id: one.id,
                answer: String(values[`q${one.id}`] ?? '').trim() || null,
              })),
            },
          })
        }
        onSaved={() => notify.done(t('answers_saved'))}
      />
    </Card>
  )
}
