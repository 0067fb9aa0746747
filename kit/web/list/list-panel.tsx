import type { FunctionComponent } from 'react'
import type { Access, Resource } from '#kit/contract/index.ts'
import type { ResourceWeb } from '../fields/resource-web.ts'
import { part } from '../later.ts'

/**
 * The list of a resource as a panel of another's detail, for who may list it; both are fetched when it is first shown.
 *
 * @example { key: 'programs', title: program.many, ...listPanel(program, () => import('../programs/program.web.tsx'), (row) => ({ faculty_id: row.id })) }
 */
export const listPanel = (
  of: Resource,
  web: () => Promise<{ readonly default: ResourceWeb }>,
  fixed: (row: { readonly id: number }) => Readonly<Record<string, unknown>>,
): { permission: Access; Content: FunctionComponent<{ readonly row: { readonly id: number } }> } => ({
  permission: of.permissions.list ?? [],
  Content: part(async () => {
    const [{ default: ResourceList }, { default: what }] = await Promise.all([import('./resource-list.tsx'), web()])
    return ({ row }) => <ResourceList web={what} page={false} fixed={fixed(row)} />
  }),
})
