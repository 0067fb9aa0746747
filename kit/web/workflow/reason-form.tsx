import { Modal } from '@mantine/core'
import { useState } from 'react'
import { f } from '#kit/contract/field.ts'
import { Whom } from '../feedback/weight.tsx'
import { asLabel } from '../form/as-label.ts'
import { Field, Form } from '../form/form.tsx'
import { useT } from '../i18n/catalogue.ts'
import type { AskedReason } from './reason.tsx'
import css from './workflow.module.css'

/** One question for a reason; fetched when somebody asks. */
export default function ReasonForm({ question }: { question: AskedReason }) {
  const t = useT('kit')
  const [busy, setBusy] = useState(false)
  const { title, text, whom, optional, kept, more, danger, action } = question
  return (
    <Modal
      opened
      onClose={() => !busy && question.answer(null)}
      title={title}
      size={460}
      closeButtonProps={{ 'aria-label': t('cancel') }}
    >
      {text && <p className={css.text}>{text}</p>}
      <Whom whom={whom} />
      <Form
        fields={{
          reason: f.longText(asLabel(t('reason')), {
            required: !optional,
            min: optional ? 0 : 3,
            max: 500,
            help: asLabel(kept ?? t('reason_kept')),
          }),
        }}
        bar="dialog"
        always
        danger={danger ?? false}
        submit={action}
        weight={question}
        onCancel={() => question.answer(null)}
        below={more && <div className={css.more}>{more}</div>}
        onSave={async ({ reason }) => {
          const said = typeof reason === 'string' ? reason.trim() : ''
          setBusy(true)
          try {
            await question.go?.(said)
          } finally {
            setBusy(false)
          }
          return said
        }}
        onSaved={question.answer}
      >
        <Field name="reason" autoFocus />
      </Form>
    </Modal>
  )
}
