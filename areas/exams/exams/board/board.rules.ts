/** The board of days and slots: what an exam would meet in each cell, asked often while it is held over them. */

export interface BoardExam {
  readonly id: number
  readonly name: string
  readonly on_date: string | null
  readonly exam_slot_id: number | null
  readonly students: readonly number[]
  readonly halls: readonly { readonly location_id: number; readonly seats: number }[]
}
export interface BoardSlot {
  readonly id: number
  readonly starts: string
  readonly ends: string
}
export interface BoardHall {
  readonly id: number
  readonly seats: number
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
}

/** What an exam meets in a cell. */
export interface CellEffect {
  /** Exams at the same time, with how many students in common. */
  readonly clashes: readonly { readonly name: string; readonly count: number }[]
  /** Meetings that students have then, with how many of them. */
  readonly taught: readonly { readonly name: string; readonly count: number }[]
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
    this.#closed = new Set(board.closed.map(([day, slot]) => `${day} ${slot}`))
  }

  /** What stands for and against an exam being there. */
  at(exam: BoardExam, on_date: string, exam_slot_id: number): CellEffect {
    const { exams, others, slots } = this.#board
    const slot = slots.find((one) => one.id === exam_slot_id)
    const [from, to] = slot ? [minute(slot.starts), minute(slot.ends)] : [0, 0]
    const clashes = new Map<string, number>()
    let same_day = 0
    for (const student of exam.students) {
      let other = false
      const meet = (name: string, same: boolean) => {
        if (same) clashes.set(name, (clashes.get(name) ?? 0) + 1)
        else other = true
      }
      for (const i of this.#of.get(student) ?? []) {
        const one = exams[i]!
        if (one.id !== exam.id && one.on_date === on_date) meet(one.name, one.exam_slot_id === exam_slot_id)
      }
      for (const i of this.#otherOf.get(student) ?? []) {
        const one = others[i]!
        if (one.on_date === on_date) meet(one.name, one.from < to && from < one.to)
      }
      if (other) same_day++
    }
    const free = this.free(exam.id, on_date, exam_slot_id).reduce((sum, hall) => sum + hall.seats, 0)
    return {
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
    return halls.map((hall) => ({ id: hall.id, seats: Math.max(0, left.get(hall.id) ?? 0) }))
  }

  /** Halls for an exam there: its own where they are free, else the smallest that holds all, else the largest first. */
  seat(exam: BoardExam, on_date: string, exam_slot_id: number): { location_id: number; seats: number }[] {
    const free = this.free(exam.id, on_date, exam_slot_id)
    const need = exam.students.length
    const room = (id: number) => free.find((hall) => hall.id === id)?.seats ?? 0
    const own = exam.halls.reduce((sum, hall) => sum + hall.seats, 0)
    if (own === need && own > 0 && exam.halls.every((hall) => room(hall.location_id) >= hall.seats))
      return exam.halls.map(({ location_id, seats }) => ({ location_id, seats }))
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
}

/** Why an exam should not be in a cell, the first of the reasons; `minded`: it may, and students have another exam that day. */
export type CellVerdict =
  | { readonly fit: 'free' }
  | { readonly fit: 'minded'; readonly count: number }
  | { readonly fit: 'taken'; readonly why: 'closed' | 'room' }
  | { readonly fit: 'taken'; readonly why: 'clash' | 'taught'; readonly name: string; readonly more: number }
export function verdictOf({ closed, clashes, taught, fits, same_day }: CellEffect): CellVerdict {
  const [first] = clashes
  if (closed) return { fit: 'taken', why: 'closed' }
  if (first) return { fit: 'taken', why: 'clash', name: first.name, more: clashes.length - 1 }
  if (taught[0]) return { fit: 'taken', why: 'taught', name: taught[0].name, more: taught.length - 1 }
  if (!fits) return { fit: 'taken', why: 'room' }
  return same_day ? { fit: 'minded', count: same_day } : { fit: 'free' }
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
export function figuresOf({ slots, exams, others, taught = [] }: Board): BoardFigures {
  const times = new Map(slots.map((slot) => [slot.id, [minute(slot.starts), minute(slot.ends)] as const]))
  type Sitting = { day: string; from: number; to: number }
  const of = new Map<number, Sitting[]>()
  const add = (students: readonly number[], one: Sitting) => {
    for (const student of students) {
      const list = of.get(student)
      if (list) list.push(one)
      else of.set(student, [one])
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
      add(exam.students, { day: exam.on_date, from: time[0], to: time[1] })
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
