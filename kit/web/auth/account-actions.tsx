import { IconBan, IconLockOpen, IconMailForward, IconShieldOff, IconUserEdit, IconUserShare } from '@tabler/icons-react'
import { send } from '../api/client.ts'
import { confirm } from '../feedback/dialogs.tsx'
import { notify } from '../feedback/notify.tsx'
import { translate } from '../i18n/catalogue.ts'
import { nameOf } from '../i18n/format.ts'
import type { Named } from '../i18n/format.ts'
import type { RowAction } from '../list/row-action.ts'
import { askReason } from '../workflow/reason.tsx'
import { calls } from './calls.ts'
import { endSessionsAction } from './end-sessions.tsx'
import { liveStore, may } from './me.ts'
import { sessionOpened, sessionQueries } from './session.ts'

type Kind = 'user' | 'student' | 'instructor'
type Person = Named & { readonly id: number; readonly removed?: boolean; readonly blocked_at?: string | null }
const t = (key: Parameters<typeof translate<'kit'>>[1], data?: Record<string, string | number>) =>
  translate('kit', key, data)

/** Opens a session as the person, to look or to change as well, and begins it where that person begins. */
async function logInAs(kind: Kind, person: Person, change: boolean): Promise<void> {
  const yes = await confirm({
    title: t('log_in_as_title', { name: nameOf(person) }),
    consequence: t(change ? 'log_in_as_change_text' : 'log_in_as_text'),
    action: t('log_in_as'),
    go: () =>
      kind === 'student'
        ? send(calls.loginAsStudent, { body: { student_id: person.id, change } })
        : send(calls.loginAsUser, {
            body: { ...(kind === 'user' ? { user_id: person.id } : { instructor_id: person.id }), change },
          }),
  })
  if (!yes) return
  await sessionOpened()
  window.location.assign('/')
}

async function invite(kind: Kind, person: Person): Promise<void> {
  const yes = await confirm({
    title: t('invite_title', { name: nameOf(person) }),
    consequence: t('invite_text'),
    action: t('invite'),
    go: () => send(calls.invite, { params: { kind, id: person.id } }),
  })
  if (!yes) return
  notify.done(t('invited', { name: nameOf(person) }))
  void sessionQueries()?.invalidateQueries()
}

async function block(kind: Kind, person: Person, blocked: boolean): Promise<void> {
  const reason = await askReason({
    title: t(blocked ? 'block_account_title' : 'unblock_account_title', { name: nameOf(person) }),
    text: blocked ? t('block_account_text') : undefined,
    action: t(blocked ? 'block_account' : 'unblock_account'),
    danger: blocked,
    go: (reason) => send(calls.block, { params: { id: person.id }, body: { kind, blocked, reason } }),
  })
  if (reason === null) return
  notify.done(t(blocked ? 'account_blocked_done' : 'account_unblocked_done', { name: nameOf(person) }))
  void sessionQueries()?.invalidateQueries()
}

/** What can be done with the account of a person, for the menu of the record: as far as the reader may. */
export function accountActions(kind: Kind, person: Person): readonly RowAction[] {
  if (person.removed) return []
  const live = liveStore.get()
  const other = live !== null && !live.impersonation && !(kind === 'user' && person.id === live.user.id)
  const action = (key: string, label: string, icon: RowAction['icon'], run: () => Promise<void>): RowAction => ({
    key,
    label,
    icon,
    onSelect: () => void run().catch((error: unknown) => notify.error(error)),
  })
  return [
    ...(other && may(kind === 'student' ? 'login_as_student' : 'login_as_user')
      ? [
          action('log_in_as', t('log_in_as'), <IconUserShare size={15} aria-hidden />, () =>
            logInAs(kind, person, false),
          ),
        ]
      : []),
    ...(other && may(kind === 'student' ? 'login_as_student' : 'login_as_user') && may('change_as_other')
      ? [
          action('change_as', t('log_in_as_change'), <IconUserEdit size={15} aria-hidden />, () =>
            logInAs(kind, person, true),
          ),
        ]
      : []),
    ...(may('invite_person')
      ? [action('invite', t('invite'), <IconMailForward size={15} aria-hidden />, () => invite(kind, person))]
      : []),
    // Students are blocked with their record.
    ...(other && kind !== 'student' && may('block_person')
      ? [
          person.blocked_at
            ? action('unblock', t('unblock_account'), <IconLockOpen size={15} aria-hidden />, () =>
                block(kind, person, false),
              )
            : action('block', t('block_account'), <IconBan size={15} aria-hidden />, () => block(kind, person, true)),
        ]
      : []),
    ...(other && may('remove_second_factor')
      ? [
          action('remove_factor', t('remove_factor'), <IconShieldOff size={15} aria-hidden />, async () =>
            (await import('../second-factor/remove.ts')).removeSecondFactor(kind, person),
          ),
        ]
      : []),
    ...endSessionsAction(kind, person.id),
  ]
}
