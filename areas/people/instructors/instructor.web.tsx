import { accountActions } from '#kit/web/auth/account-actions.tsx'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { part } from '#kit/web/later.ts'
import { instructor } from './instructor.contract.ts'

const Teaching = part(async () => (await import('./teaching.web.tsx')).Teaching)
const WeekOf = part(async () => (await import('#areas/scheduling/timetables/week.web.tsx')).WeekOf)

export default resourceWeb(instructor, {
  detail: {
    useActions: () => (row) => accountActions('instructor', row),
    panels: [
      { key: 'teaching', title: ['Teaching', 'التدريس'], Content: ({ row }) => <Teaching id={row.id} /> },
      {
        key: 'timetable',
        title: ['Timetable', 'الجدول'],
        Content: ({ row }) => <WeekOf type="instructor" id={row.id} />,
      },
    ],
  },
})
