import { Button, Modal } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { act, Empty, Failed, notify } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatDate, formatInstant, formatNumber, nameOf, problemText, useT } from '#kit/web/i18n/index.ts'
import { IssuedPapers } from '#kit/web/papers/papers.tsx'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Assessment } from './assessment.web.tsx'
import { AcceptAmong, ListOrganisation, PlaceQuestion, TrainingAdvice } from './decide.web.tsx'
import { AFTER_TRAINING as AFTER } from './after.web.ts'
import { trainingPapers } from './paper.contract.ts'
import { trainingCalls as calls, type StudentTrainingDetail } from './student-training.contract.ts'
import css from '../trainings.module.css'

/** What belongs to a training of a student: when and where, the interview, the weeks reported on, and what was thought of it. */
export function TrainingParts({ id, version }: { id: number; version: number }) {
  const t = useT('trainings')
  const { data, error, refetch } = useCall(calls.student, { params: { id }, body: {} }, { meta: { version } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={220} />
  const of = data.data
  return (
    <Stack>
      {of.others.length > 0 && <AcceptAmong of={of} />}
      <Card title={t('place')}>
        <Facts
          items={[
            { label: t('organisation'), value: of.organisation ? <bdi>{nameOf(of.organisation)}</bdi> : '–' },
            {
              label: t('days'),
              value: t('from_until', { from: formatDate(of.starts_on), until: formatDate(of.ends_on) }),
            },
            { label: t('weeks'), value: formatNumber(of.weeks) },
          ]}
        />
        {of.missing.length > 0 && (
          <div className={css.missing}>
            <strong>{t('still_missing')}</strong>
            <ul>
              {of.missing.map((one) => (
                <li key={problemText(one)}>{problemText(one)}</li>
              ))}
            </ul>
          </div>
        )}
      </Card>
      {of.advice && <TrainingAdvice of={of} />}
      {of.lists && <ListOrganisation of={of} />}
      <PlaceQuestion of={of} />
      {of.has_interview && <Interview of={of} />}
      {(of.status !== 'requested' || of.reports.length > 0) && <Reports of={of} />}
      <Assessment of={of} />
      {['accepted', 'approved'].includes(of.status) && (
        <Card title={t('papers')}>
          <IssuedPapers of={trainingPapers} id={of.id} />
        </Card>
      )}
    </Stack>
  )
}

/** The interview that is booked, or those that are free. */
function Interview({ of }: { of: StudentTrainingDetail }) {
  const t = useT('trainings')
  const { send } = useChange(...AFTER)
  const book = (interview_id: number, at: string) =>
    act({
      ask: { title: t('book_question', { at: formatInstant(at) }), action: t('book') },
      go: () => send(calls.book, { params: { id: of.id }, body: { interview_id } }),
      done: () => t('booked'),
    })
  return (
    <Card title={t('interview')} text={of.free.length ? t('interview_text') : undefined}>
      {of.interview && (
        <p className={css.text}>
          {formatInstant(of.interview.starts_at)} · <bdi>{of.interview.place}</bdi>
        </p>
      )}
      {of.free.length > 0 && (
        <ul className={css.slots}>
          {of.free.map((one) => (
            <li key={one.id}>
              <Button variant="default" onClick={() => void book(one.id, one.starts_at)}>
                {formatInstant(one.starts_at)} · {one.place}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {!of.interview && !of.free.length && <Empty title={t('no_interviews')} />}
    </Card>
  )
}

function Reports({ of }: { of: StudentTrainingDetail }) {
  const t = useT('trainings')
  const [writing, setWriting] = useState(false)
  const { send } = useChange(...AFTER)
  const next = (of.reports.at(-1)?.week ?? 0) + 1
  return (
    <Card
      title={t('reports')}
      text={of.min_reports > 0 ? t('reports_text', { count: formatNumber(of.min_reports) }) : undefined}
      aside={
        of.reports_now && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setWriting(true)}
          >
            {t('add_report')}
          </Button>
        )
      }
    >
      {of.reports.length === 0 ? (
        <Empty title={t('no_reports')} />
      ) : (
        <ul className={css.reports}>
          {of.reports.map((one) => (
            <li key={one.id}>
              <small>
                {t('week', { week: formatNumber(one.week) })} · {formatInstant(one.at)}
              </small>
              <p dir="auto">{one.text}</p>
            </li>
          ))}
        </ul>
      )}
      {writing && (
        <Modal opened onClose={() => setWriting(false)} title={t('add_report')}>
          <Form
            bar="dialog"
            submit={t('send')}
            onCancel={() => setWriting(false)}
            draft={`training-report ${of.id}`}
            fields={{
              week: f.integer(asLabel(t('week_label')), { required: true, min: 1, max: 60 }),
              text: f.longText(asLabel(t('report_text')), { required: true, max: 4000 }),
            }}
            values={{ week: next, text: null }}
            always
            onSave={({ week, text }) =>
              send(calls.report, { params: { id: of.id }, body: { week: Number(week), text: String(text) } })
            }
            onSaved={() => {
              notify.done(t('reported'))
              setWriting(false)
            }}
          />
        </Modal>
      )}
    </Card>
  )
}
