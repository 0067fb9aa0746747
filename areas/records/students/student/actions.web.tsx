import {
  IconArrowBackUp,
  IconBan,
  IconReplace,
  IconReportMoney,
  IconClipboardList,
  IconEyeShare,
  IconLockOpen,
  IconPencil,
  IconPrinter,
  IconTag,
  IconTrash,
} from '@tabler/icons-react'
import { accountActions } from '#kit/web/auth/account-actions.tsx'
import { may } from '#kit/web/auth/index.ts'
import { notify } from '#kit/web/feedback/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { useRemoving } from '#kit/web/list/resource-list.tsx'
import type { RowAction } from '#kit/web/list/row-action.ts'
import { screenAt, to } from '#kit/web/router/index.ts'
import type { StudentDashboard } from '../record/record.contract.ts'
import web from './student.web.tsx'

export type StudentActionDialog = 'block' | 'status' | 'transcript' | 'tags' | 'shares'

/** What can be done with a student: the main action, and the menu of the others. */
export function useStudentActions(
  setDialog: (dialog: StudentActionDialog) => void,
  refetch: () => Promise<unknown>,
): (dashboard: StudentDashboard, editHref: string | null) => { main: RowAction | null; menu: RowAction[] } {
  const t = useT('students')
  const { remove, restore } = useRemoving(web)
  return (dashboard, editHref) => {
    const person = dashboard.student
    const { id } = person
    const able = (ability: string) => dashboard.abilities.includes(ability)
    const attempt = (work: Promise<unknown>) =>
      void work.then(() => refetch()).catch((problem: unknown) => notify.error(problem))
    const transcript: RowAction = {
      key: 'transcript',
      label: t('transcript'),
      icon: <IconPrinter size={16} aria-hidden />,
      onSelect: () => setDialog('transcript'),
    }
    const edit: RowAction | null = editHref
      ? { key: 'edit', label: t('edit'), icon: <IconPencil size={16} aria-hidden />, href: editHref }
      : null
    const registration = screenAt('/advising/registration/:id')
    const statement = screenAt('/ledger/statements/:student_id')
    const menu: RowAction[] = [
      ...(able('print_transcript') && edit ? [transcript] : []),
      ...(registration && may(registration.permission) && able('register')
        ? [
            {
              key: 'register',
              label: t('open_registration'),
              icon: <IconClipboardList size={15} />,
              href: to('/advising/registration/:id', { id }),
            },
          ]
        : []),
      ...(statement && able('statement')
        ? [
            {
              key: 'statement',
              label: t('statement'),
              icon: <IconReportMoney size={15} />,
              href: to('/ledger/statements/:student_id', { student_id: id }),
            },
          ]
        : []),
      ...(able('attach_tag') && person.tags
        ? [{ key: 'tags', label: t('tags'), icon: <IconTag size={15} />, onSelect: () => setDialog('tags') }]
        : []),
      ...(able('change_status')
        ? [
            {
              key: 'status',
              label: t('status_open'),
              icon: <IconReplace size={15} />,
              onSelect: () => setDialog('status'),
            },
          ]
        : []),
      ...(able('block')
        ? [
            {
              key: 'block',
              label: t('block'),
              icon: <IconBan size={15} />,
              tone: 'refused' as const,
              onSelect: () => setDialog('block'),
            },
          ]
        : []),
      ...(able('unblock')
        ? [
            {
              key: 'unblock',
              label: t('unblock'),
              icon: <IconLockOpen size={15} />,
              onSelect: () => setDialog('block'),
            },
          ]
        : []),
      ...(able('edit')
        ? [
            {
              key: 'shares',
              label: t('shares_seen'),
              icon: <IconEyeShare size={15} />,
              onSelect: () => setDialog('shares'),
            },
          ]
        : []),
      ...accountActions('student', { ...person, blocked_at: null }),
      ...(able('remove') && !person.removed
        ? [
            {
              key: 'remove',
              label: t('remove'),
              icon: <IconTrash size={15} />,
              tone: 'refused' as const,
              onSelect: () => attempt(remove(person)),
            },
          ]
        : []),
    ]
    const main: RowAction | null =
      person.removed && able('restore')
        ? {
            key: 'restore',
            label: t('restore'),
            icon: <IconArrowBackUp size={16} className="pointing" aria-hidden />,
            onSelect: () => attempt(restore(person)),
          }
        : (edit ?? (able('print_transcript') ? transcript : null))
    return { main, menu }
  }
}
