import { Button, Modal, Skeleton } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useCall, useChange } from '../api/hooks.ts'
import dialog from '../feedback/feedback.module.css'
import { Problems } from '../feedback/problems.tsx'
import { Asked, PlainForm } from '../form/plain-form.tsx'
import { useT } from '../i18n/catalogue.ts'
import { factorCalls as calls } from '../second-factor/calls.ts'
import { byPasskey, knowsPasskeys } from '../second-factor/passkey.ts'
import css from '../second-factor/second-factor.module.css'
import { proofStore } from './proof.ts'

/** Asks the user to confirm their identity before a sensitive action, which then continues. */
export function ProofDialog() {
  const question = proofStore.use()
  return question && <Ask second={question.second} answer={question.answer} />
}

function Ask({ second, answer }: { second: boolean; answer: (given: boolean) => void }) {
  const t = useT('kit')
  const say = useT('sign-in')
  const { data, error } = useCall(calls.proofWays, { query: { second: second ? 'true' : 'false' } })
  const { busy, problem, go, send } = useChange()
  const password = useRef<HTMLInputElement>(null)
  const code = useRef<HTMLInputElement>(null)
  const ways = data?.data.filter((way) => way !== 'passkey' || knowsPasskeys())
  const asks = {
    passkey: ways?.includes('passkey') ?? false,
    password: ways?.some((way) => way.startsWith('password')) ?? false,
    code: ways?.some((way) => way.endsWith('code')) ?? false,
  }
  const typed = asks.password || asks.code
  useEffect(() => {
    if (typed) (password.current ?? code.current)?.focus({ preventScroll: true })
  }, [typed])
  const prove = async (work: () => Promise<unknown>) => {
    const done = await go(work)
    if (done) answer(true)
    else (password.current ?? code.current)?.select()
  }
  const submit = (given: Readonly<Record<string, string>>) =>
    void prove(() =>
      send(calls.confirmPassword, {
        body: { ...(asks.password && { password: given.password! }), ...(asks.code && { code: given.code!.trim() }) },
      }),
    )
  return (
    <Modal
      opened
      onClose={() => !busy && answer(false)}
      title={t('confirm_password_title')}
      size={440}
      withCloseButton={false}
      classNames={{ title: dialog.dialogTitle, body: dialog.dialogBody }}
    >
      <PlainForm busy={busy || !typed} send={submit}>
        <p className={dialog.dialogText}>{t('confirm_password_text')}</p>
        {second && <p className={dialog.dialogText}>{say('proof_second')}</p>}
        {!ways && !error && <Skeleton height={60} mt="md" />}
        {asks.passkey && (
          <Button
            mt="md"
            fullWidth
            variant={typed ? 'default' : 'filled'}
            loading={busy}
            leftSection={<IconFingerprint size={18} aria-hidden />}
            onClick={() =>
              void prove(() =>
                byPasskey(
                  () => send(calls.askProof),
                  (answer) => send(calls.proveByPasskey, { body: { answer } }),
                ),
              )
            }
          >
            {say('use_passkey')}
          </Button>
        )}
        {asks.passkey && typed && (
          <p className={css.or}>{say(asks.password ? 'proof_or_password' : 'proof_or_code')}</p>
        )}
        {asks.password && (
          <Asked secret ref={password} mt="md" label={t('password')} name="password" autoComplete="current-password" />
        )}
        {asks.code && (
          <Asked
            ref={code}
            mt="md"
            label={say('proof_code')}
            name="code"
            dir="ltr"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={20}
            classNames={{ input: css.code }}
          />
        )}
        {(problem ?? error) !== null && <Problems error={problem ?? error} />}
        <div className={dialog.dialogButtons}>
          <Button variant="default" onClick={() => answer(false)} disabled={busy}>
            {t('cancel')}
          </Button>
          {typed && (
            <Button type="submit" loading={busy}>
              {t('confirm_password_go')}
            </Button>
          )}
        </div>
      </PlainForm>
    </Modal>
  )
}
