import { expect, test } from 'vitest'
import { auditOf, differences, readProgramme, type TheirProgramme } from './degree-audit-format.ts'

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

test('every difference is told with its place', () => {
  expect(
    differences('programme', { name: 'A', req_list: [{ count: 1 }] }, { name: 'A', req_list: [{ count: 2 }] }),
  ).toEqual(['programme “A”.req_list[0].count: 1 instead of 2'])
})
