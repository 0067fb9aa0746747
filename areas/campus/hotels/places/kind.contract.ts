import { crud } from '#access/permissions.contract.ts'
import { f, lookup } from '#kit/contract/index.ts'

const fee = (label: readonly [string, string]) => f.lookup(label, 'feeItem', { detailOnly: true })

/** What rooms there are: what a bed in them costs, by items of the fees, and what stands in them. */
export const roomKind = lookup('roomKind', {
  path: '/room-kinds',
  one: ['Kind of room', 'نوع غرفة'],
  many: ['Kinds of rooms', 'أنواع الغرف'],
  adding: ['Add kind of room', 'إضافة نوع غرفة'],
  editing: ['Edit kind of room', 'تعديل نوع غرفة'],
  fields: {
    night_item_id: fee(['Fee of a night', 'رسم الليلة']),
    month_item_id: fee(['Fee of a month', 'رسم الشهر']),
    term_item_id: fee(['Fee of a term', 'رسم الفصل الدراسي']),
    deposit_item_id: fee(['Deposit', 'التأمين']),
    items: f.rows(
      ['What stands in the room', 'محتويات الغرفة'],
      {
        name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true }),
        name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
        price: f.money(['Price if broken or missing', 'القيمة عند التلف أو الفقد'], { required: true }),
      },
      { table: 'room_kind_items', parent: 'room_kind_id', position: 'position', max: 40, detailOnly: true },
    ),
  },
  list: { columns: ['code', 'name', 'name_local'], filters: [] },
  permissions: { ...crud('roomKind'), import: null },
  screens: { list: '/room-kinds', add: '/room-kinds/add', edit: '/room-kinds/edit/:id' },
  menu: { group: 'services', order: 63, icon: 'bed-flat', subject: 'hotels' },
})
