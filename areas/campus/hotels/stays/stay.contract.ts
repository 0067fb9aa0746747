import { call, date, f, id, listOf, listQuery, option, problem, ref, safeText } from '#kit/contract/index.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { z } from 'zod'
import { otherPayerRef } from '#areas/money/ledger/payer.contract.ts'
import { inDays } from '../days.contract.ts'
import { GUEST_KINDS } from '../places/hostel.contract.ts'
import { checkStay, type StayFacts } from './stay.rules.ts'

/** By what a stay is paid. */
export const STAY_UNITS = [
  { value: 'night', label: ['Nights', 'بالليلة'] },
  { value: 'month', label: ['Months', 'بالشهر'] },
  { value: 'term', label: ['A term', 'بالفصل الدراسي'] },
] as const
/** Who comes first of those who wait. */
export const BED_PRIORITIES = [
  { value: 1, label: ['First: disability, orphans', 'أولوية أولى: ذوو الإعاقة والأيتام'] },
  { value: 2, label: ['Second: in need', 'أولوية ثانية: الحالات الاجتماعية'] },
  { value: 3, label: ['By distance', 'حسب بُعد السكن'] },
] as const

/** The way of a reservation: what is asked for waits until a bed is given, and ends when the guest leaves. */
export const reservationFlow = workflow<StayFacts>()({
  name: 'hotel_reservation',
  one: ['Reservation of a bed', 'حجز سرير'],
  field: 'status',
  states: [
    { value: 'requested', label: ['Waiting', 'قيد الانتظار'], tone: 'waiting' },
    { value: 'confirmed', label: ['Confirmed', 'مؤكد'], tone: 'active' },
    { value: 'checked_in', label: ['Checked in', 'تم التسكين'], tone: 'done' },
    { value: 'checked_out', label: ['Checked out', 'تم الإخلاء'], tone: 'draft' },
    { value: 'cancelled', label: ['Cancelled', 'ملغى'], tone: 'frozen' },
    { value: 'no_show', label: ['No-show', 'لم يحضر'], tone: 'refused' },
  ],
  actions: {
    confirm: {
      label: ['Give a bed', 'تخصيص سرير'],
      summary: ['Give a bed to a reservation that waits', 'تخصيص سرير لحجز قيد الانتظار'],
      call: ['POST', '/hotels/reservation/confirm/{id}'],
      permission: 'confirm_hotel',
      from: { requested: 'confirmed' },
      needs: (facts) => checkStay('confirm', facts),
      consequence: [
        'The first free bed that fits is given, and the stay is charged.',
        'يُخصص أول سرير متاح مناسب، وتصدر فاتورة الإقامة.',
      ],
      notice: 'hotels.notice_stay',
    },
    check_in: {
      label: ['Check in', 'تسكين'],
      summary: ['Check a guest in', 'تسكين نزيل'],
      call: ['POST', '/hotels/reservation/checkIn/{id}'],
      permission: 'check_in_hotel',
      from: { confirmed: 'checked_in' },
      needs: (facts) => checkStay('check_in', facts),
      notice: 'hotels.notice_stay',
    },
    check_out: {
      label: ['Check out', 'إخلاء'],
      summary: ['Check a guest out; nothing was damaged', 'إخلاء نزيل دون تلفيات'],
      call: ['POST', '/hotels/reservation/checkOut/{id}'],
      permission: 'check_in_hotel',
      from: { checked_in: 'checked_out' },
      consequence: [
        'The nights that are left are free again, and the deposit is given back.',
        'تتاح الليالي المتبقية ويُرد التأمين.',
      ],
      notice: 'hotels.notice_stay',
    },
    cancel: {
      label: ['Cancel', 'إلغاء'],
      summary: ['Cancel a reservation', 'إلغاء حجز'],
      call: ['POST', '/hotels/reservation/cancel/{id}'],
      permission: ['edit_hotel', 'ask_hotel'],
      from: { requested: 'cancelled', confirmed: 'cancelled' },
      byOwner: true,
      reason: 'optional',
      tone: 'refused',
      needs: (facts) => checkStay('cancel', facts),
      consequence: ['The bed is given to the next who waits.', 'يُخصص السرير لمن يليه في قائمة الانتظار.'],
      notice: 'hotels.notice_stay',
    },
    no_show: {
      label: ['Did not come', 'لم يحضر'],
      summary: ['Mark a guest who did not come', 'تسجيل عدم حضور نزيل'],
      call: ['POST', '/hotels/reservation/noShow/{id}'],
      permission: 'check_in_hotel',
      from: { confirmed: 'no_show' },
      tone: 'refused',
      needs: (facts) => checkStay('no_show', facts),
      consequence: ['The nights are free again.', 'تتاح الليالي لغيره.'],
      notice: 'hotels.notice_stay',
    },
  },
  bulk: '/hotels/reservations/bulk/{action}',
  history: { path: '/hotels/reservation/steps/{id}', permission: ['show_hotel', 'ask_hotel'] },
})
export type StayAction = keyof typeof reservationFlow.actions
export const reservationSteps = workflowCalls(reservationFlow)

const status = z.enum(reservationFlow.states.map((one) => one.value))
const unit = z.enum(STAY_UNITS.map((one) => one.value))
const audience = z.enum(GUEST_KINDS.map((one) => one.value))

const row = z.object({
  id,
  version: z.int(),
  removed: z.boolean(),
  code: z.string(),
  /** Who sleeps there; null: a place of a group that nobody was given. */
  student: ref.nullable(),
  /** Who works here, or a guest. */
  guest: otherPayerRef.nullable(),
  /** Of a member of a group, or of a stay that was entered without a record. */
  guest_name: z.string().nullable(),
  status,
  hostel: ref.nullable(),
  room: z.string().nullable(),
  bed: z.string().nullable(),
  bed_id: id.nullable(),
  kind: ref.nullable(),
  from_day: z.string(),
  until_day: z.string(),
  unit,
  priority: z.int(),
  group: z.object({ id, name: z.string() }).nullable(),
  asked_at: z.string(),
  abilities: z.array(z.string()),
  refused: z.record(z.string(), problem).optional(),
})
export type StayRow = z.output<typeof row>

const detail = row.extend({
  guest_phone: z.string().nullable(),
  audience,
  gender: z.int().nullable(),
  distance_km: z.int().nullable(),
  term: ref.nullable(),
  note: z.string().nullable(),
  floor: z.int().nullable(),
  /** Where it stands among those who wait; null: it does not. */
  place: z.int().nullable(),
  mates: z.array(ref.extend({ mutual: z.boolean() })),
  continues: z.object({ id, code: z.string() }).nullable(),
  invoice: z
    .object({ id, number: z.string(), currency: z.string(), charged: z.int(), settled: z.int(), reversed: z.boolean() })
    .nullable(),
  /** What stands in the room: what is missing when the guest leaves is charged. */
  items: z.array(z.object({ id, name: z.string(), name_local: z.string(), price: z.int() })),
  damages: z.array(z.object({ id, name: z.string(), name_local: z.string(), amount: z.int() })),
  /** Whoever sleeps there studies here no more. */
  left: z.boolean(),
})
export type StayDetail = z.output<typeof detail>
const one = z.object({ data: detail })

/** What is asked for: by somebody for himself or herself, or by staff. */
const wish = {
  from_day: date.optional(),
  until_day: date.optional(),
  /** Of a term, its days are those of the stay unless told. */
  term_id: id.nullish(),
  unit: unit.default('night'),
  kind_id: id.nullish(),
  hostel_id: id.nullish(),
  /** Codes of students with whom a room is to be shared. */
  mates: z.array(safeText(40, 1)).max(5).default([]),
  distance_km: z.int().min(0).max(20_000).nullish(),
  note: safeText(1000).nullish(),
  /** One press of the button: the same key asks once. */
  key: z.uuid().optional(),
}
export const bedWish = z.strictObject(wish)
export type BedWish = z.output<typeof bedWish>

const stages = z.strictObject({
  /** Where it is to come: the step that leads there is taken. */
  stage: z.enum(['confirmed', 'checked_in', 'checked_out', 'cancelled', 'no_show']),
  /** Of a reservation that is confirmed: its bed; the first that fits unless told. */
  bed_id: id.nullish(),
  reason: safeText(500).optional(),
  version: z.int().optional(),
})

const freeBed = z.object({
  id,
  code: z.string(),
  room: z.string(),
  floor: z.int(),
  hostel: ref,
  kind: ref,
  /** Somebody sleeps there whom the guest wishes for, and who wishes for the guest. */
  mate: z.boolean(),
})
export type FreeBed = z.output<typeof freeBed>

export const stayCalls = {
  reservations: call('POST', '/hotels/reservations', {
    permission: 'access_hotel',
    summary: ['List reservations of beds', 'عرض حجوزات الأسرّة'],
    body: listQuery,
    response: listOf(row),
    reads: true,
  }),
  hotelLookups: call('POST', '/hotels/lookups', {
    permission: ['access_hotel', 'ask_hotel'],
    summary: ['What a reservation is made of', 'قوائم الاختيار للحجز'],
    body: z.strictObject({}),
    response: z.object({
      data: z.object({
        hostels: z.array(ref.extend({ gender: z.string() })),
        kinds: z.array(ref),
        terms: z.array(ref.extend({ start_date: z.string(), end_date: z.string() })),
        stages: z.array(option),
        units: z.array(option),
      }),
    }),
    reads: true,
    example: {},
  }),
  createReservation: call('POST', '/hotels/reservations/create', {
    permission: 'add_hotel',
    summary: ['Ask for a bed on behalf of somebody', 'طلب سرير نيابةً عن شخص'],
    body: z.strictObject({
      ...wish,
      /** For whom, one of them: a student, who works here, a guest. */
      student_id: id.nullish(),
      staff_id: id.nullish(),
      guest_id: id.nullish(),
      gender: z.int().min(1).max(2).nullish(),
      priority: z.int().min(1).max(3).default(3),
    }),
    response: z.object({ data: z.object({ id, version: z.int(), code: z.string() }) }),
    example: {
      guest_id: 1,
      gender: 2,
      from_day: inDays(900),
      until_day: inDays(903),
    },
  }),
  reservation: call('GET', '/hotels/reservation/{id}', {
    permission: ['show_hotel', 'ask_hotel'],
    summary: ['Show a reservation of a bed', 'عرض حجز سرير'],
    response: one,
  }),
  nameGuest: call('POST', '/hotels/reservation/who/{id}', {
    permission: 'edit_hotel',
    summary: ['Say which record the guest of a stay has', 'تحديد سجل نزيل مسجل بالاسم فقط'],
    body: z.strictObject({ staff_id: id.nullish(), guest_id: id.nullish(), version: z.int().optional() }),
    response: one,
    example: { guest_id: 1 },
  }),
  removeReservation: call('DELETE', '/hotels/reservation/{id}', {
    permission: 'remove_hotel',
    summary: ['Remove a reservation that holds no bed', 'حذف حجز لا يشغل سريرًا'],
    response: z.object({ data: z.object({ id, version: z.int(), removed: z.boolean() }) }),
  }),
  updateStage: call('POST', '/hotels/reservation/updateStage/{id}', {
    permission: ['confirm_hotel', 'check_in_hotel', 'edit_hotel', 'ask_hotel'],
    summary: ['Lead a reservation to another stage', 'نقل الحجز إلى مرحلة أخرى'],
    body: stages,
    response: z.object({ data: z.object({ id, version: z.int(), status }) }),
    example: { stage: 'confirmed' },
  }),
  editReservation: call('POST', '/hotels/reservation/edit/{id}', {
    permission: 'edit_hotel',
    summary: ['Change the order and the note of a reservation that waits', 'تعديل أولوية حجز قيد الانتظار وملاحظاته'],
    body: z.strictObject({
      priority: z.int().min(1).max(3),
      distance_km: z.int().min(0).max(20_000).nullish(),
      note: safeText(1000).nullish(),
      version: z.int().optional(),
    }),
    response: one,
    example: { priority: 2, distance_km: 120 },
  }),
  freeBeds: call('POST', '/hotels/reservation/beds/{id}', {
    permission: ['confirm_hotel', 'edit_hotel'],
    summary: ['Free beds that fit a reservation', 'الأسرّة المتاحة المناسبة للحجز'],
    body: z.strictObject({ from_day: date.optional(), until_day: date.optional() }),
    response: z.object({ data: z.array(freeBed), total: z.int() }),
    reads: true,
    example: {},
  }),
  moveStay: call('POST', '/hotels/reservation/move/{id}', {
    permission: 'edit_hotel',
    summary: ['Move a stay to another bed or other days', 'نقل إقامة إلى سرير آخر أو أيام أخرى'],
    body: z.strictObject({ bed_id: id, from_day: date, until_day: date, version: z.int().optional() }),
    /** Of a guest who changed beds, the stay that goes on. */
    response: z.object({
      data: z.object({ id, version: z.int(), bed_id: id, from_day: z.string(), until_day: z.string() }),
    }),
    example: { bed_id: 1, from_day: inDays(900), until_day: inDays(903) },
  }),
  checkOutWith: call('POST', '/hotels/reservation/inventory/{id}', {
    permission: 'charge_hotel',
    summary: ['Check a guest out, and charge what was damaged', 'إخلاء نزيل وتحصيل التلفيات'],
    body: z.strictObject({
      damages: z
        .array(
          z.strictObject({
            item_id: id.nullish(),
            name: safeText(200).nullish(),
            amount: z.int().min(1).max(1_000_000_000),
          }),
        )
        .min(1)
        .max(40),
      version: z.int().optional(),
    }),
    response: one,
    example: { damages: [{ name: 'Window', amount: 25000 }] },
  }),
}

/** Fields by which reservations are filtered and ordered. */
export const stayFields = {
  student_id: f.lookup(['Student', 'الطالب'], 'student'),
  hostel_id: f.lookup(['Hostel', 'مبنى السكن'], 'hostel'),
  kind_id: f.lookup(['Kind of room', 'نوع الغرفة'], 'roomKind'),
  from_day: f.date(['First night', 'أول ليلة']),
  until_day: f.date(['Leaves on', 'يوم المغادرة']),
  status: f.choice(['State', 'الحالة'], reservationFlow.states),
  priority: f.choice(['Priority', 'الأولوية'], BED_PRIORITIES),
  asked_at: f.instant(['Asked for on', 'تاريخ طلب السرير']),
}
