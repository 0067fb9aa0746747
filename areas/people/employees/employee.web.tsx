import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { Status } from '#kit/web/feedback/index.ts'
import { label } from '#kit/web/i18n/index.ts'
import { employee } from './employee.contract.ts'

export default resourceWeb(employee, {
  detail: {
    status: (row) =>
      row.removed ? (
        <Status tone="frozen" label={label(['Removed', 'محذوف'])} />
      ) : row.blocked_at ? (
        <Status tone="refused" label={label(['Blocked', 'موقوف'])} />
      ) : (
        <Status tone="done" label={label(['Active', 'نشط'])} />
      ),
  },
})
