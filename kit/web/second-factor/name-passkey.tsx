import { Button } from '@mantine/core'
import { useState } from 'react'
import { deviceOf } from '../auth/device.ts'
import { Problems } from '../feedback/problems.tsx'
import { Asked, PlainForm } from '../form/plain-form.tsx'
import { useT } from '../i18n/catalogue.ts'
import css from './second-factor.module.css'

interface NamePasskeyProps {
  /** The name so far; without one it is suggested by the device. */
  readonly name?: string
  /** What the button says. */
  readonly action: string
  /** Does it under this name; throws what it was refused. */
  readonly go: (name: string) => Promise<unknown>
  readonly onCancel?: () => void
}

/** Names a passkey that is made or renamed. */
export function NamePasskey({ name, action, go, onCancel }: NamePasskeyProps) {
  const t = useT('sign-in')
  const say = useT('kit')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const device = deviceOf(navigator.userAgent)
  const submit = async (given: string) => {
    setBusy(true)
    setProblem(null)
    try {
      await go(given)
    } catch (refusal) {
      setProblem(refusal)
      setBusy(false)
    }
  }
  return (
    <PlainForm className={css.fields} busy={busy} send={({ passkey = '' }) => void submit(passkey.trim())}>
      {problem !== null && <Problems error={problem} />}
      <Asked
        label={t('passkey_name')}
        description={t('passkey_name_help')}
        name="passkey"
        // Names as they are: a text of the catalogue has marks of direction, which a name must not have.
        defaultValue={name ?? (device ? `${device.browser} · ${device.system}` : '')}
        dir="auto"
        autoComplete="off"
        maxLength={60}
      />
      <div className={css.buttons}>
        <Button type="submit" loading={busy}>
          {action}
        </Button>
        {onCancel && (
          <Button variant="default" onClick={onCancel} disabled={busy}>
            {say('cancel')}
          </Button>
        )}
      </div>
    </PlainForm>
  )
}
