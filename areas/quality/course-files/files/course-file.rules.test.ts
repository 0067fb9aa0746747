import { describe, expect, test } from 'vitest'
import {
  checkCourseFileDecision,
  checkCourseFile,
  checkDocument,
  MOST_OF_PART,
  standParts,
  type CourseFileFound,
  type CourseFilePart,
  type PartStanding,
} from './course-file.rules.ts'

const part = (more: Partial<CourseFilePart> = {}): CourseFilePart => ({
  id: 1,
  name: 'Syllabus',
  name_local: 'التوصيف',
  source: 'upload',
  asked_of: 'all',
  is_optional: false,
  min_files: 1,
  names_hidden: false,
  removed: false,
  ...more,
})
const found = (more: Partial<CourseFileFound> = {}): CourseFileFound => ({
  hours: { lecture: 2, tutorial: 0, laboratory: 0, clinic: 0 },
  files: {},
  report: 'missing',
  published: false,
  lists: 0,
  specified: false,
  ...more,
})
const one = (of: Partial<CourseFilePart>, there: Partial<CourseFileFound> = {}) =>
  standParts([part(of)], found(there))[0]

describe('what is there of a part', () => {
  test.each([
    [{}, {}, 'missing', 0],
    [{}, { files: { 1: 1 } }, 'found', 1],
    [{ min_files: 3 }, { files: { 1: 2 } }, 'missing', 2],
    [{ min_files: 3 }, { files: { 1: 3 } }, 'found', 3],
    [{}, { files: { 2: 1 } }, 'missing', 0],
    [{ source: 'attendance' }, {}, 'missing', 0],
    [{ source: 'attendance' }, { lists: 4 }, 'found', 4],
    [{ source: 'specification' }, {}, 'missing', 0],
    [{ source: 'specification' }, { specified: true }, 'found', 1],
    [{ source: 'marks' }, {}, 'later', 0],
    [{ source: 'marks' }, { published: true }, 'found', 1],
    [{ source: 'report' }, {}, 'later', 0],
    [{ source: 'report' }, { published: true }, 'missing', 0],
    [{ source: 'report' }, { published: true, report: 'unanswered' }, 'missing', 0],
    [{ source: 'report' }, { published: true, report: 'outdated' }, 'outdated', 1],
    [{ source: 'report' }, { published: true, report: 'filled' }, 'found', 1],
    // Marks that were opened again: what was filled is not that of now.
    [{ source: 'report' }, { published: false, report: 'outdated' }, 'outdated', 1],
  ] as [Partial<CourseFilePart>, Partial<CourseFileFound>, string, number][])(
    '%j with %j: %s',
    (of, there, state, count) => {
      expect(one(of, there)).toMatchObject({ state, found: count })
    },
  )
  test.each([
    ['all', true],
    ['lecture', true],
    ['tutorial', false],
    ['laboratory', false],
    ['clinic', false],
  ] as const)('of %s courses is asked of one with lectures alone: %s', (asked_of, is) => {
    expect(one({ asked_of }) !== undefined).toBe(is)
  })
  test('one that is set up no more stands where something was handed in, and is not asked', () => {
    expect(one({ removed: true })).toBeUndefined()
    expect(one({ removed: true }, { files: { 1: 1 } })).toMatchObject({ is_optional: true, state: 'found' })
  })
})

describe('handing in', () => {
  const standing = (of: Partial<CourseFilePart>, there: Partial<CourseFileFound> = {}): PartStanding[] =>
    standParts([part(of)], found(there))
  test.each([
    [standing({}), ['course_file_missing']],
    [standing({}, { files: { 1: 1 } }), []],
    [standing({ is_optional: true }), []],
    [standing({ source: 'attendance' }), ['course_file_attendance_missing']],
    [standing({ source: 'specification' }), ['course_file_specification_missing']],
    [standing({ source: 'marks' }), ['course_file_marks_open']],
    [standing({ source: 'report' }), ['course_file_marks_open']],
    [standing({ source: 'report' }, { published: true }), ['course_file_report_missing']],
    [standing({ source: 'report' }, { published: true, report: 'outdated' }), ['course_file_report_outdated']],
    [[], ['course_file_nothing_asked']],
    [standing({ removed: true }, { files: { 1: 1 } }), ['course_file_nothing_asked']],
  ])('%#', (parts, codes) => {
    expect(checkCourseFile(parts).map(({ code }) => code)).toEqual(codes)
  })
  test('says how many files are to come', () => {
    expect(checkCourseFile(standing({ min_files: 3 }, { files: { 1: 1 } }))[0]?.data).toMatchObject({ count: 2 })
  })
  test('says everything at once, and open comments hold up a decision', () => {
    const parts = standParts([part(), part({ id: 2, source: 'marks' })], found())
    expect(checkCourseFileDecision({ parts, open_comments: 2 }).map(({ code }) => code)).toEqual([
      'course_file_missing',
      'course_file_marks_open',
      'course_file_comments_open',
    ])
    const whole = standParts([part()], found({ files: { 1: 1 } }))
    expect(checkCourseFileDecision({ parts: whole, open_comments: 0 })).toEqual([])
  })
})

describe('a file', () => {
  const at = (of: Partial<CourseFilePart>, files = 0) => one(of, { files: { 1: files } })
  const good = { names_hidden: false, twice: false }
  test.each([
    [at({}), good, []],
    [undefined, good, ['course_file_part_not_asked']],
    [at({ removed: true }, 1), good, ['course_file_part_not_asked']],
    [at({ source: 'marks' }), good, ['course_file_part_by_itself']],
    [at({ names_hidden: true }), good, ['course_file_names']],
    [at({ names_hidden: true }), { ...good, names_hidden: true }, []],
    [at({}, MOST_OF_PART - 1), good, []],
    [at({}, MOST_OF_PART), good, ['course_file_part_full']],
    [at({}), { ...good, twice: true }, ['course_file_document_twice']],
    [
      at({ names_hidden: true }, MOST_OF_PART),
      { ...good, twice: true },
      ['course_file_names', 'course_file_part_full', 'course_file_document_twice'],
    ],
  ])('%#', (of, given, codes) => {
    expect(checkDocument(of, given).map(({ code }) => code)).toEqual(codes)
  })
})
