import { describe, expect, test } from 'vitest'
import type { JudgedRow } from '#kit/server/handing-in/judge.ts'
import { checkApproval, checkSubmission } from './control.rules.ts'
import { againstCourse } from './placement.rules.ts'
import { byStudentCode, sheetStudent } from './sheet-student.server.ts'

const lacks = (registration_id: number, categories: string[], bylaw = 'B1') =>
  ({ registration_id, categories, bylaw }) as unknown as Parameters<typeof checkSubmission>[0]['missing'][number]

describe('marks are submitted', () => {
  const codes = (more: Partial<Parameters<typeof checkSubmission>[0]>) =>
    checkSubmission({ sound: true, categories: 2, missing: [], ...more }).map(({ code }) => code)
  test.each([
    ['when all are there', {}, []],
    ['not without a sound scheme', { sound: false }, ['control_scheme']],
    ['not while somebody lacks one', { missing: [lacks(1, ['final'])] }, ['control_marks']],
    ['not where nothing is marked at all', { categories: 0, missing: [lacks(1, [])] }, ['control_marks']],
    ['not where a bylaw has no grade for them', { missing: [lacks(1, []), lacks(2, [])] }, ['grade_ranges_missing']],
    [
      'not for each of these reasons',
      { sound: false, missing: [lacks(1, ['final']), lacks(2, [], 'B2')] },
      ['control_scheme', 'control_marks', 'grade_ranges_missing'],
    ],
    ['not while names are closed, and of nobody is told more', { closed: true, sound: false }, ['names_closed']],
  ])('%s', (_, more, told) => {
    expect(codes(more)).toEqual(told)
  })
  test('who lacks marks is told by number, and as many by name as a screen can show', () => {
    const missing = Array.from({ length: 150 }, (_, i) => lacks(i, ['final']))
    const [reason] = checkSubmission({ sound: true, categories: 1, missing })
    expect(reason!.data).toMatchObject({ count: 150 })
    expect((reason!.data as { students: unknown[] }).students).toHaveLength(100)
  })
})

test('marks are approved once the papers of every hall are settled', () => {
  expect(checkApproval({})).toEqual([])
  const open = { hall: 'A', delivered: 3, present: 3, returned: 2 }
  expect(checkApproval({ papers: [open, { ...open, hall: 'B' }], course: 'Physics' })).toMatchObject([
    { code: 'exam_papers_open', data: { course: 'Physics', count: 2, hall: 'A', returned: 2 } },
  ])
})

describe('a placement', () => {
  const courses = [
    { course_id: 10, level: 1 },
    { course_id: 20, level: 2 },
    { course_id: 30, level: 3 },
  ]
  const against = (level: number | null, course: number, ...passed: number[]) =>
    againstCourse(
      { level, courses } as unknown as Parameters<typeof againstCourse>[0],
      (id) => id === course,
      (id) => passed.includes(id),
    )
  test.each<[string, ReturnType<typeof against>, string | null]>([
    ['says nothing of another course', against(2, 99), null],
    ['is due before the first of its courses', against(null, 10), 'placement_due'],
    ['opens its own level', against(2, 20), null],
    ['excuses from what is below', against(2, 10), 'placement_excused'],
    ['keeps what is above closed', against(2, 30), 'placement_above'],
    ['opens it once what leads there is passed', against(2, 30, 20), null],
    ['asks for each course in between', against(1, 30, 10), 'placement_above'],
    ['asks for none below', against(1, 30, 10, 20), null],
  ])('%s', (_, found, told) => {
    expect(found).toBe(told)
  })
})

test('a student of a sheet is found by the code, however it is written, and stands there once', () => {
  const byCode = byStudentCode([{ code: 'A-1' }, { code: null }], ({ code }) => code)
  const looked = (text: string | undefined, earlier?: number) => {
    const wrong: unknown[][] = []
    const row = {
      line: { cells: { code: text === undefined ? undefined : { text } } },
      earlier,
      wrong: (...said: unknown[]) => wrong.push(said),
    }
    return [sheetStudent(row as unknown as JudgedRow, byCode), wrong]
  }
  expect(looked('a-1')).toEqual([{ code: 'A-1' }, []])
  expect(looked(undefined)[1]).toEqual([['code', 'sheet_code_missing']])
  expect(looked('A-2')).toEqual([null, [['code', 'sheet_student_unknown', { code: 'A-2' }]]])
  expect(looked('A-1', 2)).toEqual([null, [['code', 'sheet_student_twice', { code: 'A-1', row: 2 }]]])
})
