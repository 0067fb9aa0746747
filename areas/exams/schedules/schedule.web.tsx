import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { examSchedule } from './schedule.contract.ts'

export default resourceWeb(examSchedule, {
  list: { rowName: (row) => row.offering?.code ?? String(row.id) },
  detail: { title: (row) => row.offering },
})
