import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { applicant } from './applicant.contract.ts'

export default resourceWeb(applicant, {
  list: {
    views: [
      { key: 'review', label: ['To be reviewed', 'للمراجعة'], query: 'status=SUBMITTED&status=UPDATED', of: 'status' },
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
  },
})
