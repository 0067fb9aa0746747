import { Button, Modal, Textarea } from '@mantine/core'
import { useState } from 'react'
import { wasTold } from '../feedback/notify.tsx'
import { Problems } from '../feedback/problems.tsx'
import { Submit } from '../feedback/submit.tsx'
import { TypedToConfirm, Whom, isTyped, labelToConfirm, wantedFor } from '../feedback/weight.tsx'
import { Optional } from '../form/optional.tsx'
import { useT } from '../i18n/catalogue.ts'
import type { AskedReason } from './reason.tsx'
import css from './workflow.module.css'

/** One question for a reason; fetched when somebody asks. */
export default function ReasonForm({ question }: { question: AskedReason }) {
  const t = useT('kit')
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [typed, setTyped] = useState('')
  const go = async () => {
    if (busy) return
    if (!question.go) return question.answer(reason.trim())
    setBusy(true)
    setError(null)
    try {
      await question.go(reason.trim())
      question.answer(reason.trim())
    } catch (problem) {
      setError(problem)
      setBusy(false)
    }
  }
  return (
    <Modal
      opened
      onClose={() => !busy && question.answer(null)}
      title={question.title}
      size={460}
      closeButtonProps={{ 'aria-label': t('cancel') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void go()
        }}
      >
        {question.text && <p className={css.text}>{question.text}</p>}
        <Whom whom={question.whom} />
        <TypedToConfirm of={question} value={typed} onChange={setTyped} />
        <Textarea
          data-autofocus={wantedFor(question) === null || undefined}
          mt={question.whom && 'md'}
          label={question.optional ? <Optional label={t('reason')} /> : t('reason')}
          description={question.kept ?? t('reason_kept')}
          required={!question.optional}
          autosize
          minRows={2}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          attributes={{ input: { dir: 'auto' } }}
        />
        {question.more && <div className={css.more}>{question.more}</div>}
        {error !== null && !wasTold(error) && <Problems error={error} onLeave={() => question.answer(null)} />}
        <div className={css.buttons}>
          <Button variant="default" disabled={busy} onClick={() => question.answer(null)}>
            {t('cancel')}
          </Button>
          <Submit
            type="submit"
            loading={busy}
            missing={[
              !isTyped(wantedFor(question), typed) && labelToConfirm(t, question),
              !question.optional && reason.trim().length < 3 && t('reason'),
            ]}
            color={question.danger ? 'red' : undefined}
          >
            {question.action}
          </Submit>
        </div>
      </form>
    </Modal>
  )
}
