import { Button, Checkbox, Modal, Select, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useMe } from '#kit/web/auth/index.ts'
import { TypedToConfirm, Whom, isTyped, labelToConfirm, wantedFor } from '#kit/web/feedback/weight.tsx'
import { Submit } from '#kit/web/feedback/submit.tsx'
import type { Concerned } from '#kit/web/feedback/weight.tsx'
import { StepLink } from '#kit/web/feedback/step.tsx'
import { useLabel, useT } from '#kit/web/i18n/index.ts'
import css from '../desk/desk.module.css'
import type { DecidedMain, StatusCode } from '#areas/common/academics/status.rules.ts'
import { AUDITED, stateLabel } from '#areas/common/academics/registration-words.contract.ts'
import { registrationStates } from '../owners.contract.ts'
import { statusWays } from './status.rules.ts'
import type { StatusAnswer, StatusOf } from './status.rules.ts'

/**
 * Asks which status registrations get, and why; null: none. What only a decision sets, or takes back, is told with the
 * screen where that is done.
 * @param props.whom whose registrations, where they are several
 * @param props.of the one that is asked about; without, there are several
 */
export default function StatusDialog({
  title,
  whom,
  of = null,
  onAnswer,
}: {
  title: string
  whom?: Concerned
  of?: StatusOf | null
  onAnswer: (answer: StatusAnswer | null) => void
}) {
  const t = useT('registration')
  const tk = useT('kit')
  const say = useLabel()
  const me = useMe()
  const [code, setCode] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  const [outside, setOutside] = useState(false)
  const { offered, elsewhere, stands } = statusWays((right) => me.can(right), of)
  const weight = { whom, heavy: true }
  const [typed, setTyped] = useState('')
  return (
    <Modal opened onClose={() => onAnswer(null)} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onAnswer({ code: Number(code) as StatusCode, reason: reason.trim(), outside })
        }}
      >
        <Whom whom={whom} />
        {offered.length > 0 && (
          <>
            <Select
              data-autofocus
              mt={whom && 'md'}
              label={t('new_status')}
              description={t('new_status_text')}
              value={code}
              onChange={setCode}
              data={offered.map((one) => ({
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
          </>
        )}
        {(stands ?? elsewhere[0]) && (
          <div className={css.elsewhere}>
            {stands && <p>{t('decision_stands', { state: say(stateLabel(stands)) })}</p>}
            {stands && <Decided state={stands} />}
            {elsewhere.length > 0 && <p>{t('decided_elsewhere')}</p>}
            {elsewhere.map((state) => (
              <Decided key={state} state={state} />
            ))}
          </div>
        )}
        {offered.length > 0 && <TypedToConfirm of={weight} value={typed} onChange={setTyped} />}
        <div className={css.dialogActions}>
          <Button variant="default" onClick={() => onAnswer(null)}>
            {tk(offered.length > 0 ? 'cancel' : 'close')}
          </Button>
          {offered.length > 0 && (
            <Submit
              type="submit"
              missing={[
                code === null && t('new_status'),
                reason.trim() === '' && t('reason'),
                !isTyped(wantedFor(weight), typed) && labelToConfirm(tk, weight),
              ]}
            >
              {t('set_status')}
            </Submit>
          )}
        </div>
      </form>
    </Modal>
  )
}

/** A state, whose step it is, and where that is done. */
function Decided({ state }: { state: DecidedMain }) {
  const say = useLabel()
  const { owner, screen } = registrationStates.states[state]
  return (
    <p className={css.decided}>
      <b>{say(stateLabel(state))}</b>: {say(owner)} <StepLink problem={{ data: { link: screen } }} />
    </p>
  )
}
