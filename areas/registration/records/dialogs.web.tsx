import { Button, Modal, Textarea } from '@mantine/core'
import { useState } from 'react'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate } from '#kit/web/router/index.ts'
import css from '../desk/desk.module.css'

/** Finds the student whose registration is to be opened. */
export function StudentDialog({ onClose }: { onClose: () => void }) {
  const t = useT('registration')
  const navigate = useNavigate()
  return (
    <Modal opened onClose={onClose} title={t('register_student')}>
      <LookupInput
        autoFocus
        resource="student"
        label={t('student')}
        defaultValue={null}
        onChange={(id) => {
          if (id !== null) void navigate(to('/advising/registration/:id', { id }))
        }}
      />
    </Modal>
  )
}

/** Asks for the reason of a rejection; null: nothing is rejected. */
export function RejectDialog({ onAnswer }: { onAnswer: (reason: string | null) => void }) {
  const t = useT('registration')
  const tk = useT('kit')
  const [reason, setReason] = useState('')
  return (
    <Modal opened onClose={() => onAnswer(null)} title={t('reject')}>
      <Textarea
        data-autofocus
        autosize
        minRows={2}
        label={t('reason')}
        description={t('reason_text')}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <div className={css.dialogActions}>
        <Button variant="default" onClick={() => onAnswer(null)}>
          {tk('cancel')}
        </Button>
        <Button disabled={!reason.trim()} onClick={() => onAnswer(reason.trim())}>
          {t('reject')}
        </Button>
      </div>
    </Modal>
  )
}
