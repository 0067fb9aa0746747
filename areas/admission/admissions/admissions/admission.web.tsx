import { part } from '#kit/web/later.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { formatNumber } from '#kit/web/i18n/index.ts'
import { admission } from './admission.contract.ts'

const Programs = part(async () => (await import('../programs/of-admission.web.tsx')).ProgramsOfAdmission)

const view = (filters: object) => `filters=${encodeURIComponent(JSON.stringify(filters))}`

export default resourceWeb(admission, {
  list: {
    views: [
      { key: 'open', label: ['Open', 'المفتوحة'], query: view({ state: ['open'] }), of: 'state' },
      { key: 'planned', label: ['Planned', 'المجدولة'], query: view({ state: ['planned'] }), of: 'state' },
    ],
    empty: {
      title: ['No admissions yet', 'لا توجد فترات قبول بعد'],
      text: [
        'An admission says who applies for what in which days, what is asked and paid, and how applicants are ranked.',
        'تحدد فترة القبول من يتقدم ولأي برامج ومتى، والمطلوب منه، وطريقة الترتيب.',
      ],
    },
  },
  detail: {
    figures: (row) => [
      { label: ['Programs', 'البرامج'], value: formatNumber(row.programs ?? 0) },
      { label: ['Seats', 'الأماكن'], value: formatNumber(row.seats ?? 0) },
    ],
    panels: [
      {
        key: 'programs',
        title: ['Programs', 'البرامج'],
        first: true,
        permission: 'access_admissionProgram',
        Content: ({ row }) => <Programs id={row.id} />,
      },
    ],
  },
  form: {
    wide: true,
    initial: () => ({
      max_preferences: 10,
      weight_percentage: '100',
      weight_exam: '0',
      ties: [{ criterion: 'percentage' }, { criterion: 'older' }, { criterion: 'lot' }],
    }),
  },
})
