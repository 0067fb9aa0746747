/** Permissions of this area. A lookup has the eight verbs of a plain resource, e.g. `edit_faculty`; a right stands for itself. Data only. */
export const scheduling = {
  lookups: {
    slot: ['Time slots', 'الفترات الزمنية'],
    building: ['Buildings', 'المباني'],
    location: ['Locations', 'القاعات'],
  },
  rights: {
    accessScheduleSettings_administration: ['Open schedule settings', 'فتح إعدادات الجداول'],
    change_ramadan_time: ['Switch Ramadan time', 'تبديل توقيت رمضان'],
    access_schedule: ['See timetables', 'عرض الجداول'],
    show_my_schedule: ['See own timetable', 'عرض جدولي'],
  },
} as const
