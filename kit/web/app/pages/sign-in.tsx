import { Alert, Button, SegmentedControl } from '@mantine/core'
import { IconBuildingCommunity, IconFingerprint, IconInfoCircle } from '@tabler/icons-react'
import { Suspense } from 'react'
import { Link } from 'react-router'
import { Problems } from '../../feedback/problems.tsx'
import { Asked, PlainForm, isAddress } from '../../form/plain-form.tsx'
import { useT } from '../../i18n/catalogue.ts'
import { part } from '../../later.ts'
import { screenAt } from '../../router/screens.ts'
import { useUniversity } from '../../theme/university.ts'
import { knowsPasskeys } from '../../second-factor/passkey.ts'
import { PublicPage } from './public.tsx'
import { ENTRIES, useSignIn, type SigningIn } from './use-sign-in.ts'
import css from './pages.module.css'

/** Fetched by those who are asked for more than a password. */
const SecondStepPage = part(async () => (await import('./second-step.tsx')).SecondStepPage)

export default function SignIn() {
  const t = useT('kit')
  const university = useUniversity()
  const signing = useSignIn()
  const { query, next, arrive, back } = signing
  if (next) {
    return (
      <Suspense>
        <SecondStepPage step={next} arrived={arrive} back={back} />
      </Suspense>
    )
  }
  const reason = query.get('reason')
  const apply = university.admission_link || (screenAt('/apply') || screenAt('/apply/:type?') ? '/apply' : null)
  return (
    <PublicPage as="form" title={t('sign_in')}>
      {reason === 'idle' && (
        <Alert icon={<IconInfoCircle size={18} />} color="accent" mb="md">
          {t('signed_out_idle')}
        </Alert>
      )}
      <EntryForm signing={signing} />
      <OtherWays signing={signing} />
      {apply && (
        <p className={css.apply}>
          {t('apply_question')} <Link to={apply}>{t('apply_now')}</Link>
        </p>
      )}
      {screenAt('/certificates/graduate') && (
        <p className={css.apply}>
          {t('graduate_question')} <Link to="/certificates/graduate">{t('graduate_ask')}</Link>
        </p>
      )}
    </PublicPage>
  )
}

/** Who one is, and the password. */
function EntryForm({ signing }: { signing: SigningIn }) {
  const t = useT('kit')
  const { type, chooseEntry, email, password, error, busy, submit } = signing
  return (
    <PlainForm className={css.fields} busy={busy} send={submit}>
      <SegmentedControl
        fullWidth
        className={css.entries}
        aria-label={t('sign_in_as')}
        value={String(type)}
        onChange={chooseEntry}
        data={ENTRIES.map(([value, , label]) => ({ value: String(value), label: t(label) }))}
      />
      {error !== null && <Problems error={error} />}
      <Asked
        ref={email}
        label={t('email')}
        name="email"
        type="email"
        dir="ltr"
        autoComplete="username"
        size="md"
        rule={(typed) => (isAddress(typed) ? null : t('email_not_valid'))}
        classNames={{ input: css.latin }}
      />
      <Asked secret ref={password} label={t('password')} name="password" autoComplete="current-password" size="md" />
      <Button type="submit" size="md" fullWidth loading={busy}>
        {t('sign_in')}
      </Button>
      <Link to="/forgot-password" className={css.quietLink}>
        {t('forgot_password')}
      </Link>
    </PlainForm>
  )
}

/** Without a password: by a passkey, or by what the university signs in with elsewhere. */
function OtherWays({ signing: { type, busy, withPasskey, withProvider } }: { signing: SigningIn }) {
  const t = useT('kit')
  const university = useUniversity()
  const ways = [
    ...(university.sso_types.includes(type) ? (['sso_sign_in'] as const) : []),
    ...(university.federation_types.includes(type) ? (['sso_federation'] as const) : []),
  ]
  return (
    <>
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
          onClick={() => void withPasskey()}
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
    </>
  )
}
