import { area } from '#kit/contract/index.ts'
import { building, location, placeCalls } from './places/place.contract.ts'
import { slot, slotCalls } from './slots/slot.contract.ts'
import { timetableCalls } from './timetables/timetable.contract.ts'

/** Time slots, places and weekly timetables. */
export const schedulingArea = area({
  name: 'scheduling',
  label: ['Time, places and timetables', 'الأوقات والأماكن والجداول'],
  resources: [slot, building, location],
  calls: [slotCalls, placeCalls, timetableCalls],
  // The first two are named like the constraints of the table that guard them.
  errors: {
    slots_regular_order: ['A time slot ends after it begins.', 'تنتهي الفترة بعد أن تبدأ.'],
    slots_ramadan_order: [
      'In Ramadan, too, a time slot ends after it begins.',
      'في رمضان أيضًا تنتهي الفترة بعد أن تبدأ.',
    ],
    ramadan_not_changed: ['Failed to update Ramadan time', 'تعذر تحديث توقيت رمضان'],
  },
})
