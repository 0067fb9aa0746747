import { expect, test } from 'vitest'
import { auditOf, differences, type TheirCourse } from './degree-audit-answer.ts'
import { readProgramme, type TheirProgramme, type TheirRequirement } from './degree-audit-format.ts'

const programme: TheirProgramme = {
  type: 'Major',
  name: 'Tidal Studies',
  code: 'TID',
  degree: 'AB',
  year: 2020,
  urls: ['https://example.org/tid'],
  contacts: [],
  req_list: [
    {
      name: 'Basics',
      max_counted: 1,
      min_needed: 'ALL',
      explanation: '',
      req_list: [
        {
          name: 'Core',
          max_counted: null,
          min_needed: 'ALL',
          explanation: '',
          course_list: ['TID 101: Tides', 'TID 102'],
        },
        { name: null, max_counted: 1, min_needed: 1, explanation: '', course_list: ['SEA 2**'] },
        { name: null, max_counted: 1, min_needed: 0, explanation: '', course_list: ['LANG 107'] },
      ],
    },
    {
      name: 'Electives',
      max_counted: 1,
      min_needed: 2,
      explanation: '',
      course_list: ['TID *', 'SEA 2*'],
      excluded_course_list: ['TID 101'],
    },
    { name: 'Breadth', max_counted: 1, min_needed: 1, explanation: '', double_counting_allowed: true, dist_req: 'HA' },
    { name: 'Elsewhere', max_counted: 0, min_needed: null, explanation: '', course_list: ['ODD 1'] },
    { name: 'Thesis', min_needed: null, explanation: '', no_req: null },
    { name: null, max_counted: 1, min_needed: 1, explanation: '', completed_by_semester: 1, num_courses: 3 },
  ],
}
const path = (...steps: string[]) => ['Major//2020//TID', ...steps].join('//')

test('a programme in that format is a sound tree of ours', () => {
  const { problems, tree } = readProgramme(programme)
  expect(problems).toEqual([])
  expect(tree).toMatchObject({ kind: 'some', min: 4, count: 'amounts' })
})

test('its audit: settled, not settled, by one place only, shared, and what counts nothing', () => {
  const { courses, programme: answer } = auditOf(programme, [
    [{ name: 'TID101', dist_area: 'HA' }, { name: 'TID 102 / ODD 7', settled: [path('Basics')] }, { name: 'FRE 107' }],
    [{ name: 'SEA 230' }, { name: 'ODD 1', settled: ['Major//2020//XYZ//Other'] }],
  ])
  expect(courses).toEqual([
    [
      {
        name: 'TID101',
        possible_reqs: [path('Basics', 'Core'), path('Breadth')],
        reqs_satisfied: [path('Basics', 'Core'), path('Breadth')],
        settled: [path('Basics', 'Core')],
      },
      {
        name: 'TID 102 / ODD 7',
        possible_reqs: [path('Basics', 'Core'), path('Electives')],
        reqs_satisfied: [path('Basics', 'Core')],
        settled: [path('Basics')],
      },
      {
        name: 'FRE 107',
        possible_reqs: [path('Basics', '002')],
        reqs_satisfied: [path('Basics', '002')],
        settled: [path('Basics', '002')],
      },
    ],
    [
      { name: 'SEA 230', possible_reqs: [path('Basics', '001'), path('Electives')], reqs_satisfied: [] },
      { name: 'ODD 1', possible_reqs: [path('Elsewhere')], reqs_satisfied: [] },
    ],
  ])
  const at = (part: number) => (answer as { req_list: Record<string, unknown>[] }).req_list[part]!
  expect(answer).toMatchObject({ satisfied: false, count: 2, min_needed: 4, max_counted: null })
  expect(at(0)).toMatchObject({
    satisfied: false,
    count: 3,
    min_needed: 4,
    settled: ['TID101', 'TID 102 / ODD 7', 'FRE 107'],
    unsettled: ['SEA 230'],
  })
  expect(at(1)).toMatchObject({ satisfied: false, count: 0, settled: [], unsettled: ['SEA 230'] })
  expect(at(2)).toMatchObject({ satisfied: true, count: 1, settled: ['TID101'] })
  expect(at(5)).toMatchObject({ name: 'Complete 3 courses by Semester 1', satisfied: true, count: 1 })
})

const small = (...req_list: TheirRequirement[]): TheirProgramme => ({ ...programme, req_list })

test('settled in one place, a course still counts where courses are shared', () => {
  const shared = {
    name: 'Breadth',
    max_counted: 1,
    min_needed: 1,
    double_counting_allowed: true,
    dist_req: ['HA', 'LA'],
  }
  const core = { name: 'Core', max_counted: 1, min_needed: 1, course_list: ['TID *'] }
  const { courses, programme: answer } = auditOf(small(shared, core), [
    [
      { name: 'SEA 1', dist_area: 'LA', settled: [path('Core')] },
      { name: 'TID 1', settled: [path('Breadth')] },
    ],
  ])
  expect(courses).toMatchObject([[{ reqs_satisfied: [path('Breadth')] }, { reqs_satisfied: [] }]])
  expect(answer).toMatchObject({ count: 1, req_list: [{ settled: ['SEA 1'] }, { count: 0, satisfied: false }] })
})

test('numbers of courses are worth one each, whatever the number; what counts nothing above counts none', () => {
  const taken = [[{ name: 'A 1' }, { name: 'A 2' }], [{ name: 'A 3' }]]
  const of = (one: TheirRequirement) => (auditOf(small(one), taken).programme as { req_list: object[] }).req_list[0]!
  expect(of({ num_courses: 2, completed_by_semester: 1 })).toMatchObject({ count: 1, satisfied: true })
  expect(of({ num_courses: 3, completed_by_semester: 1 })).toMatchObject({ count: 0, satisfied: true, min_needed: 0 })
  expect(of({ min_needed: 2, num_courses: 3, completed_by_semester: 2 })).toMatchObject({ count: 1, satisfied: false })
  expect(of({ max_counted: 0, num_courses: 3, completed_by_semester: 2 })).toMatchObject({ count: 0 })
})

test('a requirement that differs by year, and one that nobody can meet', () => {
  const one: TheirRequirement = {
    name: 'Core',
    min_needed: 1,
    course_list: ['TID *'],
    year_switch: [
      { year_code: '<2019', course_list: ['OLD *'] },
      { year_code: '2019 - 2021', excluded_course_list: ['TID 1'] },
      { year_code: 'default', min_needed: 3, req_list: [{ name: 'Part', max_counted: 1, course_list: ['TID *'] }] },
    ],
  }
  const asked = (year: number) => readProgramme({ ...small(one), year })
  expect(asked(2018).tree).toMatchObject({ parts: [{ from: [{ pattern: 'OLD*' }] }] })
  expect(asked(2021).tree).toMatchObject({ parts: [{ from: [{ pattern: 'TID*' }], except: [{ pattern: 'TID1' }] }] })
  expect(asked(2022)).toMatchObject({ problems: [], tree: { parts: [{ kind: 'some', min: 3 }] } })
  expect(asked(2022).unreachable).toEqual([expect.stringContaining('requirement_min_beyond')])
})

test('every difference is told with its place', () => {
  expect(
    differences('programme', { name: 'A', req_list: [{ count: 1 }] }, { name: 'A', req_list: [{ count: 2 }] }),
  ).toEqual(['programme “A”.req_list[0].count: 1 instead of 2'])
})

test('what was taken elsewhere matches nothing, and counts where it is settled', () => {
  const core = { name: 'Core', max_counted: 2, min_needed: 2, course_list: ['TID 1', 'TID 2'] }
  const { courses, programme: answer } = auditOf(small(core), [
    [
      { name: 'AP Tides', dist_area: null, external: true, settled: [path('Core')] },
      { name: 'TID 1 abroad', external: true, settled: [] },
      { name: 'TID 2' },
    ],
  ])
  expect(courses).toEqual([
    [
      { name: 'AP Tides', possible_reqs: [], reqs_satisfied: [path('Core')], settled: [path('Core')] },
      { name: 'TID 1 abroad', possible_reqs: [], reqs_satisfied: [] },
      { name: 'TID 2', possible_reqs: [path('Core')], reqs_satisfied: [path('Core')], settled: [path('Core')] },
    ],
  ])
  expect(answer).toMatchObject({ req_list: [{ count: 2, satisfied: true, settled: ['AP Tides', 'TID 2'] }] })
})

const counted = (one: TheirRequirement, taken: TheirCourse[], student = {}): number =>
  (auditOf(small(one), [taken], student).programme as { req_list: { count: number }[] }).req_list[0]!.count
const three = { name: 'Core', max_counted: 3, min_needed: 3, course_list: ['TID *', 'SEA 9'] }

test.each<[string, Partial<TheirRequirement>, TheirCourse[], number]>([
  ['pass or fail where nothing is said', {}, [{ name: 'TID 1', pdf: true }], 1],
  ['pass or fail, allowed', { pdfs_allowed: true }, [{ name: 'TID 1', pdf: true }], 1],
  ['pass or fail, not allowed', { pdfs_allowed: false }, [{ name: 'TID 1', pdf: true }, { name: 'TID 2' }], 1],
  ['pass or fail, none', { pdfs_allowed: 0 }, [{ name: 'TID 1', pdf: true }], 0],
  [
    'pass or fail, one at most',
    { pdfs_allowed: 1 },
    [{ name: 'TID 1', pdf: true }, { name: 'TID 2', pdf: true }, { name: 'TID 3' }],
    2,
  ],
  [
    'a lowest grade',
    { min_grade: 2 },
    [
      { name: 'TID 1', grade: 1.7 },
      { name: 'TID 2', grade: 2 },
      { name: 'TID 3', pdf: true },
    ],
    1,
  ],
  [
    'a lowest letter',
    { min_grade: 'C' },
    [
      { name: 'TID 1', grade: 1.7 },
      { name: 'TID 2', grade: 2.3 },
    ],
    1,
  ],
  ['another code than the first', { no_crosslist: true }, [{ name: 'ODD 1 / TID 1' }, { name: 'TID 2 / ODD 2' }], 1],
  ['another code, where that is no matter', {}, [{ name: 'ODD 1 / TID 1' }, { name: 'TID 2 / ODD 2' }], 2],
  ['a department', { course_list: undefined as never, dept_list: ['TID'] }, [{ name: 'TID 1' }, { name: 'SEA 9' }], 1],
])('%s', (_, more, taken, expected) => {
  const { course_list, ...rest } = { ...three, ...more }
  expect(counted({ ...rest, ...(course_list && { course_list }) }, taken)).toBe(expected)
})

test('what is said of a requirement holds for all in it, until that says something else', () => {
  const nested: TheirRequirement = {
    name: 'All',
    pdfs_allowed: false,
    min_needed: 2,
    req_list: [
      { name: 'One', max_counted: 1, min_needed: 1, course_list: ['TID *'] },
      { name: 'Two', max_counted: 1, min_needed: 1, course_list: ['SEA *'], pdfs_allowed: true },
    ],
  }
  expect(
    counted(nested, [
      { name: 'TID 1', pdf: true },
      { name: 'SEA 1', pdf: true },
    ]),
  ).toBe(1)
})

test('of courses that count in another programme as well so many count here, and programmes exclude each other', () => {
  const taken = [{ name: 'TID 1' }, { name: 'TID 2' }, { name: 'TID 3' }]
  const elsewhere = ['TID 1', 'TID 2']
  expect(counted(three, taken, { elsewhere })).toBe(3)
  expect(counted({ ...three, max_common_with_major: 1 }, taken, { elsewhere })).toBe(2)
  expect(counted({ ...three, max_common_with_major: 0 }, taken, { elsewhere })).toBe(1)
  const minor = { ...small(three), excluded_majors: ['SEA', 'ODD'] }
  expect(auditOf(minor, [taken], { programmes: ['ODD', 'HIS'] }).excluded).toEqual(['ODD'])
  expect(auditOf({ ...minor, allowed_majors: ['HIS'] }, [taken], { programmes: ['HIS', 'ECO'] }).excluded).toEqual([
    'ECO',
  ])
})

test('a rule that is not judged is told by its name and its place', () => {
  const odd = { ...three, min_grade: 'pass', moon_phase: 'full' } as TheirRequirement
  const one = { ...small({ name: 'Part', req_list: [odd] }), declaration_limit: 4, deadline: 'May' } as TheirProgramme
  expect(readProgramme(one).told).toEqual([
    '//Tidal Studies: declaration_limit 4',
    '//Tidal Studies: deadline "May"',
    '//Tidal Studies//Part//Core: min_grade "pass"',
    '//Tidal Studies//Part//Core: moon_phase "full"',
  ])
  expect(readProgramme(programme).told).toEqual([])
})
