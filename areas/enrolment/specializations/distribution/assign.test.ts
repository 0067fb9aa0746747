import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { whyApart } from '../preferences/preferences.rules.ts'
import { checkSpecialise, type SpecialiseInput } from '../students/specialise.rules.ts'
import { assign, comesBefore, ladder, unmet, type Applicant, type ProgramSeat } from './assign.rules.ts'

const seat = (specialization_id: number, capacity: number, more: Partial<ProgramSeat> = {}): ProgramSeat => ({
  specialization_id,
  general_program_id: 1,
  program_id: 100 + specialization_id,
  capacity,
  min_gpa: null,
  min_passed_hours: null,
  courses: [],
  ...more,
})
const applicant = (student_id: number, choices: number[], more: Partial<Applicant> = {}): Applicant => ({
  student_id,
  code: String(student_id).padStart(4, '0'),
  program_id: 1,
  gpa: 300,
  passed_hours: 3000,
  tie: null,
  choices,
  met: [],
  elsewhere: [],
  account: null,
  ...more,
})

/** Students, programs with few places and conditions, and figures in which many are equal. */
const world = (students: number, programs: number) =>
  fc
    .record({
      seats: fc.array(
        fc.record({
          capacity: fc.integer({ min: 0, max: 3 }),
          min_gpa: fc.option(fc.constantFrom(200, 300), { nil: null }),
          min_passed_hours: fc.option(fc.constantFrom(2000, 3000), { nil: null }),
          course: fc.boolean(),
          general_program_id: fc.constantFrom(1, 1, 1, 2),
        }),
        { minLength: 1, maxLength: programs },
      ),
      students: fc.array(
        fc.record({
          gpa: fc.option(fc.constantFrom(150, 250, 350), { nil: null }),
          passed_hours: fc.constantFrom(1500, 2500, 3500),
          tie: fc.option(fc.constantFrom('a', 'b'), { nil: null }),
          program_id: fc.constantFrom(1, 1, 1, 2),
          met: fc.subarray([0, 1, 2, 3, 4]),
          elsewhere: fc.option(fc.constantFrom(100, 101), { nil: null, freq: 4 }),
          order: fc.shuffledSubarray([0, 1, 2, 3, 4]),
        }),
        { minLength: 1, maxLength: students },
      ),
    })
    .map(({ seats, students: list }) => ({
      seats: seats.map(({ course, ...one }, i) =>
        seat(i, one.capacity, { ...one, courses: course ? [{ id: i, course: `C${i}`, min_letter: null }] : [] }),
      ),
      applicants: list.map(({ order, elsewhere, ...one }, i) =>
        applicant(i + 1, order, { ...one, elsewhere: elsewhere === null ? [] : [elsewhere] }),
      ),
    }))

/** Students who would have had a right to a dearer wish: a place of it is free, or somebody with less right has it. */
function blocking(
  applicants: readonly Applicant[],
  seats: readonly ProgramSeat[],
  given: ReadonlyMap<number, number | null>,
) {
  return applicants.flatMap((one) => {
    const at = given.get(one.student_id) ?? null
    const dearer = one.choices.slice(0, at === null ? undefined : one.choices.indexOf(at))
    return dearer.flatMap((wish) => {
      const of = seats.find((s) => s.specialization_id === wish)
      if (!of || unmet(one, of).length) return []
      const there = applicants.filter((other) => given.get(other.student_id) === wish)
      return there.length < of.capacity || there.some((other) => comesBefore(one, other) < 0)
        ? [[one.student_id, wish]]
        : []
    })
  })
}
/** Every assignment that gives each student a wish whose conditions are met, or none, within the places. */
function* everyAssignment(
  applicants: readonly Applicant[],
  seats: readonly ProgramSeat[],
  i = 0,
  given = new Map<number, number | null>(),
): Generator<Map<number, number | null>> {
  const one = applicants[i]
  if (!one) return void (yield new Map(given))
  for (const wish of [...one.choices, null]) {
    if (wish !== null) {
      const of = seats.find((s) => s.specialization_id === wish)
      if (!of || unmet(one, of).length) continue
      if ([...given.values()].filter((w) => w === wish).length >= of.capacity) continue
    }
    given.set(one.student_id, wish)
    yield* everyAssignment(applicants, seats, i + 1, given)
    given.delete(one.student_id)
  }
}
const outcome = (applicants: readonly Applicant[], seats: readonly ProgramSeat[]) =>
  new Map(assign(applicants, seats).placed.map((one) => [one.applicant.student_id, one.specialization_id]))

describe('the assignment', () => {
  it('gives nobody less than what he or she would have had a right to, and keeps every place and condition', () => {
    fc.assert(
      fc.property(world(14, 5), ({ applicants, seats }) => {
        const given = outcome(applicants, seats)
        expect(blocking(applicants, seats, given)).toEqual([])
        for (const one of seats) {
          const there = applicants.filter((a) => given.get(a.student_id) === one.specialization_id)
          expect(there.length).toBeLessThanOrEqual(one.capacity)
          expect(there.flatMap((a) => unmet(a, one))).toEqual([])
        }
      }),
      { numRuns: 400 },
    )
  })

  it('is, of all stable assignments, the one that is best for every student', () => {
    fc.assert(
      fc.property(world(5, 3), ({ applicants, seats }) => {
        const stable = [...everyAssignment(applicants, seats)].filter(
          (given) => blocking(applicants, seats, given).length === 0,
        )
        const mine = outcome(applicants, seats)
        const place = (one: Applicant, wish: number | null) =>
          wish === null ? one.choices.length : one.choices.indexOf(wish)
        expect(stable).toContainEqual(mine)
        for (const other of stable)
          for (const one of applicants)
            expect(place(one, mine.get(one.student_id)!)).toBeLessThanOrEqual(place(one, other.get(one.student_id)!))
      }),
      { numRuns: 150 },
    )
  })

  it('is the same in whatever order the students are given', () => {
    fc.assert(
      fc.property(world(10, 4), ({ applicants, seats }) => {
        expect(outcome(applicants.toReversed(), seats)).toEqual(outcome(applicants, seats))
      }),
    )
  })

  it('orders by GPA, then passed hours, then the rule for equals, then the code', () => {
    const list = [
      applicant(5, [], { gpa: null }),
      applicant(4, [], { gpa: 200, passed_hours: 9000 }),
      applicant(3, [], { tie: 'b' }),
      applicant(2, [], { tie: 'a' }),
      applicant(1, [], { passed_hours: 4000 }),
      applicant(7, []),
      applicant(6, []),
    ]
    expect(list.toSorted(comesBefore).map((one) => one.student_id)).toEqual([1, 2, 3, 6, 7, 4, 5])
  })

  it('gives nobody a program in which the same person has another record, nor one program to both', () => {
    const seats = [seat(1, 5), seat(2, 5), seat(3, 5, { program_id: 102 })]
    const given = assign(
      [
        applicant(1, [1, 2], { gpa: 390, elsewhere: [101], account: 7 }),
        // The same person: what the better record was given, by whatever way it leads there, goes to the next wish.
        applicant(2, [2, 3, 1], { account: 7 }),
        applicant(3, [2], { gpa: 200 }),
      ],
      seats,
    ).placed.map((one) => one.specialization_id)
    expect(given).toEqual([2, 1, 2])
  })
})

describe('the ladder', () => {
  it('says at each rung why it was not given, and nothing of what was not needed', () => {
    const seats = [
      seat(1, 1),
      seat(2, 5, { min_gpa: 350, program_id: 88, courses: [{ id: 9, course: 'MTH101', min_letter: 'B' }] }),
      seat(3, 5),
      seat(4, 5),
      seat(5, 0),
    ]
    const one = applicant(2, [1, 2, 5, 3, 4], { gpa: 320, elsewhere: [88] })
    const { placed, seats: ends } = assign([applicant(1, [1], { gpa: 390 }), one], seats)
    const mine = placed[1]!
    expect([mine.specialization_id, mine.preference, mine.rank]).toEqual([3, 4, 2])
    const rungs = ladder(
      one,
      mine.specialization_id,
      mine.rank,
      seats.map((s, i) => ({ ...s, cut_off: ends[i]!.cut_off })),
    )
    expect(rungs.map((rung) => [rung.outcome, rung.reasons.map((reason) => reason.code)])).toEqual([
      ['full', ['specialization_full']],
      ['conditions', ['specialization_own_record', 'specialization_gpa', 'specialization_course_grade']],
      ['full', ['specialization_no_place']],
      ['given', []],
      ['not_needed', []],
    ])
    expect(rungs[0]!.reasons[0]!.data).toEqual({ rank: 2, last: 1, gpa: '3.90', hours: '30' })
    // One that the window does not offer any more.
    const gone = ladder({ ...one, choices: [9] }, null, 2, [])
    expect(gone.map((rung) => [rung.outcome, rung.reasons])).toEqual([
      ['not_offered', [{ code: 'specialization_not_offered' }]],
    ])
  })
})

it('who takes part: from the level and the hours that the window asks for on', () => {
  const fine = { studying: true, general: true, offered: true, level: 2, min_level: 2, hours: 1200, min_hours: 1200 }
  const why = (part: Partial<typeof fine>) => whyApart({ ...fine, ...part })?.code
  expect([why({}), why({ level: 1 }), why({ level: 3 }), why({ hours: 1199 })]).toEqual([
    undefined,
    'specialization_level',
    undefined,
    'specialization_hours',
  ])
  expect([why({ studying: false }), why({ general: false }), why({ offered: false })]).toEqual([
    'specialization_not_studying',
    'specialization_other_program',
    'specialization_other_program',
  ])
})

it('by hand the places left and wishes that wait are kept to, unless they are set aside with a reason', () => {
  const fine = {
    studying: true,
    general: true,
    seat: seat(1, 3),
    left: 1,
    waiting: null,
    override: false,
    student: { program_id: 1, gpa: 300, passed_hours: 3000, met: [], elsewhere: [] },
    program: { program: 'CS', program_local: 'CS' },
  }
  const against = (part: Partial<SpecialiseInput>) => checkSpecialise({ ...fine, ...part }).map(({ code }) => code)
  const waiting = { start: '2026-01-01', end: '2026-01-09' }
  expect([against({}), against({ left: null }), against({ left: 0 }), against({ waiting })]).toEqual([
    [],
    [],
    ['specialization_places_taken'],
    ['specialization_window_waits'],
  ])
  expect(against({ left: 0, waiting, override: true })).toEqual([])
  expect(against({ seat: null, override: true })).toEqual(['specialization_no_way'])
  expect([against({ studying: false }), against({ general: false, seat: null })]).toEqual([
    ['specialization_not_studying'],
    ['specialization_from_general'],
  ])
  const twice = { student: { ...fine.student, elsewhere: [fine.seat.program_id] } }
  expect([against(twice), against({ ...twice, override: true })]).toEqual([
    ['specialization_own_record'],
    ['specialization_own_record'],
  ])
})

it('tells every condition that is not met, each by its own word', () => {
  const course = { id: 1, course: 'C1', min_letter: null }
  const whole = seat(1, 5, {
    min_gpa: 300,
    min_passed_hours: 3000,
    courses: [course, { ...course, id: 2, min_letter: 'B' }],
  })
  const against = (part: Partial<Applicant>) =>
    unmet(applicant(1, [], { met: [1, 2], ...part }), whole).map(({ code }) => code)
  expect(against({})).toEqual([])
  for (const [part, code] of [
    [{ program_id: 7 }, 'specialization_other_program'],
    [{ elsewhere: [whole.program_id] }, 'specialization_own_record'],
    [{ gpa: 299 }, 'specialization_gpa'],
    [{ gpa: null }, 'specialization_gpa'],
    [{ passed_hours: 2999 }, 'specialization_hours'],
    [{ met: [2] }, 'specialization_course'],
    [{ met: [1] }, 'specialization_course_grade'],
  ] as const)
    expect(against(part as Partial<Applicant>), code).toEqual([code])
})
