import { accountActions } from '#kit/web/auth/account-actions.tsx'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { Status } from '#kit/web/feedback/index.ts'
import { formatList, label, nameOf } from '#kit/web/i18n/index.ts'
import type { Named } from '#kit/web/i18n/index.ts'
import { employee } from './employee.contract.ts'

export default resourceWeb(employee, {
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
