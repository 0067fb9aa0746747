import { describe, expect, test } from 'vitest'
import type { Reason } from '#kit/contract/issues.ts'
import { leadingZeros, puzzleHash, solvePuzzle } from '#kit/contract/puzzle.ts'
import { TABS_OF, type ApplicationTab } from '../words.contract.ts'
import { checkApplicationTab, percentageOf, type ApplicantFacts } from './application.rules.ts'
import { pagesDone } from './progress.rules.ts'
import { isApplicantPhone } from './read.server.ts'

const EMPTY: ApplicantFacts = {
  values: {},
  today: '2031-07-01',
  certificate: null,
  born_in: 7,
  max_preferences: 2,
  programs: new Set([1, 2, 3]),
  is_early: false,
  missing_documents: [],
  declared: true,
  declarations: 3,
  fee_due: null,
  isPhone: isApplicantPhone,
}
const at = (tab: ApplicationTab, values: object, more: Partial<ApplicantFacts> = {}, type = 1): string[] =>
  checkApplicationTab(tab, type, { ...EMPTY, ...more, values: values as ApplicantFacts['values'] }).map(
    ({ field, code }: Reason) => `${code}@${field}`,
  )
const certificate = {
  max_total: 32_000,
  subjects: [
    { certificate_subject_id: 1, max_mark: 20_000, is_required: true, is_counted: true },
    { certificate_subject_id: 2, max_mark: 12_000, is_required: false, is_counted: true },
  ],
}
const school = { certificate_type_id: 1, certificate_year: 2031, certificate_school: 'S', certificate_total: '300' }
const marks = (one: string | null, two: string | null) => [
  ...(one === null ? [] : [{ certificate_subject_id: 1, mark: one }]),
  ...(two === null ? [] : [{ certificate_subject_id: 2, mark: two }]),
]

describe('a tab of an application', () => {
  test.each<[string, ApplicationTab, object, string[], Partial<ApplicantFacts>?, number?]>([
    ['nothing is known', 'nationality', {}, ['required@nationality_id', 'required@passport_number']],
    ['a foreigner has a passport', 'nationality', { nationality_id: 5, passport_number: 'A1234567' }, []],
    ['an Egyptian has an id', 'nationality', { nationality_id: 64 }, ['national_id_required@national_id']],
    ['an id of a day', 'nationality', { nationality_id: 64, national_id: '30512310712345' }, []],
    [
      'an id of no day',
      'nationality',
      { nationality_id: 64, national_id: '30513310712345' },
      ['national_id_not_valid@national_id'],
    ],
    [
      'an id of tomorrow',
      'nationality',
      { nationality_id: 64, national_id: '33107020712345' },
      ['national_id_not_valid@national_id'],
    ],
    [
      'an id of no governorate',
      'nationality',
      { nationality_id: 64, national_id: '30512310712345' },
      ['national_id_not_valid@national_id'],
      { born_in: undefined },
    ],
    [
      'an id that says something else',
      'nationality',
      { nationality_id: 64, national_id: '30512310712345', birth_date: '2005-12-30', gender: 1, birth_community_id: 8 },
      [
        'national_id_birth_date@birth_date',
        'national_id_of_woman@gender',
        'application_born_elsewhere@birth_community_id',
      ],
    ],
    [
      'a woman who served, born tomorrow',
      'personal_info',
      { name: 'M', name_local: 'م', gender: 2, birth_date: '2031-07-02', military_status: 'done' },
      ['birth_date_future@birth_date', 'military_status_of_men@military_status'],
    ],
    ['no name', 'personal_info', { gender: 1, birth_date: '2010-01-01' }, ['required@name', 'required@name_local']],
    [
      'telephones that are none',
      'contact_info',
      { phone: '0123', second_phone: '+4915', country_id: 1, address: 'A' },
      ['application_phone@phone', 'application_phone@second_phone'],
    ],
    [
      'telephones of two countries',
      'contact_info',
      { phone: '01001234567', second_phone: '+4915112345678', country_id: 1, address: 'A' },
      [],
    ],
    [
      'parents',
      'parent_info',
      { father_national_id: '30512310712345', mother_phone: '1', sibling_code: '7' },
      [
        'required@father_name',
        'required@mother_name',
        'national_id_not_valid@father_national_id',
        'application_phone@mother_phone',
        'required@sibling_faculty_id',
      ],
    ],
    [
      'no certificate',
      'academic_data',
      {},
      [
        'required@certificate_type_id',
        'required@certificate_year',
        'required@certificate_total',
        'required@certificate_school',
      ],
    ],
    [
      'no certificate yet',
      'academic_data',
      {},
      ['required@certificate_type_id', 'required@certificate_school'],
      { is_early: true },
    ],
    ['marks that add up', 'academic_data', { ...school, subjects: marks('190', '110') }, [], { certificate }],
    [
      'marks that do not',
      'academic_data',
      { ...school, subjects: marks('190', '109.5') },
      ['application_marks_sum@certificate_total'],
      { certificate },
    ],
    [
      'a mark that need not be there',
      'academic_data',
      { ...school, subjects: marks('190', null) },
      [],
      { certificate },
    ],
    [
      'more than there is',
      'academic_data',
      { ...school, certificate_total: '320.5', certificate_year: 2032, subjects: marks('200.5', null) },
      [
        'application_year_future@certificate_year',
        'application_mark_above@certificate_total',
        'application_mark_above@subjects.1',
      ],
      { certificate },
    ],
    ['a mark that must be there', 'academic_data', { ...school }, ['required@subjects.1'], { certificate }],
    [
      'an early one without marks',
      'academic_data',
      { ...school, certificate_total: null },
      [],
      { certificate, is_early: true },
    ],
    ['no wish', 'personal_preference', {}, ['application_no_wish@preferences']],
    [
      'too many, one twice, one closed',
      'personal_preference',
      { preferences: [{ program_id: 1 }, { program_id: 1 }, { program_id: 9 }] },
      [
        'application_many_wishes@preferences',
        'application_wish_twice@preferences.1',
        'application_wish_closed@preferences.2',
      ],
    ],
    ['wishes', 'personal_preference', { preferences: [{ program_id: 3 }, { program_id: 1 }] }, []],
    ['where somebody comes from', 'previous_university_info', {}, []],
    [
      'where somebody who transfers comes from',
      'previous_university_info',
      {},
      ['required@previous_university', 'required@previous_faculty', 'required@previous_hours'],
      {},
      3,
    ],
    ['no first degree', 'bachelor_degree', { degrees: [{ degree: 'diploma' }] }, ['application_degree@degrees'], {}, 4],
    ['no master', 'master_degree', { degrees: [{ degree: 'bachelor' }] }, ['application_degree@degrees'], {}, 6],
    ['a diploma need not be', 'diploma_degree', {}, [], {}, 6],
    [
      'an exam without a score',
      'englishExam',
      { english_exam: 'toefl' },
      ['required@english_score', 'required@english_date'],
    ],
    ['no exam', 'englishExam', { english_exam: 'none' }, []],
    ['a scholarship without a reason', 'scholarships', { wants_scholarship: true }, ['required@scholarship_reason']],
    ['no scholarship', 'scholarships', { wants_scholarship: false }, []],
    [
      'aid without figures',
      'FinancialAid',
      { wants_financial_aid: true, family_members: 4 },
      ['required@financial_aid_reason', 'required@family_income'],
    ],
    ['nothing declared', 'Declaration', {}, ['application_not_declared@declared'], { declared: false }],
    ['nothing to declare', 'Declaration', {}, [], { declared: false, declarations: 0 }],
    [
      'a document that lacks',
      'documents',
      {},
      ['application_document@documents'],
      { missing_documents: [{ name: 'Passport', name_local: 'جواز' }] },
    ],
  ])('%s', (_name, tab, values, found, more, type) => expect(at(tab, values, more, type)).toEqual(found))
})

test('each type has its tabs, and all of them end with the declaration and what is paid', () => {
  for (const tabs of Object.values(TABS_OF)) {
    expect(tabs.slice(-2)).toEqual(['Declaration', 'payment'])
    expect(new Set(tabs).size).toBe(tabs.length)
  }
  expect(TABS_OF[1].toSorted()).toEqual(TABS_OF[3].toSorted())
  expect(TABS_OF[3].indexOf('previous_university_info')).toBeLessThan(TABS_OF[3].indexOf('personal_preference'))
  expect(TABS_OF[1].indexOf('previous_university_info')).toBeGreaterThan(TABS_OF[1].indexOf('personal_preference'))
  expect(TABS_OF[6]).toContain('master_degree')
  expect(TABS_OF[5]).not.toContain('master_degree')
})

test('percentages are rounded half up, and are never more than all', () => {
  expect(percentageOf(30_000, 32_000)).toBe(9375)
  expect(percentageOf(1, 3)).toBe(3333)
  expect(percentageOf(2, 3)).toBe(6667)
  expect(percentageOf(1, 20_000)).toBe(1)
  expect(percentageOf(41_000, 41_000)).toBe(10_000)
  expect(percentageOf(50_000, 41_000)).toBe(10_000)
  expect([percentageOf(null, 3), percentageOf(3, null), percentageOf(3, 0)]).toEqual([null, null, null])
})

test('a puzzle is solved by who looks for its number', async () => {
  expect([
    leadingZeros(new Uint8Array([0, 1])),
    leadingZeros(new Uint8Array([128])),
    leadingZeros(new Uint8Array([0, 0])),
  ]).toEqual([15, 0, 16])
  const nonce = await solvePuzzle('a puzzle', 10)
  expect(leadingZeros(await puzzleHash('a puzzle', nonce))).toBeGreaterThanOrEqual(10)
})

test('a page that may stay empty does not count as done before anything stands on it', () => {
  const tabs = (done: Readonly<Record<string, boolean>>) =>
    (['nationality', 'previous_university_info', 'scholarships', 'documents', 'Declaration', 'payment'] as const).map(
      (key) => ({ key, done: done[key] ?? true }),
    )
  const admission = { declarations: [{}], documents: [{ is_required: true, file: null }] }
  const needed = { nationality: false, documents: false, Declaration: false }
  // Nothing was typed: three pages ask for something.
  expect(pagesDone({ values: { wants_scholarship: false }, tabs: tabs(needed), admission })).toEqual({
    done: 0,
    all: 3,
  })
  expect(
    pagesDone({
      values: { nationality_id: 64, previous_university: 'Cairo' },
      tabs: tabs({ documents: false }),
      admission,
    }),
  ).toEqual({ done: 3, all: 4 })
  // Where nothing is to be declared or handed in there is nothing to do.
  expect(pagesDone({ values: {}, tabs: tabs({}), admission: { declarations: [], documents: [] } })).toEqual({
    done: 0,
    all: 0,
  })
})
