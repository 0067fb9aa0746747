/** Theses on whose team a person is, and those of a department: a tab of their pages. */
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import ResourceList from '#kit/web/list/resource-list.tsx'
import list from './list.web.tsx'
import { thesis } from './thesis.contract.ts'

/** As the list, without what is done with one's own. */
const web = resourceWeb(thesis, {
  ...list,
  list: {
    ...list.list,
    useParts: () => ({ main: null }),
    empty: { title: ['No theses', 'لا توجد رسائل'] },
  },
} as never)

export const ThesesOfPerson = ({ account }: { readonly account: number }) => (
  <ResourceList web={web} page={false} fixed={{ user_id: account }} />
)
export const ThesesOfDepartment = ({ row }: { readonly row: { readonly id: number } }) => (
  <ResourceList web={web} page={false} fixed={{ department_id: row.id }} />
)
