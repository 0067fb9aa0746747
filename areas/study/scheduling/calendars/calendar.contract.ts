import { z } from 'zod'
import { crud } from '#access/permissions.contract.ts'
import { call, date, f, resource } from '#kit/contract/index.ts'

/** Whom an entry of the calendar is for. */
export const CALENDAR_LAYERS = [
  { value: 'university', label: ['University', 'الجامعة'] },
  { value: 'faculty', label: ['Faculty', 'الكلية'] },
  { value: 'students', label: ['Students', 'الطلاب'] },
  { value: 'staff', label: ['Staff', 'العاملون'] },
  { value: 'ramadan', label: ['Ramadan', 'رمضان'] },
] as const
export type CalendarLayer = (typeof CALENDAR_LAYERS)[number]['value']
/** What a calendar shows: its entries by layer, and exam weeks. */
export const SHOWN_LAYERS = [...CALENDAR_LAYERS, { value: 'exams', label: ['Exam weeks', 'أسابيع الامتحانات'] }] as const
export type ShownLayer = (typeof SHOWN_LAYERS)[number]['value']

/** Colours of entries, from the table of status colours. */
export const CALENDAR_COLOURS = [
  { value: 'blue', label: ['Blue', 'أزرق'], tone: 'active' },
  { value: 'green', label: ['Green', 'أخضر'], tone: 'done' },
  { value: 'amber', label: ['Amber', 'كهرماني'], tone: 'waiting' },
  { value: 'red', label: ['Red', 'أحمر'], tone: 'refused' },
  { value: 'slate', label: ['Grey', 'رمادي'], tone: 'frozen' },
] as const
export type CalendarColour = (typeof CALENDAR_COLOURS)[number]['value']

/** An entry of the university's calendar: a holiday, or something that takes place on some days. */
export const calendarEvent = resource({
  name: 'calendarEvent',
  path: '/calendar-events',
  table: 'calendar_events',
  one: ['Calendar entry', 'مناسبة'],
  many: ['Calendar entries', 'مناسبات التقويم'],
  adding: ['Add calendar entry', 'إضافة مناسبة'],
  editing: ['Edit calendar entry', 'تعديل مناسبة'],
  permissions: { ...crud('calendarEvent'), import: null },
  scope: ['faculty'],
  common: true,
  fields: {
    layer: f.choice(['For whom', 'لمن'], CALENDAR_LAYERS, { required: true }),
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty', {
      help: ['Empty: all faculties', 'فارغ: كل الكليات'],
    }),
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true, max: 100 }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true, max: 100 }),
    start_date: f.date(['First day', 'أول يوم'], { required: true }),
    end_date: f.date(['Last day', 'آخر يوم'], { required: true }),
    start_time: f.time(['Begins', 'تبدأ'], { help: ['Empty: the whole day', 'فارغ: اليوم كله'] }),
    end_time: f.time(['Ends', 'تنتهي']),
    no_teaching: f.flag(['No lectures', 'بلا محاضرات'], {
      help: ['No meeting takes place on these days.', 'لا تُعقد أي محاضرة في هذه الأيام.'],
    }),
    colour: f.choice(['Colour', 'اللون'], CALENDAR_COLOURS, { required: true }),
  },
  list: {
    columns: ['name', 'name_local', 'start_date', 'end_date', 'layer', 'faculty_id', 'no_teaching'],
    search: ['name', 'name_local'],
    sort: ['start_date', 'end_date', 'name'],
    filters: ['layer', 'faculty_id', 'no_teaching'],
    order: ['start_date', 'desc'],
  },
  plain: true,
  exportName: 'Calendar',
  softDelete: true,
  screens: { list: '/calendar-events', add: '/calendar-events/add', edit: '/calendar-events/edit/:id' },
  menu: { group: 'settings', order: 31, icon: 'calendar-plus', setup: true },
})

/** An entry as it is shown in somebody's calendar. */
export const calendarDay = z.object({
  id: z.int(),
  layer: z.enum(SHOWN_LAYERS.map((layer) => layer.value)),
  name: z.string(),
  name_local: z.string(),
  from: z.string(),
  to: z.string(),
  start_time: z.string().nullable(),
  end_time: z.string().nullable(),
  no_teaching: z.boolean(),
  colour: z.enum(CALENDAR_COLOURS.map((calendarColour) => calendarColour.value)),
  /** Of an exam week: for which exams, and of which level; null: of all, or no exam week. */
  exam_week: z.object({ kind: z.enum(['midterm', 'final']), level: z.int().nullable() }).nullable(),
})
export type CalendarDay = z.output<typeof calendarDay>

export const calendarCalls = {
  ownCalendarDays: call('POST', '/calendar-events/mine', {
    permission: 'signed_in',
    summary: ['My calendar: what concerns me between two days', 'تقويمي: ما يخصني بين يومين'],
    body: z.strictObject({ from: date, to: date }),
    response: z.object({ data: z.array(calendarDay) }),
    reads: true,
    example: { from: '2026-09-01', to: '2026-09-30' },
  }),
}
