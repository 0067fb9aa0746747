import { Modal } from '@mantine/core'
import { f } from '#kit/contract/field.ts'
import { useChange } from '#kit/web/api/index.ts'
import { notify } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Field, Form } from '#kit/web/form/form.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { attendanceCalls as calls } from '../attendance.calls.contract.ts'

/** Writes to everybody who comes to a meeting. */
export default function TellClass({ meeting, date, onClose }: { meeting: number; date: string; onClose: () => void }) {
  const t = useT('attendance')
  const k = useT('kit')
  const { send } = useChange()
  return (
    <Modal opened onClose={onClose} title={t('tell')} closeButtonProps={{ 'aria-label': k('close') }}>
      <p>{t('tell_text')}</p>
      <Form
        fields={{ text: f.longText(asLabel(t('tell_words')), { required: true, min: 3, max: 500 }) }}
        bar="dialog"
        always
        draft={`class ${meeting}`}
        submit={t('tell_send')}
        onCancel={onClose}
        onSave={({ text }) => send(calls.tell, { params: { id: meeting, date }, body: { text: String(text).trim() } })}
        onSaved={({ data }) => {
          notify.done(t('tell_done', { count: data.told }))
          onClose()
        }}
      >
        <Field name="text" autoFocus />
      </Form>
    </Modal>
  )
}
