import { part } from '#kit/web/later.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import type { Row } from '#kit/contract/resource.ts'
import { may } from '#kit/web/auth/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { to } from '#kit/web/router/index.ts'
import { useSteps } from '#kit/web/workflow/index.ts'
import { applicant } from './applicant.contract.ts'
import { applicantFlow, applicantSteps } from './flow.contract.ts'

const Review = part(async () => (await import('./review.web.tsx')).ReviewOfApplicant)
type Applicant = Row<typeof applicant>

const useApplicantSteps = () =>
  useSteps(applicantFlow, applicantSteps, {
    name: (row: Applicant) => row.code ?? '',
    refreshes: ['/applicants'],
  })

export default resourceWeb(applicant, {
  list: {
    // The last figures of a number are those that tell applicants apart.
    columns: (generic) => generic.map((one) => (one.key === 'code' ? { ...one, width: 150 } : one)),
    useParts: () => {
      const { actions, bulk } = useApplicantSteps()
      return { actions, bulk }
    },
    views: [
      { key: 'review', label: ['To be reviewed', 'للمراجعة'], query: 'status=SUBMITTED&status=UPDATED', of: 'status' },
      {
        key: 'seats',
        label: ['Wait for a seat', 'بانتظار مقعد'],
        query: 'status=DISTRIBUATION_REQUIRED',
        of: 'status',
      },
      { key: 'incomplete', label: ['Incomplete', 'غير مكتملة'], query: 'status=INCOMPLETE', of: 'status' },
    ],
    empty: {
      title: ['No applicants here', 'لا يوجد متقدمون هنا'],
      text: [
        'Whoever begins an application on the public page stands here at once.',
        'يظهر هنا كل من بدأ طلب تقديم على الصفحة العامة.',
      ],
    },
    rowName: (row) => row.name ?? row.code ?? '',
  },
  detail: {
    title: (row) => ({
      name: row.name ?? row.code ?? '',
      name_local: row.name_local ?? row.code ?? '',
      code: row.code,
    }),
    useMain: () => {
      const { next } = useApplicantSteps()
      return { main: (row) => next(row) }
    },
    useActions: () => {
      const { actions } = useApplicantSteps()
      const t = useT('applicants')
      return (row) => [
        ...actions(row),
        ...(may('assign_applicant')
          ? [{ key: 'seat', label: t('seat'), href: to('/applicants/seat/:id', { id: row.id }) }]
          : []),
      ]
    },
    panels: [
      {
        key: 'review',
        title: ['Files and comments', 'الملفات والملاحظات'],
        first: true,
        Content: ({ row }) => <Review row={row} />,
      },
    ],
  },
})
