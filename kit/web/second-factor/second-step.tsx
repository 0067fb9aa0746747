import { Anchor, Button, UnstyledButton } from '@mantine/core'
import { IconDeviceMobileCode, IconFingerprint } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useChange } from '../api/hooks.ts'
import { Problems } from '../feedback/problems.tsx'
import { Asked, PlainForm } from '../form/plain-form.tsx'
import { useT } from '../i18n/catalogue.ts'
import { factorCalls as calls } from './calls.ts'
import type { CurrentUser, NextStep } from '../auth/calls.ts'
import { NamePasskey } from './name-passkey.tsx'
import { byPasskey, knowsPasskeys, newPasskey } from './passkey.ts'
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
export function useStepWords({ step }: NextStep): { title: string; text?: string } {
  const t = useT('sign-in')
  return step === 'prove' ? { title: t('second_step_title') } : { title: t('setup_title'), text: t('setup_demanded') }
}

/** The second step of signing in: a passkey, a code or a recovery code; or setting one up where a role demands it. */
export function SecondStep({ step: { step, ticket, ways }, arrived, back }: SecondStepProps) {
  const here = knowsPasskeys() ? ways : ways.filter((way) => way !== 'passkey')
  const props = { ticket, ways: here, arrived, back }
  return step === 'prove' ? <Prove {...props} /> : <Enrol {...props} />
}

function Back({ back }: { back: () => void }) {
  const t = useT('kit')
  return (
    <Anchor component="button" type="button" className={css.quiet} onClick={back}>
      {t('back_to_sign_in')}
    </Anchor>
  )
}

interface Way extends Pick<SecondStepProps, 'arrived' | 'back'>, Pick<NextStep, 'ticket' | 'ways'> {}

const WORDS = {
  passkey: ['passkey_text', 'use_passkey'],
  code: ['second_step_text', 'use_code'],
  recovery_code: ['recovery_text', 'use_recovery_code'],
} as const

function Prove({ ticket, ways, arrived, back }: Way) {
  const t = useT('sign-in')
  const { busy, problem, go, send, forget } = useChange()
  const all = [...ways, 'recovery_code'] as const
  const [by, setBy] = useState<(typeof all)[number]>(all[0])
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (by !== 'passkey') field.current?.focus({ preventScroll: true })
  }, [by])
  const submit = async (typed: Readonly<Record<string, string>>) => {
    if (by === 'passkey')
      return void go(() =>
        byPasskey(
          () => send(calls.askSecondStep, { body: { ticket } }),
          async (answer) => arrived((await send(calls.secondStepByPasskey, { body: { ticket, answer } })).data.user),
        ),
      )
    const given = typed[by]!.trim()
    const done = await go(async () => {
      const { data } = await send(calls.secondStep, {
        body: by === 'code' ? { ticket, code: given } : { ticket, recovery_code: given },
      })
      await arrived(data.user)
    })
    if (!done) field.current?.select()
  }
  return (
    <PlainForm className={css.fields} busy={busy} send={(typed) => void submit(typed)}>
      <p className={css.text}>{t(WORDS[by][0])}</p>
      {problem !== null && <Problems error={problem} />}
      {by !== 'passkey' && (
        <Asked
          key={by}
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
          classNames={{ input: css.code }}
        />
      )}
      <Button
        type="submit"
        size="md"
        fullWidth
        loading={busy}
        leftSection={by === 'passkey' && <IconFingerprint size={18} aria-hidden />}
      >
        {t(by === 'passkey' ? 'use_passkey' : 'step_continue')}
      </Button>
      {all
        .filter((way) => way !== by)
        .map((way) => (
          <Anchor
            key={way}
            component="button"
            type="button"
            className={css.quiet}
            onClick={() => {
              forget()
              setBy(way)
            }}
          >
            {t(WORDS[way][1])}
          </Anchor>
        ))}
      <Back back={back} />
    </PlainForm>
  )
}

function Enrol({ ticket, ways, arrived, back }: Way) {
  const t = useT('sign-in')
  const { send } = useChange()
  const [by, setBy] = useState<'passkey' | 'code' | null>(ways.length > 1 ? null : ways[0]!)
  const [kept, setKept] = useState<{ user: CurrentUser; codes: readonly string[] } | null>(null)
  if (kept) return <RecoveryCodes codes={kept.codes} kept={() => arrived(kept.user)} />
  const keep = ({ data }: { data: { user: CurrentUser; recovery_codes: string[] } }) =>
    setKept({ user: data.user, codes: data.recovery_codes })
  if (by === null)
    return (
      <div className={css.fields}>
        {ways.map((way) => (
          <UnstyledButton key={way} className={css.way} onClick={() => setBy(way)}>
            {way === 'passkey' ? (
              <IconFingerprint size={24} aria-hidden />
            ) : (
              <IconDeviceMobileCode size={24} aria-hidden />
            )}
            <span>
              <strong>{t(way === 'passkey' ? 'setup_passkey' : 'setup_app')}</strong>
              <span>{t(way === 'passkey' ? 'setup_passkey_text' : 'setup_app_text')}</span>
            </span>
          </UnstyledButton>
        ))}
        <Back back={back} />
      </div>
    )
  const other = ways.length > 1 && (
    <Anchor component="button" type="button" className={css.quiet} onClick={() => setBy(null)}>
      {t('setup_choose')}
    </Anchor>
  )
  return (
    <>
      {by === 'passkey' ? (
        <NamePasskey
          action={t('passkey_make')}
          go={(name) =>
            newPasskey(
              () => send(calls.offerAtSignIn, { body: { ticket } }),
              async (answer) => keep(await send(calls.addAtSignIn, { body: { ticket, name, answer } })),
            )
          }
        />
      ) : (
        <Setup
          begin={async () => (await send(calls.enrolAtSignIn, { body: { ticket } })).data}
          confirm={async (code) => keep(await send(calls.finishAtSignIn, { body: { ticket, code } }))}
        />
      )}
      <div className={css.ways}>
        {other}
        <Back back={back} />
      </div>
    </>
  )
}
