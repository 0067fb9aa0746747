import { Button, Modal, PasswordInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { send } from '../api/client.ts'
import dialog from '../feedback/feedback.module.css'
import { Problems } from '../feedback/problems.tsx'
import { useT } from '../i18n/catalogue.ts'
import { calls } from './calls.ts'
import { proofStore } from './proof.ts'

/** Asks for the password before something sensitive; what was about to happen goes on afterwards. */
export function ProofDialog() {
  const t = useT('kit')
  const question = proofStore.use()
  const password = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  if (!question) return null
  const close = (given: boolean) => {
    setError(null)
    setBusy(false)
    question.answer(given)
  }
  const go = async () => {
    if (busy || !password.current?.value) return password.current?.focus()
    setBusy(true)
    setError(null)
    try {
      await send(calls.confirmPassword, { body: { password: password.current.value } })
      close(true)
    } catch (problem) {
      setError(problem)
      setBusy(false)
      password.current?.select()
    }
  }
  return (
    <Modal
      opened
      onClose={() => !busy && close(false)}
      title={t('confirm_password_title')}
      size={440}
      withCloseButton={false}
      classNames={{ title: dialog.dialogTitle, body: dialog.dialogBody }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void go()
        }}
      >
        <p className={dialog.dialogText}>{t('confirm_password_text')}</p>
        <PasswordInput
          ref={password}
          data-autofocus
          mt="md"
          label={t('password')}
          name="password"
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': t('show_password') }}
        />
        {error !== null && <Problems error={error} />}
        <div className={dialog.dialogButtons}>
          <Button variant="default" onClick={() => close(false)} disabled={busy}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t('confirm_password_go')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
