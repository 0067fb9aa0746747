/**
 * The weekly timetable of the current term: groups, meetings with day, period, room and teacher, and who sits where.
 * Greedy, largest first, against the calendars of students, teachers and rooms; students off their plan are then fitted
 * into what is free, and go without a course that cannot be fitted.
 */
import { LOCATIONS, TEACHING_DAYS, TIME_SLOTS, type LocationType } from './campus.ts'
import type { Catalogue } from './catalogue.ts'
import type { Offerings } from './history.ts'
import type { DemoOfferingSlot, DemoTerm, MeetingType } from './model.ts'
import type { Random } from './random.ts'
import type { Learner } from './record.ts'

const PERIODS = TIME_SLOTS.length
const CELLS = TEACHING_DAYS.length * PERIODS
/** Students of a lecture group and of a section. */
const GROUP = 110
const SECTION = 38
/** Meetings a week of a lecturer and of an assistant, before somebody else is asked. */
const LOAD = { lecturer: 7, assistant: 18 }

export type Wish = { learner: Learner; course_id: number }
export type Seat = { learner: Learner; course_id: number; offering_id: number; slot_ids: number[] }
export type Timetable = { slots: DemoOfferingSlot[]; seats: Seat[]; refused: Wish[] }

/** Rooms in which a type of meeting may be held, the most fitting kind first. */
const ROOM_KINDS: Record<MeetingType, LocationType[]> = {
  Lecture: ['room', 'hall'],
  Tutorial: ['room', 'hall'],
  Lab: ['lab'],
  Clinic: ['clinic', 'room'],
}

type Group = {
  offering_id: number
  course_id: number
  number: number
  members: Learner[]
  slots: DemoOfferingSlot[]
  /** The meetings of each member. */
  attended: Map<Learner, DemoOfferingSlot[]>
}

const cellOf = (slot: DemoOfferingSlot): number => slot.day * PERIODS + slot.slot_id - 1

export function buildTimetable(
  catalogue: Catalogue,
  ledger: Offerings,
  term: DemoTerm,
  wishes: Wish[],
  random: Random,
): Timetable {
  const busyStudents = new Map<number, Uint8Array>()
  const busyTeachers = new Map<number, Uint8Array>()
  const busyRooms = LOCATIONS.map(() => new Uint8Array(CELLS))
  const loads = new Map<number, number>()
  /** Who teaches each offering. */
  const teams = new Map<number, Set<number>>()
  const calendarOf = (calendars: Map<number, Uint8Array>, id: number): Uint8Array => {
    let calendar = calendars.get(id)
    if (!calendar) calendars.set(id, (calendar = new Uint8Array(CELLS)))
    return calendar
  }
  const slots: DemoOfferingSlot[] = []
  const seats: Seat[] = []
  const refused: Wish[] = []

  const attendedBy = (learner: Learner, group: Group): DemoOfferingSlot[] => {
    let list = group.attended.get(learner)
    if (!list) group.attended.set(learner, (list = []))
    return list
  }
  const join = (offering_id: number, user_id: number, lecture: boolean): void => {
    let team = teams.get(offering_id)
    if (!team) teams.set(offering_id, (team = new Set()))
    if (team.has(user_id)) return
    const role = !lecture ? 'assistant' : team.size === 0 ? 'leader' : 'instructor'
    team.add(user_id)
    ledger.rows.offering_instructors.push({ offering_id, user_id, role })
  }

  // 1. Groups: students of one program who take a course in its semester stay together.
  const groups: Group[] = []
  const floating: Wish[] = []
  for (const [course_id, list] of Map.groupBy(wishes, (wish) => wish.course_id)) {
    const offering = ledger.offering(term, course_id)
    const rest: Learner[] = []
    let number = 0
    const add = (members: Learner[]) => {
      const parts = Math.ceil(members.length / GROUP)
      for (let part = 0; part < parts; part++)
        groups.push({
          offering_id: offering.id,
          course_id,
          number: ++number,
          members: members.slice(
            Math.floor((part * members.length) / parts),
            Math.floor(((part + 1) * members.length) / parts),
          ),
          slots: [],
          attended: new Map(),
        })
    }
    for (const [plan, part] of Map.groupBy(list, (wish) => wish.learner.plan)) {
      const semester = plan.mandatory.find((entry) => entry.course_id === course_id)?.semester
      const regular: Learner[] = []
      for (const { learner } of part) {
        if (semester === undefined || semester === learner.semester) regular.push(learner)
        else floating.push({ learner, course_id })
      }
      if (regular.length >= 8) add(regular)
      else rest.push(...regular)
    }
    if (number === 0 && (rest.length > 0 || list.length > 0)) {
      // Few students: one group of whoever there is.
      if (rest.length === 0) {
        rest.push(...list.map((wish) => wish.learner))
        for (let i = floating.length - 1; i >= 0; i--) if (floating[i]!.course_id === course_id) floating.splice(i, 1)
      }
      add(rest)
    } else for (const learner of rest) floating.push({ learner, course_id })
    offering.number_of_groups = number
  }

  // 2. Meetings: lectures first, then sections; big groups before small ones.
  type Meeting = { group: Group; type: MeetingType; section: string | null; members: Learner[]; quota: number }
  const lectures: Meeting[] = []
  const sections: Meeting[] = []
  for (const group of groups) {
    const course = catalogue.courses[group.course_id - 1]!
    const size = group.members.length
    const roomy = Math.min(Math.ceil((size * 1.06 + 2) / 5) * 5, GROUP + 10)
    lectures.push({ group, type: 'Lecture', section: null, members: group.members, quota: roomy })
    const types: MeetingType[] = []
    if (course.tutorial_hours > 0) types.push('Tutorial')
    if (course.laboratory_hours > 0) types.push('Lab')
    if (course.clinical_hours > 0) types.push('Clinic')
    const count = Math.ceil(size / SECTION)
    const members = group.members.toSorted((a, b) => a.student_id - b.student_id)
    for (const type of types)
      for (let n = 0; n < count; n++) {
        const part = members.slice(Math.floor((n * size) / count), Math.floor(((n + 1) * size) / count))
        const section = count > 1 ? String.fromCharCode(65 + n) : null
        sections.push({ group, type, section, members: part, quota: Math.min(Math.ceil(roomy / count) + 1, 40) })
      }
  }
  const bySize = (a: Meeting, b: Meeting) =>
    b.members.length - a.members.length || a.group.course_id - b.group.course_id
  for (const meeting of [...lectures.toSorted(bySize), ...sections.toSorted(bySize)]) place(meeting)

  function place({ group, type, section, members, quota }: Meeting): void {
    const course = catalogue.courses[group.course_id - 1]!
    const over_quota = Math.max(1, Math.round(quota * 0.05))
    const occupied = new Uint8Array(CELLS)
    for (const member of members) {
      const calendar = busyStudents.get(member.student_id)
      if (calendar) for (let cell = 0; cell < CELLS; cell++) occupied[cell]! |= calendar[cell]!
    }
    const perDay = TEACHING_DAYS.map((_, day) =>
      occupied.subarray(day * PERIODS, (day + 1) * PERIODS).reduce((sum, taken) => sum + taken, 0),
    )
    const cells: { cell: number; cost: number }[] = []
    for (let cell = 0; cell < CELLS; cell++) {
      if (occupied[cell]) continue
      const day = Math.floor(cell / PERIODS)
      // Mornings before evenings, Saturday last, days of two to four meetings.
      const load = perDay[day]!
      const cost = (cell % PERIODS) * 1.1 + (cell % PERIODS === 5 ? 4 : 0) + (day === 0 ? 3 : 0) + load * load * 0.5
      cells.push({ cell, cost: cost + random.next() * 2.5 })
    }
    cells.sort((a, b) => a.cost - b.cost)
    const faculty_id = course.faculty_id ?? group.members[0]!.plan.faculty_id
    for (const { cell } of cells) {
      const room = freeRoom(type, cell, quota + over_quota, faculty_id, course.code)
      if (room === undefined) continue
      const teacher = freeTeacher(type, cell, group)
      if (teacher === undefined) continue
      busyRooms[room]![cell] = 1
      calendarOf(busyTeachers, teacher)[cell] = 1
      loads.set(teacher, (loads.get(teacher) ?? 0) + 1)
      for (const member of members) calendarOf(busyStudents, member.student_id)[cell] = 1
      const slot: DemoOfferingSlot = {
        id: slots.length + 1,
        offering_id: group.offering_id,
        group: group.number,
        section,
        type,
        day: TEACHING_DAYS[Math.floor(cell / PERIODS)]!,
        slot_id: (cell % PERIODS) + 1,
        location_id: room + 1,
        instructor_ids: [teacher],
        quota,
        over_quota,
        taken: 0,
      }
      slots.push(slot)
      group.slots.push(slot)
      for (const member of members) attendedBy(member, group).push(slot)
      return
    }
    throw new RangeError(`The demo campus is too small: no place for ${course.code} ${type}`)
  }

  function freeRoom(
    type: MeetingType,
    cell: number,
    size: number,
    faculty_id: number,
    code: string,
  ): number | undefined {
    const building = faculty_id === 1 ? 'E' : 'C'
    let best: number | undefined
    let bestCost = Infinity
    for (const [i, location] of LOCATIONS.entries()) {
      const kind = ROOM_KINDS[type].indexOf(location.location_type)
      if (kind < 0 || location.capacity < size || busyRooms[i]![cell]) continue
      const electronics = /^(PHY|CSE[1-4]0[1-5])/.test(code)
      const wrong = type === 'Lab' && electronics !== location.name.startsWith('Electronics')
      const away = type !== 'Lab' && location.building !== building
      const cost = location.capacity + kind * 50 + (away ? 400 : 0) + (wrong ? 300 : 0)
      if (cost < bestCost) {
        best = i
        bestCost = cost
      }
    }
    return best
  }

  function freeTeacher(type: MeetingType, cell: number, group: Group): number | undefined {
    const lecture = type === 'Lecture'
    const limit = lecture ? LOAD.lecturer : LOAD.assistant
    const own = lecture ? ledger.lecturers(group.course_id) : ledger.assistants(group.course_id)
    const others = lecture
      ? ledger.colleagues.lecturers(group.course_id)
      : ledger.colleagues.assistants(group.course_id)
    for (const [pool, most] of [
      [own, limit],
      [others, limit],
      [own, CELLS],
      [others, CELLS],
    ] as const) {
      let best: number | undefined
      let bestCost = most
      for (const id of pool) {
        if (busyTeachers.get(id)?.[cell] === 1) continue
        // Who already teaches the course goes on with its next group.
        const teaches = teams.get(group.offering_id)?.has(id) ? 1.5 : 0
        const cost = (loads.get(id) ?? 0) - teaches
        if (cost < bestCost) {
          best = id
          bestCost = cost
        }
      }
      if (best !== undefined) {
        join(group.offering_id, best, lecture)
        return best
      }
    }
    return undefined
  }

  // 3. Seats of those who follow the plan, then of the others.
  for (const group of groups) for (const learner of group.members) sit(learner, group, attendedBy(learner, group))
  for (const wish of floating) {
    const calendar = calendarOf(busyStudents, wish.learner.student_id)
    const open = groups.filter((group) => group.course_id === wish.course_id)
    const found = open.some((group) => {
      const picked: DemoOfferingSlot[] = []
      for (const [, options] of Map.groupBy(group.slots, (slot) => slot.type)) {
        const free = options.find(
          (slot) =>
            slot.taken < slot.quota &&
            !calendar[cellOf(slot)] &&
            picked.every((other) => cellOf(other) !== cellOf(slot)),
        )
        if (!free) return false
        picked.push(free)
      }
      sit(wish.learner, group, picked)
      for (const slot of picked) calendar[cellOf(slot)] = 1
      return true
    })
    if (!found) refused.push(wish)
  }
  return { slots, seats, refused }

  function sit(learner: Learner, group: Group, chosen: DemoOfferingSlot[]): void {
    for (const slot of chosen) slot.taken++
    seats.push({
      learner,
      course_id: group.course_id,
      offering_id: group.offering_id,
      slot_ids: chosen.map((slot) => slot.id),
    })
  }
}
