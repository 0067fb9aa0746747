import { Anchor, Button, Skeleton } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useChange } from '../api/hooks.ts'
import { notify } from '../feedback/notify.tsx'
import { Failed, Problems } from '../feedback/problems.tsx'
import { Asked, PlainForm } from '../form/plain-form.tsx'
import { useT } from '../i18n/catalogue.ts'
import type { Enrolment } from '../auth/calls.ts'
import css from './second-factor.module.css'

interface SetupProps {
  readonly begin: () => Promise<Enrolment>
  /** Gives the first code; what it is refused is shown here. */
  readonly confirm: (code: string) => Promise<void>
  readonly onCancel?: () => void
}

/** Sets up an authenticator app: by the camera, on the phone itself, or typed; then the first code. */
export function Setup({ begin, confirm, onCancel }: SetupProps) {
  const t = useT('sign-in')
  const say = useT('kit')
  const started = useChange()
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null)
  const { busy, problem, go } = useChange()
  const field = useRef<HTMLInputElement>(null)
  const start = () => void started.go(async () => setEnrolment(await begin()))
  const begun = useRef(false)
  useEffect(() => {
    // Each begin makes a new secret: once is enough.
    if (begun.current) return
    begun.current = true
    start()
  })
  useEffect(() => {
    if (enrolment) field.current?.focus({ preventScroll: true })
  }, [enrolment])
  if (started.problem !== null) return <Failed error={started.problem} retry={start} />
  const submit = async (code: string) => {
    if (!(await go(() => confirm(code)))) field.current?.select()
  }
  return (
    <PlainForm className={css.fields} busy={busy} send={({ code = '' }) => void submit(code.trim())}>
      {/* On a phone the app is mostly on the same device, and nothing there reads its own screen. */}
      {enrolment && (
        <Button className={css.here} component="a" href={enrolment.address} variant="light" size="md">
          {t('setup_open')}
        </Button>
      )}
      <p className={css.text}>{t('setup_scan')}</p>
      {enrolment ? (
        <svg
          className={css.qr}
          viewBox={`0 0 ${enrolment.qr.size} ${enrolment.qr.size}`}
          shapeRendering="crispEdges"
          role="img"
          aria-label={t('setup_qr')}
        >
          <path fill="#fff" d={`M0 0h${enrolment.qr.size}v${enrolment.qr.size}H0z`} />
          <path fill="#000" d={enrolment.qr.path} />
        </svg>
      ) : (
        <Skeleton className={css.qr} />
      )}
      <div className={css.text}>
        {t('setup_type')}{' '}
        <bdi className={css.secret} dir="ltr">
          {enrolment ? enrolment.secret.match(/.{1,4}/g)!.join(' ') : '\u00A0'}
        </bdi>
        {enrolment && (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() =>
              void navigator.clipboard.writeText(enrolment.secret).then(() => notify.done(t('recovery_copied')))
            }
          >
            {t('recovery_copy')}
          </Button>
        )}
        {enrolment && (
          <Anchor href={enrolment.address} className={css.hereLink}>
            {t('setup_here')}
          </Anchor>
        )}
      </div>
      {problem !== null && <Problems error={problem} />}
      <Asked
        ref={field}
        label={t('setup_code')}
        name="code"
        dir="ltr"
        size="md"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        classNames={{ input: css.code }}
      />
      <div className={css.buttons}>
        <Button type="submit" size="md" loading={busy || !enrolment}>
          {t('setup_finish')}
        </Button>
        {onCancel && (
          <Button variant="default" size="md" onClick={onCancel} disabled={busy}>
            {say('cancel')}
          </Button>
        )}
      </div>
    </PlainForm>
  )
}
