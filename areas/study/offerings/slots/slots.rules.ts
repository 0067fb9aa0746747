/**
 * Groups and weekly meetings of an offering: what may be saved, what clashes, which meetings a course needs, and where
 * they could be placed. Times are minutes since midnight, days 0 (Saturday) to 6 (Friday).
 */
import { meetingType, type MeetingType } from '#kit/contract/week.ts'

/** A period of the teaching day, `to` excluded, in regular and in Ramadan time. */
export interface Period {
  readonly id: number
  readonly from: number
  readonly to: number
  readonly ramadan_from: number
  readonly ramadan_to: number
}

/** Whether two periods share a minute, in either time. */
export const periodsMeet = (a: Period, b: Period): boolean =>
  a.id === b.id || (a.from < b.to && b.from < a.to) || (a.ramadan_from < b.ramadan_to && b.ramadan_from < a.ramadan_to)

/** Days on which nothing is held unless somebody says so: Friday. */
export const REST_DAYS: readonly number[] = [6]
export const WORK_DAYS: readonly number[] = [0, 1, 2, 3, 4, 5]

/** A weekly meeting in a room, in minutes of the day. */
export interface RoomTaken {
  readonly location_id: number
  readonly day: number
  readonly from: number
  readonly to: number
  readonly name: string
}
/** What is in each room at a time, by room: a room that is not there is free. */
export function takenThen(
  taken: readonly RoomTaken[],
  day: number,
  { from, to }: { readonly from: number; readonly to: number },
): Map<number, string> {
  const found = new Map<number, string>()
  for (const one of taken)
    if (one.day === day && one.from < to && from < one.to && !found.has(one.location_id))
      found.set(one.location_id, one.name)
  return found
}

/** A room as far as meetings care. */
export interface Room {
  readonly id: number
  readonly code: string
  readonly capacity: number
  readonly kind: 'hall' | 'room' | 'lab' | 'clinic' | 'online'
  readonly faculty_id: number | null
}

/** A meeting to be saved. `old`: how it stands now; absent for a new one. */
export interface PlannedMeeting {
  readonly id?: number | undefined
  readonly group: number
  readonly type: MeetingType
  readonly section: string | null
  readonly day: number | null
  readonly slot_id: number | null
  readonly location_id: number | null
  readonly instructor_ids: readonly number[]
  readonly quota: number
  readonly over_quota: number
}
/** A meeting as it stands, with the seats held and the students who wait for it. */
export interface StoredMeeting extends PlannedMeeting {
  readonly id: number
  readonly taken: number
  readonly waiting: number
}
/** A meeting of another offering at some time in the term. */
export interface OtherMeeting {
  readonly day: number
  readonly slot_id: number
  readonly location_id: number | null
  readonly instructor_ids: readonly number[]
  /** How texts name it, e.g. `CS101 (1)`. */
  readonly name: string
}
/** How many students who hold a seat in a moved meeting have another one then. */
export interface StudentClash {
  readonly id: number
  readonly students: number
  readonly name: string
}

export interface SlotReason {
  readonly field: string | null
  readonly code: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** Texts of refusals: [English, Arabic]. */
export const slotTexts = {
  slot_unknown_here: ['This meeting does not belong to the offering', 'هذا الموعد لا يخص المقرر المطروح'],
  slot_group_beyond: ['There are only {groups} groups', 'عدد المجموعات {groups} فقط'],
  slot_time_incomplete: ['Choose both the day and the time slot, or neither', 'اختر اليوم والفترة معًا أو اتركهما'],
  slot_period_unknown: ['This time slot does not exist any more', 'هذه الفترة لم تعد موجودة'],
  slot_type_fixed: [
    '{taken} students hold a seat, so type and group stay',
    'يشغل هذا الموعد {taken} طالب، فلا يتغير نوعه ولا مجموعته',
  ],
  quota_below_taken: [
    'Group {group}, {type}: {taken} seats are taken, {quota} + {over_quota} would be left',
    'المجموعة {group}، {type_ar}: المشغول {taken} مقعدًا، والمتاح سيصبح {quota} + {over_quota}',
  ],
  room_too_small: [
    'Room {room} has {capacity} places, {seats} are planned',
    'سعة القاعة {room} هي {capacity}، والمطلوب {seats}',
  ],
  room_unknown: ['This room does not exist any more', 'هذه القاعة لم تعد موجودة'],
  room_taken: ['Room {room} is taken at this time by {by}', 'القاعة {room} مشغولة في هذا الوقت بـ {by}'],
  instructor_busy: ['{instructor} teaches {by} at this time', '{instructor} يدرّس {by} في هذا الوقت'],
  group_not_attendable: [
    'Nobody could attend everything in group {group}: its meetings overlap',
    'لا يمكن حضور كل مواعيد المجموعة {group} لأنها متداخلة',
  ],
  students_busy: [
    '{students} students of this meeting have {by} at this time',
    'لدى {students} من طلاب هذا الموعد {by} في الوقت نفسه',
  ],
  slot_taken_stays: [
    'Group {group}, {type}: {taken} students hold a seat, so the meeting stays',
    'المجموعة {group}، {type_ar}: يشغلها {taken} طالب فلا يُحذف الموعد',
  ],
  slot_waiting_stays: [
    'Group {group}, {type}: {waiting} students wait for a seat, so the meeting stays',
    'المجموعة {group}، {type_ar}: ينتظر {waiting} طالب مقعدًا فيها فلا يُحذف الموعد',
  ],
  offering_slots_room: [
    'Somebody took one of the rooms at this moment. Choose again.',
    'حُجزت إحدى القاعات في هذه اللحظة. اختر من جديد.',
  ],
  offering_slots_seats: [
    'A seat was taken at this moment. Look at the figures again.',
    'شُغل مقعد في هذه اللحظة. راجع الأعداد من جديد.',
  ],
  course_without_hours: ['The course has no weekly hours', 'لا توجد ساعات أسبوعية للمقرر'],
} as const satisfies Record<string, readonly [string, string]>

const inWords = (type: MeetingType) => ({
  type,
  type_ar: meetingType(type)[1],
})

/** What is known when meetings are saved. */
export interface SlotContext {
  readonly groups: number
  readonly stored: readonly StoredMeeting[]
  readonly periods: ReadonlyMap<number, Period>
  readonly rooms: ReadonlyMap<number, Room>
  readonly others: readonly OtherMeeting[]
  readonly students: readonly StudentClash[]
  readonly instructorNames: ReadonlyMap<number, string>
  /** How texts name this offering. */
  readonly name: string
}

/** Every reason why these meetings cannot be saved; empty when they can. `slots` is the whole list. */
export function checkSlots(slots: readonly PlannedMeeting[], known: SlotContext): SlotReason[] {
  const found: SlotReason[] = []
  const refuse = (index: number, part: string, code: keyof typeof slotTexts, data?: Record<string, unknown>) =>
    found.push({ field: part ? `slots.${index}.${part}` : `slots.${index}`, code, ...(data && { data }) })
  const stored = new Map(known.stored.map((s) => [s.id, s]))
  const kept = new Set(slots.flatMap((s) => s.id ?? []))

  for (const s of known.stored) {
    if (kept.has(s.id)) continue
    const data = { group: s.group, ...inWords(s.type), taken: s.taken, waiting: s.waiting }
    if (s.taken > 0) found.push({ field: 'slots', code: 'slot_taken_stays', data })
    else if (s.waiting > 0) found.push({ field: 'slots', code: 'slot_waiting_stays', data })
  }

  const placed: { index: number; slot: PlannedMeeting; period: Period }[] = []
  for (const [index, slot] of slots.entries()) {
    const old = slot.id === undefined ? undefined : stored.get(slot.id)
    if (slot.id !== undefined && !old) refuse(index, 'id', 'slot_unknown_here')
    if (slot.group > known.groups) refuse(index, 'group', 'slot_group_beyond', { groups: known.groups })
    const seats = slot.quota + slot.over_quota
    if (old && old.taken > 0) {
      if (old.type !== slot.type || old.group !== slot.group)
        refuse(index, 'type', 'slot_type_fixed', { taken: old.taken })
      if (seats < old.taken || (slot.quota < old.taken && slot.quota < old.quota)) {
        const { group, quota, over_quota } = slot
        refuse(index, 'quota', 'quota_below_taken', {
          group,
          ...inWords(slot.type),
          taken: old.taken,
          quota,
          over_quota,
        })
      }
    }
    const room = slot.location_id === null ? undefined : known.rooms.get(slot.location_id)
    if (slot.location_id !== null && !room) refuse(index, 'location_id', 'room_unknown')
    const sameRoom = old && old.location_id === slot.location_id && old.quota + old.over_quota >= seats
    if (room && room.kind !== 'online' && seats > room.capacity && !sameRoom) {
      refuse(index, 'location_id', 'room_too_small', { room: room.code, capacity: room.capacity, seats })
    }
    if ((slot.day === null) !== (slot.slot_id === null)) {
      refuse(index, slot.day === null ? 'day' : 'slot_id', 'slot_time_incomplete')
      continue
    }
    if (slot.slot_id === null) continue
    const period = known.periods.get(slot.slot_id)
    if (period) placed.push({ index, slot, period })
    else refuse(index, 'slot_id', 'slot_period_unknown')
  }

  for (const { index, slot, period } of placed) {
    const then = (day: number, slot_id: number): boolean => {
      const other = known.periods.get(slot_id)
      return day === slot.day && other !== undefined && periodsMeet(period, other)
    }
    const mine = placed.filter((p) => p.index < index && then(p.slot.day as number, p.slot.slot_id as number))
    const busy = [
      ...known.others.filter((o) => then(o.day, o.slot_id)),
      ...mine.map(({ slot: s }) => ({
        location_id: s.location_id,
        instructor_ids: s.instructor_ids,
        name: known.name,
      })),
    ]
    const inRoom = slot.location_id === null ? undefined : busy.find((o) => o.location_id === slot.location_id)
    const room = slot.location_id === null ? undefined : known.rooms.get(slot.location_id)
    if (inRoom && room && room.kind !== 'online')
      refuse(index, 'location_id', 'room_taken', { room: room.code, by: inRoom.name })
    for (const id of slot.instructor_ids) {
      const elsewhere = busy.find((o) => o.instructor_ids.includes(id))
      if (elsewhere)
        refuse(index, 'instructor_ids', 'instructor_busy', {
          instructor: known.instructorNames.get(id) ?? String(id),
          by: elsewhere.name,
          instructor_id: id,
        })
    }
    const clash = known.students.find((c) => c.id === slot.id)
    if (clash) refuse(index, 'slot_id', 'students_busy', { students: clash.students, by: clash.name })
  }

  for (const group of new Set(placed.map((p) => p.slot.group))) {
    const own = placed.filter((p) => p.slot.group === group)
    if (!attendable(own.map((p) => ({ ...p.slot, period: p.period }))))
      found.push({ field: 'slots', code: 'group_not_attendable', data: { group } })
  }
  return found
}

/** The ways to attend one type in a group: the meetings of each section, or each meeting by itself. */
export const alternatives = <S extends { readonly section: string | null }>(slots: readonly S[]): S[][] => [
  ...slots.filter((s) => s.section === null).map((s) => [s]),
  ...Map.groupBy(
    slots.filter((s) => s.section !== null),
    (s) => s.section,
  ).values(),
]

/** Whether somebody can attend one alternative of every type without being in two places. */
export function attendable(
  slots: readonly (Pick<PlannedMeeting, 'type' | 'section' | 'day'> & { period: Period })[],
): boolean {
  const types = [...Map.groupBy(slots, (s) => s.type).values()].map(alternatives)
  const meet = (a: (typeof slots)[number], b: (typeof slots)[number]) =>
    a.day === b.day && periodsMeet(a.period, b.period)
  const free = (one: readonly (typeof slots)[number][]) =>
    one.every((a, i) => one.slice(i + 1).every((b) => !meet(a, b)))
  const choose = (type: number, chosen: readonly (typeof slots)[number][]): boolean =>
    type === types.length ||
    (types[type] ?? []).some(
      (option) =>
        free(option) &&
        option.every((a) => chosen.every((b) => !meet(a, b))) &&
        choose(type + 1, [...chosen, ...option]),
    )
  return choose(0, [])
}

// --- Which meetings a course needs ----------------------------------------------------------------------------------

/** Minutes of one teaching hour of the catalogue. */
export const TEACHING_HOUR = 50

/** Weekly meetings that so many hours fill, for periods of that length: 3 hours in periods of 90 minutes are 2. */
export const meetingCountOf = (hours: number, periodMinutes: number): number =>
  hours === 0 ? 0 : Math.max(1, Math.round((hours * TEACHING_HOUR) / periodMinutes))

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Meetings of `groups` groups: of each type `sections` alternatives, of each alternative `meetings`. Sections share the group's seats. */
export function planMeetings(
  groups: readonly number[],
  types: readonly { readonly type: MeetingType; readonly meetings: number; readonly sections: number }[],
  seats: { readonly quota: number; readonly over_quota: number },
): PlannedMeeting[] {
  const out: PlannedMeeting[] = []
  for (const group of groups) {
    for (const { type, meetings, sections } of types) {
      for (let s = 0; s < sections; s++) {
        // The first sections take what does not divide evenly.
        const share = (whole: number) => Math.floor(whole / sections) + (s < whole % sections ? 1 : 0)
        for (let m = 0; m < meetings; m++) {
          out.push({
            group,
            type,
            section: sections > 1 || meetings > 1 ? (LETTERS[s] as string) : null,
            day: null,
            slot_id: null,
            location_id: null,
            instructor_ids: [],
            quota: share(seats.quota),
            over_quota: share(seats.over_quota),
          })
        }
      }
    }
  }
  return out
}

// --- Where they could be placed -------------------------------------------------------------------------------------

/** Rooms in which a type of meeting is held, the most fitting kind first. */
const ROOM_KINDS: Record<MeetingType, readonly Room['kind'][]> = {
  Lecture: ['hall', 'room'],
  Tutorial: ['room', 'hall'],
  Lab: ['lab'],
  Clinic: ['clinic', 'room'],
}

export interface Placing {
  readonly periods: readonly Period[]
  readonly days: readonly number[]
  readonly rooms: readonly Room[]
  /** Everything else that is placed in the term. */
  readonly others: readonly OtherMeeting[]
  /** Meetings of courses that the same students take in the same semester: their times are avoided where possible. */
  readonly peers: readonly { readonly day: number; readonly slot_id: number }[]
  /** Who may be given meetings without an instructor. */
  readonly team: readonly { readonly id: number; readonly role: 'leader' | 'instructor' | 'assistant' }[]
  readonly faculty_id: number | null
}
export type NoPlace = 'no_room' | 'no_time' | 'no_instructor'

/**
 * Finds a day, a period, a room and an instructor for every meeting without a time, the largest first; what has a time
 * stays. Never a clash of room, instructor or group; mornings, free hours of the same students and rooms that fit come
 * first. The same input gives the same answer.
 */
export function placeMeetings(
  slots: readonly PlannedMeeting[],
  around: Placing,
): { slots: PlannedMeeting[]; unplaced: { index: number; reason: NoPlace }[] } {
  const result = slots.map((s) => ({ ...s }))
  const byId = new Map(around.periods.map((p) => [p.id, p]))
  const meets = new Map(
    around.periods.map((p) => [p.id, around.periods.filter((q) => periodsMeet(p, q)).map((q) => q.id)]),
  )
  const rooms = new Set<string>()
  const people = new Set<string>()
  const loads = new Map<number, number>()
  const peers = new Map<string, number>()
  const cell = (day: number, slot_id: number) => `${day}/${slot_id}`
  const occupy = (m: {
    day: number
    slot_id: number
    location_id: number | null
    instructor_ids: readonly number[]
  }) => {
    for (const period of meets.get(m.slot_id) ?? []) {
      if (m.location_id !== null) rooms.add(`${m.location_id}@${cell(m.day, period)}`)
      for (const person of m.instructor_ids) people.add(`${person}@${cell(m.day, period)}`)
    }
  }
  const placedAt = (m: PlannedMeeting): m is PlannedMeeting & { day: number; slot_id: number } =>
    m.day !== null && m.slot_id !== null
  for (const other of around.others) occupy(other)
  for (const s of result) {
    if (!placedAt(s)) continue
    occupy(s)
    for (const person of s.instructor_ids) loads.set(person, (loads.get(person) ?? 0) + 1)
  }
  for (const p of around.peers)
    for (const period of meets.get(p.slot_id) ?? [])
      peers.set(cell(p.day, period), (peers.get(cell(p.day, period)) ?? 0) + 1)

  const order = result.map((s, index) => ({ s, index })).filter(({ s }) => !placedAt(s))
  order.sort((a, b) => b.s.quota + b.s.over_quota - (a.s.quota + a.s.over_quota) || a.index - b.index)
  const unplaced: { index: number; reason: NoPlace }[] = []
  for (const { s, index } of order) {
    const seats = s.quota + s.over_quota
    const kinds = ROOM_KINDS[s.type]
    const fitting = around.rooms
      .filter(
        (r) => kinds.includes(r.kind) && r.capacity >= seats && (s.location_id === null || r.id === s.location_id),
      )
      .toSorted((a, b) => roomCost(a) - roomCost(b) || a.id - b.id)
    function roomCost(r: Room): number {
      return (
        r.capacity +
        kinds.indexOf(r.kind) * 30 +
        (r.faculty_id !== null && r.faculty_id !== around.faculty_id ? 400 : 0)
      )
    }
    if (!fitting.length) {
      unplaced.push({ index, reason: 'no_room' })
      continue
    }
    const together = result.filter(
      (o) =>
        o !== s &&
        o.group === s.group &&
        placedAt(o) &&
        (o.type !== s.type || (o.section !== null && o.section === s.section)),
    )
    const candidates = teamFor(s.type, around.team)
    let best: { cost: number; day: number; slot_id: number; room: Room; people: readonly number[] } | undefined
    let reason: NoPlace = 'no_time'
    for (const day of around.days) {
      const sameDay = together.filter((o) => o.day === day).length
      for (const [place, period] of around.periods.entries()) {
        if (together.some((o) => o.day === day && meets.get(period.id)?.includes(o.slot_id as number))) continue
        const cost = place + sameDay * 2 + (peers.get(cell(day, period.id)) ?? 0) * 6
        if (best && best.cost <= cost) continue
        const busy = (person: number) => people.has(`${person}@${cell(day, period.id)}`)
        let who = s.instructor_ids
        if (who.some(busy)) continue
        if (!who.length && candidates.length) {
          const free = candidates
            .filter((c) => !busy(c))
            .toSorted((a, b) => (loads.get(a) ?? 0) - (loads.get(b) ?? 0))[0]
          if (free === undefined) {
            reason = 'no_instructor'
            continue
          }
          who = [free]
        }
        const room = fitting.find((r) => !rooms.has(`${r.id}@${cell(day, period.id)}`))
        if (room) best = { cost, day, slot_id: period.id, room, people: who }
      }
    }
    if (!best || !byId.has(best.slot_id)) {
      unplaced.push({ index, reason })
      continue
    }
    Object.assign(s, { day: best.day, slot_id: best.slot_id, location_id: best.room.id, instructor_ids: best.people })
    occupy(s as typeof s & { day: number; slot_id: number })
    for (const person of best.people) loads.set(person, (loads.get(person) ?? 0) + 1)
  }
  return { slots: result, unplaced }
}

/** Lectures are given by instructors, the rest by assistants where there are any. */
function teamFor(type: MeetingType, team: Placing['team']): number[] {
  const lecturers = team.filter((m) => m.role !== 'assistant')
  const assistants = team.filter((m) => m.role === 'assistant')
  const chosen = type === 'Lecture' ? lecturers : assistants.length ? assistants : lecturers
  return (chosen.length ? chosen : type === 'Lecture' ? assistants : []).map((m) => m.id)
}
