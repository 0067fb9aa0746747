import { Modal } from '@mantine/core'
import { f } from '#kit/contract/field.ts'
import { useChange } from '#kit/web/api/index.ts'
import { notify } from '#kit/web/feedback/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { nameOf, useT } from '#kit/web/i18n/index.ts'
import type { Named } from '#kit/web/i18n/index.ts'
import css from '../students.module.css'
import { standingCalls } from './standing.contract.ts'

const BLOCKING = { reason: f.longText(['Reason', 'السبب'], { required: true, max: 400 }) }
const LIFTING = { reason: f.longText(['Reason', 'السبب'], { max: 400 }) }

/** Asks why a student is blocked, or why the block is lifted, and does it. */
export function BlockStudentDialog({
  student,
  blocked,
  onClose,
}: {
  student: Named & { id: number }
  blocked: boolean
  onClose: () => void
}) {
  const t = useT('students')
  const { send } = useChange('/students')
  return (
    <Modal opened onClose={onClose} title={t(blocked ? 'unblock_title' : 'block_title', { name: nameOf(student) })}>
      <div className={css.dialog}>
        <p className={css.dim} style={{ margin: 0 }}>
          {t(blocked ? 'unblock_text' : 'block_text')}
        </p>
        <Form
          fields={blocked ? LIFTING : BLOCKING}
          bar="dialog"
          always
          submit={t(blocked ? 'unblock' : 'block')}
          onCancel={onClose}
          onSave={async (values) =>
            send(standingCalls.block, {
              params: { id: student.id },
              body: { blocked: !blocked, reason: (values.reason as string | null) || null },
            })
          }
          onSaved={() => {
            notify.done(t(blocked ? 'unblocked' : 'blocked', { name: nameOf(student) }))
            onClose()
          }}
        />
      </div>
    </Modal>
  )
}
