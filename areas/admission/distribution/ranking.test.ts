import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lotOf } from './lottery.server.ts'
import {
  comesFirst,
  formulaProblems,
  judgeApplication,
  parseTenThousandths,
  printScore,
  printTenThousandths,
  rankingOrder,
  yearsOn,
  type AdmissionConditions,
  type ApplicationFacts,
  type RankingFormula,
  type ScoredApplication,
  type TieRule,
} from './ranking.rules.ts'

const MATHS = { id: 1, name: 'Mathematics', name_local: 'الرياضيات' }
const PHYSICS = { id: 2, name: 'Physics', name_local: 'الفيزياء' }
const GENERAL = { id: 7, name: 'General secondary', name_local: 'الثانوية العامة' }
const LOTTERY: TieRule = { by: 'lottery', seed: 'drawn in public' }

const formula = (more: Partial<RankingFormula> = {}): RankingFormula => ({
  certificate: 6000,
  exam: 3000,
  subjects: [{ subject: MATHS, weight: 1000 }],
  ties: [LOTTERY],
  ...more,
})
const ANY: AdmissionConditions = {
  certificate: null,
  exam: null,
  subjects: [],
  age: null,
  certificateTypes: null,
  genders: null,
  nationalityGroups: null,
}
const facts = (more: Partial<ApplicationFacts> = {}): ApplicationFacts => ({
  id: 1,
  certificate: 900_000,
  certificateType: 7,
  exam: 800_000,
  subjects: new Map([[1, 700_000]]),
  birthDate: '2008-05-20',
  gender: 'female',
  nationalityGroup: 3,
  submitted: 1_000,
  lot: 'b',
  ...more,
})
const codes = (
  of: Partial<ApplicationFacts>,
  conditions: Partial<AdmissionConditions>,
  by: Partial<RankingFormula> = {},
): string[] => judgeApplication(facts(of), formula(by), { ...ANY, ...conditions }).reasons.map(({ code }) => code)

describe('decimals', () => {
  it.each([
    ['95.25', 952_500, '95.25'],
    ['0.7', 7000, '0.7'],
    ['100', 1_000_000, '100'],
    ['0.0001', 1, '0.0001'],
    ['-1.5', -15_000, '-1.5'],
    ['-0', 0, '0'],
    ['120.5000', 1_205_000, '120.5'],
  ])('%s is %d', (text, value, back) => {
    expect(parseTenThousandths(text)).toBe(value)
    expect(printTenThousandths(value)).toBe(back)
  })
  it.each(['', '1.', '.5', '1.23456', '1e3', 'x', '1,5'])('%j is none', (text) => {
    expect(parseTenThousandths(text)).toBeNull()
  })
})

describe('a score', () => {
  it('is the exact sum of weights and percentages, with its parts', () => {
    const verdict = judgeApplication(facts(), formula(), ANY)
    expect(verdict.score).toBe(6000 * 900_000 + 3000 * 800_000 + 1000 * 700_000)
    expect(printScore(verdict.score!)).toBe('85')
    expect(verdict.parts).toEqual([
      { of: 'certificate', weight: 6000, value: 900_000 },
      { of: 'exam', weight: 3000, value: 800_000 },
      { of: MATHS, weight: 1000, value: 700_000 },
    ])
  })
  it('makes equals of equal sums, which fractions would tell apart', () => {
    expect(0.2 * 70.1007 + 0.7 * 70.0998 + 0.1 * 70.1).not.toBe(0.2 * 70.1 + 0.7 * 70.1 + 0.1 * 70.1)
    const by = formula({ certificate: 2000, exam: 7000, subjects: [{ subject: MATHS, weight: 1000 }] })
    const one = facts({ certificate: 701_000, exam: 701_000, subjects: new Map([[1, 701_000]]) })
    expect(printScore(judgeApplication(one, by, ANY).score!)).toBe('70.1')
    const other = facts({ certificate: 701_000 + 7, exam: 701_000 - 2, subjects: new Map([[1, 701_000]]) })
    expect(judgeApplication(other, by, ANY).score).toBe(judgeApplication(one, by, ANY).score)
  })
  it('keeps every place', () => {
    expect(printScore(judgeApplication(facts({ exam: 800_001 }), formula(), ANY).score!)).toBe('85.00003')
  })
})

describe('conditions', () => {
  it.each<[string, Partial<ApplicationFacts>, Partial<AdmissionConditions>, string[]]>([
    ['none', {}, {}, []],
    ['enough in the certificate', {}, { certificate: 900_000 }, []],
    ['too little in the certificate', {}, { certificate: 900_001 }, ['ranking_certificate']],
    ['no percentage', { certificate: null }, {}, ['ranking_no_certificate']],
    ['enough in the exam', {}, { exam: 800_000 }, []],
    ['too little in the exam', {}, { exam: 800_001 }, ['ranking_exam']],
    ['no exam', { exam: null }, { exam: 1 }, ['ranking_no_exam']],
    ['a mark', {}, { subjects: [{ subject: MATHS, min: 700_000 }] }, []],
    ['too low a mark', {}, { subjects: [{ subject: MATHS, min: 700_001 }] }, ['ranking_subject']],
    [
      'the higher of two minima for one subject',
      {},
      {
        subjects: [
          { subject: MATHS, min: 700_001 },
          { subject: MATHS, min: 1 },
        ],
      },
      ['ranking_subject'],
    ],
    [
      'no mark in a subject that is asked for',
      {},
      { subjects: [{ subject: PHYSICS, min: 1 }] },
      ['ranking_no_subject'],
    ],
    ['no mark in a subject that weighs', { subjects: new Map() }, {}, ['ranking_no_subject']],
    ['old enough on the day', {}, { age: { on: '2026-05-20', min: 18, max: null } }, []],
    ['too young the day before', {}, { age: { on: '2026-05-19', min: 18, max: null } }, ['ranking_too_young']],
    ['young enough', {}, { age: { on: '2026-05-19', min: null, max: 17 } }, []],
    ['too old', {}, { age: { on: '2026-05-20', min: null, max: 17 } }, ['ranking_too_old']],
    ['no birth date', { birthDate: null }, { age: { on: '2026-05-20', min: 1, max: 2 } }, ['ranking_no_birth_date']],
    [
      'no birth date where nothing is asked',
      { birthDate: null },
      { age: { on: '2026-05-20', min: null, max: null } },
      [],
    ],
    ['a type of certificate', {}, { certificateTypes: [GENERAL] }, []],
    ['another type', { certificateType: 8 }, { certificateTypes: [GENERAL] }, ['ranking_certificate_type']],
    ['no type', { certificateType: null }, { certificateTypes: [GENERAL] }, ['ranking_certificate_type']],
    ['a gender', {}, { genders: ['female'] }, []],
    ['another gender', { gender: 'male' }, { genders: ['female'] }, ['ranking_gender']],
    ['no gender', { gender: null }, { genders: ['female', 'male'] }, ['ranking_gender']],
    ['a group of nationalities', {}, { nationalityGroups: [{ ...GENERAL, id: 3 }] }, []],
    [
      'another',
      { nationalityGroup: null },
      { nationalityGroups: [{ ...GENERAL, id: 3 }] },
      ['ranking_nationality_group'],
    ],
    [
      'everything at once, in one answer',
      {
        certificate: 1,
        exam: null,
        subjects: new Map([[1, 1]]),
        birthDate: '2020-01-01',
        gender: null,
        certificateType: 1,
        nationalityGroup: 1,
      },
      {
        certificate: 2,
        subjects: [
          { subject: MATHS, min: 2 },
          { subject: PHYSICS, min: 2 },
        ],
        age: { on: '2026-01-01', min: 17, max: null },
        certificateTypes: [GENERAL],
        genders: ['male'],
        nationalityGroups: [GENERAL],
      },
      [
        'ranking_certificate',
        'ranking_no_exam',
        'ranking_subject',
        'ranking_no_subject',
        'ranking_too_young',
        'ranking_certificate_type',
        'ranking_nationality_group',
        'ranking_gender',
      ],
    ],
  ])('%s', (_, of, conditions, expected) => {
    expect(codes(of, conditions)).toEqual(expected)
    expect(judgeApplication(facts(of), formula(), { ...ANY, ...conditions }).score === null).toBe(expected.length > 0)
  })

  it('asks for nothing that neither weighs nor is a condition', () => {
    expect(codes({ exam: null }, {}, { certificate: 9000, exam: 0 })).toEqual([])
    expect(
      codes({ subjects: new Map() }, {}, { certificate: 7000, subjects: [{ subject: MATHS, weight: 0 }] }),
    ).toEqual([])
  })
  it('tells the numbers in words', () => {
    expect(
      judgeApplication(facts(), formula(), { ...ANY, subjects: [{ subject: MATHS, min: 755_000 }] }).reasons,
    ).toEqual([
      {
        code: 'ranking_subject',
        data: { school_subject: 'Mathematics', school_subject_local: 'الرياضيات', needed: '75.5', value: '70' },
      },
    ])
    expect(
      judgeApplication(facts({ certificateType: 9 }), formula(), { ...ANY, certificateTypes: [GENERAL, MATHS] })
        .reasons,
    ).toEqual([
      {
        code: 'ranking_certificate_type',
        data: { allowed: 'General secondary, Mathematics', allowed_local: 'الثانوية العامة، الرياضيات' },
      },
    ])
  })
  it.each([
    ['2008-05-20', '2026-05-19', 17],
    ['2008-05-20', '2026-05-20', 18],
    ['2008-02-29', '2026-02-28', 17],
    ['2008-02-29', '2026-03-01', 18],
    ['2008-02-29', '2028-02-29', 20],
  ])('somebody born on %s is on %s %d years old', (born, day, years) => expect(yearsOn(born, day)).toBe(years))
})

describe('a formula', () => {
  const problems = (more: Partial<RankingFormula>) => formulaProblems(formula(more)).map(({ code }) => code)
  it.each<[string, Partial<RankingFormula>, string[]]>([
    ['is right', {}, []],
    ['adds up to something else', { exam: 2999 }, ['ranking_weights_sum']],
    ['has a weight below 0', { exam: -1 }, ['ranking_weight_wrong']],
    ['has a fraction of a ten-thousandth', { exam: 0.5 }, ['ranking_weight_wrong']],
    [
      'weighs a subject twice',
      {
        subjects: [
          { subject: MATHS, weight: 500 },
          { subject: MATHS, weight: 500 },
        ],
      },
      ['ranking_subject_twice'],
    ],
    ['leaves equals', { ties: [{ by: 'older' }] }, ['ranking_no_lottery']],
    ['goes on after the lottery', { ties: [LOTTERY, { by: 'older' }] }, ['ranking_after_lottery']],
    ['asks the same twice', { ties: [{ by: 'older' }, { by: 'older' }, LOTTERY] }, ['ranking_tie_twice']],
    [
      'asks for two subjects',
      { ties: [{ by: 'subject', subject: MATHS }, { by: 'subject', subject: PHYSICS }, LOTTERY] },
      [],
    ],
    ['has no seed', { ties: [{ by: 'lottery', seed: ' ' }] }, ['ranking_no_seed']],
    [
      'has every fault',
      { exam: 1, ties: [{ by: 'exam' }, { by: 'exam' }] },
      ['ranking_weights_sum', 'ranking_tie_twice', 'ranking_no_lottery'],
    ],
  ])('%s', (_, more, expected) => expect(problems(more)).toEqual(expected))
})

describe('equals', () => {
  const scored = (id: number, more: Partial<ApplicationFacts> = {}, score = 5): ScoredApplication => ({
    score,
    facts: facts({ id, lot: lotOf('seed', id), ...more }),
  })
  it.each<[string, TieRule, Partial<ApplicationFacts>, Partial<ApplicationFacts>]>([
    ['certificate', { by: 'certificate' }, { certificate: 2 }, { certificate: 1 }],
    ['certificate, not known last', { by: 'certificate' }, { certificate: 0 }, { certificate: null }],
    ['exam', { by: 'exam' }, { exam: 2 }, { exam: 1 }],
    ['subject', { by: 'subject', subject: PHYSICS }, { subjects: new Map([[2, 2]]) }, { subjects: new Map([[2, 1]]) }],
    [
      'subject, not known last',
      { by: 'subject', subject: PHYSICS },
      { subjects: new Map([[2, 0]]) },
      { subjects: new Map() },
    ],
    ['the older', { by: 'older' }, { birthDate: '2007-12-31' }, { birthDate: '2008-01-01' }],
    ['the older, not known last', { by: 'older' }, { birthDate: '2008-01-01' }, { birthDate: null }],
    ['the earlier', { by: 'earlier' }, { submitted: 1 }, { submitted: 2 }],
    ['the lot', LOTTERY, { lot: '0a' }, { lot: '0b' }],
  ])('are told apart by %s', (_, tie, better, worse) => {
    expect(comesFirst([tie], scored(1, better), scored(2, worse))).toBeLessThan(0)
    expect(comesFirst([tie], scored(2, worse), scored(1, better))).toBeGreaterThan(0)
    expect(comesFirst([tie], scored(1, better), scored(2, better))).toBe(0)
    expect(comesFirst([tie], scored(1, worse), scored(2, worse))).toBe(0)
    // A rule decides between equals only.
    expect(comesFirst([tie], scored(1, better, 4), scored(2, worse, 5))).toBeGreaterThan(0)
  })
  it('are told apart by the rules in their order', () => {
    const rules: TieRule[] = [{ by: 'exam' }, { by: 'older' }, LOTTERY]
    const list = [
      scored(1, { exam: 1, birthDate: '2000-01-01' }),
      scored(2, { exam: 2, birthDate: '2005-01-01' }),
      scored(3, { exam: 2, birthDate: '2004-01-01' }),
    ]
    expect([...rankingOrder(rules, list).order]).toEqual([2, 1, 0])
  })
  it('that stay equal are told, never ordered by chance', () => {
    const { reasons } = rankingOrder([{ by: 'older' }], [scored(4), scored(9)])
    expect(reasons).toEqual([{ code: 'ranking_equal', data: { one: 4, other: 9 } }])
  })
  it('draw lots that anybody can work out', () => {
    // printf 'seed:17' | sha256sum
    expect(lotOf('seed', 17)).toBe('527424523633a78f8d6f14f6ae2db149541c403bb65ecbc6c430d14c18da74e0')
    expect(lotOf('other', 17)).not.toBe(lotOf('seed', 17))
  })

  const anyTies = fc
    .shuffledSubarray<TieRule>([
      { by: 'certificate' },
      { by: 'exam' },
      { by: 'older' },
      { by: 'earlier' },
      { by: 'subject', subject: MATHS },
    ])
    .map((ties) => [...ties, LOTTERY])
  const anyList = fc
    .array(
      fc.record({
        score: fc.integer({ min: 0, max: 2 }),
        certificate: fc.constantFrom(null, 1, 2),
        exam: fc.constantFrom(null, 1, 2),
        birthDate: fc.constantFrom(null, '2007-01-01', '2008-01-01'),
        submitted: fc.integer({ min: 0, max: 1 }),
        maths: fc.constantFrom(null, 1, 2),
      }),
      { maxLength: 12 },
    )
    .map((list) =>
      list.map(({ score, maths, ...more }, i) =>
        scored(i, { ...more, subjects: new Map(maths === null ? [] : [[1, maths]]) }, score),
      ),
    )
  it('are in one order, in whatever order they come', () => {
    fc.assert(
      fc.property(anyTies, anyList, fc.infiniteStream(fc.nat()), (ties, list, by) => {
        const keys = list.map(() => by.next().value!)
        const shuffled = [...list.keys()].toSorted((i, j) => keys[i]! - keys[j]!).map((i) => list[i]!)
        const ids = (of: readonly ScoredApplication[]) => {
          const { order, reasons } = rankingOrder(ties, of)
          expect(reasons).toEqual([])
          return [...order].map((i) => of[i]!.facts.id)
        }
        expect(ids(shuffled)).toEqual(ids(list))
        for (const a of list)
          for (const b of list) {
            expect(Math.sign(comesFirst(ties, a, b))).toBe(0 - Math.sign(comesFirst(ties, b, a)))
            for (const c of list)
              if (comesFirst(ties, a, b) < 0 && comesFirst(ties, b, c) < 0)
                expect(comesFirst(ties, a, c)).toBeLessThan(0)
          }
      }),
      { numRuns: 200 },
    )
  })

  it('more of anything never ranks lower', () => {
    const percent = fc.integer({ min: 0, max: 1_000_000 })
    fc.assert(
      fc.property(
        fc.record({ certificate: percent, exam: percent, maths: percent }),
        fc.constantFrom('certificate', 'exam', 'maths'),
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 0, max: 10_000 }),
        fc.integer({ min: 0, max: 10_000 }),
        anyTies,
        (marks, which, raise, one, other, ties) => {
          const [low, high] = [Math.min(one, other), Math.max(one, other)]
          const by = formula({
            certificate: low,
            exam: high - low,
            subjects: [{ subject: MATHS, weight: 10_000 - high }],
            ties,
          })
          expect(formulaProblems(by)).toEqual([])
          const of = ({ certificate, exam, maths }: typeof marks) => {
            const own = facts({ certificate, exam, subjects: new Map([[1, maths]]) })
            const conditions = {
              ...ANY,
              certificate: 300_000,
              exam: 200_000,
              subjects: [{ subject: MATHS, min: 100_000 }],
            }
            return { facts: own, score: judgeApplication(own, by, conditions).score }
          }
          const before = of(marks)
          const after = of({ ...marks, [which]: marks[which as keyof typeof marks] + raise })
          if (before.score === null) return
          expect(after.score).not.toBeNull()
          expect(
            comesFirst(ties, { facts: after.facts, score: after.score! }, { facts: before.facts, score: before.score }),
          ).toBeLessThanOrEqual(0)
        },
      ),
      { numRuns: 2000 },
    )
  })
})
