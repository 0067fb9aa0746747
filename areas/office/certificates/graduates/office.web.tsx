import { Suspense } from 'react'
import type { Row } from '#kit/contract/resource.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { part } from '#kit/web/later.ts'
import { useSteps } from '#kit/web/workflow/index.ts'
import { graduateFlow, graduateRequest, graduateSteps } from './graduate.contract.ts'

const Review = part(async () => (await import('./review.web.tsx')).ReviewOfGraduate)
const ConfirmedAs = part(async () => (await import('./review.web.tsx')).ConfirmedAs)
type Asked = Row<typeof graduateRequest>

const useGraduateSteps = () =>
  useSteps(graduateFlow, graduateSteps, {
    name: (row: Asked) => row.code ?? '',
    refreshes: ['/graduate-requests', '/certificates', '/users/work'],
    texts: {
      // Whose record it becomes, and what speaks against it, stands in the question.
      consequence: (action, [row]) =>
        action === 'confirm' && row ? (
          <Suspense fallback={null}>
            <ConfirmedAs id={row.id} version={row.version} />
          </Suspense>
        ) : null,
      careful: (action) => action === 'confirm',
    },
  })
const view = (filters: object) => `filters=${encodeURIComponent(JSON.stringify(filters))}`

/** Requests without an account at the office. */
export default resourceWeb(graduateRequest, {
  list: {
    // The last figures of a number tell requests apart, and a state is read whole.
    columns: (generic) =>
      generic.map((one) =>
        one.key === 'code' ? { ...one, width: 150 } : one.key === 'status' ? { ...one, width: 200 } : one,
      ),
    useParts: () => {
      const { actions, bulk } = useGraduateSteps()
      return { actions, bulk }
    },
    views: [
      {
        key: 'to_check',
        label: ['Identity to be checked', 'بانتظار التحقق من الهوية'],
        query: view({ status: ['to_check'] }),
        of: 'status',
      },
    ],
    empty: {
      title: ['No requests here', 'لا توجد طلبات هنا'],
      text: [
        'What graduates ask for on the public page stands here at once.',
        'يظهر هنا ما يطلبه الخريجون على الصفحة العامة.',
      ],
    },
    rowName: (row) => row.name ?? row.code ?? '',
  },
  detail: {
    title: (row) => ({ name: row.name ?? '', name_local: row.name ?? '', code: row.code }),
    useMain: () => {
      const { next } = useGraduateSteps()
      return { main: (row) => next(row) }
    },
    useActions: () => {
      const { actions } = useGraduateSteps()
      return (row) => actions(row)
    },
    panels: [
      {
        key: 'identity',
        title: ['Who it is', 'هوية مقدم الطلب'],
        first: true,
        Content: ({ row }) => <Review row={row} />,
      },
    ],
  },
})
