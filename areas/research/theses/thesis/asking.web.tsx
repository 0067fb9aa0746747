import { Modal } from '@mantine/core'
import { f } from '#kit/contract/index.ts'
import { useChange } from '#kit/web/api/index.ts'
import { notify } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { useLabel, useT } from '#kit/web/i18n/index.ts'
import { wayFrom } from '#kit/contract/workflow.ts'
import { thesisFlow, thesisSteps } from './flow.contract.ts'
import type { AskedStep, ShownThesisRow } from './show.web.tsx'
import type { WholeThesis } from './whole.contract.ts'
import { THESIS_RESULTS } from './words.contract.ts'

/** What a step needs besides being taken: the decision, the change that is asked for, how the discussion ended. */
export function ThesisAsking({
  step,
  row,
  whole,
  onClose,
}: {
  step: AskedStep
  row: ShownThesisRow
  whole: WholeThesis
  onClose: () => void
}) {
  const t = useT('theses')
  const say = useLabel()
  const { send } = useChange('/theses', '/users/work')
  const call = thesisSteps.steps[step]
  const supervisors = whole.members.filter(
    ({ job, until_date }) => !until_date && (job === 'leader' || job === 'member'),
  )
  const forms = {
    approve: {
      fields: {
        council: f.text(asLabel(t('council')), { required: true }),
        session: f.text(asLabel(t('session')), { required: true, max: 40 }),
        number: f.text(asLabel(t('number')), { required: true, max: 40 }),
        decided_on: f.date(asLabel(t('decided_on')), { required: true }),
      },
      values: { council: whole.decisions.at(-1)?.council ?? '' },
    },
    change: {
      fields: {
        title: f.englishText(['English title', 'العنوان بالإنجليزية'], { required: true, max: 400 }),
        title_local: f.localText(['Arabic title', 'العنوان بالعربية'], { required: true, max: 400 }),
        department_id: f.lookup(['Department', 'القسم'], 'department', { required: true }),
        leader_id: f.lookup(asLabel(t('leader')), 'instructor', { required: true }),
        second_id: f.lookup(asLabel(t('second')), 'instructor'),
        share: f.integer(asLabel(t('second_share')), { min: 1, max: 99 }),
        reason: f.longText(asLabel(t('why')), { required: true, max: 1000 }),
      },
      values: {
        title: row.title,
        title_local: row.title_local,
        department_id: row.department_id,
        leader_id: supervisors.find(({ job }) => job === 'leader')?.instructor_id ?? null,
        second_id: supervisors.find(({ job }) => job === 'member')?.instructor_id ?? null,
        share: supervisors.find(({ job }) => job === 'member')?.share ?? null,
      },
    },
    discuss: {
      fields: {
        result: f.choice(asLabel(t('result')), THESIS_RESULTS, { required: true }),
        changes_due: f.date(asLabel(t('changes_due')), { help: asLabel(t('changes_due_help')) }),
        minutes: f.longText(asLabel(t('minutes')), { max: 8000 }),
      },
      values: {},
    },
  } as const
  const { fields, values } = forms[step]
  const body = (given: Record<string, unknown>): Record<string, unknown> => {
    if (step !== 'change')
      return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== ''))
    const { leader_id, second_id, share, reason, ...rest } = given
    const before = forms.change.values
    const others = supervisors.filter(({ examiner_id }) => examiner_id !== null)
    const changed = leader_id !== before.leader_id || second_id !== before.second_id || share !== before.share
    const second = second_id ? Number(share ?? 0) : 0
    return {
      reason,
      ...Object.fromEntries(Object.entries(rest).filter(([name, value]) => value !== row[name as 'title'])),
      ...(changed && {
        supervisors: [
          {
            instructor_id: leader_id,
            job: 'leader',
            share: 100 - second - others.reduce((sum, one) => sum + (one.share ?? 0), 0),
          },
          ...(second_id ? [{ instructor_id: second_id, job: 'member', share: second }] : []),
          ...others.map(({ examiner_id, share: part }) => ({ examiner_id, job: 'member', share: part ?? 1 })),
        ],
      }),
    }
  }
  const title = wayFrom(thesisFlow as never, row.status ?? '', step)?.label ?? thesisFlow.actions[step].label
  return (
    <Modal opened onClose={onClose} title={say(title)}>
      <Form
        bar="dialog"
        submit={say(title)}
        onCancel={onClose}
        always
        fields={fields}
        values={values}
        onSave={(given) => send(call, { params: { id: row.id }, body: { ...body(given), version: row.version } })}
        onSaved={() => {
          notify.done(t('kept'))
          onClose()
        }}
      />
    </Modal>
  )
}
