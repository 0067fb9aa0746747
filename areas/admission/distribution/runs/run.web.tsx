import { IconFileCode } from '@tabler/icons-react'
import { download } from '#kit/web/api/index.ts'
import { notify, withOverlay } from '#kit/web/feedback/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { part } from '#kit/web/later.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import type { Row } from '#kit/contract/resource.ts'
import { StepHistory, useSteps } from '#kit/web/workflow/index.ts'
import { distributionResultCalls } from '../results/result.contract.ts'
import { distributionFlow, distributionRun, distributionSteps } from './run.contract.ts'

const Programs = part(async () => (await import('./programs.web.tsx')).ProgramsOfRun)
const Places = part(async () => (await import('./places.web.tsx')).PlacesOfRun)
type Run = Row<typeof distributionRun>

const useRunSteps = () =>
  useSteps(distributionFlow, distributionSteps, {
    name: (row: Run) => row.code ?? '',
    refreshes: ['/distribution-runs', '/applicants'],
  })

export default resourceWeb(distributionRun, {
  list: {
    useParts: () => {
      const { actions } = useRunSteps()
      return { actions }
    },
    empty: {
      title: ['Nobody was distributed yet', 'لم يُجر أي تنسيق بعد'],
      text: ['Distributions of all admissions stand here.', 'تظهر هنا عمليات التنسيق لجميع فترات القبول.'],
    },
    rowName: (row) => row.code ?? '',
  },
  detail: {
    title: (row) => ({
      name: row.admission?.name ?? row.code ?? '',
      name_local: row.admission?.name_local ?? row.code ?? '',
      code: row.code,
    }),
    useMain: () => {
      const { next } = useRunSteps()
      return { main: (row) => next(row) }
    },
    useActions: () => {
      const t = useT('distribution')
      const { actions } = useRunSteps()
      return (row) => [
        ...actions(row),
        ...(row.status === 'discarded'
          ? []
          : (['instance', 'result'] as const).map((what) => ({
              key: what,
              label: t(`file_${what}`),
              icon: <IconFileCode size={15} aria-hidden />,
              onSelect: () =>
                void withOverlay(download(distributionResultCalls[what], { params: { id: row.id } })).catch(
                  notify.error,
                ),
            }))),
      ]
    },
    panels: [
      {
        key: 'programs',
        title: ['Programs', 'البرامج'],
        first: true,
        Content: ({ row }) => <Programs row={row} />,
      },
      { key: 'places', title: ['Applicants', 'المتقدمون'], Content: ({ row }) => <Places id={row.id} /> },
      {
        key: 'steps',
        title: ['Steps', 'الخطوات'],
        Content: ({ row }) => (
          <Card>
            <StepHistory flow={distributionFlow as never} calls={distributionSteps} id={row.id} />
          </Card>
        ),
      },
    ],
  },
})
