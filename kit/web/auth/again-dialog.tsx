import { Anchor, Button, Modal } from '@mantine/core'
import { Suspense, useRef, useState } from 'react'
import { send } from '../api/client.ts'
import dialog from '../feedback/feedback.module.css'
import { Problems } from '../feedback/problems.tsx'
import { Asked, PlainForm } from '../form/plain-form.tsx'
import { useT } from '../i18n/catalogue.ts'
import { nameOf } from '../i18n/format.ts'
import { useUniversity } from '../theme/university.ts'
import { againStore } from './again.ts'
import { part } from '../later.ts'
import { calls } from './calls.ts'
import type { NextStep } from './calls.ts'
import { liveStore } from './me.ts'
import { sessionRenewed } from './session.ts'

const SecondStep = part(async () => (await import('../second-factor/second-step.tsx')).SecondStep)

/** The session ended while something is unsaved: the same person signs in here, and what was being sent is sent again. */
export function AgainDialog() {
  const t = useT('kit')
  const question = againStore.use()
  const user = liveStore.use()?.user
  const { sso_types } = useUniversity()
  const password = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [next, setNext] = useState<NextStep | null>(null)
  if (!question || !user) return null
  const arrive = async () => {
    await sessionRenewed()
    setNext(null)
    question.answer(true)
  }
  const go = async (typed: string) => {
    setBusy(true)
    setError(null)
    try {
      const { data } = await send(calls.login, {
        body: { email: user.email ?? '', password: typed, type: user.type },
      })
      if ('second_factor' in data) {
        setBusy(false)
        return setNext(data.second_factor)
      }
      await arrive()
    } catch (problem) {
      setError(problem)
      setBusy(false)
      password.current?.select()
    }
  }
  return (
    <Modal
      opened
      onClose={() => {}}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      title={t('signed_out_title')}
      size={460}
      zIndex={700}
      classNames={{ title: dialog.dialogTitle, body: dialog.dialogBody }}
    >
      {next ? (
        <Suspense>
          <SecondStep step={next} arrived={arrive} back={() => setNext(null)} />
        </Suspense>
      ) : (
        <PlainForm busy={busy} send={(typed) => void go(typed.password!)}>
          <p className={dialog.dialogText}>{t('signed_out_text', { name: nameOf(user) })}</p>
          {/* Password managers look for whose password it is. */}
          <input type="hidden" name="username" autoComplete="username" value={user.email ?? ''} readOnly />
          <Asked
            secret
            ref={password}
            data-autofocus
            mt="md"
            label={t('password')}
            name="password"
            autoComplete="current-password"
          />
          {error !== null && <Problems error={error} />}
          <p className={dialog.dialogText}>
            <Anchor href="/login" target="_blank" rel="noreferrer">
              {t(sso_types.includes(user.type) ? 'sign_in_beside_sso' : 'sign_in_beside')}
            </Anchor>
          </p>
          <div className={dialog.dialogButtons}>
            <Button variant="default" onClick={() => question.answer(false)} disabled={busy}>
              {t('leave_unsaved')}
            </Button>
            <Button type="submit" loading={busy}>
              {t('sign_in')}
            </Button>
          </div>
        </PlainForm>
      )}
    </Modal>
  )
}
