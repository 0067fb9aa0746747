import { accountActions } from '#kit/web/auth/account-actions.tsx'
import { PersonPhoto } from '#kit/web/detail/person-photo.tsx'
import { accountHistory } from '#kit/web/detail/account-history.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { part } from '#kit/web/later.ts'
import { Status } from '#kit/web/feedback/index.ts'
import { formatList, label, nameOf } from '#kit/web/i18n/index.ts'
import type { Named } from '#kit/web/i18n/index.ts'
import { employee } from './employee.contract.ts'

const NamesOf = part(async () => (await import('../names/names.web.tsx')).NamesOf)

export default resourceWeb(employee, {
  history: accountHistory,
  cells: {
    roles: ({ value, show }) => (
      <bdi>
        {formatList(
          (value as Named[]).map((role) => nameOf(role, show.lang)),
          show.lang,
        ) || '–'}
      </bdi>
    ),
  },
  detail: {
    Photo: ({ row }) => <PersonPhoto kind="user" person={row} />,
    panels: [
      {
        key: 'name',
        title: ['Name in parts', 'الاسم بأجزائه'],
        Content: ({ row }) => <NamesOf kind="user" id={row.id} />,
      },
    ],
    useActions: () => (row) => accountActions('user', row),
    status: (row) =>
      row.removed ? (
        <Status is="removed" label={label(['Removed', 'محذوف'])} />
      ) : row.blocked_at ? (
        <Status is="blocked" label={label(['Blocked', 'موقوف'])} />
      ) : (
        <Status is="enabled" label={label(['Active', 'نشط'])} />
      ),
  },
})
