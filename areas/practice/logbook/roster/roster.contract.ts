import { z } from 'zod'
import { crud } from '#access/permissions.contract.ts'
import { call, date, f, id, problem, ref, resource, safeText } from '#kit/contract/index.ts'

const DUTY_PARTS = [
  { value: 'day', label: ['Day', 'نهارية'] },
  { value: 'evening', label: ['Evening', 'مسائية'] },
  { value: 'night', label: ['Night', 'ليلية'] },
] as const

/** A kind of duty of a training: from when until when, and how many interns it wants on each day. */
export const dutyKind = resource({
  name: 'dutyKind',
  path: '/duty-kinds',
  table: 'duty_kinds',
  one: ['Kind of duty', 'نوع نوبتجية'],
  many: ['Kinds of duty', 'أنواع النوبتجيات'],
  adding: ['Add kind of duty', 'إضافة نوع نوبتجية'],
  editing: ['Edit kind of duty', 'تعديل نوع نوبتجية'],
  permissions: { ...crud('dutyKind'), import: null },
  scope: ['faculty'],
  fields: {
    code: f.code(['Code', 'الكود'], { required: true, max: 20 }),
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
    training_id: f.lookup(['Training', 'التدريب'], 'emtyazTraining', { required: true, createOnly: true }),
    part: f.choice(['Part of the day', 'وقت النوبتجية'], DUTY_PARTS, { required: true }),
    from_time: f.time(['From', 'من'], { required: true }),
    to_time: f.time(['Until', 'حتى'], { required: true }),
    interns: f.integer(['Interns', 'أطباء الامتياز'], { required: true, min: 1, max: 50 }),
  },
  list: {
    columns: ['code', 'name', 'name_local', 'training_id', 'part', 'from_time', 'to_time', 'interns'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'name_local'],
    filters: ['training_id', 'part'],
    order: ['code', 'asc'],
  },
  exportName: 'Kinds of duty',
  softDelete: true,
  screens: { list: '/emtyaz/duty-kinds', add: '/emtyaz/duty-kinds/add', edit: '/emtyaz/duty-kinds/:id' },
  menu: { group: 'services', order: 84, icon: 'calendar-time', setup: true },
  plain: true,
})

const kind = ref.extend({ part: z.string(), from_time: z.string(), to_time: z.string(), interns: z.int() })
const shift = z.object({ id, kind_id: id, day: z.string(), student: ref, night: z.boolean() })
const roster = z.object({
  id,
  version: z.int(),
  starts_on: z.string(),
  ends_on: z.string(),
  status: z.string(),
  /** What the judge finds. */
  problems: z.array(problem),
})
const board = z.object({
  training: ref,
  kinds: z.array(kind),
  from: z.string(),
  until: z.string(),
  rosters: z.array(roster),
  shifts: z.array(shift),
  supervisors: z.array(z.object({ kind_id: id, day: z.string(), instructor: ref })),
  /** What each intern has from the first to the last of these days, so that it is seen to be even. */
  burden: z.array(z.object({ student: ref, all: z.int(), nights: z.int(), weekends: z.int() })),
  instructors: z.array(ref),
  plans: z.boolean(),
})
export type DutyBoard = z.output<typeof board>
const ownShift = z.object({
  id,
  training: ref,
  kind,
  day: z.string(),
  starts_at: z.string(),
  ends_at: z.string(),
  supervisors: z.array(ref),
})
const own = z.object({
  today: z.string(),
  shifts: z.array(ownShift),
  nights: z.int(),
  weekends: z.int(),
  all: z.int(),
  wishes: z.array(z.string()),
})
export type OwnDuties = z.output<typeof own>
/** A duty of one intern, and the others who are in the training on the day, each with what stands against it. */
const givable = z.object({
  id,
  version: z.int(),
  student: ref,
  kind,
  day: z.string(),
  interns: z.array(ref.extend({ reasons: z.array(problem) })),
})
export type GivableDuty = z.output<typeof givable>
const done = z.object({ data: z.object({ id }) })
const plan = { permission: 'plan_roster' } as const

export const rosterCalls = {
  own: call('GET', '/emtyaz/duties', {
    permission: 'wish_duty',
    summary: ['The own duties', 'نوبتجياتي'],
    response: z.object({ data: own }),
    kept: true,
  }),
  calendar: call('GET', '/emtyaz/duties/calendar', {
    permission: 'wish_duty',
    summary: ['The own duties as a file for calendars', 'نوبتجياتي في ملف تقويم'],
    file: { name: 'duties.ics', type: 'ics' },
  }),
  ofIntern: call('GET', '/emtyaz/duties/intern/{id}', {
    permission: 'access_roster',
    summary: ['Duties of an intern, counted', 'عدد نوبتجيات طبيب امتياز'],
    response: z.object({ data: z.object({ all: z.int(), nights: z.int(), weekends: z.int() }) }),
  }),
  trainings: call('GET', '/emtyaz/roster', {
    permission: 'access_roster',
    summary: ['Trainings with duties', 'التدريبات ذات النوبتجيات'],
    response: z.object({ data: z.array(ref.extend({ kinds: z.int(), draft: z.int(), swaps: z.int() })) }),
  }),
  board: call('GET', '/emtyaz/roster/{id}', {
    permission: 'access_roster',
    summary: ['Duties of a training', 'نوبتجيات تدريب'],
    query: z.strictObject({ from: date.optional(), until: date.optional() }),
    response: z.object({ data: board }),
  }),
  draw: call('POST', '/emtyaz/roster/{id}', {
    ...plan,
    summary: ['Draw the duties of a training for some days', 'إعداد جدول نوبتجيات تدريب'],
    body: z.strictObject({ starts_on: date, ends_on: date, seed: z.int().min(1).max(1_000_000).optional() }),
    response: z.object({ data: z.object({ id, drawn: z.int(), problems: z.array(problem) }) }),
    example: { starts_on: '2030-01-01', ends_on: '2030-01-28' },
  }),
  publish: call('PUT', '/emtyaz/roster/publish/{id}', {
    ...plan,
    summary: ['Publish drawn duties', 'نشر جدول نوبتجيات'],
    body: z.strictObject({ version: z.int().optional() }),
    response: done,
    example: {},
  }),
  withdraw: call('PUT', '/emtyaz/roster/withdraw/{id}', {
    ...plan,
    summary: ['Take published duties back to draft', 'إعادة جدول نوبتجيات إلى المسودة'],
    body: z.strictObject({ reason: safeText(500, 3), version: z.int().optional() }),
    response: done,
    example: { reason: 'The wards change.' },
  }),
  remove: call('DELETE', '/emtyaz/roster/{id}', {
    ...plan,
    summary: ['Remove drawn duties that are not published', 'حذف مسودة نوبتجيات'],
    response: done,
  }),
  givable: call('GET', '/emtyaz/roster/shift/{id}', {
    ...plan,
    summary: ['A duty, and to whom it may be given', 'نوبتجية ومن يمكن إسنادها إليه'],
    response: z.object({ data: givable }),
  }),
  give: call('PUT', '/emtyaz/roster/shift/{id}', {
    ...plan,
    summary: ['Give a duty to another intern', 'إسناد نوبتجية إلى طبيب آخر'],
    body: z.strictObject({ student_id: id, version: z.int().optional() }),
    response: done,
    example: { student_id: 1 },
  }),
  supervise: call('PUT', '/emtyaz/roster/supervisors/{id}', {
    ...plan,
    summary: ['Name who supervises a duty on a day', 'تحديد مشرفي نوبتجية في يوم'],
    body: z.strictObject({ day: date, instructor_ids: z.array(id).max(20) }),
    response: done,
    example: { day: '2030-01-01', instructor_ids: [] },
  }),
  wishes: call('PUT', '/emtyaz/duties/wishes', {
    permission: 'wish_duty',
    summary: ['Wish for free days', 'طلب أيام راحة'],
    body: z.strictObject({ days: z.array(date).max(30) }),
    response: z.object({ data: z.object({ days: z.array(z.string()) }) }),
    example: { days: [] },
  }),
  swappable: call('GET', '/emtyaz/duties/swaps/{id}', {
    permission: 'ask_dutySwap',
    summary: ['Duties of others with which an own one may be swapped', 'نوبتجيات يمكن التبديل معها'],
    response: z.object({
      data: z.array(z.object({ id, student: ref, kind, day: z.string(), starts_at: z.string(), ends_at: z.string() })),
    }),
  }),
  swap: call('POST', '/emtyaz/duties/swaps', {
    permission: 'ask_dutySwap',
    summary: ['Ask another intern to swap duties', 'طلب تبديل نوبتجية مع طبيب آخر'],
    body: z.strictObject({ shift_id: id, with_shift_id: id, why: safeText(500, 3) }),
    response: done,
  }),
}
