import { expect, test } from 'vitest'
import type { SpecificationSheet } from '../matrix/matrix.contract.ts'
import { specificationChapters } from './sections.rules.ts'

const row = { version: 1, position: 1, specification_id: 1 }
const outcome = (id: number, code: string, domain: 'knowledge' | 'skills', topics: number[]) => ({
  ...row,
  id,
  code,
  domain,
  level: 3,
  verb: null,
  target: null,
  text: `Outcome ${code}`,
  text_local: `ناتج ${code}`,
  topics,
  methods: [],
  assessments: [],
  serves: code === 'K1' ? [{ program_id: 7, code: 'A1' }] : [],
})
const SHEET: SpecificationSheet = {
  id: 1,
  version: 1,
  of: 'course',
  changes: false,
  outcomes: [outcome(1, 'K1', 'knowledge', [5]), outcome(2, 'S1', 'skills', [])],
  topics: [{ ...row, id: 5, text: 'Lists', text_local: 'القوائم', weeks: 2, hours: '6.00' }],
  methods: [],
  assessments: [33.33, 66.67].map((weight, i) => ({
    ...row,
    id: i + 1,
    text: `Part ${i}`,
    text_local: `بند ${i}`,
    weight: String(weight),
    week: null,
    mark_category: null,
  })),
  references: [],
  program_outcomes: [
    { program: { id: 7, name: 'Computing', name_local: 'حاسبات', code: 'CS' }, code: 'A1', text: 'X', text_local: 'س' },
  ],
  courses: [],
  gaps: [],
}
const aims = { aims: 'To learn.', aims_local: null }

test('chapters of the template, without what is empty', () => {
  const chapters = specificationChapters(SHEET, aims, 'en')
  expect(chapters.map(({ title }) => title)).toEqual([
    'Aims',
    'Intended learning outcomes',
    'Content',
    'Student assessment',
    'Matrices',
  ])
  expect(chapters[1]?.parts.map(({ title, rows }) => [title, rows[0]])).toEqual([
    ['Knowledge and understanding', ['K1', 'Outcome K1', 'Applying', 'CS A1']],
    ['Skills', ['S1', 'Outcome S1', 'Applying', '']],
  ])
  expect(chapters[2]?.parts[0]?.rows).toEqual([['Lists', '2', '6']])
  expect(chapters[3]?.parts[0]?.rows.at(-1)).toEqual(['Total', '', '', '100'])
  expect(chapters[4]?.parts[0]?.rows).toEqual([['Lists', '×', '']])
})
test('in Arabic, with the other language where one is missing', () => {
  const [first, second] = specificationChapters(SHEET, aims, 'ar')
  expect(first?.parts[0]?.text).toBe('To learn.')
  expect(second?.parts[0]?.rows[0]?.[1]).toBe('ناتج K1')
})
test('of a program the courses stand against its outcomes', () => {
  const courses = [{ id: 3, name: 'Data', name_local: 'بيانات', code: 'CS1', serves: ['S1'] }]
  const chapters = specificationChapters({ ...SHEET, of: 'program', courses }, aims, 'en')
  expect(chapters.at(-1)?.parts.at(-1)?.rows).toEqual([['CS1 Data', '', '×']])
})
