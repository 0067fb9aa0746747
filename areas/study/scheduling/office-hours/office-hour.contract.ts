import { z } from 'zod'
import { crud } from '#access/permissions.contract.ts'
import { f, id, ref, resource } from '#kit/contract/index.ts'
import { WEEKDAYS } from '#kit/contract/week.ts'

/** When an instructor is there for students, every week. */
export const officeHour = resource({
  name: 'officeHour',
  path: '/offering-schedules/office-hours',
  table: 'office_hours',
  one: ['Office hour', 'ساعة مكتبية'],
  many: ['Office hours', 'الساعات المكتبية'],
  adding: ['Add office hour', 'إضافة ساعة مكتبية'],
  editing: ['Edit office hour', 'تعديل ساعة مكتبية'],
  permissions: { ...crud('officeHour'), import: null },
  scope: ['faculty', 'own'],
  fields: {
    instructor_id: f.lookup(['Instructor', 'عضو هيئة التدريس'], 'instructor', { required: true }),
    day: f.choice(
      ['Day', 'اليوم'],
      WEEKDAYS.map((label, value) => ({ value, label })),
      { required: true },
    ),
    start_time: f.time(['Begins', 'تبدأ'], { required: true }),
    end_time: f.time(['Ends', 'تنتهي'], { required: true }),
    location_id: f.lookup(['Location', 'القاعة'], 'location'),
    place: f.text(['Place', 'المكان'], {
      max: 100,
      help: ['An office, or where to meet online', 'المكتب أو مكان اللقاء عبر الإنترنت'],
    }),
    place_local: f.localText(['Place in Arabic', 'المكان بالعربية'], { max: 100 }),
  },
  list: {
    columns: ['instructor_id', 'day', 'start_time', 'end_time', 'location_id', 'place', 'place_local'],
    search: ['place', 'place_local'],
    sort: ['day', 'start_time'],
    filters: ['instructor_id', 'day'],
    order: ['day', 'asc'],
  },
  plain: true,
  exportName: 'Office hours',
  softDelete: true,
  // On Fridays nobody teaches.
  examples: [1, 2, 3, 4].map((hour) => ({
    instructor_id: 1,
    day: 6,
    start_time: `1${hour}:00`,
    end_time: `1${hour}:45`,
    place: `Office ${hour}`,
  })),
  screens: { list: '/office-hours', add: '/office-hours/add', edit: '/office-hours/edit/:id' },
  menu: { group: 'study', order: 715, icon: 'door', block: 'teaching' },
})

/** Office hours beside a timetable: one's own, or those of who teaches one. */
export const shownHour = z.object({
  id,
  version: z.int(),
  instructor: ref,
  /** 0 Saturday … 6 Friday. */
  day: z.int(),
  start_time: z.string(),
  end_time: z.string(),
  location: ref.nullable(),
  place: z.string().nullable(),
  place_local: z.string().nullable(),
  /** Days of the term on which there are none. */
  except: z.array(z.string()),
})
export type ShownHour = z.output<typeof shownHour>
