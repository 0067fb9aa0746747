import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { rowsInColumns } from '../rows.web.tsx'
import { examSchedule } from './schedule.contract.ts'

export default resourceWeb(examSchedule, {
  list: { rowName: (row) => row.offering?.code ?? String(row.id) },
  detail: { title: (row) => row.offering },
  cells: { locations: rowsInColumns, instructors: rowsInColumns },
})
