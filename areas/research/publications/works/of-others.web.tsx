/** What a person, or the people of a department, published: a tab of their pages. */
import { useMemo } from 'react'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import ResourceList from '#kit/web/list/resource-list.tsx'
import { useFetching } from '../sources/use-fetching.web.tsx'
import { publication } from './publication.contract.ts'
import { TitleOfWork } from './title.web.tsx'

/** As the list, without what is done with one's own; who keeps the record of a person fetches for him or her. */
const listOf = (account: number | null) =>
  resourceWeb(publication, {
    list: {
      useParts:
        account === null
          ? () => ({ main: null })
          : () => {
              const { menu, dialogs } = useFetching(account)
              return { main: null, menu, dialogs }
            },
      rowName: (row) => row.title ?? row.title_local ?? '',
      empty: { title: ['No publications yet', 'لا توجد منشورات بعد'] },
    },
    cells: { title: ({ row }) => <TitleOfWork row={row as never} /> },
  })
const ofDepartment = listOf(null)

export function PublicationsOfPerson({ account }: { readonly account: number }) {
  const web = useMemo(() => listOf(account), [account])
  return <ResourceList key={account} web={web} page={false} fixed={{ user_id: account }} />
}
export const PublicationsOfDepartment = ({ row }: { readonly row: { readonly id: number } }) => (
  <ResourceList web={ofDepartment} page={false} fixed={{ department_id: row.id }} />
)
