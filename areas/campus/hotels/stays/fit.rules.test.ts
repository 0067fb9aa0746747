import { expect, it } from 'vitest'
import { checkBed, giveBeds, House, inBedOrder, meet, type Bed, type BedWaiter } from './fit.rules.ts'

const bed = (id: number, more: Partial<Bed> = {}): Bed => ({
  id,
  room_id: Math.ceil(id / 2),
  hostel_id: 1,
  kind_id: 1,
  gender: 'men',
  audience: null,
  faculty_id: null,
  level: null,
  ...more,
})
const who = (id: number, more: Partial<BedWaiter> = {}): BedWaiter => ({
  id,
  student_id: 100 + id,
  gender: 1,
  audience: 'students',
  faculty_id: 1,
  level: 1,
  kind_id: null,
  hostel_id: null,
  from_day: '2030-03-01',
  until_day: '2030-03-10',
  priority: 3,
  distance_km: null,
  asked_at: '20300101000000',
  mates: [],
  ...more,
})
const given = (beds: Bed[], waiting: BedWaiter[], busy: ConstructorParameters<typeof House>[1] = []) =>
  Object.fromEntries(giveBeds(new House(beds, busy), waiting))

it('the order: priority, distance, when it was asked, the number', () => {
  const all = [
    who(1, { distance_km: 10 }),
    who(2, { priority: 1 }),
    who(3),
    who(4, { distance_km: 400 }),
    who(5, { asked_at: '20291231000000' }),
    who(6, { priority: 2, distance_km: 5 }),
    who(7),
  ]
  expect(all.toSorted(inBedOrder).map((one) => one.id)).toEqual([2, 6, 4, 1, 5, 3, 7])
})

it('for whom a bed is', () => {
  const codes = (more: Partial<Bed>, guest: Partial<BedWaiter>) =>
    checkBed(bed(1, more), who(1, guest)).map((one) => one.code)
  expect(codes({}, {})).toEqual([])
  expect(codes({ gender: 'women' }, {})).toEqual(['bed_gender'])
  expect(codes({ gender: 'men' }, { gender: 2 })).toEqual(['bed_gender'])
  expect(codes({ gender: 'men' }, { gender: null })).toEqual(['bed_gender_unknown'])
  expect(codes({ gender: 'families' }, { gender: null })).toEqual([])
  expect(codes({ audience: 'staff' }, {})).toEqual(['bed_audience'])
  expect(codes({ faculty_id: 2, level: 4 }, {})).toEqual(['bed_faculty', 'bed_level'])
})

it('days meet only where a night is shared', () => {
  const a = { from_day: '2030-03-01', until_day: '2030-03-05' }
  expect(meet(a, { from_day: '2030-03-05', until_day: '2030-03-06' })).toBe(false)
  expect(meet(a, { from_day: '2030-03-04', until_day: '2030-03-06' })).toBe(true)
  expect(meet(a, { from_day: '2030-02-01', until_day: '2030-03-01' })).toBe(false)
})

it('gives the first that fits, in the order, and nobody the same', () => {
  expect(given([bed(1), bed(2)], [who(1), who(2, { priority: 1 }), who(3, { distance_km: 90 })])).toEqual({
    2: 1,
    3: 2,
  })
  // What is asked for is kept.
  expect(
    given(
      [bed(1), bed(2, { hostel_id: 2 }), bed(3, { kind_id: 2 })],
      [who(1, { hostel_id: 2 }), who(2, { kind_id: 2 })],
    ),
  ).toEqual({
    1: 2,
    2: 3,
  })
  // Stays that do not meet share a bed.
  expect(given([bed(1)], [who(1), who(2, { from_day: '2030-03-10', until_day: '2030-03-12' }), who(3)])).toEqual({
    1: 1,
    2: 1,
  })
})

it('a bed that is taken or closed is not given', () => {
  const busy = [
    { bed_id: 1, from_day: '2030-03-09', until_day: '2030-03-11', student_id: null, reservation_id: null },
    { bed_id: 2, from_day: '2030-02-20', until_day: '2030-03-01', student_id: 9, reservation_id: 9 },
  ]
  expect(given([bed(1), bed(2)], [who(1)], busy)).toEqual({ 1: 2 })
})

it('mates come together where both wish it', () => {
  const beds = [bed(1, { room_id: 1 }), bed(2, { room_id: 2 }), bed(3, { room_id: 2 })]
  const busy = [{ bed_id: 3, from_day: '2030-03-01', until_day: '2030-03-10', student_id: 500, reservation_id: 9 }]
  expect(given(beds, [who(1, { mates: [500] })], busy)).toEqual({ 1: 2 })
  // The bed beside who left before is like any other.
  expect(
    given(beds, [who(1, { mates: [500] })], [{ ...busy[0]!, from_day: '2030-02-01', until_day: '2030-03-01' }]),
  ).toEqual({ 1: 1 })
  // One after the other in the same round.
  expect(given([bed(1), bed(2), bed(3)], [who(1), who(3), who(2, { mates: [103] })])).toMatchObject({ 1: 1 })
})
