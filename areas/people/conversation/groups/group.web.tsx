import type { ResourceWeb } from '#kit/web/fields/resource-web.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { listPanel } from '#kit/web/list/list-panel.tsx'
import { ticketGroup } from './group.contract.ts'

const web: ResourceWeb = resourceWeb(ticketGroup, {
  list: {
    empty: {
      title: ['No ticket groups yet', 'لا توجد مجموعات تذاكر بعد'],
      text: ['A group answers tickets of one kind.', 'تتولى كل مجموعة الرد على نوع من التذاكر.'],
    },
  },
  detail: {
    panels: [
      {
        key: 'groups',
        title: ['Groups that belong to it', 'مجموعات تتبعها'],
        ...listPanel(
          ticketGroup,
          () => import('./group.web.tsx'),
          (row) => ({ parent_id: row.id }),
        ),
      },
    ],
  },
  form: {
    initial: () => ({ opens: '09:00', closes: '15:00', week: 'sun_thu', response_hours: 4, resolution_hours: 24 }),
  },
})

export default web
