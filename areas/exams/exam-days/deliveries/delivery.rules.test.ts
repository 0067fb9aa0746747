import { describe, expect, test } from 'vitest'
import { checkDeliver, checkPapersReturn, checkTakeBack } from './delivery.rules.ts'
import type { DeliveredPapers } from './delivery.rules.ts'

const out: DeliveredPapers = {
  course: 'CS101',
  hall: 'H-12',
  present: 40,
  delivered: 40,
  returned: null,
  begins: '09:00',
  begun: true,
  approved: false,
}
const codes = (reasons: readonly { code: string; field?: string | null }[]) =>
  reasons.map(({ code, field }) => (field ? `${code}@${field}` : code))

describe('papers of an exam', () => {
  test('go into a hall until they came back, also once more with another count', () => {
    expect(checkDeliver({ ...out, delivered: null })).toEqual([])
    expect(checkDeliver(out)).toEqual([])
    expect(checkDeliver({ ...out, returned: 40 })).toMatchObject([
      { code: 'papers_back', data: { course: 'CS101', hall: 'H-12', present: 40, delivered: 40, returned: 40 } },
    ])
  })

  test.each<[string, Partial<DeliveredPapers>, string | null, string[]]>([
    ['as many as went in', { returned: 40 }, null, []],
    ['not before the exam began', { returned: 40, begun: false }, null, ['exam_not_begun']],
    ['none that never went in', { delivered: null, returned: 40 }, null, ['papers_not_delivered']],
    ['one is missing: explained', { returned: 39 }, 'Taken by a student', []],
    ['one is missing: not explained', { returned: 39 }, null, ['papers_differ@reason']],
    ['spaces explain nothing', { returned: 39 }, '  ', ['papers_differ@reason']],
    ['others than are present went in', { delivered: 41, returned: 40 }, null, ['papers_differ@reason']],
    ['more than went in, whatever is said', { returned: 41 }, 'We counted twice', ['papers_more_than_out@count']],
    [
      'all that is wrong',
      { returned: 41, begun: false, approved: true },
      null,
      ['papers_settled', 'exam_not_begun', 'papers_more_than_out@count', 'papers_differ@reason'],
    ],
  ])('come back: %s', (_, papers, explanation, expected) =>
    expect(codes(checkPapersReturn({ ...out, ...papers }, explanation))).toEqual(expected),
  )

  test('a count is taken back where there is one', () => {
    expect(checkTakeBack(out)).toEqual([])
    expect(codes(checkTakeBack({ ...out, delivered: null }))).toEqual(['papers_not_delivered'])
  })

  test('nothing is counted any more once control has approved', () => {
    const approved = { ...out, approved: true }
    expect(
      [checkDeliver(approved), checkPapersReturn({ ...approved, returned: 40 }, null), checkTakeBack(approved)].map(
        codes,
      ),
    ).toEqual([['papers_settled'], ['papers_settled'], ['papers_settled']])
  })
})
