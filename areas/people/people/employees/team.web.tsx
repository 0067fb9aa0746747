import ResourceList from '#kit/web/list/resource-list.tsx'
import web from './employee.web.tsx'

/** Whom an employee manages. */
export const Team = ({ id }: { id: number }) => <ResourceList web={web} page={false} fixed={{ manager_id: [id] }} />
