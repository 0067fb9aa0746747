import { Random } from '../solver/model.rules.ts'

/** A hall whose seats are numbered from 1, row by row. */
export interface SeatHall {
  readonly id: number
  readonly seats: number
  /** Seats in a row; without it, all are one row, and nobody sits before or behind another. */
  readonly perRow?: number
}

/** An exam of the slot. */
export interface SeatExam {
  readonly id: number
  /** Who writes it, in the order in which they registered: those next to each other here do not sit together. */
  readonly students: readonly number[]
  /** How many of them are in which hall (`id`). */
  readonly halls: readonly { readonly hall: number; readonly seats: number }[]
}

/** Everything that is written at one time. */
export interface SeatProblem {
  readonly halls: readonly SeatHall[]
  readonly exams: readonly SeatExam[]
  /** Pairs of students who do not sit next to each other, whatever they write. */
  readonly apart?: readonly (readonly [number, number])[]
  /** Halls get students in the order of the list, not by chance. */
  readonly inOrder?: boolean
}

interface Seat {
  readonly exam: number
  readonly student: number
  readonly hall: number
  readonly seat: number
}

/** Two neighbours in a hall who had better not be. */
export interface Neighbours {
  readonly hall: number
  readonly seats: readonly [number, number]
  readonly students: readonly [number, number]
  /** `exam`: they write the same in a hall that others share; `friends`: they were to sit apart. */
  readonly why: 'exam' | 'friends'
}

/** Why seats cannot be given. */
export type SeatReason =
  | { readonly code: 'hall_too_small'; readonly data: { hall: number; seats: number; needed: number } }
  | { readonly code: 'hall_unknown'; readonly data: { hall: number; exam: number } }
  | { readonly code: 'exam_not_covered'; readonly data: { exam: number; students: number; seats: number } }
  | { readonly code: 'student_twice'; readonly data: { student: number; exams: number[] } }

/** Every reason why the students cannot all be seated. */
export function checkSeats(problem: SeatProblem): SeatReason[] {
  const reasons: SeatReason[] = []
  const needed = new Map<number, number>()
  const known = new Set(problem.halls.map(({ id }) => id))
  const exams = new Map<number, number[]>()
  for (const exam of problem.exams) {
    let seats = 0
    for (const { hall, seats: count } of exam.halls) {
      if (!known.has(hall)) reasons.push({ code: 'hall_unknown', data: { hall, exam: exam.id } })
      needed.set(hall, (needed.get(hall) ?? 0) + count)
      seats += count
    }
    if (seats < exam.students.length)
      reasons.push({ code: 'exam_not_covered', data: { exam: exam.id, students: exam.students.length, seats } })
    for (const student of exam.students) exams.set(student, [...(exams.get(student) ?? []), exam.id])
  }
  for (const { id, seats } of problem.halls)
    if ((needed.get(id) ?? 0) > seats)
      reasons.push({ code: 'hall_too_small', data: { hall: id, seats, needed: needed.get(id)! } })
  for (const [student, written] of exams)
    if (written.length > 1) reasons.push({ code: 'student_twice', data: { student, exams: written } })
  return reasons
}

/** Seats next to a seat (from 0) of a hall: to both sides, and before and behind where there are rows. */
function nextTo(hall: SeatHall, seat: number): number[] {
  const row = hall.perRow ?? hall.seats
  const found: number[] = []
  if (seat % row > 0) found.push(seat - 1)
  if ((seat + 1) % row > 0 && seat + 1 < hall.seats) found.push(seat + 1)
  if (seat - row >= 0) found.push(seat - row)
  if (seat + row < hall.seats) found.push(seat + row)
  return found
}

/**
 * Gives every student one seat: neighbours write different exams as far as the halls allow (free seats serve as gaps),
 * and those who are to be apart are. By chance, the same for the same seed. Seats in `kept` stay as they are where the
 * student still writes that exam in that hall; the others are seated around them.
 */
export function assignSeats(problem: SeatProblem, seed: number, kept: readonly Seat[] = []): Seat[] {
  const [reason] = checkSeats(problem)
  if (reason) throw new Error(`seats: ${reason.code}`)
  const random = new Random(seed)
  const isBad = strangers(problem)
  const seats: Seat[] = []
  const inside = distribute(problem, random, kept)
  for (const hall of problem.halls) {
    const parts = inside.get(hall.id) ?? []
    if (parts.length > 0) seats.push(...seatHall(hall, parts, isBad, random))
  }
  return seats
}

interface Part {
  readonly exam: number
  readonly students: number[]
  /** Seats (from 0) of those of them who keep theirs. */
  readonly kept: Map<number, number>
}

/** Which students of each exam go to which hall. */
function distribute(problem: SeatProblem, random: Random, kept: readonly Seat[]): Map<number, Part[]> {
  const halls = new Map(problem.halls.map((hall) => [hall.id, hall]))
  const all = new Map<number, Part[]>()
  const before = new Map(kept.map((seat) => [`${seat.exam} ${seat.student}`, seat]))
  const taken = new Set<string>()
  for (const exam of problem.exams) {
    const parts = exam.halls.map(({ hall, seats }) => ({ hall, seats, part: newPart(exam.id) }))
    const waiting: number[] = []
    for (const student of exam.students) {
      const seat = before.get(`${exam.id} ${student}`)
      const there = seat && parts.find(({ hall, seats, part }) => hall === seat.hall && part.students.length < seats)
      if (!there || taken.has(`${seat.hall} ${seat.seat}`) || seat.seat > halls.get(seat.hall)!.seats) {
        waiting.push(student)
        continue
      }
      taken.add(`${seat.hall} ${seat.seat}`)
      there.part.students.push(student)
      there.part.kept.set(student, seat.seat - 1)
    }
    if (!problem.inOrder) random.shuffle(waiting)
    for (const { hall, seats, part } of parts) {
      part.students.push(...waiting.splice(0, seats - part.students.length))
      if (part.students.length > 0) all.set(hall, [...(all.get(hall) ?? []), part])
    }
  }
  return all
}

const newPart = (exam: number): Part => ({ exam, students: [], kept: new Map() })

/** Whether two students had better not sit together: in `apart`, or one after the other in the list of an exam. */
function strangers(problem: SeatProblem): (a: number, b: number) => boolean {
  const friends = new Map<number, Set<number>>()
  const add = (a: number, b: number) => {
    const known = friends.get(a) ?? new Set()
    friends.set(a, known.add(b))
  }
  for (const [a, b] of problem.apart ?? []) {
    add(a, b)
    add(b, a)
  }
  for (const { students } of problem.exams) {
    for (let i = 1; i < students.length; i += 1) {
      add(students[i - 1]!, students[i]!)
      add(students[i]!, students[i - 1]!)
    }
  }
  return (a, b) => friends.get(a)?.has(b) ?? false
}

const EMPTY = -1

function seatHall(
  hall: SeatHall,
  parts: readonly Part[],
  isBad: (a: number, b: number) => boolean,
  random: Random,
): Seat[] {
  const near = Array.from({ length: hall.seats }, (_, seat) => nextTo(hall, seat))
  const exams = layOut(hall, parts, near, random)
  const students = Array.from({ length: hall.seats }, () => EMPTY)
  const places: number[][] = parts.map(() => [])
  for (const [index, part] of parts.entries()) {
    const isKept = new Set(part.kept.values())
    for (const [student, seat] of part.kept) students[seat] = student
    const free = [...exams.keys()].filter((seat) => exams[seat] === index && !isKept.has(seat))
    random.shuffle(free)
    const waiting = part.students.filter((student) => !part.kept.has(student))
    for (const [i, student] of waiting.entries()) students[free[i]!] = student
    places[index] = free
  }
  // While two sit together who should not, one of them changes with another of the same exam, if that is better.
  const wrong = (seat: number): number => {
    const student = students[seat]!
    let count = 0
    if (student !== EMPTY) for (const other of near[seat]!) if (isBad(student, students[other]!)) count += 1
    return count
  }
  for (let round = 0; round < 6; round += 1) {
    let left = 0
    for (const list of places) {
      for (const seat of list) {
        for (let tries = 0; tries < 20 && wrong(seat) > 0 && list.length > 1; tries += 1) {
          const other = list[random.below(list.length)]!
          if (other === seat) continue
          const before = wrong(seat) + wrong(other)
          swap(students, seat, other)
          if (wrong(seat) + wrong(other) >= before) swap(students, seat, other)
        }
        left += wrong(seat)
      }
    }
    if (left === 0) break
  }
  const seated: Seat[] = []
  for (const [seat, student] of students.entries())
    if (student !== EMPTY) seated.push({ exam: parts[exams[seat]!]!.exam, student, hall: hall.id, seat: seat + 1 })
  return seated
}

function swap(list: number[], a: number, b: number): void {
  const kept = list[a]!
  list[a] = list[b]!
  list[b] = kept
}

/** Which part has which seat: as near to the front as can be without neighbours of one exam, otherwise with fewest. */
function layOut(hall: SeatHall, parts: readonly Part[], near: readonly number[][], random: Random): number[] {
  const counts = parts.map((part) => part.students.length - part.kept.size)
  const all = counts.reduce((sum, count) => sum + count, 0)
  const held = Array.from({ length: hall.seats }, () => EMPTY)
  for (const [index, part] of parts.entries()) for (const seat of part.kept.values()) held[seat] = index
  const already = held.filter((index) => index !== EMPTY).length
  const least = Math.min(hall.seats, Math.max(already + all, 2 * Math.max(...counts) - 1))
  let best: number[] = []
  let fewest = Infinity
  const step = Math.max(1, Math.floor((hall.seats - least) / 24))
  for (let length = least; fewest > 0; length = Math.min(length + step, hall.seats)) {
    const seats = fill(held, counts, length, near, random)
    const wrong = seats && together(seats, near)
    if (seats && wrong! < fewest) {
      fewest = wrong!
      best = seats
    }
    if (length >= hall.seats) break
  }
  return fewest > 0 ? untangle(best, held, near, fewest, random) : best
}

/** Pairs of neighbours of one part. */
function together(seats: readonly number[], near: readonly number[][]): number {
  let count = 0
  for (const [seat, index] of seats.entries())
    if (index !== EMPTY) for (const other of near[seat]!) if (other > seat && seats[other] === index) count += 1
  return count
}

/** Seat by seat, the part with most left that no neighbour has; nobody, if all are and there are seats to spare. */
function fill(
  held: readonly number[],
  counts: readonly number[],
  length: number,
  near: readonly number[][],
  random: Random,
): number[] | undefined {
  const seats = [...held]
  const left = [...counts]
  let toSeat = left.reduce((sum, count) => sum + count, 0)
  let spare = -toSeat
  for (let seat = 0; seat < length; seat += 1) if (held[seat] === EMPTY) spare += 1
  if (spare < 0) return undefined
  for (let seat = 0; seat < length && toSeat > 0; seat += 1) {
    if (held[seat] !== EMPTY) continue
    let best = EMPTY
    let bestWrong = Infinity
    for (const [index, count] of left.entries()) {
      if (count === 0) continue
      let wrong = 0
      for (const other of near[seat]!) if (seats[other] === index) wrong += 1
      const isBetter =
        wrong < bestWrong ||
        (wrong === bestWrong && (count > left[best]! || (count === left[best] && random.below(2) === 0)))
      if (!isBetter) continue
      best = index
      bestWrong = wrong
    }
    if (bestWrong > 0 && spare > 0) {
      spare -= 1
      continue
    }
    seats[seat] = best
    left[best]! -= 1
    toSeat -= 1
  }
  return seats
}

/** Exchanges seats while that leaves fewer neighbours of one exam. */
function untangle(
  seats: number[],
  held: readonly number[],
  near: readonly number[][],
  wrong: number,
  random: Random,
): number[] {
  const free = [...seats.keys()].filter((seat) => held[seat] === EMPTY)
  const at = (seat: number): number => {
    let count = 0
    if (seats[seat] !== EMPTY) for (const other of near[seat]!) if (seats[other] === seats[seat]) count += 1
    return count
  }
  let left = wrong
  for (let tries = 0; tries < 40 * free.length && left > 0; tries += 1) {
    const a = free[random.below(free.length)]!
    if (at(a) === 0) continue
    const b = free[random.below(free.length)]!
    if (seats[a] === seats[b]) continue
    const before = at(a) + at(b)
    swap(seats, a, b)
    const after = at(a) + at(b)
    if (after > before) swap(seats, a, b)
    else left -= before - after
  }
  return seats
}

/** Neighbours who had better not be, in a plan of seats. */
export function badNeighbours(problem: SeatProblem, seats: readonly Seat[]): Neighbours[] {
  const isBad = strangers(problem)
  const found: Neighbours[] = []
  for (const hall of problem.halls) {
    const here = new Map(seats.filter((seat) => seat.hall === hall.id).map((seat) => [seat.seat - 1, seat]))
    const isShared = new Set([...here.values()].map(({ exam }) => exam)).size > 1
    for (const [place, seat] of here) {
      for (const next of nextTo(hall, place)) {
        const other = here.get(next)
        if (!other || next < place) continue
        const pair = { hall: hall.id, seats: [seat.seat, other.seat], students: [seat.student, other.student] } as const
        if (isBad(seat.student, other.student)) found.push({ ...pair, why: 'friends' })
        if (isShared && seat.exam === other.exam) found.push({ ...pair, why: 'exam' })
      }
    }
  }
  return found
}

/**
 * Over which halls an exam is split so that it needs fewest: the smallest hall that holds it; otherwise the ones with
 * most free seats, and for what is left the smallest that holds that. None, when they have not enough.
 */
export function splitOverHalls(
  writers: number,
  halls: readonly { readonly id: number; readonly free: number }[],
  most = Infinity,
): { hall: number; seats: number }[] | undefined {
  const open = halls.filter(({ free }) => free > 0).toSorted((a, b) => b.free - a.free)
  const parts: { hall: number; seats: number }[] = []
  let left = writers
  while (left > 0) {
    if (parts.length >= most) return undefined
    const enough = open.findLast(({ free }) => free >= left)
    const hall = enough ?? open[0]
    if (!hall) return undefined
    const seats = Math.min(left, hall.free)
    parts.push({ hall: hall.id, seats })
    open.splice(open.indexOf(hall), 1)
    left -= seats
  }
  return parts
}
