import { Button, Modal } from '@mantine/core'
import { f } from '#kit/contract/field.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Whom } from '#kit/web/feedback/weight.tsx'
import type { Concerned } from '#kit/web/feedback/weight.tsx'
import { StepLink } from '#kit/web/feedback/step.tsx'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Field, Form } from '#kit/web/form/form.tsx'
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
  const { offered, elsewhere, stands } = statusWays((right) => me.can(right), of)
  const none = () => onAnswer(null)
  const decided = (stands ?? elsewhere[0]) && (
    <div className={css.elsewhere}>
      {stands && <p>{t('decision_stands', { state: say(stateLabel(stands)) })}</p>}
      {stands && <Decided state={stands} />}
      {elsewhere.length > 0 && <p>{t('decided_elsewhere')}</p>}
      {elsewhere.map((state) => (
        <Decided key={state} state={state} />
      ))}
    </div>
  )
  return (
    <Modal opened onClose={none} title={title}>
      <Whom whom={whom} />
      {offered.length > 0 ? (
        <Form
          fields={{
            code: f.choice(
              asLabel(t('new_status')),
              offered.map((one) => ({
                value: one.code,
                label: one.state === 'Audit' ? AUDITED : stateLabel(one.state),
              })),
              { required: true, help: asLabel(t('new_status_text')) },
            ),
            reason: f.longText(asLabel(t('reason')), { required: true, max: 500, help: asLabel(t('reason_text')) }),
            ...(me.can('override_registration_rule') && { outside: f.flag(asLabel(t('outside_stage'))) }),
          }}
          bar="dialog"
          always
          weight={{ whom, heavy: true }}
          submit={t('set_status')}
          onCancel={none}
          below={decided}
          onSave={({ code, reason, outside }) =>
            Promise.resolve({
              code: Number(code) as StatusCode,
              reason: String(reason).trim(),
              outside: outside === true,
            })
          }
          onSaved={onAnswer}
        >
          <Field name="code" wide autoFocus />
          <Field name="reason" />
          {me.can('override_registration_rule') && <Field name="outside" />}
        </Form>
      ) : (
        <>
          {decided}
          <div className={css.dialogActions}>
            <Button variant="default" onClick={none}>
              {tk('close')}
            </Button>
          </div>
        </>
      )}
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
