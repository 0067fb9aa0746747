import type { Model } from './model.rules.ts'
import { NEVER_AGAIN } from './model.rules.ts'

/**
 * Which exam is in which hall, and what that costs: kept up to date exam by exam. An exam that a trial takes out of its
 * halls is noted, so that the trial can be taken back.
 */
export class SeatingSearch {
  private readonly model: Model
  /** S × R: seats left. */
  readonly free: Int32Array
  /** S × R: exams in the hall. */
  readonly count: Int32Array
  private readonly alone: Int32Array
  /** S × R: exams of earlier slots of which somebody still writes in the hall; empty where nobody ever does. */
  private readonly held: Int32Array
  /** S × R × D: exams of each length in the hall. */
  private readonly lengths: Int32Array
  /** Invigilators left in each slot. */
  readonly staff: Int32Array
  /** Halls of each exam, and seats in each. */
  readonly halls: Int32Array
  readonly hall: Int32Array
  readonly taken: Int32Array
  cost = 0
  private readonly mixed: number
  private readonly split: number
  // What was noted: exams, how many halls each had, and which.
  private noted = 0
  private readonly notedExam: Int32Array
  private readonly notedSlot: Int32Array
  private readonly notedHalls: Int32Array
  private readonly notedHall: Int32Array
  private readonly notedTaken: Int32Array
  private notedCost = 0
  private readonly choice: Int32Array

  constructor(model: Model) {
    const { S, R, E, D, K } = model
    this.model = model
    this.free = new Int32Array(S * R)
    for (let slot = 0; slot < S; slot += 1)
      for (let hall = 0; hall < R; hall += 1)
        this.free[slot * R + hall] = model.open[slot * R + hall] ? model.seats[hall]! : 0
    this.count = new Int32Array(S * R)
    this.alone = new Int32Array(S * R)
    this.held = new Int32Array(model.reached ? S * R : 0)
    this.lengths = new Int32Array(S * R * D)
    this.staff = Int32Array.from(model.staffIn)
    this.halls = new Int32Array(E)
    this.hall = new Int32Array(E * K)
    this.taken = new Int32Array(E * K)
    this.mixed = model.problem.weights.mixed
    this.split = model.problem.weights.split
    this.notedExam = new Int32Array(E)
    this.notedSlot = new Int32Array(E)
    this.notedHalls = new Int32Array(E)
    this.notedHall = new Int32Array(E * K)
    this.notedTaken = new Int32Array(E * K)
    this.choice = new Int32Array(R)
  }

  /** Whether the exam may use the hall in the slot at all, seats aside. */
  may(exam: number, slot: number, hall: number): boolean {
    const { R, open, mayUse, alone, invigilators, anyOverlap, overlapping, reached } = this.model
    const at = slot * R + hall
    if (!open[at] || !mayUse[exam * R + hall]) return false
    if (reached) {
      if (this.held[at]! > 0) return false
      for (const later of reached[exam]![slot]!)
        if (this.count[later * R + hall]! > 0 || this.staff[later]! < invigilators[hall]!) return false
    }
    const inside = this.count[at]!
    if (inside > 0) return !alone[exam] && this.alone[at] === 0
    if (this.staff[slot]! < invigilators[hall]!) return false
    if (anyOverlap) {
      for (const other of overlapping[slot]!) {
        if (this.count[other * R + hall]! > 0 || this.staff[other]! < invigilators[hall]!) return false
      }
    }
    return true
  }

  /** What the exam adds to the cost by being in the hall. */
  added(exam: number, slot: number, hall: number): number {
    const { R, D, hallCost, length } = this.model
    const at = slot * R + hall
    const mixes = this.count[at]! > 0 && this.lengths[at * D + length[exam]!] === 0
    return hallCost[hall]! + (mixes ? this.mixed : 0)
  }

  /** Puts `seats` of the exam into a hall where it is not yet. */
  put(exam: number, slot: number, hall: number, seats: number): void {
    const { R, D, K, length, alone, invigilators } = this.model
    const at = slot * R + hall
    this.cost += this.added(exam, slot, hall)
    const halls = this.halls[exam]!
    if (halls > 0) this.cost += this.split
    this.hall[exam * K + halls] = hall
    this.taken[exam * K + halls] = seats
    this.halls[exam] = halls + 1
    this.free[at]! -= seats
    if (this.count[at] === 0 && invigilators[hall]! > 0) this.call(slot, -invigilators[hall]!)
    this.count[at]! += 1
    this.lengths[at * D + length[exam]!]! += 1
    if (alone[exam]) this.alone[at]! += 1
    if (this.model.reached) this.hold(exam, slot, hall, 1)
  }

  /** The hall and its people are held into the slots that the exam reaches, or no longer so. */
  private hold(exam: number, slot: number, hall: number, by: 1 | -1): void {
    const { R, reached, invigilators } = this.model
    for (const later of reached![exam]![slot]!) {
      const at = later * R + hall
      const before = this.held[at]!
      this.held[at] = before + by
      if ((before === 0 || before + by === 0) && invigilators[hall]! > 0) this.call(later, -by * invigilators[hall]!)
    }
  }

  /** Takes the exam out of all its halls. */
  take(exam: number, slot: number): void {
    const { R, D, K, length, alone, invigilators } = this.model
    const halls = this.halls[exam]!
    if (halls > 1) this.cost -= this.split * (halls - 1)
    this.halls[exam] = 0
    for (let k = 0; k < halls; k += 1) {
      const hall = this.hall[exam * K + k]!
      const at = slot * R + hall
      this.free[at]! += this.taken[exam * K + k]!
      this.count[at]! -= 1
      this.lengths[at * D + length[exam]!]! -= 1
      if (alone[exam]) this.alone[at]! -= 1
      if (this.count[at] === 0 && invigilators[hall]! > 0) this.call(slot, invigilators[hall]!)
      if (this.model.reached) this.hold(exam, slot, hall, -1)
      this.cost -= this.added(exam, slot, hall)
    }
  }

  private call(slot: number, count: number): void {
    this.staff[slot]! += count
    if (this.model.anyOverlap) for (const other of this.model.overlapping[slot]!) this.staff[other]! += count
  }

  /** Finds halls for the exam: the one hall that costs least and fits best, or as few as it can be split over. */
  seat(exam: number, slot: number): boolean {
    const { R, seats, size, hallsOf, most } = this.model
    const writers = size[exam]!
    const mine = hallsOf[exam]!
    let best = -1
    let bestCost = NEVER_AGAIN
    for (let i = mine.length - 1; i >= 0; i -= 1) {
      const hall = mine[i]!
      if (seats[hall]! < writers) break
      if (this.free[slot * R + hall]! < writers) continue
      const cost = this.added(exam, slot, hall)
      // Later ones are smaller halls.
      if (cost > bestCost || !this.may(exam, slot, hall)) continue
      if (cost < bestCost || this.free[slot * R + hall]! < this.free[slot * R + best]!) {
        best = hall
        bestCost = cost
      }
    }
    if (best >= 0) {
      this.put(exam, slot, best, writers)
      return true
    }
    return most[exam]! > 1 && this.spreadOut(exam, slot, writers)
  }

  private spreadOut(exam: number, slot: number, writers: number): boolean {
    const { R, hallsOf, most } = this.model
    const { choice, free } = this
    let n = 0
    let room = 0
    for (const hall of hallsOf[exam]!) {
      if (free[slot * R + hall]! <= 0 || !this.may(exam, slot, hall)) continue
      // The one with most seats left first.
      let at = n
      while (at > 0 && free[slot * R + choice[at - 1]!]! < free[slot * R + hall]!) {
        choice[at] = choice[at - 1]!
        at -= 1
      }
      choice[at] = hall
      room += free[slot * R + hall]!
      n += 1
    }
    if (room < writers) return false
    let left = writers
    let used = 0
    for (let i = 0; i < n && left > 0; i += 1) {
      if (used === most[exam]!) break
      let hall = choice[i]!
      // For what is left, the smallest that holds it.
      if (free[slot * R + hall]! >= left) {
        let j = i
        while (j + 1 < n && free[slot * R + choice[j + 1]!]! >= left) j += 1
        hall = choice[j]!
      }
      if (!this.may(exam, slot, hall)) continue // its invigilators went to the halls before
      const seats = Math.min(left, free[slot * R + hall]!)
      this.put(exam, slot, hall, seats)
      left -= seats
      used += 1
    }
    if (left === 0) return true
    this.take(exam, slot)
    return false
  }

  /** Begins a trial. */
  begin(): void {
    this.noted = 0
    this.notedCost = this.cost
  }

  /** Takes the exam out of its halls for the trial. */
  lift(exam: number, slot: number): void {
    const { K } = this.model
    const n = this.noted
    this.notedExam[n] = exam
    this.notedSlot[n] = slot
    const halls = this.halls[exam]!
    this.notedHalls[n] = halls
    for (let k = 0; k < halls; k += 1) {
      this.notedHall[n * K + k] = this.hall[exam * K + k]!
      this.notedTaken[n * K + k] = this.taken[exam * K + k]!
    }
    this.noted = n + 1
    if (halls > 0) this.take(exam, slot)
  }

  /** Takes the trial back; `to` tells the slot in which an exam may have been seated meanwhile. */
  undo(to: (exam: number) => number): void {
    const { K } = this.model
    for (let n = 0; n < this.noted; n += 1) {
      const exam = this.notedExam[n]!
      if (this.halls[exam]! > 0) this.take(exam, to(exam))
    }
    for (let n = 0; n < this.noted; n += 1) {
      for (let k = 0; k < this.notedHalls[n]!; k += 1) {
        this.put(this.notedExam[n]!, this.notedSlot[n]!, this.notedHall[n * K + k]!, this.notedTaken[n * K + k]!)
      }
    }
    this.cost = this.notedCost
    this.noted = 0
  }

  /** The trial stands. */
  keep(): void {
    this.noted = 0
  }

  /** Copies halls as they were before the trial that is under way. */
  copy(halls: Int32Array, hall: Int32Array, taken: Int32Array): void {
    const { K } = this.model
    halls.set(this.halls)
    hall.set(this.hall)
    taken.set(this.taken)
    for (let n = 0; n < this.noted; n += 1) {
      const exam = this.notedExam[n]!
      halls[exam] = this.notedHalls[n]!
      for (let k = 0; k < this.notedHalls[n]!; k += 1) {
        hall[exam * K + k] = this.notedHall[n * K + k]!
        taken[exam * K + k] = this.notedTaken[n * K + k]!
      }
    }
  }

  /** Exchanges what is in two slots, whose halls must be open alike. */
  exchange(a: number, b: number): void {
    const { R, D } = this.model
    const swap = (list: Int32Array, width: number) => {
      for (let i = 0; i < width; i += 1) {
        const kept = list[a * width + i]!
        list[a * width + i] = list[b * width + i]!
        list[b * width + i] = kept
      }
    }
    swap(this.free, R)
    swap(this.count, R)
    swap(this.alone, R)
    swap(this.lengths, R * D)
    const { staffIn } = this.model
    const used = staffIn[a]! - this.staff[a]!
    this.staff[a] = staffIn[a]! - (staffIn[b]! - this.staff[b]!)
    this.staff[b] = staffIn[b]! - used
  }

  /** Whether what is in both slots could be exchanged. */
  exchangeable(a: number, b: number): boolean {
    const { R, open, staffIn } = this.model
    for (let hall = 0; hall < R; hall += 1) if (open[a * R + hall] !== open[b * R + hall]) return false
    return staffIn[a]! - this.staff[a]! <= staffIn[b]! && staffIn[b]! - this.staff[b]! <= staffIn[a]!
  }
}
