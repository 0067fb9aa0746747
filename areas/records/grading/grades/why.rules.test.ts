import { describe, expect, test } from 'vitest'
import { usualRatings } from '#areas/study/catalogue/mark-regulation.rules.ts'
import { gradeOf, type GradeInput } from '../grading.rules.ts'
import { whyLetter } from './why.rules.ts'

const input = (change: Partial<GradeInput> = {}): GradeInput => ({
  scheme: {
    places: 0,
    grade_type: 'letter',
    categories: [
      { id: 1, maximum: 4000, final_exam: false },
      { id: 2, maximum: 6000, final_exam: true },
    ],
  },
  marks: { 1: 3900, 2: 5500 },
  main: 'Registered',
  audit: false,
  attempt: 'Fresh',
  bylaw: {
    grade_ranges: [
      { letter: 'A', from: 9000, to: 10_000, points: 400, success: true },
      { letter: 'B+', from: 8000, to: 9000, points: 330, success: true },
      { letter: 'C', from: 6000, to: 8000, points: 200, success: true },
      { letter: 'F', from: 0, to: 6000, points: 0, success: false },
    ],
    repeat: { counts: 'last', max_grade: 'B+', max_improve_grade: 'C', max_improvements: null, improvable: [] },
    min_percentage_final_exam: 3000,
    special_grades: {},
  },
  ...change,
})
const why = (change: Partial<GradeInput>, letter?: string | null) => {
  const given = input(change)
  return whyLetter(given, letter === undefined ? gradeOf(given).letter : letter)
}

describe('why a letter is not what the marks earn', () => {
  test('a repeated or improved course has the highest letter of the bylaw', () => {
    expect(why({ attempt: 'Repeat' })).toEqual({ code: 'repeat', earned: 'A', least: null })
    expect(why({ attempt: 'Improve' })).toEqual({ code: 'improve', earned: 'A', least: null })
    expect(why({ attempt: 'Repeat', marks: { 1: 3000, 2: 4000 } })).toBe(null)
  })

  test('a final exam below its least share fails, whatever the sum', () => {
    expect(
      why({
        marks: { 1: 4000, 2: 1700 },
        bylaw: {
          ...input().bylaw,
          grade_ranges: [
            { letter: 'P', from: 5000, to: 10_000, points: 200, success: true },
            { letter: 'F', from: 0, to: 5000, points: 0, success: false },
          ],
        },
      }),
    ).toEqual({ code: 'final_exam', earned: 'P', least: '30' })
    // It fails by its sum as well: nothing is to be explained.
    expect(why({ marks: { 1: 1000, 2: 1000 } })).toBe(null)
  })

  test('nothing is said of a first attempt, of missing marks, of a state, or of a letter that the marks do not give', () => {
    expect(why({})).toBe(null)
    expect(why({ marks: { 1: 3900 } }, 'A')).toBe(null)
    expect(why({ main: 'Withdrawn' })).toBe(null)
    expect(why({ attempt: 'Repeat' }, 'C')).toBe(null)
    expect(why({ attempt: 'Repeat' }, null)).toBe(null)
  })

  test('under a regulation by marks a later sitting counts with the marks that pass', () => {
    const marks = { pass_share: 5000, ratings: usualRatings(5000), later_sitting_capped: true }
    const bylaw = { ...input().bylaw, marks }
    expect(why({ attempt: 'Repeat', bylaw })).toEqual({ code: 'later_sitting', earned: '94', least: null })
    expect(why({ attempt: 'Fresh', bylaw })).toBe(null)
  })
})
