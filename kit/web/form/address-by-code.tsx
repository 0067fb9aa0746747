import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { solvePuzzle } from '#kit/contract/puzzle.ts'
import { useT } from '../i18n/catalogue.ts'
import css from './address-by-code.module.css'
import { Asked, PlainForm, isAddress } from './plain-form.tsx'

/** A puzzle and what solves it, as the call for a code takes them. */
export async function solvedPuzzle(
  puzzle: () => Promise<{ challenge: string; bits: number }>,
): Promise<{ challenge: string; nonce: string }> {
  const { challenge, bits } = await puzzle()
  return { challenge, nonce: await solvePuzzle(challenge, bits) }
}

/**
 * Asks whoever has no account for an address, and then for the code that was sent there.
 *
 * @param props.text why the address is asked for
 * @param props.children what is asked beside the address
 */
export function AddressByCode({
  text,
  email,
  sent,
  busy,
  ask,
  verify,
  other,
  children,
}: {
  readonly text: string
  readonly email: string
  /** A code is on its way to `email`. */
  readonly sent: boolean
  readonly busy: boolean
  readonly ask: (email: string) => void
  readonly verify: (code: string) => void
  /** The address is to be typed again. */
  readonly other: () => void
  readonly children?: ReactNode
}) {
  const t = useT('kit-address')
  const tk = useT('kit')
  const figures = (typed: string) => typed.replace(/\s/g, '')
  if (!sent)
    return (
      <PlainForm className={css.fields} busy={busy} send={({ email: typed = '' }) => ask(typed.trim())}>
        <p className={css.lead}>{text}</p>
        <Asked
          key="email"
          name="email"
          label={tk('email')}
          type="email"
          dir="ltr"
          autoComplete="email"
          size="md"
          defaultValue={email}
          autoFocus
          rule={(typed) => (isAddress(typed) ? null : tk('email_not_valid'))}
        />
        {children}
        <Button type="submit" size="md" loading={busy}>
          {t('send_code')}
        </Button>
      </PlainForm>
    )
  return (
    <PlainForm className={css.fields} busy={busy} send={({ code = '' }) => verify(figures(code))}>
      <p className={css.lead}>
        {t('code_sent')} <bdi>{email}</bdi>
      </p>
      <Asked
        key="code"
        name="code"
        label={t('code')}
        description={t('code_text')}
        inputMode="numeric"
        autoComplete="one-time-code"
        dir="ltr"
        size="md"
        autoFocus
        rule={(typed) => (/^\d{8}$/.test(figures(typed)) ? null : t('code_digits'))}
      />
      <Button type="submit" size="md" loading={busy}>
        {t('go_on')}
      </Button>
      <div className={css.quiet}>
        <Button variant="subtle" size="compact-sm" disabled={busy} onClick={() => ask(email)}>
          {t('code_again')}
        </Button>
        <Button variant="subtle" size="compact-sm" disabled={busy} onClick={other}>
          {t('other_address')}
        </Button>
      </div>
    </PlainForm>
  )
}
