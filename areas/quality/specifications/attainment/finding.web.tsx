import type { Row } from '#kit/contract/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { formatPercent } from '#kit/web/i18n/index.ts'
import { StateBadge, StepHistory, StepLine, useSteps } from '#kit/web/workflow/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { findingFlow, findingSteps, qualityFinding } from './finding.contract.ts'

type Finding = Row<typeof qualityFinding>

const useFindingSteps = () =>
  useSteps(findingFlow, findingSteps, {
    name: (row: Finding) => row.outcome_code ?? '',
    refreshes: ['/quality-findings', '/users/work'],
  })
const Where = ({ row }: { readonly row: Finding }) => (
  <StepLine flow={findingFlow as never} calls={findingSteps} id={row.id} state={row.status ?? 'action_planned'} />
)
const History = ({ row }: { readonly row: Finding }) => (
  <Card>
    <StepHistory flow={findingFlow as never} calls={findingSteps} id={row.id} />
  </Card>
)
const percent = (share: number | null) => (share === null ? '–' : formatPercent(share / 100))

export default resourceWeb(qualityFinding, {
  list: {
    useParts: () => {
      const steps = useFindingSteps()
      return { actions: (row) => steps.actions(row) }
    },
    rowName: (row) => row.outcome_code ?? '',
  },
  detail: {
    title: (row) => ({ name: row.outcome_code ?? '' }),
    status: (row) => <StateBadge flow={findingFlow as never} state={row.status ?? 'action_planned'} />,
    facts: (row) => [
      { label: ['Reached by, in percent', 'نسبة من بلغه'], value: percent(row.share) },
      { label: ['Reached then by, in percent', 'نسبة من بلغه حينها'], value: percent(row.seen_share) },
    ],
    useMain: () => {
      const steps = useFindingSteps()
      return { main: (row) => steps.next(row) }
    },
    useActions: () => {
      const steps = useFindingSteps()
      return (row) => steps.actions(row)
    },
    panels: [
      { key: 'where', title: ['State', 'الحالة'], tab: 'above', Content: Where },
      { key: 'steps', title: ['Steps', 'الخطوات'], Content: History },
    ],
  },
})
