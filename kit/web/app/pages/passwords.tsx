import { Button } from '@mantine/core'
import { IconMailCheck } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { PASSWORD_MIN } from '#kit/contract/password.ts'
import { useChange } from '../../api/hooks.ts'
import { calls } from '../../auth/calls.ts'
import { notify } from '../../feedback/notify.tsx'
import { Empty } from '../../feedback/problems.tsx'
import { Asked, isAddress } from '../../form/plain-form.tsx'
import { useT } from '../../i18n/catalogue.ts'
import { PublicForm, PublicPage, useFocusOn } from './public.tsx'
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
  const { send } = useChange()
  const t = useT('kit')
  const email = useRef<HTMLInputElement>(null)
  useFocusOn(email)
  const [sent, setSent] = useState<string | null>(null)
  if (sent) {
    return (
      <PublicPage as="form" title={t('link_sent_title')} text={t('link_sent_text', { email: sent })}>
        <div className={css.fields}>
          <div className={css.sent} aria-hidden>
            <IconMailCheck size={44} stroke={1.2} />
          </div>
          <Back />
        </div>
      </PublicPage>
    )
  }
  const submit = async (typed: Readonly<Record<string, string>>) => {
    const given = typed.email!.trim()
    await send(calls.resetPassword, { body: { email: given } })
    setSent(given)
  }
  return (
    <PublicPage as="form" title={t('forgot_title')} text={t('forgot_text')}>
      <PublicForm action={t('send_link')} send={submit} foot={<Back />}>
        <Asked
          ref={email}
          label={t('email')}
          type="email"
          name="email"
          dir="ltr"
          autoComplete="username"
          size="md"
          rule={(typed) => (isAddress(typed) ? null : t('email_not_valid'))}
          classNames={{ input: css.latin }}
        />
      </PublicForm>
    </PublicPage>
  )
}

/** Sets the new password with the token of the link. */
export function ResetPassword() {
  const { send } = useChange()
  const t = useT('kit')
  const navigate = useNavigate()
  const [query] = useSearchParams()
  // Kept from the first look: the address is shared more easily than it should be.
  const [token] = useState(query.get('token'))
  const first = useRef<HTMLInputElement>(null)
  useFocusOn(first)
  if (!token) {
    return (
      <PublicPage as="form" title={t('reset_title')}>
        <Empty
          title={t('link_missing')}
          action={
            <Button component={Link} to="/forgot-password">
              {t('forgot_title')}
            </Button>
          }
        />
      </PublicPage>
    )
  }
  const set = async (password: string) => {
    await send(calls.resetPassword, { body: { token, password } })
    notify.done(t('password_set'))
    void navigate('/login', { replace: true })
  }
  return (
    <PublicPage as="form" title={t('reset_title')} text={t('reset_text')}>
      <PublicForm action={t('set_password')} send={(typed) => set(typed['new-password']!)} foot={<Back />}>
        <Asked
          secret
          ref={first}
          label={t('new_password')}
          description={t('password_least', { min: PASSWORD_MIN })}
          name="new-password"
          autoComplete="new-password"
          size="md"
          rule={(typed) =>
            typed.length < PASSWORD_MIN ? t('password_short', { n: typed.length, min: PASSWORD_MIN }) : null
          }
        />
        <Asked
          secret
          label={t('repeat_password')}
          name="repeat-password"
          autoComplete="new-password"
          size="md"
          rule={(typed) => (typed === first.current?.value ? null : t('passwords_differ'))}
        />
      </PublicForm>
    </PublicPage>
  )
}
