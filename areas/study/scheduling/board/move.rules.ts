/**
 * What stands against moving weekly meetings: the same rule in the browser, while a meeting is dragged, and on the server,
 * in the transaction that moves it. Days are 0 (Saturday) to 6 (Friday), times minutes since midnight.
 */
import { attendable, periodsMeet } from '#areas/study/offerings/slots/slots.rules.ts'
import type { Period } from '#areas/study/offerings/slots/slots.rules.ts'
import type { MeetingType } from '#kit/contract/week.ts'

export interface BoardRoom {
  readonly id: number
  readonly name: string
  readonly name_local: string
  readonly capacity: number
  /** Holds any number of meetings. */
  readonly online: boolean
}
export interface BoardMeeting {
  readonly id: number
  readonly offering_id: number
  /** How texts name it, e.g. `CS101 (1)`. */
  readonly name: string
  readonly group: number
  readonly type: MeetingType
  readonly section: string | null
  /** By which exam weeks its offering goes. */
  readonly faculty_id?: number | null
  readonly level?: number | null
  readonly day: number | null
  readonly slot_id: number | null
  readonly location_id: number | null
  readonly instructors: readonly number[]
  /** Seats planned, over-quota included. */
  readonly seats: number
  /** Who attends it, by numbers that mean nothing elsewhere. */
  readonly students: readonly number[]
}
export interface BoardPerson {
  readonly id: number
  readonly name: string
  readonly name_local: string
}
/** A published exam that lies ahead: on one day, in rooms, with people. */
export interface MetExam {
  readonly name: string
  readonly on_date: string
  /** 0 Saturday … 6 Friday. */
  readonly day: number
  readonly from: number
  readonly to: number
  /** Meetings have their Ramadan time on that day. */
  readonly ramadan: boolean
  readonly rooms: readonly number[]
  readonly instructors: readonly number[]
  readonly students: readonly number[]
}
/** Days on which the meetings of some offerings do not take place. */
export interface BoardExamWeek {
  readonly from: string
  readonly to: string
  readonly faculty_id: number | null
  readonly level: number | null
}
/** Everything that is placed, or could be, in a term. */
export interface MeetingBoard {
  readonly periods: readonly Period[]
  readonly rooms: readonly BoardRoom[]
  readonly instructors: readonly BoardPerson[]
  readonly meetings: readonly BoardMeeting[]
  readonly exams?: readonly MetExam[]
  readonly exam_weeks?: readonly BoardExamWeek[]
}
/** Where a meeting is put. */
export interface MeetingMove {
  readonly id: number
  readonly day: number
  readonly slot_id: number
  readonly location_id: number | null
}

/** Clashes that somebody with the right may want all the same, with a reason. Two meetings never share a room. */
export const OVERRIDABLE = [
  'move_instructor_busy',
  'move_students_busy',
  'move_instructor_exam',
  'move_students_exam',
] as const

export type ClashCode =
  | 'move_period_unknown'
  | 'move_room_unknown'
  | 'move_room_small'
  | 'move_room_taken'
  | 'move_room_exam'
  | 'move_group_overlaps'
  | (typeof OVERRIDABLE)[number]

/** One reason against a move: of which meeting, and what its text needs. */
export interface Clash {
  readonly id: number
  readonly code: ClashCode
  readonly data: Readonly<Record<string, string | number>>
  /** The other meeting. */
  readonly with?: number
}

/** The week as the moves would leave it, ready to be asked often: while a meeting is dragged. */
export class MovedBoard {
  readonly #periods: ReadonlyMap<number, Period>
  readonly #rooms: ReadonlyMap<number, BoardRoom>
  readonly #people: ReadonlyMap<number, BoardPerson>
  readonly #meetings: ReadonlyMap<number, BoardMeeting>
  /** What takes place on each day. */
  readonly #days: readonly BoardMeeting[][]
  /** Students whom a meeting shares with others, counted once for each pair that is asked for. */
  readonly #shared = new Map<string, number>()
  readonly #students = new Map<number, ReadonlySet<number>>()
  readonly #exams: readonly MetExam[]
  readonly #examWeeks: readonly BoardExamWeek[]

  constructor(board: MeetingBoard, moves: readonly MeetingMove[]) {
    this.#periods = new Map(board.periods.map((one) => [one.id, one]))
    this.#rooms = new Map(board.rooms.map((one) => [one.id, one]))
    this.#people = new Map(board.instructors.map((one) => [one.id, one]))
    this.#exams = board.exams ?? []
    this.#examWeeks = board.exam_weeks ?? []
    const to = new Map(moves.map((move) => [move.id, move]))
    this.#meetings = new Map(
      board.meetings.map((one) => {
        const { day, slot_id, location_id } = to.get(one.id) ?? one
        return [one.id, { ...one, day, slot_id, location_id }]
      }),
    )
    this.#days = Array.from({ length: 7 }, () => [])
    for (const one of this.#meetings.values())
      if (one.day !== null && one.slot_id !== null) this.#days[one.day]?.push(one)
  }

  #sharedStudents(a: BoardMeeting, b: BoardMeeting): number {
    const key = `${Math.min(a.id, b.id)} ${Math.max(a.id, b.id)}`
    let count = this.#shared.get(key)
    if (count === undefined) {
      let mine = this.#students.get(a.id)
      if (!mine) this.#students.set(a.id, (mine = new Set(a.students)))
      count = 0
      for (const student of b.students) if (mine.has(student)) count++
      this.#shared.set(key, count)
    }
    return count
  }

  /** Exams that are held on a day of a meeting, while it is: in an exam week of its offering it is not. */
  #examsAt(meeting: BoardMeeting, day: number, period: Period): MetExam[] {
    const isOff = (date: string) =>
      this.#examWeeks.some(
        (week) =>
          week.from <= date &&
          date <= week.to &&
          (week.faculty_id === null || week.faculty_id === (meeting.faculty_id ?? null)) &&
          (week.level === null || week.level === (meeting.level ?? null)),
      )
    const meets = ({ from, to, ramadan }: MetExam) =>
      ramadan ? period.ramadan_from < to && from < period.ramadan_to : period.from < to && from < period.to
    return this.#exams.filter((exam) => exam.day === day && meets(exam) && !isOff(exam.on_date))
  }

  /** Every reason against a meeting being at a place. */
  at({ id, day, slot_id, location_id }: MeetingMove): Clash[] {
    const meeting = this.#meetings.get(id)
    const period = this.#periods.get(slot_id)
    if (!meeting || !period) return [{ id, code: 'move_period_unknown', data: { course: meeting?.name ?? String(id) } }]
    const out: Clash[] = []
    const say = (code: ClashCode, data: Clash['data'], other?: number) =>
      out.push({ id, code, data: { course: meeting.name, ...data }, ...(other !== undefined && { with: other }) })
    const room = location_id === null ? undefined : this.#rooms.get(location_id)
    if (location_id !== null && !room) say('move_room_unknown', {})
    const named = room && { room: room.name, room_local: room.name_local }
    if (room && !room.online && meeting.seats > room.capacity)
      say('move_room_small', { ...named!, capacity: room.capacity, seats: meeting.seats })
    for (const other of this.#days[day] ?? []) {
      if (other.id === id) continue
      const its = this.#periods.get(other.slot_id!)
      if (!its || !periodsMeet(period, its)) continue
      if (room && !room.online && other.location_id === room.id)
        say('move_room_taken', { ...named!, by: other.name }, other.id)
      for (const one of other.instructors) {
        if (!meeting.instructors.includes(one)) continue
        const person = this.#people.get(one)
        say(
          'move_instructor_busy',
          { instructor: person?.name ?? '', instructor_local: person?.name_local ?? '', by: other.name },
          other.id,
        )
      }
      const students = this.#sharedStudents(meeting, other)
      if (students) say('move_students_busy', { students, by: other.name }, other.id)
    }
    for (const exam of this.#examsAt(meeting, day, period)) {
      const held = { by: exam.name, date: exam.on_date }
      if (room && !room.online && exam.rooms.includes(room.id)) say('move_room_exam', { ...named!, ...held })
      for (const one of exam.instructors) {
        if (!meeting.instructors.includes(one)) continue
        const person = this.#people.get(one)
        const who = { instructor: person?.name ?? '', instructor_local: person?.name_local ?? '' }
        say('move_instructor_exam', { ...who, ...held })
      }
      const sits = new Set(exam.students)
      const students = meeting.students.filter((student) => sits.has(student)).length
      if (students) say('move_students_exam', { students, ...held })
    }
    const group = [...this.#meetings.values()].flatMap((one) => {
      if (one.offering_id !== meeting.offering_id || one.group !== meeting.group) return []
      const placed = one.id === id ? { ...one, day, slot_id } : one
      const its = placed.slot_id === null ? undefined : this.#periods.get(placed.slot_id)
      return its && placed.day !== null ? [{ ...placed, period: its }] : []
    })
    if (!attendable(group)) say('move_group_overlaps', { group: meeting.group })
    return out
  }
}

/** Every reason against these moves, all of them together: two meetings may change places. */
export function clashesOf(board: MeetingBoard, moves: readonly MeetingMove[]): Clash[] {
  const moved = new MovedBoard(board, moves)
  return moves.flatMap((move) => moved.at(move))
}

/** What remains when clashes may be wanted: those that nobody may want. */
export const insistedClashes = (clashes: readonly Clash[]): { wanted: Clash[]; refused: Clash[] } => {
  const may = (clash: Clash) => (OVERRIDABLE as readonly string[]).includes(clash.code)
  return { wanted: clashes.filter(may), refused: clashes.filter((clash) => !may(clash)) }
}

/** How many people saving moves tells: who attends them and who teaches, each once. */
export function toldOf(board: Pick<MeetingBoard, 'meetings'>, moves: readonly Pick<MeetingMove, 'id'>[]): number {
  const moved = board.meetings.filter((one) => moves.some(({ id }) => id === one.id))
  return new Set(moved.flatMap((one) => one.students)).size + new Set(moved.flatMap((one) => one.instructors)).size
}
