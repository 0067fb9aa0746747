/** Permissions of this area. A lookup or subject has the eight verbs of a plain resource, e.g. `edit_faculty`; a right stands for itself. Data only. */
export const scheduling = {
  subjects: {
    officeHour: ['Office hours', 'الساعات المكتبية', 'own'],
    calendarEvent: ['Calendar entries', 'مناسبات التقويم'],
    buildingDistance: ['Ways between buildings', 'المسافات بين المباني'],
    examWeek: ['Exam weeks', 'أسابيع الامتحانات'],
  },
  lookups: {
    slot: ['Time slots', 'الفترات الزمنية'],
    examSlot: ['Exam slots', 'فترات الامتحانات'],
    building: ['Buildings', 'المباني'],
    location: ['Locations', 'القاعات'],
  },
  rights: {
    accessScheduleSettings_administration: ['Open schedule settings', 'فتح إعدادات الجداول'],
    change_ramadan_time: ['Switch Ramadan time', 'تبديل توقيت رمضان', 'university'],
    override_schedule_clash: ['Move a meeting in spite of a clash', 'نقل موعد رغم التعارض'],
    access_schedule: ['See timetables', 'عرض الجداول', 'taught'],
    show_my_schedule: ['See own timetable', 'عرض جدولي', 'only own'],
  },
} as const
