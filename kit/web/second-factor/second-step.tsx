import { Anchor, Button, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useChange } from '../api/hooks.ts'
import { Problems } from '../feedback/problems.tsx'
import { useT } from '../i18n/catalogue.ts'
import { factorCalls as calls } from './calls.ts'
import type { CurrentUser, NextStep } from '../auth/calls.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { Setup } from './setup.tsx'
import css from './second-factor.module.css'

export interface SecondStepProps {
  readonly step: NextStep
  /** The session is there. */
  readonly arrived: (user: CurrentUser) => Promise<void>
  /** Back to the first step. */
  readonly back: () => void
}

/** What stands above a step. */
export function useStepWords({ step }: NextStep): { title: string; text: string } {
  const t = useT('sign-in')
  return step === 'prove'
    ? { title: t('second_step_title'), text: t('second_step_text') }
    : { title: t('setup_title'), text: t('setup_demanded') }
}

/** The second step of signing in: a code of the app or a recovery code, or setting the app up where a role demands it. */
export function SecondStep({ step, arrived, back }: SecondStepProps) {
  return step.step === 'prove' ? (
    <Prove ticket={step.ticket} arrived={arrived} back={back} />
  ) : (
    <Enrol ticket={step.ticket} arrived={arrived} back={back} />
  )
}

function Back({ back }: { back: () => void }) {
  const t = useT('kit')
  return (
    <Anchor component="button" type="button" className={css.quiet} onClick={back}>
      {t('back_to_sign_in')}
    </Anchor>
  )
}

interface Way extends Pick<SecondStepProps, 'arrived' | 'back'> {
  readonly ticket: string
}

function Prove({ ticket, arrived, back }: Way) {
  const t = useT('sign-in')
  const say = useT('kit')
  const { busy, problem, go, send, forget } = useChange()
  const [by, setBy] = useState<'code' | 'recovery_code'>('code')
  const [missing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus({ preventScroll: true }), [field])
  const submit = async () => {
    const given = field.current!.value.trim()
    if (busy) return
    setMissing(!given)
    if (!given) return field.current!.focus()
    const done = await go(async () => {
      const { data } = await send(calls.secondStep, {
        body: by === 'code' ? { ticket, code: given } : { ticket, recovery_code: given },
      })
      await arrived(data.user)
    })
    if (!done) field.current?.select()
  }
  return (
    <form
      className={css.fields}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {problem !== null && <Problems error={problem} />}
      {by === 'recovery_code' && <p className={css.text}>{t('recovery_text')}</p>}
      <TextInput
        ref={field}
        label={t(by)}
        name={by}
        dir="ltr"
        size="md"
        inputMode={by === 'code' ? 'numeric' : 'text'}
        autoComplete={by === 'code' ? 'one-time-code' : 'off'}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={20}
        error={missing && say('fill_in')}
        classNames={{ input: css.code }}
        onChange={() => setMissing(false)}
      />
      <Button type="submit" size="md" fullWidth loading={busy}>
        {t('step_continue')}
      </Button>
      <Anchor
        component="button"
        type="button"
        className={css.quiet}
        onClick={() => {
          forget()
          setBy(by === 'code' ? 'recovery_code' : 'code')
        }}
      >
        {t(by === 'code' ? 'use_recovery_code' : 'use_code')}
      </Anchor>
      <Back back={back} />
    </form>
  )
}

function Enrol({ ticket, arrived, back }: Way) {
  const { send } = useChange()
  const [kept, setKept] = useState<{ user: CurrentUser; codes: readonly string[] } | null>(null)
  if (kept) return <RecoveryCodes codes={kept.codes} kept={() => arrived(kept.user)} />
  return (
    <>
      <Setup
        begin={async () => (await send(calls.enrolAtSignIn, { body: { ticket } })).data}
        confirm={async (code) => {
          const { data } = await send(calls.finishAtSignIn, { body: { ticket, code } })
          setKept({ user: data.user, codes: data.recovery_codes })
        }}
      />
      <Back back={back} />
    </>
  )
}
