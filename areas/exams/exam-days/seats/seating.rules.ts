/**
 * Who sits where in an exam: how many of each offering in which of its halls, and there on which seat. Who shares a hall at a
 * time sits as `areas/exams/exams/seats` has it: neighbours write different exams, and the same seed gives the same seats.
 */
import { assignSeats } from '#areas/exams/exams/seats/seats.rules.ts'
import { Random } from '#areas/exams/exams/solver/model.rules.ts'
import { acrossOf } from './places.rules.ts'

/** A hall of a schedule, and when. */
export interface SeatingHall {
  readonly schedule: number
  readonly location: number
  /** Seats that the exam has there. */
  readonly seats: number
  /** Seats of the hall, numbered from 1. */
  readonly places: number
  /** Further seats that the exam may take there, when more have come than were planned for. */
  readonly room: number
  /** Minutes after the exam for which it is held; for one student alone; and who helps there. */
  readonly extra: number
  readonly own_room: boolean
  readonly helper: string | null
  readonly from: string
  readonly to: string
}
/** A student of an exam to whom something was granted. */
export interface SeatNeed {
  readonly schedule: number
  readonly registration: number
  readonly minutes: number
  readonly own_room: boolean
  readonly helper: string | null
}
/** A seat that is taken, and stays. */
export interface TakenSeat {
  readonly schedule: number
  readonly location: number
  readonly registration: number
  readonly seat: number
  readonly from: string
  readonly to: string
}
export interface SeatingInput {
  readonly halls: readonly SeatingHall[]
  readonly taken: readonly TakenSeat[]
  /** Who needs a seat: schedule and registration. */
  readonly students: readonly (readonly [schedule: number, registration: number])[]
  /** Whoever has more time sits where the hall is held as long, whoever has a room alone sits there, and nowhere else. */
  readonly needs: readonly SeatNeed[]
}
export interface HallSeating {
  readonly seats: readonly (readonly [schedule: number, location: number, registration: number, seat: number])[]
  /** Halls in which an exam takes more seats than planned: how many it has then. */
  readonly grown: readonly (readonly [schedule: number, location: number, seats: number])[]
  readonly unseated: readonly (readonly [schedule: number, count: number])[]
}

/** Assigns seats. Schedules and halls that nobody needs are left alone. */
export function seatExam({ halls, taken, students, needs }: SeatingInput, seed: number): HallSeating {
  const random = new Random(seed)
  const bySchedule = Map.groupBy(halls, (one) => one.schedule)
  const used = new Map<string, number>()
  const key = (schedule: number, location: number) => `${schedule} ${location}`
  for (const one of taken)
    used.set(key(one.schedule, one.location), (used.get(key(one.schedule, one.location)) ?? 0) + 1)
  // First how many of each exam sit in which hall.
  const parties: { hall: SeatingHall; who: number[] }[] = []
  const grown: [number, number, number][] = []
  const unseated: [number, number][] = []
  const roomLeft = new Map<string, number>()
  const groups = Map.groupBy(students, ([schedule]) => schedule)
  const needOf = new Map(needs.map((need) => [key(need.schedule, need.registration), need]))
  for (const [schedule, list] of [...groups].toSorted(([a], [b]) => a - b)) {
    const who = list.map(([, registration]) => registration).toSorted((a, b) => a - b)
    random.shuffle(who)
    const all = (bySchedule.get(schedule) ?? []).toSorted((a, b) => b.seats - a.seats || a.location - b.location)
    // Whoever sits alone, and whoever has more time, goes first: there are few halls for them.
    const first = firstSeats(
      who.flatMap((registration) => needOf.get(key(schedule, registration)) ?? []),
      all.map((hall) => ({ ...hall, left: hall.seats - (used.get(key(schedule, hall.location)) ?? 0) })),
    )
    for (const { hall: at, registration } of first.seated) {
      const hall = all.find((one) => one.location === at)!
      const party = parties.find((one) => one.hall === hall)
      if (party) party.who.push(registration)
      else parties.push({ hall, who: [registration] })
    }
    if (first.unseated.length) unseated.push([schedule, first.unseated.length])
    const apart = new Set([...first.seated.map((one) => one.registration), ...first.unseated])
    who.splice(0, who.length, ...who.filter((registration) => !apart.has(registration)))
    const own = all.filter((hall) => !hall.own_room)
    const taking = new Map<number, number>()
    for (const { hall } of first.seated) taking.set(hall, (taking.get(hall) ?? 0) + 1)
    let next = 0
    const more = new Map<SeatingHall, number>()
    for (const hall of own) {
      const gone = (used.get(key(schedule, hall.location)) ?? 0) + (taking.get(hall.location) ?? 0)
      const free = Math.max(0, Math.min(hall.seats - gone, who.length - next))
      more.set(hall, free)
      next += free
    }
    // More have come than were planned for: where the halls have room.
    for (const hall of own) {
      const at = `${hall.location} ${hall.from}`
      const room = Math.max(0, Math.min(roomLeft.get(at) ?? hall.room, who.length - next))
      if (!room) continue
      roomLeft.set(at, (roomLeft.get(at) ?? hall.room) - room)
      more.set(hall, more.get(hall)! + room)
      grown.push([schedule, hall.location, hall.seats + room])
      next += room
    }
    if (next < who.length) unseated.push([schedule, who.length - next])
    let from = 0
    for (const hall of own) {
      const count = more.get(hall)!
      const some = who.slice(from, from + count)
      const party = parties.find((one) => one.hall === hall)
      if (party) party.who.push(...some)
      else if (count) parties.push({ hall, who: some })
      from += count
    }
  }
  // Then where, hall by hall: exams that overlap there fill one and the same hall, the largest first.
  const seats: [number, number, number, number][] = []
  for (const [location, there] of Map.groupBy(parties, ({ hall }) => hall.location)) {
    const standing = taken.filter((one) => one.location === location)
    for (const together of overlapping(there)) {
      const { places } = together[0]!.hall
      const here = standing.filter(
        (one) => one.seat <= places && together.some((party) => party.hall.from < one.to && one.from < party.hall.to),
      )
      // More than the hall holds cannot sit there, whatever was planned.
      let over = here.length + together.reduce((sum, { who }) => sum + who.length, 0) - places
      for (const { hall, who } of together) {
        const gone = Math.min(who.length, Math.max(0, over))
        if (!gone) continue
        who.length -= gone
        over -= gone
        unseated.push([hall.schedule, gone])
      }
      const exams = [...new Set([...together, ...here.map((hall) => ({ hall }))].map(({ hall }) => hall.schedule))]
      const found = assignSeats(
        {
          halls: [{ id: location, seats: places, perRow: acrossOf(places) }],
          exams: exams.map((id) => {
            const inside = [
              ...here.filter((one) => one.schedule === id).map((one) => one.registration),
              ...together.flatMap(({ hall, who }) => (hall.schedule === id ? who : [])),
            ].toSorted((a, b) => a - b)
            return { id, students: inside, halls: [{ hall: location, seats: inside.length }] }
          }),
        },
        seed,
        here.map((one) => ({ exam: one.schedule, student: one.registration, hall: location, seat: one.seat })),
      )
      const stays = new Set(here.map((one) => one.registration))
      for (const one of found) if (!stays.has(one.student)) seats.push([one.exam, location, one.student, one.seat])
    }
  }
  return { seats, grown, unseated }
}

/** Halls of those to whom something was granted: a room for one alone, with the help that is granted; a hall that is held as long. */
function firstSeats(
  needs: readonly SeatNeed[],
  halls: readonly (SeatingHall & { left: number })[],
): { seated: { hall: number; registration: number }[]; unseated: number[] } {
  const left = new Map(halls.map((hall) => [hall.location, hall.left]))
  const seated: { hall: number; registration: number }[] = []
  const unseated: number[] = []
  for (const need of needs.toSorted((a, b) => b.minutes - a.minutes || a.registration - b.registration)) {
    if (!need.own_room && !need.minutes) continue
    const found = halls
      .filter(
        (hall) =>
          left.get(hall.location)! > 0 &&
          hall.own_room === need.own_room &&
          hall.extra >= need.minutes &&
          (!need.own_room || hall.helper === need.helper),
      )
      // The hall that is held least too long.
      .toSorted((a, b) => a.extra - b.extra || a.location - b.location)[0]
    if (!found) unseated.push(need.registration)
    else {
      left.set(found.location, left.get(found.location)! - 1)
      seated.push({ hall: found.location, registration: need.registration })
    }
  }
  return { seated, unseated }
}

/** Parties of a hall that hang together in time. */
function overlapping<T extends { hall: SeatingHall }>(parties: readonly T[]): T[][] {
  const out: T[][] = []
  let until = ''
  for (const one of parties.toSorted((a, b) => (a.hall.from < b.hall.from ? -1 : a.hall.from > b.hall.from ? 1 : 0))) {
    if (!out.length || one.hall.from >= until) out.push([])
    out.at(-1)!.push(one)
    if (one.hall.to > until) until = one.hall.to
  }
  return out
}
