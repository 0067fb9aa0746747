import { accountActions } from '#kit/web/auth/account-actions.tsx'
import { PersonPhoto } from '#kit/web/detail/person-photo.tsx'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { part } from '#kit/web/later.ts'
import { instructor } from './instructor.contract.ts'

const NamesOf = part(async () => (await import('../names/names.web.tsx')).NamesOf)
const Teaching = part(async () => (await import('./teaching.web.tsx')).Teaching)
const WeekOf = part(async () => (await import('#areas/scheduling/timetables/week.web.tsx')).WeekOf)

export default resourceWeb(instructor, {
  detail: {
    Photo: ({ row }) => <PersonPhoto kind="instructor" person={row} />,
    useActions: () => (row) => accountActions('instructor', row),
    panels: [
      {
        key: 'name',
        title: ['Name in parts', 'الاسم بأجزائه'],
        Content: ({ row }) => <NamesOf kind="instructor" id={row.id} />,
      },
      { key: 'teaching', title: ['Teaching', 'التدريس'], Content: ({ row }) => <Teaching id={row.id} /> },
      {
        key: 'timetable',
        title: ['Timetable', 'الجدول'],
        Content: ({ row }) => <WeekOf type="instructor" id={row.id} />,
      },
    ],
  },
})
