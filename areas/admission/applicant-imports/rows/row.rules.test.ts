import { describe, expect, test } from 'vitest'
import { checkSheetColumns, columnsByHeadings, proposeSheetColumns, sheetDelimiter } from '../sheet.rules.ts'
import { isSheetFormula, readSheetDay, readSheetMark, readSheetRow, type RowFacts } from './row.rules.ts'

const COLUMNS = {
  ministry_number: 0,
  national_id: 1,
  passport_number: 2,
  name_local: 3,
  nationality_id: 4,
  gender: 5,
  birth_date: 6,
  certificate_type_id: 7,
  certificate_total: 8,
  certificate_max: 9,
  subject_7: 10,
  wish_1: 11,
  wish_2: 12,
} as const
const FACTS: RowFacts = {
  type: 1,
  columns: COLUMNS,
  width: 13,
  programs: new Map<string, number | null>([
    ['cs', 1],
    ['is', 2],
    ['law', 3],
    ['arts', null],
  ]),
  countries: new Map([
    ['egypt', 64],
    ['sudan', 2],
  ]),
  communities: new Map(),
  certificates: new Map([['gs', 5]]),
  certificate: new Map([
    [
      5,
      {
        max_total: 32_000,
        subjects: [{ certificate_subject_id: 7, max_mark: 6_000, is_required: true, is_counted: true }],
      },
    ],
  ]),
  figures: new Map([['01', 9]]),
  open: new Set([1, 2]),
  reached: null,
  today: '2026-07-01',
  max_preferences: 2,
  isPhone: () => true,
  checkTexts: (values) => ({ values, reasons: [] }),
}
const ID = '30802140100011'
const GOOD = ['T1', ID, '', 'علي', '', '', '', 'GS', '300.5', '320', '', 'CS', 'IS']
const row = (more: Readonly<Record<number, string>> = {}, facts: Partial<RowFacts> = {}) => {
  const cells = [...GOOD]
  for (const [at, text] of Object.entries(more)) cells[Number(at)] = text
  return readSheetRow(cells, { ...FACTS, ...facts })
}
const wrong = (more: Readonly<Record<number, string>>, facts: Partial<RowFacts> = {}) =>
  row(more, facts).errors.map(({ at, code }) => `${at} ${code}`)

test('a row says a person, also what the national id says by itself', () => {
  expect(row()).toEqual({
    person: `n:${ID}`,
    ministry_number: 'T1',
    ministry_email: null,
    values: {
      national_id: ID,
      name_local: 'علي',
      nationality_id: 64,
      birth_date: '2008-02-14',
      gender: 1,
      birth_community_id: 9,
      certificate_type_id: 5,
      certificate_total: '300.50',
    },
    wishes: [1, 2],
    subjects: null,
    errors: [],
  })
  expect(row({ 1: '', 2: 'A1234567', 4: 'Sudan' }).person).toBe('p:2:A1234567')
  expect(row({ 1: '' }).person).toBe('m:T1')
  expect(row({ 0: '', 1: '٣٠٨٠٢١٤٠١٠٠٠١١' }).person).toBe(`n:${ID}`)
})

describe('a row is wrong', () => {
  test.each<[string, Readonly<Record<number, string>>, string[], Partial<RowFacts>?]>([
    ['its national id says another day', { 6: '15/2/2008' }, ['6 national_id_birth_date']],
    ['its national id says a man', { 5: 'Female' }, ['5 national_id_of_man']],
    ['its national id is none', { 1: '12345678901234' }, ['1 national_id_not_valid']],
    ['its governorate is none', { 1: '30802149900011' }, ['1 national_id_not_valid']],
    ['its total is above what the certificate is out of', { 8: '320.5' }, ['8 application_mark_above']],
    ['its maximum is another one', { 9: '410' }, ['9 applicant_row_max']],
    ['its maximum is no number', { 9: 'all' }, ['9 applicant_row_number']],
    ['a mark is no number', { 10: 'good' }, ['10 applicant_row_number']],
    [
      'its year is none',
      { 12: 'last' },
      ['12 applicant_row_number'],
      { columns: { ...COLUMNS, wish_2: undefined, certificate_year: 12 } },
    ],
    ['a mark is above', { 8: '61', 10: '61' }, ['10 application_mark_above']],
    ['its certificate is none', { 7: 'XX' }, ['7 applicant_row_certificate']],
    [
      'its governorate is no name of one',
      { 12: 'Nowhere' },
      ['12 applicant_row_community'],
      { columns: { ...COLUMNS, wish_2: undefined, community_id: 12 } },
    ],
    ['its marks do not add up', { 8: '51', 10: '50' }, ['8 application_marks_sum']],
    ['a wish is no program', { 11: 'X' }, ['11 applicant_row_program']],
    ['two programs are called so', { 11: 'Arts' }, ['11 applicant_row_ambiguous']],
    ['a program cannot be chosen', { 11: 'LAW' }, ['11 application_wish_closed']],
    ['a wish stands twice', { 12: 'cs' }, ['12 application_wish_twice']],
    ['no wish is within reach', {}, ['11 applicant_row_reach'], { reached: new Set([3]) }],
    ['it has no wish and must have one', { 11: '', 12: '' }, ['11 applicant_row_reach'], { reached: new Set([3]) }],
    ['nothing tells who it is', { 0: '', 1: '' }, ['1 applicant_row_identity']],
    ['it has no name', { 3: '' }, ['3 applicant_row_name']],
    ['a formula stands in it', { 3: '=A1' }, ['3 applicant_row_formula']],
    ['it has more cells than columns', { 13: 'x' }, ['null applicant_row_cells']],
  ])('%s', (_why, more, told, facts) => expect(wrong(more, facts)).toEqual(told))
  test('and not: empty cells beyond the columns, a wish within reach, signs before figures', () => {
    expect(wrong({ 13: '', 14: '' })).toEqual([])
    expect(wrong({}, { reached: new Set([2]) })).toEqual([])
    expect(['+201001234567', '-5', '-', 'a=b'].map((text) => isSheetFormula(text))).toEqual([
      false,
      false,
      false,
      false,
    ])
    expect(['=1', '@a', '+A1', '-A1'].map((text) => isSheetFormula(text))).toEqual([true, true, true, true])
  })
})

test.each([
  ['2008-2-3', '2008-02-03'],
  ['3/2/2008', '2008-02-03'],
  ['٣/٢/٢٠٠٨', '2008-02-03'],
  ['2008-02-03T00:00:00', '2008-02-03'],
  ['30/2/2008', null],
  ['2008', null],
])('the day %s', (text, day) => expect(readSheetDay(text)).toBe(day))
test.each([
  ['300', '300.00'],
  ['٣٠٠٫٥', '300.50'],
  ['300,5', '300.50'],
  ['1.234', null],
  ['-1', null],
  ['x', null],
])('the mark %s', (text, mark) => expect(readSheetMark(text)).toBe(mark))

describe('columns', () => {
  const SUBJECTS = [{ id: 7, code: 'MATH', name: 'Mathematics', name_local: 'الرياضيات' }]
  test('are proposed by words, each field once', () => {
    expect(
      proposeSheetColumns(
        ['الرقم القومى', 'Total Marks', 'Total', 'الرغبة الثانية', 'رغبة 1', 'الرياضيات', 'Colour', ''],
        SUBJECTS,
      ),
    ).toEqual({ national_id: 0, certificate_total: 1, wish_2: 3, wish_1: 4, subject_7: 5 })
  })
  test('are those that were kept, where all headings are there', () => {
    expect(columnsByHeadings({ name: 'NAME', national_id: 'nid' }, ['Nid', 'x', 'Name'])).toEqual({
      name: 2,
      national_id: 0,
    })
    expect(columnsByHeadings({ name: 'Name' }, ['Other'])).toBeNull()
    expect(columnsByHeadings({}, ['Other'])).toBeNull()
  })
  test('are refused with every reason', () => {
    expect(
      checkSheetColumns({ wish_2: 0, address: 0, email: 5 }, ['a']).map(({ field, code }) => `${code}@${field}`),
    ).toEqual([
      'applicant_column_twice@address',
      'applicant_column_none@email',
      'applicant_column_identity@national_id',
      'applicant_column_name@name_local',
      'applicant_column_wish@wish_1',
    ])
  })
  test.each([
    ['a;b;c,d', ';'],
    ['"a;b;c;d",e', ','],
    ['a\tb', '\t'],
    ['a|b|c', '|'],
    ['a', ','],
  ])('are divided as in %s', (text, mark) => expect(sheetDelimiter(text)).toBe(mark))
})
