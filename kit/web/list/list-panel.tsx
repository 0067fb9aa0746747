import type { FunctionComponent } from 'react'
import type { ResourceWeb } from '../fields/resource-web.ts'
import { part } from '../later.ts'

/**
 * The list of a resource as a panel of another's detail; both are fetched when the panel is first shown.
 *
 * @example Content: listPanel(() => import('../programs/program.web.tsx'), (row) => ({ faculty_id: row.id }))
 */
export const listPanel = (
  web: () => Promise<{ readonly default: ResourceWeb }>,
  fixed: (row: { readonly id: number }) => Readonly<Record<string, unknown>>,
): FunctionComponent<{ readonly row: { readonly id: number } }> =>
  part(async () => {
    const [{ default: ResourceList }, { default: what }] = await Promise.all([import('./resource-list.tsx'), web()])
    return ({ row }) => <ResourceList web={what} page={false} fixed={fixed(row)} />
  })
