import { Button, Modal } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { Empty, notify } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatDate, formatInstant, formatNumber, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { AFTER_TRAINING } from './after.web.ts'
import {
  trainingCalls as calls,
  type StudentTrainingDetail,
  type TrainingAssessment,
} from './student-training.contract.ts'
import css from '../trainings.module.css'

/** What is thought of the student: that of the supervisor counts; the organisation's and those of before stand beneath. */
export function Assessment({ of }: { of: StudentTrainingDetail }) {
  const t = useT('trainings')
  /** What the form begins with; null: it is closed. */
  const [from, setFrom] = useState<Partial<TrainingAssessment> | null>(null)
  const { assessment: said, assessments, assesses } = of
  if (!said && !assessments.length && !assesses) return null
  const advised = assessments.find(({ source }) => source === 'organisation')
  return (
    <Card
      title={t('assessment')}
      text={said ? byWhom(said, t) : undefined}
      aside={
        assesses && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPencil size={14} aria-hidden />}
            onClick={() => setFrom(said ?? {})}
          >
            {t('assess')}
          </Button>
        )
      }
    >
      {said ? <Said of={said} /> : <Empty title={t('not_assessed')} />}
      {assessments.length > 0 && (
        <ul className={css.reports}>
          {assessments.map((one) => (
            <li key={one.id}>
              <small>
                {t(one.source === 'organisation' ? 'of_organisation' : 'of_before')} · {byWhom(one, t)}
              </small>
              <Said of={one} />
              {assesses && one === advised && (
                <Button size="compact-sm" variant="default" onClick={() => setFrom(one)}>
                  {t('take_over')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {from && <AssessForm of={of} from={from} onClose={() => setFrom(null)} />}
    </Card>
  )
}

const byWhom = (one: TrainingAssessment, t: ReturnType<typeof useT<'trainings'>>): string =>
  t('assessed_by', { by: one.said_by ?? (one.by ? nameOf(one.by) : '–'), at: formatInstant(one.at) })

function Said({ of }: { of: TrainingAssessment }) {
  const t = useT('trainings')
  return (
    <>
      <Facts
        short
        items={[
          { label: t('score'), value: t('of_hundred', { mark: formatNumber(of.score) }) },
          { label: t('visited_on'), value: of.visited_on ? formatDate(of.visited_on) : '–' },
        ]}
      />
      <p className={css.text} dir="auto">
        {of.text}
      </p>
    </>
  )
}

function AssessForm({
  of,
  from,
  onClose,
}: {
  of: StudentTrainingDetail
  from: Partial<TrainingAssessment>
  onClose: () => void
}) {
  const t = useT('trainings')
  const { send } = useChange(...AFTER_TRAINING)
  const { score = null, visited_on = null, text = null } = from
  return (
    <Modal opened onClose={onClose} title={t('assess')}>
      <Form
        bar="dialog"
        submit={t('keep')}
        onCancel={onClose}
        fields={{
          score: f.integer(asLabel(t('score_label')), { required: true, max: 100 }),
          visited_on: f.date(asLabel(t('visited_on'))),
          text: f.longText(asLabel(t('assessment')), { required: true, max: 4000 }),
        }}
        values={{ score, visited_on, text }}
        always
        onSave={(typed) =>
          send(calls.assess, {
            params: { id: of.id },
            body: {
              score: Number(typed.score),
              text: String(typed.text),
              visited_on: typed.visited_on ? String(typed.visited_on) : null,
              version: of.version,
            },
          })
        }
        onSaved={() => {
          notify.done(t('assessed'))
          onClose()
        }}
      />
    </Modal>
  )
}
