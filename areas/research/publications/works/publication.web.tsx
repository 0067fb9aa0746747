import { IconDownload } from '@tabler/icons-react'
import type { Row } from '#kit/contract/index.ts'
import { download } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { act } from '#kit/web/feedback/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { useLanguage, useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import type { RowAction } from '#kit/web/list/row-action.ts'
import { useParams } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { StateBadge, StepHistory, useSteps } from '#kit/web/workflow/index.ts'
import { referenceCalls } from '../references/references.contract.ts'
import { useFetching } from '../sources/use-fetching.web.tsx'
import { publication, publicationFlow, publicationSteps } from './publication.contract.ts'
import { TitleOfWork, titleOfWork } from './title.web.tsx'

type Work = Row<typeof publication>
const PATHS = ['/publications', '/researchers']

function usePublicationSteps() {
  const lang = useLanguage()
  return useSteps(publicationFlow, publicationSteps, { name: (row: Work) => titleOfWork(row, lang), refreshes: PATHS })
}

/** Ways to take works out: for other programs, and as a list to print. */
function useTakingOut(): (body: { ids?: number[] }) => RowAction[] {
  const t = useT('publications')
  const me = useMe()
  return (body) =>
    me.can('export_publication')
      ? (['bibtex', 'ris', 'csl', 'apa', 'ieee', 'vancouver'] as const).map((format) => ({
          key: format,
          label: t(`as_${format}`),
          icon: <IconDownload size={15} aria-hidden />,
          onSelect: () =>
            void act({
              go: () =>
                download(referenceCalls.exportReferences, { params: { format }, body: { filters: {}, ...body } }),
              done: () => null,
            }),
        }))
      : []
}

function Steps({ row }: { readonly row: Work }) {
  const t = useT('publications')
  return (
    <Card title={t('steps')}>
      <StepHistory flow={publicationFlow as never} calls={publicationSteps} id={row.id} />
    </Card>
  )
}
const view = (filters: object) => `filters=${encodeURIComponent(JSON.stringify(filters))}`

export default resourceWeb(publication, {
  list: {
    useParts: () => {
      const steps = usePublicationSteps()
      const out = useTakingOut()
      const fetching = useFetching()
      const person = Number(useParams().id)
      return {
        actions: (row) => steps.actions(row),
        bulk: steps.bulk,
        menu: [...fetching.menu, ...out({})],
        dialogs: fetching.dialogs,
        // The works of one person, where the address names one.
        ...(person > 0 && { fixed: { user_id: person } }),
      }
    },
    views: [
      { key: 'draft', label: ['In work', 'قيد الإعداد'], query: view({ status: ['draft'] }) },
      { key: 'listed', label: ['Listed', 'مُدرج'], query: view({ status: ['listed'] }) },
    ],
    rowName: (row) => row.title ?? row.title_local ?? '',
    empty: {
      title: ['No publications yet', 'لا توجد منشورات بعد'],
      text: [
        'Add one, import a file of references, or fetch them by DOI or ORCID iD from the menu.',
        'أضف منشورًا أو استورد ملف مراجع أو اجلب المنشورات بمعرف DOI أو ORCID من القائمة.',
      ],
    },
  },
  // By the title in the reader's language, or the one that there is.
  cells: { title: ({ row }) => <TitleOfWork row={row as never} /> },
  form: { initial: () => ({ kind: 'journal_article', language: 'en' }) },
  detail: {
    title: (row) => ({ name: row.title ?? row.title_local ?? '', name_local: row.title_local ?? row.title ?? '' }),
    status: (row) => <StateBadge flow={publicationFlow as never} state={row.status ?? 'draft'} />,
    facts: (row) => [{ label: ['Year', 'السنة'], value: row.year ?? '–' }],
    useMain: () => {
      const steps = usePublicationSteps()
      return { main: (row) => steps.next(row) }
    },
    useActions: () => {
      const steps = usePublicationSteps()
      const out = useTakingOut()
      return (row) => [...steps.actions(row), ...out({ ids: [row.id] })]
    },
    panels: [
      {
        key: 'members',
        title: ['Members and file', 'الأعضاء والملف'],
        first: true,
        Content: part(async () => (await import('./parts.web.tsx')).PublicationPartsPanel),
      },
      { key: 'steps', title: ['Steps', 'الخطوات'], Content: Steps },
    ],
  },
})
