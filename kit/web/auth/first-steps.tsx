import { Button } from '@mantine/core'
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import { formatList, nameOf, useLanguage, useT } from '../i18n/index.ts'
import type { Named } from '../i18n/index.ts'
import { Link, useLocation } from '../router/index.ts'
import { Card } from '../shell/card.tsx'
import { accountActions } from './account-actions.tsx'
import css from './first-steps.module.css'
import { may } from './me.ts'

type Person = Named & {
  readonly id: number
  readonly removed?: boolean
  readonly blocked_at?: string | null
  readonly account_state?: string | null
  readonly roles?: readonly Named[] | null
}

/** What is still to be done until a new person can work: a role, and the invitation. */
export function FirstSteps({ kind, row }: { kind: 'user' | 'instructor'; row: unknown }) {
  const t = useT('kit-screens')
  const lang = useLanguage()
  const person = row as Person
  const { pathname } = useLocation()
  const roles = person.roles ?? []
  const invited = person.account_state === 'invited'
  const invite =
    invited || person.account_state === 'not_invited'
      ? accountActions(kind, person).find(({ key }) => key === 'invite')
      : undefined
  const steps = [
    kind === 'user' &&
      may('user_access_users') && {
        done: roles.length > 0,
        text: roles.length
          ? t('first_has_roles', {
              names: formatList(
                roles.map((role) => nameOf(role, lang)),
                lang,
              ),
            })
          : t('first_roles'),
        button: (
          <Button component={Link} to={`${pathname}?tab=rights${roles.length ? '' : '&give=role'}`} variant="default">
            {t(roles.length ? 'first_change_roles' : 'first_give_role')}
          </Button>
        ),
      },
    invite && {
      done: invited,
      text: t(invited ? 'first_invited' : kind === 'instructor' ? 'first_invite_instructor' : 'first_invite'),
      button: (
        <Button
          variant={!invited && (roles.length || kind === 'instructor') ? 'filled' : 'default'}
          onClick={invite.onSelect}
        >
          {invited ? t('first_invite_again') : invite.label}
        </Button>
      ),
    },
  ].filter((step) => step !== false && step !== undefined)
  return (
    <Card title={t('first_title', { name: nameOf(person, lang) })}>
      <ol className={css.steps}>
        {steps.map((step, i) => (
          <li key={i}>
            {step.done ? (
              <IconCircleCheck size={20} className={css.done} aria-label={t('first_done')} />
            ) : (
              <IconCircleDashed size={20} className={css.open} aria-hidden />
            )}
            <span>{step.text}</span>
            {step.button}
          </li>
        ))}
      </ol>
    </Card>
  )
}
