import { Alert, Button, PasswordInput, SegmentedControl, TextInput } from '@mantine/core'
import { IconBuildingCommunity, IconFingerprint, IconInfoCircle } from '@tabler/icons-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { useChange } from '../../api/hooks.ts'
import { ApiError } from '../../api/error.ts'
import { calls } from '../../auth/calls.ts'
import type { CurrentUser, FirstStep, Linked, NextStep, UserType } from '../../auth/calls.ts'
import { sessionOpened, takeTarget } from '../../auth/session.ts'
import { Problems } from '../../feedback/problems.tsx'
import { loadTexts, useT } from '../../i18n/catalogue.ts'
import { part } from '../../later.ts'
import { createStoredStore } from '../../store.ts'
import { homePath } from '../../router/home.ts'
import { isOwnAddress } from '../../router/paths.ts'
import { screenAt } from '../../router/screens.ts'
import { useUniversity } from '../../theme/university.ts'
import { factorCalls } from '../../second-factor/calls.ts'
import { byPasskey, knowsPasskeys } from '../../second-factor/passkey.ts'
import { PublicPage, useFocusOn } from './public.tsx'
import css from './pages.module.css'

/** The entries, most people first; the last used is remembered here. `?as=instructor` opens one directly. */
const ENTRIES = [
  [3, 'student', 'as_student'],
  [1, 'instructor', 'as_instructor'],
  [2, 'employee', 'as_employee'],
  [4, 'applicant', 'as_applicant'],
] as const
const entryStore = createStoredStore<UserType>('ems.entry', 3, (kept) =>
  ENTRIES.some(([type]) => type === kept) ? (kept as UserType) : 3,
)

/** What the provider sends the browser back with, beside the state. */
const RETURNED = ['code', 'session_state', 'iss', 'error', 'error_description'] as const

/** Fetched by those who are asked for more than a password. */
const SecondStepPage = part(async () => (await import('./second-step.tsx')).SecondStepPage)

export default function SignIn() {
  const { send } = useChange()
  const t = useT('kit')
  const navigate = useNavigate()
  const university = useUniversity()
  const [query, setQuery] = useSearchParams()
  const remembered = entryStore.use()
  const type = ENTRIES.find(([, name]) => name === query.get('as'))?.[0] ?? remembered
  const email = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  useFocusOn(email)
  const [missing, setMissing] = useState<{ email?: string; password?: string }>({})
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)

  const [next, setNext] = useState<NextStep | null>(null)
  const arrive = async (user: CurrentUser) => {
    // Whoever has the right password is not sent from entry to entry: the right one is remembered for the next time.
    entryStore.set(user.type)
    await sessionOpened()
    const target = takeTarget()
    void navigate(isOwnAddress(target) ? target : homePath(), { replace: true })
  }
  const open = async (sent: Promise<FirstStep | Linked>) => {
    setBusy(true)
    setError(null)
    try {
      const { data } = await sent
      if ('linked' in data) return void navigate('/profile/sign-in', { replace: true })
      if (!('second_factor' in data)) return await arrive(data.user)
      setBusy(false)
      setNext(data.second_factor)
    } catch (problem) {
      setBusy(false)
      // What may be refused besides a wrong password is told in texts of its own.
      await loadTexts('sign-in').catch(() => undefined)
      // The documents: under maintenance has a page of its own; everything else is told here.
      if (problem instanceof ApiError && problem.status === 503)
        return void navigate('/pages/miscellaneous/under-maintenance')
      setError(problem)
      if (problem instanceof ApiError && problem.status < 500) password.current?.select()
    }
  }
  const submit = () => {
    const given = { email: email.current!.value.trim(), password: password.current!.value }
    const wrong = {
      ...(given.email
        ? /^[^@\s]+@[^@\s]+\.[a-z]{2,}$/i.test(given.email)
          ? {}
          : { email: t('email_not_valid') }
        : { email: t('fill_in') }),
      ...(given.password ? {} : { password: t('fill_in') }),
    }
    setMissing(wrong)
    if (wrong.email) return email.current!.focus()
    if (wrong.password) return password.current!.focus()
    void open(send(calls.login, { body: given }))
  }
  const withProvider = async (by?: 'saml') => {
    setBusy(true)
    setError(null)
    try {
      const { data } = await send(calls.providerAddress, { query: { by } })
      window.location.assign(data.url)
    } catch (problem) {
      await loadTexts('sign-in').catch(() => undefined)
      setBusy(false)
      setError(problem)
    }
  }

  // The way back from the provider, and one-time tokens, arrive in the address; it is cleaned before anything is copied.
  const begun = useRef(false)
  useEffect(() => {
    const [state, token] = [query.get('state'), query.get('token')]
    const given = Object.fromEntries(RETURNED.flatMap((name) => (query.has(name) ? [[name, query.get(name)!]] : [])))
    if (begun.current || (!token && !(state && (given.code || given.error)))) return
    begun.current = true
    setQuery({}, { replace: true })
    void open(
      token
        ? send(calls.loginWithToken, { body: { token } })
        : send(calls.providerReturn, { body: { ...given, state: state! } }),
    )
  })

  if (next) {
    return (
      <Suspense>
        <SecondStepPage step={next} arrived={arrive} back={() => setNext(null)} />
      </Suspense>
    )
  }
  const ways = [
    ...(university.sso_types.includes(type) ? (['sso_sign_in'] as const) : []),
    ...(university.federation_types.includes(type) ? (['sso_federation'] as const) : []),
  ]
  const reason = query.get('reason')
  const apply = university.admission_link || (screenAt('/apply') || screenAt('/apply/:type?') ? '/apply' : null)
  return (
    <PublicPage as="form" title={t('sign_in')}>
      {reason === 'idle' && (
        <Alert icon={<IconInfoCircle size={18} />} color="accent" mb="md">
          {t('signed_out_idle')}
        </Alert>
      )}
      <form
        className={css.fields}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) submit()
        }}
      >
        <SegmentedControl
          fullWidth
          className={css.entries}
          aria-label={t('sign_in_as')}
          value={String(type)}
          onChange={(value) => {
            entryStore.set(Number(value) as UserType)
            if (query.has('as')) setQuery({}, { replace: true })
            setError(null)
          }}
          data={ENTRIES.map(([value, , label]) => ({ value: String(value), label: t(label) }))}
        />
        {error !== null && <Problems error={error} />}
        <TextInput
          ref={email}
          label={t('email')}
          name="email"
          type="email"
          dir="ltr"
          autoComplete="username"
          size="md"
          error={missing.email}
          classNames={{ input: css.latin }}
          onChange={() => missing.email && setMissing({ ...missing, email: undefined })}
        />
        <PasswordInput
          ref={password}
          label={t('password')}
          name="password"
          autoComplete="current-password"
          size="md"
          error={missing.password}
          visibilityToggleButtonProps={{ 'aria-label': t('show_password') }}
          onChange={() => missing.password && setMissing({ ...missing, password: undefined })}
        />
        <Button type="submit" size="md" fullWidth loading={busy}>
          {t('sign_in')}
        </Button>
        <Link to="/forgot-password" className={css.quietLink}>
          {t('forgot_password')}
        </Link>
      </form>
      {(ways.length > 0 || knowsPasskeys()) && (
        <div className={css.or}>
          <span>{t('or')}</span>
        </div>
      )}
      {knowsPasskeys() && (
        <Button
          variant="default"
          size="md"
          fullWidth
          leftSection={<IconFingerprint size={18} />}
          onClick={() =>
            void open(
              byPasskey(
                () => send(factorCalls.askSignIn),
                (answer) => send(factorCalls.signInByPasskey, { body: { answer } }),
              ),
            )
          }
          disabled={busy}
        >
          {t('passkey_sign_in')}
        </Button>
      )}
      {ways.length > 0 && (
        <>
          {ways.map((way) => (
            <Button
              key={way}
              mt={12}
              variant="default"
              size="md"
              fullWidth
              leftSection={<IconBuildingCommunity size={18} />}
              onClick={() => void withProvider(way === 'sso_federation' ? 'saml' : undefined)}
              disabled={busy}
            >
              {t(way)}
            </Button>
          ))}
          <p className={css.small}>{t('sso_advice')}</p>
        </>
      )}
      {apply && (
        <p className={css.apply}>
          {t('apply_question')} <Link to={apply}>{t('apply_now')}</Link>
        </p>
      )}
    </PublicPage>
  )
}
