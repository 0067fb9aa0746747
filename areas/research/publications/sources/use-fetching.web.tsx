import { useQueryClient } from '@tanstack/react-query'
import { IconFileImport, IconRefresh, IconWorldSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { refresh, useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { endOfJob } from '#kit/web/detail/job-end.ts'
import { act, notify } from '#kit/web/feedback/index.ts'
import { formatNumber, useT } from '#kit/web/i18n/index.ts'
import { partDialog } from '#kit/web/later.ts'
import type { RowAction } from '#kit/web/list/row-action.ts'
import { to, useNavigate } from '#kit/web/router/index.ts'
import { syncCalls } from './sync.contract.ts'

const ByDoi = partDialog(async () => (await import('./doi-dialog.web.tsx')).ByDoi)
const PATHS = ['/publications', '/researchers']

/** Fetching what services know of the own works, or of somebody’s whose record one keeps. */
export function useFetching(user_id?: number): { readonly menu: RowAction[]; readonly dialogs: React.ReactNode } {
  const t = useT('publications')
  const me = useMe()
  const navigate = useNavigate()
  const [doi, setDoi] = useState(false)
  const { send } = useChange(...PATHS)
  const client = useQueryClient()
  const adds = me.can('add_publication') && (user_id === undefined || me.can('edit_researcher'))
  const { data } = useCall(
    syncCalls.sources,
    user_id === undefined ? {} : { query: { user_id: String(user_id) } as never },
    { enabled: adds },
  )
  const of = data?.data
  const fetchAll = (source: 'orcid' | 'openalex') =>
    void act({
      go: async () => {
        const { data: begun } = await send(syncCalls.sync, {
          body: { source, ...(user_id !== undefined && { user_id }) },
        })
        notify.done(t('fetching'))
        const done = await endOfJob<{ added: number; known: number }>(begun.job!, () => {})
        // What the job has brought is seen where one waits for it.
        await refresh(client, ...PATHS)
        return done
      },
      done: ({ added, known }) => t('fetched', { added: formatNumber(added), known: formatNumber(known) }),
    })
  if (!adds) return { menu: [], dialogs: null }
  return {
    menu: [
      ...(user_id === undefined
        ? [
            {
              key: 'import',
              label: t('import_file'),
              icon: <IconFileImport size={15} aria-hidden />,
              onSelect: () => void navigate(to('/my_researches/publications/import', {})),
            },
          ]
        : []),
      ...(of?.crossref
        ? [
            {
              key: 'doi',
              label: t('by_doi'),
              icon: <IconWorldSearch size={15} aria-hidden />,
              onSelect: () => setDoi(true),
            },
          ]
        : []),
      ...(['orcid', 'openalex'] as const)
        .filter((source) => of?.[source] && of.iD)
        .map((source) => ({
          key: source,
          label: t(`from_${source}`),
          icon: <IconRefresh size={15} aria-hidden />,
          onSelect: () => fetchAll(source),
        })),
    ],
    dialogs: doi && <ByDoi user_id={user_id} onClose={() => setDoi(false)} />,
  }
}
