import { Button } from '@mantine/core'
import { accountActions } from '#kit/web/auth/account-actions.tsx'
import { may } from '#kit/web/auth/index.ts'
import { FactsOf } from '#kit/web/detail/parts.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { user } from '../users/user.contract.ts'
import css from './of-person.module.css'

type Row = Parameters<typeof accountActions>[1] & {
  readonly account_state?: string | null
  readonly account_id?: number | null
}
const FACTS = ['account_state', 'email', 'language', 'last_login_at', 'blocked_at']

/** How somebody signs in, and what can be done about it. */
export function SignInOf({ kind, row }: { kind: 'user' | 'instructor'; row: unknown }) {
  const t = useT('access-and-people')
  const person = row as Row
  const account = kind === 'user' ? person.id : (person.account_id ?? null)
  const known = FACTS.filter((name) => Object.hasOwn(person, name))
  // Whoever signs in already is invited no more.
  const actions = accountActions(kind, person).filter(
    ({ key }) => key !== 'invite' || person.account_state === 'not_invited' || person.account_state === 'invited',
  )
  return (
    <Stack>
      <Card title={t('sign_in_title')} text={t(`sign_in_${stateOf(person)}`)}>
        <FactsOf fields={user.fields} row={person as never} names={known} />
        <div className={css.actions}>
          {actions.map((one) => (
            <Button
              key={one.key}
              variant={one.key === 'invite' && person.account_state === 'not_invited' ? 'filled' : 'default'}
              leftSection={one.icon}
              onClick={one.onSelect}
            >
              {one.label}
            </Button>
          ))}
          {kind === 'instructor' && account !== null && may('edit_users') && (
            <Button variant="default" component={Link} to={to('/users/edit/:id', { id: account })}>
              {t('edit_account')}
            </Button>
          )}
        </div>
      </Card>
    </Stack>
  )
}

const STATES = ['not_invited', 'invited', 'not_signed_in', 'in_use', 'account_blocked'] as const
const stateOf = ({ account_state }: Row): (typeof STATES)[number] =>
  STATES.find((state) => state === account_state) ?? 'not_signed_in'
