import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'
import { GUEST_KINDS } from './places/hostel.contract.ts'
import { BED_PRIORITIES, STAY_UNITS } from './stays/stay.contract.ts'

/** What the log of changes says of its tables. */
export const hotelsTold: TablesTold = {
  room_kind_items: {
    one: ['Thing in a room', 'من محتويات الغرفة'],
    many: ['Things in rooms', 'محتويات الغرف'],
  },
  hostel_beds: { one: ['Bed', 'سرير'], many: ['Beds', 'أسرّة'] },
  hotel_reservations: {
    one: ['Reservation of a bed', 'حجز سرير'],
    many: ['Reservations of beds', 'حجوزات الأسرّة'],
    title: ['guest_name'],
    fields: {
      staff_id: f.lookup(['Member of staff', 'عامل بالجامعة'], 'staff'),
      guest_id: f.lookup(['Guest', 'ضيف'], 'guest'),
      guest_name: f.text(['Guest', 'النزيل']),
      guest_phone: f.text(['Phone of the guest', 'هاتف النزيل']),
      audience: f.choice(['Kind of guest', 'فئة النزيل'], GUEST_KINDS),
      gender: f.choice(
        ['Gender', 'النوع'],
        [
          { value: 1, label: ['Male', 'ذكر'] },
          { value: 2, label: ['Female', 'أنثى'] },
        ],
      ),
      from_day: f.date(['First night', 'أول ليلة']),
      until_day: f.date(['Leaves on', 'يوم المغادرة']),
      unit: f.choice(['Paid by', 'طريقة الحساب'], STAY_UNITS),
      priority: f.choice(['Priority', 'الأولوية'], BED_PRIORITIES),
      distance_km: f.integer(['Distance from home in km', 'بُعد السكن بالكيلومتر']),
      note: f.text(['Note', 'ملاحظات']),
      asked_at: f.instant(['Asked for on', 'تاريخ طلب السرير']),
      confirmed_at: f.instant(['Confirmed', 'وقت التأكيد']),
      checked_in_at: f.instant(['Checked in', 'وقت التسكين']),
      checked_out_at: f.instant(['Checked out', 'وقت الإخلاء']),
    },
  },
  bed_mates: { one: ['Wished room mate', 'رفيق غرفة مطلوب'], many: ['Wished room mates', 'رفاق غرفة مطلوبون'] },
  bed_damages: { one: ['Damage', 'تلفية'], many: ['Damages', 'تلفيات'] },
}
