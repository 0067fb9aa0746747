import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const schedulingTold: TablesTold = {
  calendar_feeds: {
    one: ['Address of a calendar', 'عنوان تقويم'],
    many: ['Addresses of calendars', 'عناوين التقاويم'],
  },
  ramadan_status: {
    one: ['Ramadan times', 'مواعيد رمضان'],
    many: ['Ramadan times', 'مواعيد رمضان'],
    fields: {
      kind: f.choice(
        ['Kind', 'النوع'],
        [
          { value: 'slots', label: ['Time slots', 'الفترات الزمنية'] },
          { value: 'exam_slots', label: ['Exam slots', 'فترات الامتحانات'] },
        ],
      ),
    },
  },
}
