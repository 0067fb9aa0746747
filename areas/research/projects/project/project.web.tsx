import type { Row } from '#kit/contract/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { formatDate, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { StateBadge, StepHistory, StepLine, useSteps } from '#kit/web/workflow/index.ts'
import { project, projectFlow, projectSteps } from './project.contract.ts'

type Project = Row<typeof project>
function useProjectSteps() {
  const lang = useLanguage()
  return useSteps(projectFlow, projectSteps, {
    name: (row: Project) => nameOf({ name: row.name ?? '', name_local: row.name_local ?? '' }, lang),
    refreshes: ['/projects', '/users/work'],
  })
}
const Where = ({ row }: { readonly row: Project }) => (
  <StepLine flow={projectFlow as never} calls={projectSteps} id={row.id} state={row.status ?? 'proposed'} />
)
function Steps({ row }: { readonly row: Project }) {
  const t = useT('projects')
  return (
    <Card title={t('steps')}>
      <StepHistory flow={projectFlow as never} calls={projectSteps} id={row.id} />
    </Card>
  )
}
const view = (filters: object) => `filters=${encodeURIComponent(JSON.stringify(filters))}`

export default resourceWeb(project, {
  list: {
    useParts: () => {
      const steps = useProjectSteps()
      return { actions: (row) => steps.actions(row), bulk: steps.bulk }
    },
    views: [
      { key: 'proposed', label: ['Proposed', 'مقترحة'], query: view({ status: ['proposed'] }) },
      { key: 'running', label: ['Running', 'سارية'], query: view({ status: ['running'] }) },
      { key: 'finished', label: ['Finished', 'منتهية'], query: view({ status: ['finished'] }) },
    ],
  },
  form: { wide: true, initial: () => ({ currency: 'EGP' }) },
  detail: {
    status: (row) => <StateBadge flow={projectFlow as never} state={row.status ?? 'proposed'} />,
    facts: (row) => [
      { label: ['From', 'من'], value: row.start_date ? formatDate(row.start_date) : '–' },
      { label: ['Until', 'إلى'], value: row.end_date ? formatDate(row.end_date) : '–' },
    ],
    useMain: () => {
      const steps = useProjectSteps()
      return { main: (row) => steps.next(row) }
    },
    useActions: () => {
      const steps = useProjectSteps()
      return (row) => steps.actions(row)
    },
    panels: [
      { key: 'where', title: ['State', 'الحالة'], tab: 'above', Content: Where },
      {
        key: 'work',
        title: ['Work and money', 'التنفيذ والصرف'],
        first: true,
        Content: part(async () => (await import('./parts.web.tsx')).ProjectWork),
      },
      { key: 'steps', title: ['Steps', 'الخطوات'], Content: Steps },
    ],
  },
})
