/** Research projects in which a person works, and those of a department: a tab of their pages. */
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import ResourceList from '#kit/web/list/resource-list.tsx'
import { project } from './project.contract.ts'

/** As the list, without what is done with one's own. */
const web = resourceWeb(project, { list: { useParts: () => ({ main: null }) } })

export const ProjectsOfPerson = ({ account }: { readonly account: number }) => (
  <ResourceList web={web} page={false} fixed={{ user_id: account }} />
)
export const ProjectsOfDepartment = ({ row }: { readonly row: { readonly id: number } }) => (
  <ResourceList web={web} page={false} fixed={{ department_id: row.id }} />
)
