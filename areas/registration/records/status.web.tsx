import { Button, Checkbox, Modal, Select, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useMe } from '#kit/web/auth/index.ts'
import { TypedToConfirm, Whom, isTyped, wantedFor } from '#kit/web/feedback/weight.tsx'
import type { Concerned } from '#kit/web/feedback/weight.tsx'
import { useLabel, useT } from '#kit/web/i18n/index.ts'
import css from '../desk/desk.module.css'
import type { StatusCode } from '#areas/academics/status.rules.ts'
import { AUDITED, stateLabel } from '#areas/academics/registration-words.contract.ts'
import { STATUS_CHOICES } from './status.rules.ts'
import type { StatusAnswer } from './status.rules.ts'

/**
 * Asks which status registrations get, and why; null: none.
 * @param props.whom whose registrations, where they are several
 * @param props.abilities what can be done with the one that is asked about; without, what the reader may do at all
 */
export default function StatusDialog({
  title,
  whom,
  abilities,
  onAnswer,
}: {
  title: string
  whom?: Concerned
  abilities?: readonly string[]
  onAnswer: (answer: StatusAnswer | null) => void
}) {
  const t = useT('registration')
  const tk = useT('kit')
  const say = useLabel()
  const me = useMe()
  const [code, setCode] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  const [outside, setOutside] = useState(false)
  const choices = STATUS_CHOICES.filter((one) =>
    abilities ? one.by.some((action) => abilities.includes(action)) : me.can(one.right),
  )
  const weight = { whom, heavy: true }
  const [typed, setTyped] = useState('')
  const ready = code !== null && reason.trim() !== '' && isTyped(wantedFor(weight), typed)
  return (
    <Modal opened onClose={() => onAnswer(null)} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (ready) onAnswer({ code: Number(code) as StatusCode, reason: reason.trim(), outside })
        }}
      >
        <Whom whom={whom} />
        <Select
          data-autofocus
          mt={whom && 'md'}
          label={t('new_status')}
          description={t('new_status_text')}
          value={code}
          onChange={setCode}
          data={choices.map((one) => ({
            value: String(one.code),
            label: say(one.state === 'Audit' ? AUDITED : stateLabel(one.state)),
          }))}
        />
        <Textarea
          autosize
          minRows={2}
          label={t('reason')}
          description={t('reason_text')}
          value={reason}
          maxLength={500}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {me.can('override_registration_rule') && (
          <Checkbox
            mt="sm"
            label={t('outside_stage')}
            checked={outside}
            onChange={(event) => setOutside(event.currentTarget.checked)}
          />
        )}
        <TypedToConfirm of={weight} value={typed} onChange={setTyped} />
        <div className={css.dialogActions}>
          <Button variant="default" onClick={() => onAnswer(null)}>
            {tk('cancel')}
          </Button>
          <Button type="submit" disabled={!ready}>
            {t('set_status')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
