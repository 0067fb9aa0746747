import { Button, PasswordInput, TextInput } from '@mantine/core'
import { IconMailCheck } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { send } from '../../api/client.ts'
import { calls } from '../../auth/calls.ts'
import { notify } from '../../feedback/notify.tsx'
import { Empty, Problems } from '../../feedback/problems.tsx'
import { useT } from '../../i18n/catalogue.ts'
import { Outside, useFocusOn } from './outside.tsx'
import css from './pages.module.css'

const Back = () => {
  const t = useT('kit')
  return (
    <Link to="/login" className={css.quietLink}>
      {t('back_to_sign_in')}
    </Link>
  )
}

/** Asks for the link. The answer is the same whether the account exists or not. */
export function ForgotPassword() {
  const t = useT('kit')
  const email = useRef<HTMLInputElement>(null)
  useFocusOn(email)
  const [sent, setSent] = useState<string | null>(null)
  const [wrong, setWrong] = useState<string>()
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  if (sent) {
    return (
      <Outside title={t('link_sent_title')} text={t('link_sent_text', { email: sent })}>
        <div className={css.fields}>
          <div className={css.sent} aria-hidden>
            <IconMailCheck size={44} stroke={1.2} />
          </div>
          <Back />
        </div>
      </Outside>
    )
  }
  const submit = async () => {
    const given = email.current!.value.trim()
    if (!given) {
      setWrong(t('fill_in'))
      return email.current!.focus()
    }
    setBusy(true)
    setError(null)
    try {
      await send(calls.resetPassword, { body: { email: given } })
      setSent(given)
    } catch (problem) {
      setError(problem)
    }
    setBusy(false)
  }
  return (
    <Outside title={t('forgot_title')} text={t('forgot_text')}>
      <form
        className={css.fields}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        {error !== null && <Problems error={error} />}
        <TextInput
          ref={email}
          label={t('email')}
          type="email"
          name="email"
          dir="ltr"
          autoComplete="username"
          size="md"
          error={wrong}
          classNames={{ input: css.latin }}
          onChange={() => setWrong(undefined)}
        />
        <Button type="submit" size="md" fullWidth loading={busy}>
          {t('send_link')}
        </Button>
        <Back />
      </form>
    </Outside>
  )
}

/** Sets the new password with the token of the link. */
export function ResetPassword() {
  const t = useT('kit')
  const navigate = useNavigate()
  const [query] = useSearchParams()
  // Kept from the first look: the address is shared more easily than it should be.
  const [token] = useState(query.get('token'))
  const first = useRef<HTMLInputElement>(null)
  const second = useRef<HTMLInputElement>(null)
  useFocusOn(first)
  const [wrong, setWrong] = useState<{ first?: string; second?: string }>({})
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  if (!token) {
    return (
      <Outside title={t('reset_title')}>
        <Empty
          title={t('link_missing')}
          action={
            <Button component={Link} to="/forgot-password">
              {t('forgot_title')}
            </Button>
          }
        />
      </Outside>
    )
  }
  const submit = async () => {
    const [one, two] = [first.current!.value, second.current!.value]
    const found = one ? (one === two ? {} : { second: t('passwords_differ') }) : { first: t('fill_in') }
    setWrong(found)
    if (found.first) return first.current!.focus()
    if (found.second) return second.current!.focus()
    setBusy(true)
    setError(null)
    try {
      await send(calls.resetPassword, { body: { token, password: one } })
      notify.done(t('password_set'))
      void navigate('/login', { replace: true })
    } catch (problem) {
      setError(problem)
      setBusy(false)
    }
  }
  return (
    <Outside title={t('reset_title')} text={t('reset_text')}>
      <form
        className={css.fields}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        {error !== null && <Problems error={error} />}
        <PasswordInput
          ref={first}
          label={t('new_password')}
          name="new-password"
          autoComplete="new-password"
          size="md"
          error={wrong.first}
          visibilityToggleButtonProps={{ 'aria-label': t('show_password') }}
        />
        <PasswordInput
          ref={second}
          label={t('repeat_password')}
          name="repeat-password"
          autoComplete="new-password"
          size="md"
          error={wrong.second}
          visibilityToggleButtonProps={{ 'aria-label': t('show_password') }}
        />
        <Button type="submit" size="md" fullWidth loading={busy}>
          {t('set_password')}
        </Button>
        <Back />
      </form>
    </Outside>
  )
}
