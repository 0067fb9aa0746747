import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { WeekOf } from '../timetables/week.web.tsx'
import { location } from './place.contract.ts'

export default resourceWeb(location, {
  detail: {
    figures: (row) => [{ label: ['Capacity', 'السعة'], value: row.capacity }],
    panels: [
      {
        key: 'timetable',
        title: ['Timetable', 'الجدول'],
        Content: ({ row }) => <WeekOf type="location" id={row.id} />,
      },
    ],
  },
})
