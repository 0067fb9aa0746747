import { expect, test } from 'vitest'
import { checkDeliver, checkPapersReturn, checkTakeBack, type DeliveredPapers } from './delivery.rules.ts'

const papers = (of: Partial<DeliveredPapers> = {}): DeliveredPapers => ({
  course: 'CSC101',
  hall: 'H1',
  present: 40,
  delivered: 40,
  returned: null,
  begins: '09:00',
  begun: true,
  approved: false,
  ...of,
})
const codes = (reasons: readonly { field?: string | null; code: string }[]) =>
  reasons.map(({ field, code }) => (field ? `${code}@${field}` : code))

test.each<[Partial<DeliveredPapers>, string[]]>([
  [{ delivered: null }, []],
  // Counted once more.
  [{ delivered: 38 }, []],
  [{ returned: 40 }, ['papers_back']],
  // None came back: that is a count as well.
  [{ returned: 0 }, ['papers_back']],
  [{ delivered: null, approved: true }, ['papers_settled']],
  [{ returned: 40, approved: true }, ['papers_settled', 'papers_back']],
])('papers go into the hall: %o', (of, reasons) => {
  expect(codes(checkDeliver(papers(of)))).toEqual(reasons)
})

test.each<[Partial<DeliveredPapers>, string | null, string[]]>([
  [{ returned: 40 }, null, []],
  [{ returned: 39 }, null, ['papers_differ@reason']],
  [{ returned: 39 }, '   ', ['papers_differ@reason']],
  [{ returned: 39 }, 'One was taken as evidence', []],
  // As many come back as went in, and yet somebody sat there without one.
  [{ delivered: 39, returned: 39 }, null, ['papers_differ@reason']],
  [{ returned: 41 }, 'Found one', ['papers_more_than_out@count']],
  [{ returned: 41 }, null, ['papers_more_than_out@count', 'papers_differ@reason']],
  [{ returned: 40, begun: false }, null, ['exam_not_begun']],
  [{ returned: 40, delivered: null }, null, ['papers_not_delivered']],
  [{ returned: 40, approved: true }, null, ['papers_settled']],
  [{ delivered: 0, returned: 0, present: 0 }, null, []],
])('papers come back: %o, said %s', (of, said, reasons) => {
  expect(codes(checkPapersReturn(papers(of), said))).toEqual(reasons)
})

test.each<[Partial<DeliveredPapers>, string[]]>([
  [{}, []],
  [{ returned: 40 }, []],
  [{ delivered: null }, ['papers_not_delivered']],
  [{ approved: true }, ['papers_settled']],
])('the last count is taken back: %o', (of, reasons) => {
  expect(codes(checkTakeBack(papers(of)))).toEqual(reasons)
})

test('a difference is told with its figures', () => {
  expect(checkPapersReturn(papers({ delivered: 41, returned: 39 }), null)[0]?.data).toEqual({
    course: 'CSC101',
    hall: 'H1',
    present: 40,
    delivered: 41,
    returned: 39,
  })
})
