import { IconCopy, IconDownload } from '@tabler/icons-react'
import type { Row } from '#kit/contract/index.ts'
import { download, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { act } from '#kit/web/feedback/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { formatNumber, nameOf, paperLanguageOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import type { RowAction } from '#kit/web/list/row-action.ts'
import { to, useNavigate } from '#kit/web/router/index.ts'
import { StateBadge, StepHistory, StepLine, useSteps } from '#kit/web/workflow/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { specificationPaperCalls } from '../paper/paper.contract.ts'
import { specification, specificationCalls, specificationFlow, specificationSteps } from './specification.contract.ts'

type Spec = Row<typeof specification>
export const ofSpecification = (row: Pick<Spec, 'course' | 'program'>) => row.course ?? row.program

/** Paths whose answers a step of a specification changes. */
const PATHS = ['/specifications', '/quality', '/users/work']

function useSpecSteps() {
  const lang = useLanguage()
  return useSteps(specificationFlow, specificationSteps, {
    name: (row: Spec) => {
      const of = ofSpecification(row)
      return of ? nameOf(of, lang) : ''
    },
    refreshes: PATHS,
  })
}

/** Export in the language of papers, and the next version. */
function useMore(): (row: Spec) => RowAction[] {
  const t = useT('specifications')
  const me = useMe()
  const navigate = useNavigate()
  const { send } = useChange(...PATHS)
  const icon = <IconDownload size={15} aria-hidden />
  const take = (row: Spec, type: 'pdf' | 'xlsx') => {
    const call = row.course_id === null ? specificationPaperCalls.program : specificationPaperCalls.course
    const id = row.course_id ?? row.program_id ?? 0
    const query = { lang: paperLanguageOf(), specification_id: String(row.id) } as never
    void act({ go: () => download(call, { params: { type, id }, query }), done: () => null })
  }
  const copy = (row: Spec) =>
    void act({
      go: () => send(specificationCalls.copy, { params: { id: row.id }, body: {} }),
      done: ({ data }) => t('begun', { revision: formatNumber(data.revision) }),
    }).then((made) => made && navigate(to('/specifications/:id', { id: made.data.id })))
  return (row) =>
    row.removed
      ? []
      : [
          { key: 'pdf', label: t('as_pdf'), icon, onSelect: () => take(row, 'pdf') },
          { key: 'xlsx', label: t('as_sheet'), icon, onSelect: () => take(row, 'xlsx') },
          ...(row.status === 'approved' && me.can('add_specification')
            ? [
                {
                  key: 'copy',
                  label: t('new_version'),
                  icon: <IconCopy size={15} aria-hidden />,
                  onSelect: () => copy(row),
                },
              ]
            : []),
        ]
}

function Steps({ row }: { readonly row: Spec }) {
  const t = useT('specifications')
  return (
    <Stack>
      <Card title={t('steps')}>
        <StepHistory flow={specificationFlow as never} calls={specificationSteps} id={row.id} />
      </Card>
    </Stack>
  )
}
const Where = ({ row }: { readonly row: Spec }) => (
  <StepLine flow={specificationFlow as never} calls={specificationSteps} id={row.id} state={row.status ?? 'draft'} />
)
function NameOfYear({ row }: { readonly row: Spec }) {
  const lang = useLanguage()
  return <bdi>{row.year ? nameOf(row.year, lang) : '–'}</bdi>
}

const view = (filters: object) => `filters=${encodeURIComponent(JSON.stringify(filters))}`

export default resourceWeb(specification, {
  list: {
    useParts: () => {
      const steps = useSpecSteps()
      const more = useMore()
      return { actions: (row) => [...steps.actions(row), ...more(row)], bulk: steps.bulk }
    },
    views: [
      { key: 'submitted', label: ['Wait for approval', 'بانتظار الاعتماد'], query: view({ status: ['submitted'] }) },
      { key: 'open', label: ['In work', 'قيد الإعداد'], query: view({ status: ['draft', 'sent_back'] }) },
      { key: 'approved', label: ['Approved', 'معتمد'], query: view({ status: ['approved'] }) },
    ],
    rowName: (row) => {
      const of = ofSpecification(row)
      return of ? nameOf(of) : ''
    },
  },
  form: { initial: () => ({ threshold: 60, target: 70 }) },
  detail: {
    title: ofSpecification,
    status: (row) => <StateBadge flow={specificationFlow as never} state={row.status ?? 'draft'} />,
    facts: (row) => [
      { label: ['Academic year', 'العام الجامعي'], value: <NameOfYear row={row} /> },
      { label: ['Version', 'الإصدار'], value: formatNumber(row.revision ?? 1) },
    ],
    useMain: () => {
      const steps = useSpecSteps()
      return { main: (row) => steps.next(row) }
    },
    useActions: () => {
      const steps = useSpecSteps()
      const more = useMore()
      return (row) => [...steps.actions(row), ...more(row)]
    },
    panels: [
      { key: 'where', title: ['State', 'الحالة'], tab: 'above', Content: Where },
      {
        key: 'parts',
        title: ['Content', 'المحتوى'],
        first: true,
        Content: part(async () => (await import('../parts/parts.web.tsx')).SpecificationParts),
      },
      {
        key: 'matrices',
        title: ['Matrices', 'المصفوفات'],
        Content: part(async () => (await import('../matrix/matrices.web.tsx')).SpecificationMatrices),
      },
      {
        key: 'attainment',
        title: ['Attainment', 'تحقق النواتج'],
        Content: part(async () => (await import('../attainment/attainment.web.tsx')).SpecificationAttainment),
      },
      { key: 'steps', title: ['Steps', 'الخطوات'], Content: Steps },
    ],
  },
})
