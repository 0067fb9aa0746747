import { WeekOf } from '#areas/scheduling/timetables/week.web.tsx'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { instructor } from './instructor.contract.ts'
import { Teaching } from './teaching.web.tsx'

export default resourceWeb(instructor, {
  detail: {
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
