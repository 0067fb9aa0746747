import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { part } from '#kit/web/later.ts'
import { location } from './place.contract.ts'

const WeekOf = part(async () => (await import('../timetables/week.web.tsx')).WeekOf)

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
