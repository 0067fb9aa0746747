/** The board of days and slots: what an exam would meet in each cell, asked often while it is held over them. */
import { minutesBetween, type Way } from '#areas/study/scheduling/places/way.rules.ts'
import { arrangeHalls, extraMinutes, type HeldHall, type Need } from '../accommodations/accommodation.rules.ts'

export interface BoardExam {
  readonly id: number
  readonly name: string
  readonly on_date: string | null
  readonly exam_slot_id: number | null
  readonly students: readonly number[]
  readonly halls: readonly {
    readonly location_id: number
    readonly seats: number
    readonly building_id?: number
    readonly extra?: number
    readonly own_room?: boolean
  }[]
  readonly duration?: number | null
  readonly needs?: readonly { readonly percent: number | null; readonly own_room: boolean }[]
}
export interface BoardSlot {
  readonly id: number
  readonly starts: string
  readonly ends: string
}
export interface BoardHall {
  readonly id: number
  readonly seats: number
  readonly building_id?: number
}
export interface OtherExam {
  readonly name: string
  readonly on_date: string
  readonly from: number
  readonly to: number
  readonly students: readonly number[]
  readonly halls: BoardExam['halls']
}
export interface Board {
  readonly slots: readonly BoardSlot[]
  readonly halls: readonly BoardHall[]
  readonly closed: readonly (readonly [string, number])[]
  readonly closed_halls: readonly {
    readonly location_id: number
    readonly on_date: string | null
    readonly exam_slot_id: number | null
  }[]
  /** Meetings that students have in a slot: outside exam weeks they are not free then. */
  readonly taught?: readonly {
    readonly name: string
    readonly on_date: string
    readonly exam_slot_id: number
    readonly students: readonly number[]
  }[]
  readonly exams: readonly BoardExam[]
  readonly others: readonly OtherExam[]
  /** Students with more time, in percent. */
  readonly longer?: readonly (readonly [number, number])[]
  /** Minutes from one building to another. */
  readonly ways?: readonly Way[]
}

/** What an exam meets in a cell. */
export interface CellEffect {
  /** Exams at the same time, with how many students in common. */
  readonly clashes: readonly { readonly name: string; readonly count: number }[]
  /** Meetings that students have then, with how many of them. */
  readonly taught: readonly { readonly name: string; readonly count: number }[]
  /** Exams that begin while students with more time still write another one, with how many of them. */
  readonly late: readonly { readonly name: string; readonly count: number }[]
  /** Students who have less time between two exams than the way needs. */
  readonly hurried: number
  /** Though there are seats enough: a room for one alone lacks, or no hall can be held as long. */
  readonly lacks: 'rooms' | 'hall' | null
  /** Halls of its own that are not to be had then. */
  readonly lost: number
  /** Students with another exam on the day. */
  readonly same_day: number
  /** Seats that are free then, without its own. */
  readonly free: number
  readonly closed: boolean
  readonly fits: boolean
}

const minute = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))

/** The board as it stands, ready to be asked. */
export class ExamBoard {
  readonly #board: Board
  /** Exams of each student. */
  readonly #of = new Map<number, number[]>()
  readonly #otherOf = new Map<number, number[]>()
  readonly #closed: ReadonlySet<string>
  readonly #longer: ReadonlyMap<number, number>
  readonly #hasWays: boolean
  /** What is taught in a slot, to whom. */
  readonly #taught: ReadonlyMap<string, { readonly name: string; readonly students: ReadonlySet<number> }[]>

  constructor(board: Board) {
    this.#board = board
    const gather = (into: Map<number, number[]>, lists: readonly { students: readonly number[] }[]) => {
      for (const [i, { students }] of lists.entries())
        for (const student of students) {
          const mine = into.get(student)
          if (mine) mine.push(i)
          else into.set(student, [i])
        }
    }
    gather(this.#of, board.exams)
    gather(this.#otherOf, board.others)
    const taught = new Map<string, { name: string; students: Set<number> }[]>()
    for (const { name, on_date, exam_slot_id, students } of board.taught ?? []) {
      const key = `${on_date} ${exam_slot_id}`
      const list = taught.get(key) ?? []
      list.push({ name, students: new Set(students) })
      taught.set(key, list)
    }
    this.#taught = taught
    this.#longer = new Map(board.longer)
    this.#hasWays = Boolean(board.ways?.length)
    this.#closed = new Set(board.closed.map(([day, slot]) => `${day} ${slot}`))
  }

  /** What stands for and against an exam being there. */
  at(exam: BoardExam, on_date: string, exam_slot_id: number): CellEffect {
    const { exams, others, slots } = this.#board
    const slot = slots.find((one) => one.id === exam_slot_id)
    const [from, to] = slot ? [minute(slot.starts), minute(slot.ends)] : [0, 0]
    const clashes = new Map<string, number>()
    const late = new Map<string, number>()
    const { halls, lacks } = this.#halls(exam, on_date, exam_slot_id)
    const places = halls.map((hall) => hall.location_id)
    const end = endOf(exam, from, to)
    let same_day = 0
    let hurried = 0
    for (const student of exam.students) {
      let other = false
      let short = false
      const percent = this.#longer.get(student) ?? 0
      const until = end + extraMinutes(end - from, percent)
      const meet = (name: string, same: boolean, begins: number, ends: number, there: BoardExam['halls']) => {
        if (same) {
          clashes.set(name, (clashes.get(name) ?? 0) + 1)
          return
        }
        other = true
        const last = ends + extraMinutes(ends - begins, percent)
        if (percent && begins < until && from < last) late.set(name, (late.get(name) ?? 0) + 1)
        else if (this.#hasWays) {
          const gap = begins >= until ? begins - until : from - last
          short ||= gap < this.#farthest(places, there)
        }
      }
      for (const i of this.#of.get(student) ?? []) {
        const one = exams[i]!
        if (one.id === exam.id || one.on_date !== on_date) continue
        const at = slots.find((other_slot) => other_slot.id === one.exam_slot_id)
        const [begins, ends] = at ? [minute(at.starts), minute(at.ends)] : [0, 0]
        meet(one.name, one.exam_slot_id === exam_slot_id, begins, endOf(one, begins, ends), one.halls)
      }
      for (const i of this.#otherOf.get(student) ?? []) {
        const one = others[i]!
        if (one.on_date === on_date) meet(one.name, one.from < to && from < one.to, one.from, one.to, one.halls)
      }
      if (other) same_day++
      if (short) hurried++
    }
    const free = this.free(exam.id, on_date, exam_slot_id).reduce((sum, hall) => sum + hall.seats, 0)
    return {
      late: [...late].map(([name, count]) => ({ name, count })).toSorted((a, b) => b.count - a.count),
      hurried,
      lacks,
      clashes: [...clashes].map(([name, count]) => ({ name, count })).toSorted((a, b) => b.count - a.count),
      taught: (this.#taught.get(`${on_date} ${exam_slot_id}`) ?? [])
        .map(({ name, students }) => ({ name, count: exam.students.filter((student) => students.has(student)).length }))
        .filter(({ count }) => count > 0)
        .toSorted((a, b) => b.count - a.count),
      lost: exam.halls.filter(({ location_id }) => this.#isClosed(location_id, on_date, exam_slot_id)).length,
      same_day,
      free,
      closed: this.#closed.has(`${on_date} 0`) || this.#closed.has(`${on_date} ${exam_slot_id}`),
      fits: free >= exam.students.length,
    }
  }

  #isClosed(hall: number, on_date: string, exam_slot_id: number): boolean {
    return this.#board.closed_halls.some(
      (one) =>
        one.location_id === hall &&
        (one.on_date ?? on_date) === on_date &&
        (one.exam_slot_id ?? exam_slot_id) === exam_slot_id,
    )
  }

  /** The longest way between halls of two exams, minutes. */
  #farthest(places: readonly number[], there: BoardExam['halls']): number {
    const { halls, ways = [] } = this.#board
    let most = 0
    for (const place of places) {
      const building = halls.find((hall) => hall.id === place)?.building_id
      for (const { building_id } of there)
        if (building !== undefined && building_id !== undefined)
          most = Math.max(most, minutesBetween(ways, building, building_id))
    }
    return most
  }

  /** What is held on a day besides an exam: from when to when, and in which halls. */
  *#beside(id: number, on_date: string): Generator<{ from: number; to: number; halls: BoardExam['halls'] }> {
    const { exams, others, slots } = this.#board
    for (const one of exams) {
      if (one.id === id || one.on_date !== on_date) continue
      const slot = slots.find((other) => other.id === one.exam_slot_id)
      if (!slot) continue
      const from = minute(slot.starts)
      yield { from, to: endOf(one, from, minute(slot.ends)), halls: one.halls }
    }
    for (const one of others) if (one.on_date === on_date) yield one
  }

  /** Free seats of each hall then, as if the exam were not there. */
  free(id: number, on_date: string, exam_slot_id: number): BoardHall[] {
    const { exams, others, halls, slots } = this.#board
    const slot = slots.find((one) => one.id === exam_slot_id)
    const left = new Map(halls.map((hall) => [hall.id, hall.seats]))
    for (const one of this.#board.closed_halls)
      if ((one.on_date ?? on_date) === on_date && (one.exam_slot_id ?? exam_slot_id) === exam_slot_id)
        left.set(one.location_id, 0)
    const take = (list: BoardExam['halls']) => {
      for (const { location_id, seats } of list) left.set(location_id, (left.get(location_id) ?? 0) - seats)
    }
    for (const one of exams)
      if (one.id !== id && one.on_date === on_date && one.exam_slot_id === exam_slot_id) take(one.halls)
    for (const one of others)
      if (slot && one.on_date === on_date && one.from < minute(slot.ends) && minute(slot.starts) < one.to)
        take(one.halls)
    // Nothing comes where one sits alone, nor where somebody with more time still writes.
    if (slot) {
      const [from, to] = [minute(slot.starts), minute(slot.ends)]
      for (const one of this.#beside(id, on_date))
        for (const { location_id, extra = 0, own_room } of one.halls)
          if ((own_room || from >= one.to) && one.from < to && from < one.to + extra) left.set(location_id, 0)
    }
    return halls.map((hall) => ({ id: hall.id, seats: Math.max(0, left.get(hall.id) ?? 0) }))
  }

  /** Halls for an exam there; those with a seat for one alone among them. Empty where they do not hold all. */
  #halls(
    exam: BoardExam,
    on_date: string,
    exam_slot_id: number,
  ): { halls: readonly { location_id: number; seats: number }[]; lacks: CellEffect['lacks'] } {
    const free = this.free(exam.id, on_date, exam_slot_id)
    const slot = this.#board.slots.find((one) => one.id === exam_slot_id)
    if (!exam.needs?.length || !slot) return { halls: seatIn(exam.halls, free, exam.students.length), lacks: null }
    const [from, to] = [minute(slot.starts), minute(slot.ends)]
    const end = endOf(exam, from, to)
    const next = new Map<number, number>()
    const there = new Set<number>()
    for (const one of this.#beside(exam.id, on_date))
      for (const { location_id } of one.halls) {
        if (one.from >= end) next.set(location_id, Math.min(next.get(location_id) ?? Infinity, one.from - end))
        else if (one.to > from) there.add(location_id)
      }
    const needs = exam.needs.map(({ percent, own_room }): Need => ({
      minutes: extraMinutes(end - from, percent ?? 0),
      own_room,
      helper: null,
    }))
    const freeFor = (hall: number) => next.get(hall) ?? Infinity
    const alone = needs.filter((need) => need.own_room)
    const long = needs.filter((need) => !need.own_room && need.minutes > 0)
    const most = Math.max(0, ...needs.map((need) => need.minutes))
    const mine = new Set(exam.halls.filter((hall) => hall.own_room).map((hall) => hall.location_id))
    // Rooms for one alone first: those it has, else the smallest that stand empty.
    const rooms = free
      .filter(({ id, seats }) => seats > 0 && !there.has(id) && freeFor(id) >= most)
      .toSorted((a, b) => Number(mine.has(b.id)) - Number(mine.has(a.id)) || a.seats - b.seats)
      .slice(0, alone.length)
    const rest = free.map((hall) => (rooms.includes(hall) ? { id: hall.id, seats: 0 } : hall))
    const writers = exam.students.length - alone.length
    const own = exam.halls.filter((hall) => !hall.own_room)
    const judge = (chosen: readonly { location_id: number; seats: number }[]) =>
      arrangeHalls(
        exam.students.length,
        chosen.map(({ location_id, seats }): HeldHall => ({
          location_id,
          seats,
          extra: 0,
          own_room: false,
          helper: null,
          alone: !there.has(location_id),
          free_for: freeFor(location_id),
          long_seated: 0,
        })),
        rooms.map((hall) => ({ location_id: hall.id, places: hall.seats, free_for: freeFor(hall.id) })),
        needs,
      )
    let chosen = seatIn(own, rest, writers)
    if (chosen.length && judge(chosen).hall_lacking) {
      // Those with more time first, into the smallest hall that can be held for them, then the others.
      const held = rest
        .filter((hall) => hall.seats >= long.length && freeFor(hall.id) >= most)
        .toSorted((a, b) => Number(b.seats >= writers) - Number(a.seats >= writers) || a.seats - b.seats)[0]
      const first = held ? Math.min(held.seats, writers) : 0
      const others = seatIn(
        [],
        rest.map((hall) => (hall === held ? { id: hall.id, seats: 0 } : hall)),
        writers - first,
      )
      if (held && (first === writers || others.length)) chosen = [{ location_id: held.id, seats: first }, ...others]
    }
    if (!chosen.length && writers > 0) return { halls: [], lacks: null }
    const { halls, rooms_lacking, hall_lacking } = judge(chosen)
    return {
      halls: halls.map(({ location_id, seats }) => ({ location_id, seats })),
      lacks: rooms_lacking ? 'rooms' : hall_lacking ? 'hall' : null,
    }
  }

  /** Halls for an exam there: its own where they are free, else the smallest that holds all, else the largest first. */
  seat(exam: BoardExam, on_date: string, exam_slot_id: number): { location_id: number; seats: number }[] {
    return [...this.#halls(exam, on_date, exam_slot_id).halls]
  }
}

/** When an exam ends that begins with its slot. */
const endOf = ({ duration = null }: Pick<BoardExam, 'duration'>, from: number, to: number): number =>
  duration === null ? to : Math.min(to, from + duration)

/** Halls for so many: its own where they are free, else the smallest that holds all, else the largest first; none where they are too few. */
function seatIn(
  halls: BoardExam['halls'],
  free: readonly BoardHall[],
  need: number,
): { location_id: number; seats: number }[] {
  const room = (id: number) => free.find((hall) => hall.id === id)?.seats ?? 0
  const own = halls.reduce((sum, hall) => sum + hall.seats, 0)
  if (own === need && own > 0 && halls.every((hall) => room(hall.location_id) >= hall.seats))
    return halls.map(({ location_id, seats }) => ({ location_id, seats }))
  const one = free.filter((hall) => hall.seats >= need).toSorted((a, b) => a.seats - b.seats)[0]
  if (one) return need ? [{ location_id: one.id, seats: need }] : []
  const out: { location_id: number; seats: number }[] = []
  let left = need
  for (const hall of free.toSorted((a, b) => b.seats - a.seats)) {
    const seats = Math.min(hall.seats, left)
    if (seats > 0) out.push({ location_id: hall.id, seats })
    left -= seats
  }
  return left > 0 ? [] : out
}

/** Why an exam should not be in a cell, the first of the reasons; `minded`: it may, and students have another exam that day. */
export type CellVerdict =
  | { readonly fit: 'free' }
  | { readonly fit: 'minded'; readonly count: number; readonly hurried: boolean }
  | { readonly fit: 'taken'; readonly why: 'closed' | 'room' | 'held' }
  | { readonly fit: 'taken'; readonly why: 'clash' | 'taught' | 'late'; readonly name: string; readonly more: number }
export function verdictOf({ closed, clashes, late, taught, fits, lacks, same_day, hurried }: CellEffect): CellVerdict {
  const [first] = clashes
  if (closed) return { fit: 'taken', why: 'closed' }
  if (first) return { fit: 'taken', why: 'clash', name: first.name, more: clashes.length - 1 }
  if (late[0]) return { fit: 'taken', why: 'late', name: late[0].name, more: late.length - 1 }
  if (taught[0]) return { fit: 'taken', why: 'taught', name: taught[0].name, more: taught.length - 1 }
  if (!fits) return { fit: 'taken', why: 'room' }
  if (lacks) return { fit: 'taken', why: 'held' }
  if (hurried) return { fit: 'minded', count: hurried, hurried: true }
  return same_day ? { fit: 'minded', count: same_day, hurried: false } : { fit: 'free' }
}

/** What a plan comes to, in people and exams. */
export interface BoardFigures {
  /** Exams without day and slot. */
  readonly unplaced: number
  /** Students who have two exams at once. */
  readonly clashes: number
  /** Students who have more than one exam on a day. */
  readonly same_day: number
  /** Students who are taught while they sit an exam. */
  readonly taught: number
  /** Most exams that a student has on one day. */
  readonly most: number
}
const FIGURES = ['unplaced', 'clashes', 'taught', 'same_day', 'most'] as const

/** Figures of a board as it stands, or as a proposal would have it. */
export function figuresOf({ slots, exams, others, taught = [], longer = [] }: Board): BoardFigures {
  const times = new Map(slots.map((slot) => [slot.id, [minute(slot.starts), minute(slot.ends)] as const]))
  type Sitting = { day: string; from: number; to: number }
  const of = new Map<number, Sitting[]>()
  const percents = new Map(longer)
  const add = (students: readonly number[], one: Sitting) => {
    for (const student of students) {
      const list = of.get(student)
      const mine = { ...one, to: one.to + extraMinutes(one.to - one.from, percents.get(student) ?? 0) }
      if (list) list.push(mine)
      else of.set(student, [mine])
    }
  }
  const lectures = new Map<string, Set<number>>()
  for (const { on_date, exam_slot_id, students } of taught) {
    const key = `${on_date} ${exam_slot_id}`
    const list = lectures.get(key) ?? new Set()
    for (const student of students) list.add(student)
    lectures.set(key, list)
  }
  const missing = new Set<number>()
  let unplaced = 0
  const sits = new Set<number>()
  for (const exam of exams) {
    for (const student of exam.students) sits.add(student)
    const time = exam.exam_slot_id === null ? undefined : times.get(exam.exam_slot_id)
    if (exam.on_date === null || !time) unplaced++
    else {
      add(exam.students, { day: exam.on_date, from: time[0], to: endOf(exam, time[0], time[1]) })
      const then = lectures.get(`${exam.on_date} ${exam.exam_slot_id}`)
      if (then) for (const student of exam.students) if (then.has(student)) missing.add(student)
    }
  }
  for (const other of others) add(other.students, { day: other.on_date, from: other.from, to: other.to })
  let [clashes, same_day, most] = [0, 0, 0]
  for (const student of sits) {
    const list = of.get(student) ?? []
    const days = Map.groupBy(list, (one) => one.day)
    let clash = false
    let fullest = 0
    for (const there of days.values()) {
      fullest = Math.max(fullest, there.length)
      clash ||= there.some((one, i) => there.slice(i + 1).some((other) => one.from < other.to && other.from < one.to))
    }
    if (clash) clashes++
    if (fullest > 1) same_day++
    most = Math.max(most, fullest)
  }
  return { unplaced, clashes, taught: missing.size, same_day, most }
}

/** A figure of two plans, and whether the second is the better one: of all of them, fewer is better. */
export interface Compared {
  readonly name: keyof BoardFigures
  readonly from: number
  readonly to: number
  readonly verdict: 'better' | 'same' | 'worse'
}
export const compareFigures = (present: BoardFigures, proposed: BoardFigures): Compared[] =>
  FIGURES.map((name) => {
    const [from, to] = [present[name], proposed[name]]
    return { name, from, to, verdict: to < from ? 'better' : to > from ? 'worse' : 'same' }
  })

/** The board as a proposal would have it: exams that it moves stand where it puts them. */
export function proposedBoard<B extends Board>(
  board: B,
  changes: readonly {
    readonly id: number
    readonly to: { readonly on_date: string; readonly exam_slot_id: number } | null
  }[],
): B {
  const moved = new Map(changes.map((one) => [one.id, one.to]))
  return {
    ...board,
    exams: board.exams.map((exam) => {
      const to = moved.get(exam.id)
      return to === undefined ? exam : { ...exam, on_date: to?.on_date ?? null, exam_slot_id: to?.exam_slot_id ?? null }
    }),
  }
}

/** So near to an edge of the board, in px, what is held moves the board along; at the edge by so much a frame. */
const NEAR = 56
const FASTEST = 16
/** By how much a board goes on in a frame while something is held between two of its edges: nothing in the middle, faster towards each. */
export const pull = (at: number, from: number, to: number): number => {
  const short = Math.min(NEAR, (to - from) / 3)
  const into = at < from + short ? at - from - short : at > to - short ? at - to + short : 0
  return Math.round((Math.max(-short, Math.min(short, into)) / short) * FASTEST)
}
