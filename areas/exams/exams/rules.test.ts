import { describe, expect, test } from 'vitest'
import {
  ExamBoard,
  compareFigures,
  figuresOf,
  proposedBoard,
  pull,
  verdictOf,
  type Board,
} from './board/board.rules.ts'
import { checkPublish, checkRemoved, checkReopen, type ExamFacts } from './exams/exam.contract.ts'
import {
  lackingStaff,
  placementsOf,
  refit,
  takeReasons,
  weightsOf,
  type ExamPlan,
} from './placement/placement.rules.ts'
import {
  busyReasons,
  clashReasons,
  closedReasons,
  taughtReasons,
  dayWarnings,
  fillingReasons,
  keptInvigilators,
  lengthReasons,
  releasedWarnings,
} from './schedules/clash.rules.ts'
import { pairCost } from './solver/evaluate.rules.ts'
import { NO_WEIGHTS } from './solver/formats.rules.ts'
import type { ExamProblem, ProblemExam } from './solver/problem.contract.ts'
import { solve } from './solver/solve.rules.ts'
import { assignStaff } from './solver/staff.rules.ts'

describe('days between the exams of a student', () => {
  const days = [20_000, 20_001, 20_002]
  /** Six exams that two students share by three, on three days of two slots. */
  const plan = (given: Parameters<typeof weightsOf>[0]): ExamProblem => {
    const slots = days.flatMap((day, d) =>
      [540, 720].map((from, s) => ({ id: d * 2 + s, day, at: day, start: day * 1440 + from, minutes: 120 })),
    )
    return {
      slots,
      halls: [],
      exams: Array.from({ length: 6 }, (_, id) => ({ id, size: 1, minutes: 120 })),
      students: [
        [0, 1, 2],
        [3, 4, 5],
      ],
      weights: weightsOf(given, 6, slots.length),
    }
  }
  const daysOf = (problem: ExamProblem) => {
    const { placements } = solve(problem, { iterations: 20_000, seed: 7 })
    return problem.students.map(
      (exams) => new Set(exams.map((exam) => problem.slots[placements[exam]!.slot]!.day)).size,
    )
  }
  test('with room for it, and the usual weights, nobody has two on one day', () => {
    expect(daysOf(plan({}))).toEqual([3, 3])
    // Also where only days weigh.
    expect(daysOf(plan({ twoInRow: 0, twoInDay: 0 }))).toEqual([3, 3])
  })
  test('a day nearer costs more than one further, the same day most', () => {
    const problem = plan({ twoInRow: 0, twoInDay: 0 })
    const cost = (slot: number) => pairCost(problem, 0, slot).spread
    expect([cost(1), cost(2), cost(4)]).toEqual([32, 16, 8])
    expect(pairCost(plan({ spread: 0 }), 0, 1)).toEqual({ spread: 0, twoInRow: 8, twoInDay: 0 })
  })
})

test.each([
  ['in the middle', 500, 0],
  ['at the start', 0, -16],
  ['at the end', 1000, 16],
  ['beyond the end, as with a finger', 1400, 16],
  ['on the way to the end', 972, 8],
])('the board under what is held %s', (_, at, by) => {
  expect(pull(at, 0, 1000)).toBe(by)
})

describe('a schedule', () => {
  test('the same time is an error with the students, the same day a warning with their number', () => {
    const meetings = [
      { course: 'CS1 (1)', count: 2, students: ['1 A', '2 B'], students_local: ['1 أ', '2 ب'], same_time: true },
      { course: 'CS2 (1)', count: 3, students: [], students_local: [], same_time: false },
    ]
    expect(clashReasons(meetings)).toEqual([
      {
        field: 'exam_slot_id',
        code: 'exam_same_time',
        data: { course: 'CS1 (1)', count: 2, students: '1 A, 2 B', students_local: '1 أ، 2 ب' },
      },
    ])
    expect(dayWarnings(meetings).map((one) => [one.code, one.data?.count])).toEqual([['exam_same_day', 3]])
  })

  test('a hall takes what is free and not one more; none that is closed; the exam ends with its slot', () => {
    const at = (wanted: number) => fillingReasons([{ hall: 'H', hall_local: 'ق', seats: 50, taken: 20, wanted }])
    expect(at(30)).toEqual([])
    expect(at(31)[0]).toMatchObject({ code: 'exam_hall_over', data: { free: 30, wanted: 31 } })
    const hall = { hall: 'H', hall_local: 'ق' }
    expect(
      closedReasons([
        { ...hall, course: null, by: '', by_local: '' },
        { ...hall, course: 'CS1 (1)', by: 'A', by_local: 'أ' },
      ]),
    ).toEqual([
      { field: 'locations', code: 'exam_hall_closed', data: hall },
      { field: 'locations', code: 'exam_hall_teaching', data: { ...hall, course: 'CS1 (1)', by: 'A', by_local: 'أ' } },
    ])
    expect([lengthReasons(90, 90), lengthReasons(null, 60), lengthReasons(91, 90).length]).toEqual([[], [], 1])
  })

  test('every meeting that students have then is told, with when, how many and who', () => {
    const meeting = { course: 'CS2 (1)', starts: '10:00', count: 3, students: ['1 A', '2 B'], students_local: [] }
    expect(taughtReasons([])).toEqual([])
    expect(taughtReasons([meeting, { ...meeting, course: 'CS3 (1)', count: 1 }])).toEqual([
      {
        field: 'exam_slot_id',
        code: 'exam_students_taught',
        data: { course: 'CS2 (1)', starts: '10:00', count: 3, students: '1 A, 2 B', students_local: '–' },
      },
      {
        field: 'exam_slot_id',
        code: 'exam_students_taught',
        data: { course: 'CS3 (1)', starts: '10:00', count: 1, students: '1 A, 2 B', students_local: '–' },
      },
    ])
  })

  test('an invigilator who is away, teaches or has an exam of the own course is told with why', () => {
    const busy = { id: 7, instructor: 'A', instructor_local: 'أ', course: 'CS1' }
    expect(
      busyReasons([
        { ...busy, by: 'own_exam' },
        { ...busy, by: 'away' },
      ]),
    ).toEqual([
      {
        field: 'instructors',
        code: 'exam_invigilator_own_exam',
        data: { instructor: 'A', instructor_local: 'أ', course: 'CS1' },
      },
      {
        field: 'instructors',
        code: 'exam_invigilator_away',
        data: { instructor: 'A', instructor_local: 'أ', course: 'CS1' },
      },
    ])
  })

  test('when it moves, those who are free stay in their halls or follow into the one with fewest', () => {
    const people = [1, 2, 3, 4].map((id) => ({
      location_id: id < 3 ? 10 : 11,
      instructor_id: id,
      role: id === 3 ? 'chief' : 'invigilator',
    }))
    expect(keptInvigilators(people, [10, 12], new Set([1, 2, 3]))).toEqual([
      people[0],
      people[1],
      { location_id: 12, instructor_id: 3, role: 'chief' },
    ])
    expect(keptInvigilators(people, [], new Set([1]))).toEqual([])
    expect(keptInvigilators(people, [10], new Set())).toEqual([])
    expect(releasedWarnings([])).toEqual([])
    expect(releasedWarnings([{ name: 'A', name_local: 'أ' }])[0]).toMatchObject({
      data: { instructors: 'A', count: 1 },
    })
  })
})

describe('an exam', () => {
  const facts: ExamFacts = {
    schedules: 3,
    unplaced: 0,
    unseated: 0,
    taught: 0,
    accommodations: 0,
    ahead: 0,
    last_day: '2026-06-01',
    absences: 0,
    cases: 0,
    deliveries: 0,
  }
  const codes = (list: readonly { code: string }[]) => list.map((one) => one.code)

  test('is published when everything has a place and everybody a seat', () => {
    expect(checkPublish(facts)).toEqual([])
    expect(codes(checkPublish({ ...facts, schedules: 0 }))).toEqual(['exam_covers_nothing'])
    expect(codes(checkPublish({ ...facts, unplaced: 1, unseated: 2, taught: 1 }))).toEqual([
      'exam_unplaced',
      'exam_unseated',
      'exam_halls_teaching',
    ])
  })

  test('is planned anew while something lies ahead, or nothing was written down', () => {
    expect(checkReopen(facts)).toEqual([])
    expect(checkReopen({ ...facts, ahead: 1, absences: 5, cases: 1, deliveries: 1 })).toEqual([])
    expect(codes(checkReopen({ ...facts, absences: 5 }))).toEqual(['exam_is_over', 'exam_has_absences'])
    expect(codes(checkReopen({ ...facts, cases: 1, deliveries: 2 }))).toEqual([
      'exam_is_over',
      'exam_has_cases',
      'exam_has_deliveries',
    ])
  })

  test('keeps days, slots and halls in which something is planned', () => {
    const used = { name: 'H', name_local: 'ق', count: 2 }
    expect(
      checkRemoved([
        { what: 'day', ...used },
        { what: 'slot', ...used },
        { what: 'hall', ...used },
      ]).map(({ field, code }) => `${code}@${field}`),
    ).toEqual(['exam_day_used@days', 'exam_slot_used@times', 'exam_hall_used@halls'])
  })
})

describe('the board', () => {
  const exam = (id: number, students: number[], at: [string, number] | null, seats = students.length) => ({
    id,
    name: `E${id}`,
    on_date: at?.[0] ?? null,
    exam_slot_id: at?.[1] ?? null,
    students,
    halls: at ? [{ location_id: 1, seats }] : [],
  })
  const board: Board = {
    slots: [
      { id: 1, starts: '09:00', ends: '11:00' },
      { id: 2, starts: '12:00', ends: '14:00' },
    ],
    halls: [
      { id: 1, seats: 4 },
      { id: 2, seats: 3 },
      { id: 3, seats: 9 },
    ],
    closed: [['d2', 2]],
    closed_halls: [
      { location_id: 3, on_date: null, exam_slot_id: null },
      { location_id: 2, on_date: 'd1', exam_slot_id: 1 },
    ],
    exams: [exam(1, [1, 2, 3], ['d1', 1]), exam(2, [3, 4], null), exam(3, [9, 8, 7, 6, 5], null)],
    others: [{ name: 'X', on_date: 'd2', from: 600, to: 700, students: [4], halls: [{ location_id: 1, seats: 2 }] }],
  }
  const rules = new ExamBoard(board)

  test('a cell tells clashes, also with other plans, the same day, closed times and free seats', () => {
    expect(rules.at(board.exams[1]!, 'd1', 1)).toEqual({
      clashes: [{ name: 'E1', count: 1 }],
      late: [],
      hurried: 0,
      lacks: null,
      taught: [],
      lost: 0,
      same_day: 0,
      free: 1,
      closed: false,
      fits: false,
    })
    expect(rules.at(board.exams[1]!, 'd1', 2)).toMatchObject({ clashes: [], same_day: 1, free: 7, fits: true })
    expect(rules.at(board.exams[1]!, 'd2', 1)).toMatchObject({ clashes: [{ name: 'X', count: 1 }], free: 5 })
    expect(rules.at(board.exams[1]!, 'd2', 2)).toMatchObject({ clashes: [], same_day: 1, closed: true })
  })

  test('a cell tells who is taught then, and the halls that an exam would lose', () => {
    const closed = { location_id: 1, on_date: 'd1', exam_slot_id: 1 }
    const lectures = new ExamBoard({
      ...board,
      closed_halls: [...board.closed_halls, closed],
      taught: [
        { name: 'L1', on_date: 'd1', exam_slot_id: 1, students: [1, 2, 50] },
        { name: 'L2', on_date: 'd1', exam_slot_id: 1, students: [3] },
        { name: 'L3', on_date: 'd1', exam_slot_id: 2, students: [4] },
      ],
    })
    const first = lectures.at(board.exams[0]!, 'd1', 1)
    expect([first.taught, first.lost]).toEqual([
      [
        { name: 'L1', count: 2 },
        { name: 'L2', count: 1 },
      ],
      1,
    ])
    expect(verdictOf(first)).toEqual({ fit: 'taken', why: 'taught', name: 'L1', more: 1 })
    const later = lectures.at(board.exams[0]!, 'd1', 2)
    expect([later.taught, later.lost]).toEqual([[], 0])
  })

  test('halls: the smallest that holds all, else the largest first; none that is closed or full', () => {
    expect(rules.seat(board.exams[1]!, 'd1', 2)).toEqual([{ location_id: 2, seats: 2 }])
    expect(rules.seat(board.exams[2]!, 'd1', 2)).toEqual([
      { location_id: 1, seats: 4 },
      { location_id: 2, seats: 1 },
    ])
    expect(rules.seat(board.exams[2]!, 'd1', 1)).toEqual([])
    expect(rules.seat(board.exams[0]!, 'd1', 2)).toEqual(board.exams[0]!.halls)
  })
})

describe('figures of the board', () => {
  const exam = (id: number, students: number[], on_date: string | null, exam_slot_id: number | null) => ({
    id,
    name: `E${id}`,
    on_date,
    exam_slot_id,
    students,
    halls: [],
  })
  const board: Board = {
    slots: [
      { id: 1, starts: '09:00', ends: '11:00' },
      { id: 2, starts: '12:00', ends: '14:00' },
    ],
    halls: [],
    closed: [],
    closed_halls: [],
    exams: [exam(1, [1, 2], 'd1', 1), exam(2, [1, 3], 'd1', 1), exam(3, [2, 3], 'd1', 2), exam(4, [9], null, null)],
    others: [{ name: 'X', on_date: 'd2', from: 600, to: 700, students: [2, 50], halls: [] }],
  }

  test('people are counted, each once; who sits other plans only is not', () => {
    // 1 has two at once; 2 and 3 have two on the day besides; 50 sits nothing of this plan.
    expect(figuresOf(board)).toEqual({ unplaced: 1, clashes: 1, taught: 0, same_day: 3, most: 2 })
    const taught = [{ name: 'L', on_date: 'd1', exam_slot_id: 1, students: [1, 2, 9, 50] }]
    expect(figuresOf({ ...board, taught }).taught).toBe(2)
    // Who sits in other plans only, and twice at once there, is of those plans.
    const twice = board.others.map((one) => ({ ...one, name: 'Y', students: [50, 51] }))
    expect(figuresOf({ ...board, others: [...board.others, ...twice] })).toEqual(figuresOf(board))
  })

  test('a proposal is told figure by figure: fewer is better', () => {
    const proposed = proposedBoard(board, [
      { id: 2, to: { on_date: 'd3', exam_slot_id: 1 } },
      { id: 4, to: { on_date: 'd3', exam_slot_id: 2 } },
      { id: 3, to: null },
    ])
    expect(proposed.exams.map((one) => one.on_date)).toEqual(['d1', 'd3', null, 'd3'])
    expect(compareFigures(figuresOf(board), figuresOf(proposed))).toEqual([
      { name: 'unplaced', from: 1, to: 1, verdict: 'same' },
      { name: 'clashes', from: 1, to: 0, verdict: 'better' },
      { name: 'taught', from: 0, to: 0, verdict: 'same' },
      { name: 'same_day', from: 3, to: 0, verdict: 'better' },
      { name: 'most', from: 2, to: 1, verdict: 'better' },
    ])
    expect(compareFigures(figuresOf(proposed), figuresOf(board)).at(-1)!.verdict).toBe('worse')
  })

  test('a cell says its first reason: closed, then the exam it clashes with and how many more, then too few seats', () => {
    const effect = {
      clashes: [],
      late: [],
      taught: [],
      lost: 0,
      lacks: null,
      hurried: 0,
      same_day: 0,
      free: 9,
      closed: false,
      fits: true,
    }
    const clashes = [
      { name: 'A', count: 9 },
      { name: 'B', count: 1 },
    ]
    expect(verdictOf(effect)).toEqual({ fit: 'free' })
    expect(verdictOf({ ...effect, same_day: 4 })).toEqual({ fit: 'minded', count: 4, hurried: false })
    expect(verdictOf({ ...effect, clashes, same_day: 4, fits: false })).toEqual({
      fit: 'taken',
      why: 'clash',
      name: 'A',
      more: 1,
    })
    expect(verdictOf({ ...effect, same_day: 4, fits: false })).toEqual({ fit: 'taken', why: 'room' })
    expect(verdictOf({ ...effect, clashes, closed: true })).toEqual({ fit: 'taken', why: 'closed' })
  })
})

/** Exams A, B, C … in slots of a day each, two halls of 10 and 5. */
function planOf(
  exams: Partial<ProblemExam>[],
  students: number[][],
  present: [slot: number, ...halls: [number, number][]][],
  more: Partial<ExamProblem> = {},
): ExamPlan {
  const problem: ExamProblem = {
    slots: [0, 1, 2].map((id) => ({ id, day: id, start: id * 1440, minutes: 120 })),
    halls: [
      { id: 100, seats: 10, invigilators: 1 },
      { id: 101, seats: 5, invigilators: 2 },
    ],
    exams: exams.map((one, i) => ({
      id: i,
      size: students.filter((list) => list.includes(i)).length,
      minutes: 60,
      ...one,
    })),
    students,
    weights: NO_WEIGHTS,
    ...more,
  }
  return {
    problem,
    staffed: problem,
    present: present.map(([slot, ...halls]) => ({ slot, halls: halls.map(([hall, seats]) => ({ hall, seats })) })),
    lectures: exams.map(() => new Map<number, number>()),
    duties: [],
    names: new Map(exams.map((_, i) => [i + 1, 'ABCDEF'[i]!])),
    slots: [1, 2, 3].map((day) => ({ on_date: `2026-06-0${day}`, exam_slot_id: 1, from: 540, to: 660 })),
    halls: [
      { id: 100, name: 'Hall', name_local: 'قاعة' },
      { id: 101, name: 'Room', name_local: 'غرفة' },
    ],
    schedules: exams.map((_, i) => i + 1),
    parts: [],
    room: problem.halls.map((hall) => hall.seats),
    staff: [],
    locked: new Set(exams.flatMap((one, i) => (one.fixed ? [i + 1] : []))),
  }
}
const planned = (id: number, day: number | null, ...halls: [number, number][]) => ({
  id,
  on_date: day === null ? null : `2026-06-0${day}`,
  exam_slot_id: day === null ? null : 1,
  halls,
  staff: [],
})
const took = (students: number, ...exams: number[]) => Array.from({ length: students }, () => exams)
const base = (id: number, day: number | null, students: number) =>
  [id, day === null ? null : `2026-06-0${day}`, day === null ? null : 1, students] as const

describe('taking a plan', () => {
  const reasonsOf = (
    plan: ExamPlan,
    of: Parameters<typeof takeReasons>[1]['planned'],
    more: Partial<Parameters<typeof takeReasons>[1]> = {},
  ) =>
    takeReasons(plan, {
      base: plan.schedules.map((id, i) =>
        base(id, plan.present[i]!.slot < 0 ? null : plan.present[i]!.slot + 1, plan.problem.exams[i]!.size),
      ),
      planned: of,
      movers: new Map(),
      incomplete: false,
      ...more,
    })

  test('nothing stands against a right plan; students who came or left get or give back seats', () => {
    const plan = planOf([{}, {}], [...took(6, 0), ...took(3, 1)], [[-1], [-1]])
    expect(reasonsOf(plan, [planned(1, 1, [100, 6]), planned(2, 1, [101, 3])])).toEqual([])
    // Planned for five and for five: one more, two less.
    const now = placementsOf(plan, [planned(1, 1, [100, 5]), planned(2, 1, [101, 5])])
    expect(now.map(({ halls }) => halls)).toEqual([[{ hall: 0, seats: 6 }], [{ hall: 1, seats: 3 }]])
    expect(reasonsOf(plan, [planned(1, 1, [100, 5]), planned(2, 1, [101, 5])])).toEqual([])
  })

  test('who gives seats back does so before another takes them; a hall that is given up is left', () => {
    const plan = planOf([{}, {}], [...took(7, 0), ...took(3, 1)], [[-1], [-1]])
    const fitted = refit(plan.problem, [
      { slot: 0, halls: [{ hall: 0, seats: 5 }] },
      {
        slot: 0,
        halls: [
          { hall: 0, seats: 5 },
          { hall: 1, seats: 1 },
        ],
      },
    ])
    expect(fitted.map(({ halls }) => halls)).toEqual([[{ hall: 0, seats: 7 }], [{ hall: 0, seats: 3 }]])
  })

  test('an exam whose students are taught then is told once, with how many and when', () => {
    const plan = planOf([{ slots: [1, 2] }, {}], [...took(4, 0), ...took(3, 1)], [[-1], [-1]])
    const taught: ExamPlan = { ...plan, lectures: [new Map([[0, 3]]), new Map()] }
    expect(reasonsOf(taught, [planned(1, 1, [100, 4]), planned(2, 1, [101, 3])])).toEqual([
      { code: 'exam_plan_taught', data: { course: 'A', day: '2026-06-01', count: 3 } },
    ])
    expect(reasonsOf(taught, [planned(1, 2, [100, 4]), planned(2, 1, [101, 3])])).toEqual([])
  })

  test('without a free seat in its halls it says how many stand', () => {
    const plan = planOf([{}], took(7, 0), [[-1]])
    expect(reasonsOf(plan, [planned(1, 1, [101, 5])])).toEqual([
      { code: 'exam_plan_no_seat', data: { course: 'A', count: 2 } },
    ])
  })

  test('what others moved, locked or put in meanwhile is told, person by person', () => {
    const plan = planOf(
      [{}, { fixed: { slot: 1 } }, {}],
      [...took(1, 0), ...took(1, 1), ...took(1, 2)],
      [[2, [0, 1]], [1, [0, 1]], [-1]],
    )
    const movers = new Map([
      [1, { by: 'Mona', by_local: 'منى' }],
      [2, { by: 'Ali', by_local: 'علي' }],
    ])
    const found = reasonsOf(plan, [planned(1, 1, [100, 1]), planned(2, 3, [100, 1])], {
      base: [base(1, 1, 1), base(2, 2, 1)],
      movers,
    })
    expect(found).toEqual([
      { code: 'exam_plan_moved', data: { by: 'Mona', by_local: 'منى', exams: 'A', count: 1 } },
      { code: 'exam_plan_locked', data: { by: 'Ali', by_local: 'علي', exams: 'B', count: 1 } },
      { code: 'exam_plan_added', data: { exams: 'C', count: 1 } },
    ])
    // Locked where the plan leaves it, it stands against nothing.
    expect(reasonsOf(plan, [planned(1, 3, [100, 1]), planned(2, 2, [100, 1]), planned(3, 1, [100, 1])])).toEqual([])
  })

  test('exams without a place are named, unless one knows; what the exam has no more is named in any case', () => {
    const plan = planOf([{}, {}, {}], [...took(1, 0), ...took(1, 1), ...took(1, 2)], [[-1], [-1], [-1]])
    const of = [planned(1, null), planned(2, 9, [100, 1]), planned(3, 1, [999, 1])]
    expect(reasonsOf(plan, of)).toEqual([
      { code: 'exam_plan_lost', data: { exams: 'B, C', count: 2 } },
      { code: 'exam_plan_incomplete', data: { exams: 'A', count: 1 } },
    ])
    expect(reasonsOf(plan, of, { incomplete: true }).map((one) => one.code)).toEqual(['exam_plan_lost'])
  })

  test('students with more time who still write when the next exam begins are told, with both exams and how many', () => {
    const slots = [0, 1, 2].map((id) => ({ id, day: 0, start: id * 130, minutes: 120 }))
    const plan = planOf([{}, {}, { over: [30, 30, 30], size: 2 }], [...took(2, 2, 1), ...took(5, 0)], [[0], [1], [0]], {
      slots,
    })
    const parted = { ...plan, schedules: [1, 2], parts: [{ exam: 0, own: false, size: 2 }] }
    expect(reasonsOf(parted, [planned(1, 1, [100, 7]), planned(2, 2, [101, 2])])).toEqual([
      { code: 'exam_plan_longer', data: { course: 'A', other: 'B', count: 2 } },
    ])
  })

  test('clashes are told with both and how many students, halls with their seats, closed ones too', () => {
    const plan = planOf([{}, {}], [...took(4, 0, 1), ...took(5, 0)], [[-1], [-1]])
    expect(reasonsOf(plan, [planned(1, 1, [100, 9]), planned(2, 1, [100, 4])])).toEqual([
      { code: 'exam_plan_clash', data: { course: 'A', other: 'B', count: 4 } },
      {
        code: 'exam_plan_hall_full',
        data: { hall: 'Hall', hall_local: 'قاعة', day: '2026-06-01', seats: 10, wanted: 13 },
      },
    ])
    const shut = planOf([{}], took(2, 0), [[-1]], {
      halls: [
        { id: 100, seats: 10, closed: [0] },
        { id: 101, seats: 5 },
      ],
    })
    expect(reasonsOf(shut, [planned(1, 1, [100, 2])]).map((one) => one.code)).toEqual(['exam_plan_hall_closed'])
    expect(reasonsOf(shut, [planned(1, 2, [100, 2])])).toEqual([])
  })

  test.each<[string, Partial<ProblemExam>[], Partial<ExamProblem>, [number, number]]>([
    ['longer than its slot', [{ minutes: 121 }, {}], {}, [1, 2]],
    ['where it may not be', [{ slots: [1] }, {}], {}, [1, 2]],
    ['before what it follows', [{}, {}], { after: [[0, 1]] }, [1, 2]],
    ['at the time of what it is kept apart from', [{}, {}], { apart: [[0, 1]] }, [1, 1]],
    ['at another time than what it belongs to', [{}, {}], { together: [[0, 1]] }, [1, 2]],
    ['not alone', [{ alone: true }, {}], {}, [1, 1]],
  ])('an exam %s is named', (_, exams, more, [a, b]) => {
    const plan = planOf(exams, [...took(1, 0), ...took(1, 1)], [[-1], [-1]], more)
    const [reason, ...others] = reasonsOf(plan, [planned(1, a, [100, 1]), planned(2, b, [100, 1])])
    expect([reason?.code, others]).toEqual(['exam_plan_broken', []])
    expect(String(reason?.data?.exams)).toContain('A')
  })
})

describe('too few invigilators', () => {
  test('every hall has its first before one has its second; what lacks is told slot by slot', () => {
    const plan = planOf([{}, {}], [...took(1, 0), ...took(1, 1)], [[-1], [-1]], { staff: [{ id: 1 }, { id: 2 }] })
    const placements = [
      { slot: 0, halls: [{ hall: 1, seats: 1 }] },
      { slot: 0, halls: [{ hall: 0, seats: 1 }] },
    ]
    const needed = [
      { slot: 0, hall: 0, count: 1 },
      { slot: 0, hall: 1, count: 2 },
    ]
    for (let seed = 0; seed < 8; seed += 1) {
      const duties = assignStaff(plan.problem, placements, seed)
      expect(duties.map(({ staff }) => staff.length)).toEqual([1, 1])
      expect(lackingStaff(plan, needed, duties)).toEqual([
        { on_date: '2026-06-01', exam_slot_id: 1, needed: 3, lacking: 1 },
      ])
    }
  })

  test('who looks after a hall already stays, as far as he or she is free, though others have fewer duties', () => {
    const plan = planOf([{}, {}, {}], [...took(1, 0), ...took(1, 1), ...took(1, 2)], [[-1], [-1], [-1]], {
      staff: [{ id: 1, away: [1] }, { id: 2 }, { id: 3 }],
    })
    const placements = [0, 1, 2].map((slot) => ({ slot, halls: [{ hall: 0, seats: 1 }] }))
    const kept = [
      { slot: 0, hall: 0, staff: [1] },
      { slot: 1, hall: 0, staff: [0] },
      { slot: 2, hall: 0, staff: [1] },
    ]
    for (let seed = 0; seed < 8; seed += 1) {
      const duties = assignStaff(plan.problem, placements, seed, kept)
      expect([duties[0]!.staff, duties[1]!.staff, duties[2]!.staff]).toEqual([[1], [2], [1]])
    }
  })
})
