import { IconKey, IconUserQuestion, IconUsersGroup } from '@tabler/icons-react'
import { Status } from '#kit/web/feedback/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { may } from '#kit/web/auth/index.ts'
import { formatList, label, nameOf, translate } from '#kit/web/i18n/index.ts'
import type { Named } from '#kit/web/i18n/index.ts'
import { to } from '#kit/web/router/index.ts'
import { RightsNamed } from './rights-named.web.tsx'
import { user } from './user.contract.ts'

type Scoped = Named & { readonly scope: Named | null }
const rights = ({ value }: { value: unknown }) => <RightsNamed rights={(value ?? []) as (Scoped & { key: string })[]} />

export default resourceWeb(user, {
  cells: {
    roles: ({ value, show }) => (
      <bdi>
        {formatList(
          ((value ?? []) as Scoped[]).map((role) =>
            role.scope ? `${nameOf(role, show.lang)} (${nameOf(role.scope, show.lang)})` : nameOf(role, show.lang),
          ),
          show.lang,
        ) || '–'}
      </bdi>
    ),
    role_permissions: rights,
    direct_permissions: rights,
    access_entries: rights,
    user_access_permissions: rights,
  },
  detail: {
    useActions: () => (row) =>
      may('user_access_users')
        ? [
            {
              key: 'roles',
              label: translate('access-and-people', 'roles_title'),
              icon: <IconUsersGroup size={16} />,
              href: to('/settings/user/role/:id', { id: row.id }),
            },
            {
              key: 'access',
              label: translate('access-and-people', 'access_of'),
              icon: <IconKey size={16} />,
              href: to('/users/access/:id', { id: row.id }),
            },
            {
              key: 'why',
              label: translate('access-and-people', 'why_title'),
              icon: <IconUserQuestion size={16} />,
              href: to('/settings/rights', {}, { tab: 'why', user: row.id }),
            },
          ]
        : [],
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
