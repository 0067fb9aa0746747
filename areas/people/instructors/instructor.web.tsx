import { accountActions } from '#kit/web/auth/account-actions.tsx'
import { PersonPhoto } from '#kit/web/detail/person-photo.tsx'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { part } from '#kit/web/later.ts'
import { filled } from '#kit/web/router/load.tsx'
import { teachingOfInstructor, weekOfInstructor } from '../outlets.contract.ts'
import { instructor } from './instructor.contract.ts'

const NamesOf = part(async () => (await import('../names/names.web.tsx')).NamesOf)

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
      { key: 'teaching', title: ['Teaching', 'التدريس'], Content: filled(teachingOfInstructor) },
      {
        key: 'timetable',
        title: ['Timetable', 'الجدول'],
        Content: filled(weekOfInstructor),
      },
    ],
  },
})
