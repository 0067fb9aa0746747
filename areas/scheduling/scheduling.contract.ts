import { area, screen } from '#kit/contract/index.ts'
import { building, location, placeCalls } from './places/place.contract.ts'
import { slot, slotCalls } from './slots/slot.contract.ts'
import { timetableCalls } from './timetables/timetable.contract.ts'

/** Time slots, places and weekly timetables. */
export const schedulingArea = area({
  name: 'scheduling',
  label: ['Time, places and timetables', 'الأوقات والأماكن والجداول'],
  resources: [slot, building, location],
  calls: [slotCalls, placeCalls, timetableCalls],
  screens: [
    screen('/schedule-settings', {
      permission: 'accessScheduleSettings_administration',
      title: ['Schedule settings', 'إعدادات الجداول'],
      menu: { group: 'settings', order: 30, icon: 'clock' },
    }),
    screen('/schedules', {
      permission: 'access_schedule',
      title: ['Timetables', 'الجداول'],
      menu: { group: 'study', order: 40, icon: 'calendar-week' },
    }),
    screen('/offerings/my_schedule/:id?', {
      permission: 'show_my_schedule',
      of: ['student', 'instructor'],
      title: ['My timetable', 'جدولي'],
      menu: { group: 'home', order: 20, icon: 'calendar-time' },
    }),
    screen('/location/schedule/:id', {
      permission: 'access_schedule',
      title: ['Timetable of a location', 'جدول قاعة'],
      parent: '/schedules',
    }),
    screen('/instructor/schedule/:id', {
      permission: ['access_schedule', 'show_my_schedule'],
      title: ['Timetable of an instructor', 'جدول عضو هيئة تدريس'],
      parent: '/schedules',
    }),
    screen('/student/schedule/:id', {
      permission: ['access_schedule', 'show_my_schedule'],
      title: ['Timetable of a student', 'جدول طالب'],
      parent: '/schedules',
    }),
    screen('/offerings/schedule/:id', {
      permission: 'access_schedule',
      title: ['Timetable of an offering', 'جدول مقرر مطروح'],
      parent: '/schedules',
    }),
  ],
  // The first two are named like the constraints of the table that guard them.
  errors: {
    slots_regular_order: ['A time slot ends after it begins.', 'تنتهي الفترة بعد أن تبدأ.'],
    slots_ramadan_order: [
      'In Ramadan, too, a time slot ends after it begins.',
      'في رمضان أيضًا تنتهي الفترة بعد أن تبدأ.',
    ],
    location_capacity_planned: [
      '{course} is planned here with {seats} places, more than {capacity}. Move it, or plan fewer places.',
      'خُطط هنا للمقرر {course} بعدد {seats} مكانًا، وهو أكثر من {capacity}. انقله أو قلّل الأماكن.',
    ],
    ramadan_not_changed: ['Failed to update Ramadan time', 'تعذر تحديث توقيت رمضان'],
  },
})
