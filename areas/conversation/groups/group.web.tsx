import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { ticketGroup } from './group.contract.ts'

export default resourceWeb(ticketGroup, {
  list: {
    empty: {
      title: ['No ticket groups yet', 'لا توجد مجموعات تذاكر بعد'],
      text: ['A group answers tickets of one kind.', 'تتولى كل مجموعة الرد على نوع من التذاكر.'],
    },
  },
  form: {
    initial: () => ({ opens: '09:00', closes: '15:00', response_hours: 4, resolution_hours: 24 }),
  },
})
