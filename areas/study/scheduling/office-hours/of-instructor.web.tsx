import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import ResourceList from '#kit/web/list/resource-list.tsx'
import { officeHour } from './office-hour.contract.ts'

const web = resourceWeb(officeHour)

/** When an instructor is there for students. */
export const OfficeHoursOfInstructor = ({ row }: { row: { readonly id: number } }) => (
  <ResourceList web={web} page={false} fixed={{ instructor_id: [row.id] }} />
)
