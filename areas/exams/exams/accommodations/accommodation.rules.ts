/** What stands against an accommodation, and how halls are held for those who have one. Pure: the same on the board and on the server. */
import type { Reason } from '#kit/contract/issues.ts'
import type { Helper } from './accommodation.contract.ts'

interface Term {
  readonly name: string
  readonly name_local: string
  readonly start_date: string
  readonly end_date: string
}
export interface WantedAccommodation {
  readonly extra_percent: number | null
  readonly own_room: boolean
  readonly helper: Helper | null
}
export interface AccommodationFacts {
  readonly from: Term
  /** Null: for good. */
  readonly to: Term | null
  /** What the student has besides that covers one of these terms. */
  readonly others: readonly { readonly from: string; readonly from_local: string }[]
}

/** Every reason why it cannot be granted so. */
export function accommodationReasons(wanted: WantedAccommodation, { from, to, others }: AccommodationFacts): Reason[] {
  const out: Reason[] = []
  if (wanted.extra_percent === null && !wanted.own_room)
    out.push({ field: 'extra_percent', code: 'exam_accommodation_nothing' })
  if (wanted.helper !== null && !wanted.own_room) out.push({ field: 'helper', code: 'exam_accommodation_helper' })
  if (to && to.end_date < from.start_date) out.push({ field: 'to_term_id', code: 'exam_accommodation_order' })
  for (const data of others) out.push({ field: 'from_term_id', code: 'exam_accommodation_there', data: { ...data } })
  return out
}

/** Minutes that an exam of so many lasts longer: begun minutes count. */
export const extraMinutes = (minutes: number, percent: number): number => Math.ceil((minutes * percent) / 100)

/** A student of an exam to whom something was granted. */
export interface Need {
  /** Minutes more. */
  readonly minutes: number
  readonly own_room: boolean
  readonly helper: Helper | null
}
/** A hall in which an exam is held. */
export interface HeldHall {
  readonly location_id: number
  readonly seats: number
  /** As it is held now. */
  readonly extra: number
  readonly own_room: boolean
  readonly helper: Helper | null
  /** No other exam is held there then. */
  readonly alone: boolean
  /** Minutes after the exam in which nothing begins there. */
  readonly free_for: number
  /** Students with more time who have their seats there. */
  readonly long_seated: number
}
/** A hall of the exam in which nothing is held then. */
export interface FreeHall {
  readonly location_id: number
  readonly places: number
  readonly free_for: number
}
export interface ArrangedHall {
  readonly location_id: number
  readonly seats: number
  readonly extra: number
  readonly own_room: boolean
  readonly helper: Helper | null
}
export interface Arranged {
  readonly halls: readonly ArrangedHall[]
  /** Students for whom there is no room alone. */
  readonly rooms_lacking: number
  /** Students with more time for whom no hall can be held as long: halls and by when they are used next are told apart. */
  readonly hall_lacking: number
}

/**
 * Holds the halls of an exam for those to whom something was granted. Each student with a room alone gets a hall to himself or herself, never
 * together with another one: who reads aloud disturbs, and nobody learns of what another was granted. Those with more time sit in one of the
 * other halls, which is held until the last of them has written: the one they sit in already, else the smallest that holds them. What is
 * held already stays where it can.
 */
export function arrangeHalls(
  students: number,
  halls: readonly HeldHall[],
  free: readonly FreeHall[],
  needs: readonly Need[],
): Arranged {
  const left = [...halls]
  const spare = free.toSorted((a, b) => a.places - b.places || a.location_id - b.location_id)
  const rooms: ArrangedHall[] = []
  // A hall with one seat is such a room where the others have seats enough without it.
  const isCovered = halls.reduce((sum, hall) => sum + hall.seats, 0) >= students
  let rooms_lacking = 0
  let taken = 0
  // Whoever needs it longest chooses first.
  for (const { minutes, helper } of needs.filter((need) => need.own_room).toSorted((a, b) => b.minutes - a.minutes)) {
    const fits = (hall: HeldHall) => hall.alone && hall.free_for >= minutes
    const own =
      left.find((hall) => hall.own_room && hall.helper === helper && fits(hall)) ??
      left.find((hall) => hall.own_room && fits(hall)) ??
      (isCovered ? left.find((hall) => hall.seats === 1 && fits(hall)) : undefined)
    const found = own ?? spare.find((hall) => hall.free_for >= minutes)
    if (!found) {
      rooms_lacking += 1
      continue
    }
    if (own) left.splice(left.indexOf(own), 1)
    else {
      spare.splice(spare.indexOf(found as FreeHall), 1)
      taken += 1
    }
    rooms.push({ location_id: found.location_id, seats: 1, extra: minutes, own_room: true, helper })
  }
  // Who goes into a room of their own leaves a seat, in the largest hall.
  const seats = new Map(left.map((hall) => [hall.location_id, hall.seats]))
  let over = rooms.length + left.reduce((sum, hall) => sum + hall.seats, 0) - students
  for (; taken > 0 && over > 0; taken -= 1, over -= 1) {
    const largest = left.reduce<HeldHall | undefined>(
      (most, hall) => (most && seats.get(most.location_id)! >= seats.get(hall.location_id)! ? most : hall),
      undefined,
    )
    if (!largest || seats.get(largest.location_id) === 0) break
    seats.set(largest.location_id, seats.get(largest.location_id)! - 1)
  }
  const long = needs.filter((need) => !need.own_room && need.minutes > 0)
  const most = Math.max(0, ...long.map((need) => need.minutes))
  const able = left.filter((hall) => hall.free_for >= most && seats.get(hall.location_id)! > 0)
  const held = new Set<number>()
  if (long.length) {
    const room = (hall: HeldHall) => seats.get(hall.location_id)!
    const [whole] = able
      .filter((hall) => room(hall) >= long.length)
      .toSorted(
        (a, b) =>
          b.long_seated - a.long_seated ||
          Number(b.extra > 0) - Number(a.extra > 0) ||
          room(a) - room(b) ||
          a.location_id - b.location_id,
      )
    if (whole) held.add(whole.location_id)
    else
      for (const hall of able.toSorted((a, b) => room(b) - room(a))) {
        if ([...held].reduce((sum, id) => sum + seats.get(id)!, 0) >= long.length) break
        held.add(hall.location_id)
      }
  }
  const room = [...held].reduce((sum, id) => sum + seats.get(id)!, 0)
  return {
    halls: [
      ...left.flatMap(({ location_id }): ArrangedHall[] =>
        seats.get(location_id)! > 0
          ? [
              {
                location_id,
                seats: seats.get(location_id)!,
                extra: held.has(location_id) ? most : 0,
                own_room: false,
                helper: null,
              },
            ]
          : [],
      ),
      ...rooms,
    ],
    rooms_lacking,
    hall_lacking: Math.max(0, long.length - room),
  }
}

/** What a hall is used for next, before those who have more time have written. */
export interface NextUse {
  readonly hall: string
  readonly hall_local: string
  readonly course: string
  readonly starts: string
  readonly until: string
}
/** Somebody who has another duty before the last have written. */
export interface BusyLonger {
  readonly instructor: string
  readonly instructor_local: string
  readonly starts: string
  readonly until: string
}
/** Every reason why halls cannot be held as long, or there is no room. */
export const holdReasons = (
  { rooms_lacking, hall_lacking }: Pick<Arranged, 'rooms_lacking' | 'hall_lacking'>,
  next: readonly NextUse[],
  busy: readonly BusyLonger[],
): Reason[] => [
  ...(rooms_lacking ? [{ field: 'locations', code: 'exam_rooms_lacking', data: { count: rooms_lacking } }] : []),
  ...(hall_lacking
    ? next.length
      ? next.map((data) => ({ field: 'locations', code: 'exam_hall_next', data: { ...data } }))
      : [{ field: 'locations', code: 'exam_hall_held_lacking', data: { count: hall_lacking } }]
    : []),
  ...busy.map((data) => ({ field: 'instructors', code: 'exam_invigilator_longer', data: { ...data } })),
]

/** Another exam of students with more time, which begins before the end of this one, or ends after its beginning. */
export interface LongerMeeting {
  readonly course: string
  readonly starts: string
  readonly count: number
  /** Those whom the reader may know of. */
  readonly students: readonly string[]
  readonly students_local: readonly string[]
}
/** Every exam that students with more time could not reach in time. */
export const longerReasons = (meetings: readonly LongerMeeting[]): Reason[] =>
  meetings.map(({ students, students_local, ...one }) => ({
    field: 'exam_slot_id',
    code: 'exam_students_longer',
    data: { ...one, students: students.join(', ') || '–', students_local: students_local.join('، ') || '–' },
  }))
