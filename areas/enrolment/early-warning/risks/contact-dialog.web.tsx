import { Modal } from '@mantine/core'
import { dayOf } from '#kit/contract/day.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import type { BodyInputOf } from '#kit/contract/call.ts'
import { contactFields, riskCalls, type RiskContact } from './risk.contract.ts'

type Body = BodyInputOf<typeof riskCalls.contact>

/** Notes that somebody spoke with a student, or what came of it. */
export function ContactDialog({
  student_id,
  contact,
  onClose,
}: {
  readonly student_id: number
  readonly contact: RiskContact | null
  readonly onClose: () => void
}) {
  const t = useT('early-warning')
  const { send } = useChange('/early-warning', '/users/work')
  return (
    <Modal opened onClose={onClose} title={t(contact ? 'change_contact' : 'note')}>
      <Form
        fields={contactFields}
        values={contact ? { ...contact } : { on_date: dayOf(), outcome: 'open' }}
        bar="dialog"
        always={!contact}
        onCancel={onClose}
        onSave={(values) => {
          const { on_date, way, said, outcome, outcome_note, again_on } = { ...contact, ...values } as unknown as Body
          const body = { on_date, way, said, outcome, outcome_note: outcome_note || null, again_on: again_on || null }
          return contact
            ? send(riskCalls.change, { params: { id: contact.id }, body: { ...body, version: contact.version } })
            : send(riskCalls.contact, { params: { id: student_id }, body })
        }}
        onSaved={onClose}
      />
    </Modal>
  )
}
