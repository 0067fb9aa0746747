/** Which bed fits whom, and who is given which: pure, in the declared order. */
import type { Reason } from '#kit/contract/issues.ts'

/** A bed, as who may sleep in it is judged. Beds stand in their order: hostel, floor, room, bed. */
export interface Bed {
  readonly id: number
  readonly room_id: number
  readonly hostel_id: number
  readonly kind_id: number
  readonly gender: 'men' | 'women' | 'families'
  readonly audience: string | null
  readonly faculty_id: number | null
  readonly level: number | null
}
/** Days on which a bed is not free: [from, until). */
export interface Busy {
  readonly bed_id: number
  readonly from_day: string
  readonly until_day: string
  /** Who sleeps there; null: closed, or a guest. */
  readonly student_id: number | null
  readonly reservation_id: number | null
}
/** Who waits for a bed. */
export interface BedWaiter {
  readonly id: number
  readonly student_id: number | null
  readonly gender: number | null
  readonly audience: string
  readonly faculty_id: number | null
  readonly level: number | null
  readonly kind_id: number | null
  readonly hostel_id: number | null
  readonly from_day: string
  readonly until_day: string
  readonly priority: number
  readonly distance_km: number | null
  readonly asked_at: string
  /** Students who are wished for and wish for this one. */
  readonly mates: readonly number[]
}

/**
 * The order of those who wait: the priority that staff gave, then who comes from farther away (unknown last), then who asked
 * first. Nobody is equal to anybody: the number of the request is the last word.
 */
export const inBedOrder = (a: BedWaiter, b: BedWaiter): number =>
  a.priority - b.priority ||
  (b.distance_km ?? -1) - (a.distance_km ?? -1) ||
  (a.asked_at < b.asked_at ? -1 : a.asked_at > b.asked_at ? 1 : 0) ||
  a.id - b.id

/** Every reason why a bed is none for somebody, whatever the days. */
export function checkBed(bed: Bed, who: Pick<BedWaiter, 'gender' | 'audience' | 'faculty_id' | 'level'>): Reason[] {
  return [
    ...(bed.gender === 'families'
      ? []
      : who.gender === null
        ? [{ code: 'bed_gender_unknown' }]
        : (who.gender === 1) === (bed.gender === 'men')
          ? []
          : [{ code: 'bed_gender' }]),
    ...(bed.audience !== null && bed.audience !== who.audience ? [{ code: 'bed_audience' }] : []),
    ...(bed.faculty_id !== null && bed.faculty_id !== who.faculty_id ? [{ code: 'bed_faculty' }] : []),
    ...(bed.level !== null && bed.level !== who.level ? [{ code: 'bed_level', data: { level: bed.level } }] : []),
  ]
}

/** Whether two stays meet: a guest who leaves on a day makes room for one who comes on it. */
export const meet = (
  a: { readonly from_day: string; readonly until_day: string },
  b: { readonly from_day: string; readonly until_day: string },
): boolean => a.from_day < b.until_day && b.from_day < a.until_day

/** Beds with what keeps them from being free. */
export class House {
  readonly beds: readonly Bed[]
  readonly #busy = new Map<number, Busy[]>()
  readonly #rooms = new Map<number, number[]>()

  constructor(beds: readonly Bed[], busy: readonly Busy[]) {
    this.beds = beds
    for (const { id, room_id } of beds) {
      const room = this.#rooms.get(room_id)
      if (room) room.push(id)
      else this.#rooms.set(room_id, [id])
    }
    for (const one of busy) this.take(one)
  }

  /** The same with some of its beds alone. */
  only(ids: readonly number[]): House {
    const some = new Set(ids)
    return new House(
      this.beds.filter((bed) => some.has(bed.id)),
      [...this.#busy.values()].flat(),
    )
  }

  take(one: Busy): void {
    const list = this.#busy.get(one.bed_id)
    if (list) list.push(one)
    else this.#busy.set(one.bed_id, [one])
  }

  /** What is in the way in a bed on these days, but for the reservation itself. */
  inTheWay(bed_id: number, of: { readonly from_day: string; readonly until_day: string }, but?: number): Busy[] {
    return (this.#busy.get(bed_id) ?? []).filter((one) => one.reservation_id !== (but ?? 0) && meet(one, of))
  }

  /** Whether somebody of these sleeps in the room on these days. */
  hasMate(room_id: number, who: Pick<BedWaiter, 'mates' | 'from_day' | 'until_day'>): boolean {
    if (!who.mates.length) return false
    return (this.#rooms.get(room_id) ?? []).some((bed) =>
      (this.#busy.get(bed) ?? []).some(
        (one) => one.student_id !== null && who.mates.includes(one.student_id) && meet(one, who),
      ),
    )
  }

  /** Free beds that fit somebody, as asked for, in their order; those in a room with a wished mate first. */
  freeFor(who: BedWaiter, asked = true): Bed[] {
    const free = this.beds.filter(
      (bed) =>
        (!asked || who.kind_id === null || who.kind_id === bed.kind_id) &&
        (!asked || who.hostel_id === null || who.hostel_id === bed.hostel_id) &&
        !checkBed(bed, who).length &&
        !this.inTheWay(bed.id, who, who.id).length,
    )
    if (!who.mates.length) return free
    return free.toSorted((a, b) => Number(this.hasMate(b.room_id, who)) - Number(this.hasMate(a.room_id, who)))
  }

  /** The first of them, without looking at all. */
  firstFor(who: BedWaiter): Bed | undefined {
    if (who.mates.length) return this.freeFor(who)[0]
    return this.beds.find(
      (bed) =>
        (who.kind_id === null || who.kind_id === bed.kind_id) &&
        (who.hostel_id === null || who.hostel_id === bed.hostel_id) &&
        !checkBed(bed, who).length &&
        !this.inTheWay(bed.id, who, who.id).length,
    )
  }
}

/** Who is given which bed: in the declared order, each the first that fits; who finds none goes on waiting. */
export function giveBeds(house: House, waiting: readonly BedWaiter[]): Map<number, number> {
  const given = new Map<number, number>()
  for (const who of waiting.toSorted(inBedOrder)) {
    const bed = house.firstFor(who)
    if (!bed) continue
    given.set(who.id, bed.id)
    house.take({ ...who, bed_id: bed.id, reservation_id: who.id })
  }
  return given
}
