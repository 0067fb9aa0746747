import { describe, expect, test } from 'vitest'
import { FIGURE_NAMES, riskFiguresTable, type TermFacts } from './figures.rules.ts'
import { ownFacts, riskOf, RISK_KINDS, type RiskFacts, type RiskKind, type RiskRule } from './risk.rules.ts'

/** A student of whom nothing stands out. */
const FINE: RiskFacts = {
  attendance: { attended: 18, recorded: 20, late_attended: 6, late_recorded: 6 },
  marks: { below: 0, of: 5, own_below: 0, own_of: 5 },
  record: {
    gpa: 3,
    term_gpa: 3,
    term_gpa_before: 3,
    failed: 0,
    warnings: 0,
    passed_hours: 60,
    planned_hours: 60,
    told: true,
  },
  term: { courses: 5, days: 60 },
  unpaid_days: null,
  probability: 0.1,
}
const LIMITS = { watch: 3, high: 6 }
const rule = (kind: RiskKind, threshold: number, points = 3): RiskRule => ({ kind, threshold, points })
const with_ = (more: { [K in keyof RiskFacts]?: Partial<RiskFacts[K]> | null }): RiskFacts =>
  Object.fromEntries(
    Object.entries(FINE).map(([key, value]) => {
      const other = more[key as keyof RiskFacts]
      return [key, other !== null && typeof other === 'object' ? { ...(value as object), ...other } : (other ?? value)]
    }),
  ) as unknown as RiskFacts
const said = (facts: RiskFacts, ...rules: RiskRule[]) =>
  riskOf(facts, rules, LIMITS).reasons.map(({ code, data }) => [code, data])

describe('when a rule speaks, and what it says', () => {
  test.each<[string, RiskFacts, RiskRule, Record<string, number> | null]>([
    ['attendance', with_({ attendance: { attended: 12 } }), rule('attendance_low', 75), { share: 60 }],
    ['attendance at the limit', with_({ attendance: { attended: 15 } }), rule('attendance_low', 75), null],
    ['too few meetings to say', with_({ attendance: { attended: 0, recorded: 3 } }), rule('attendance_low', 75), null],
    [
      'attendance that fell',
      with_({ attendance: { attended: 15, recorded: 20, late_attended: 3, late_recorded: 7 } }),
      rule('attendance_fell', 20),
      { before: 92, last: 43 },
    ],
    [
      'too few last meetings',
      with_({ attendance: { late_attended: 0, late_recorded: 2 } }),
      rule('attendance_fell', 20),
      null,
    ],
    [
      'too few before',
      with_({ attendance: { attended: 3, recorded: 9, late_attended: 0 } }),
      rule('attendance_fell', 20),
      null,
    ],
    ['marks', with_({ marks: { below: 2 } }), rule('marks_low', 2), { below: 2, of: 5 }],
    ['marks of one course', with_({ marks: { below: 1 } }), rule('marks_low', 2), null],
    ['a threshold of nothing', FINE, rule('marks_low', 0), null],
    ['GPA', with_({ record: { gpa: 1.99 } }), rule('gpa_low', 2), { gpa: 1.99 }],
    ['GPA at the limit', with_({ record: { gpa: 2 } }), rule('gpa_low', 2), null],
    ['a GPA that is not known', with_({ record: { gpa: null } }), rule('gpa_low', 2), null],
    [
      'GPA that fell',
      with_({ record: { term_gpa: 2.3, term_gpa_before: 2.8 } }),
      rule('gpa_fell', 0.5),
      { before: 2.8, last: 2.3 },
    ],
    ['GPA that fell less', with_({ record: { term_gpa: 2.31, term_gpa_before: 2.8 } }), rule('gpa_fell', 0.5), null],
    ['GPA that rose', with_({ record: { term_gpa: 3.3 } }), rule('gpa_fell', 0), null],
    ['failed courses', with_({ record: { failed: 2 } }), rule('failed', 2), { count: 2 }],
    ['hours behind', with_({ record: { passed_hours: 48 } }), rule('hours_behind', 12), { passed: 48, planned: 60 }],
    ['fewer hours behind', with_({ record: { passed_hours: 48.5 } }), rule('hours_behind', 12), null],
    ['no plan', with_({ record: { passed_hours: 0, planned_hours: null } }), rule('hours_behind', 12), null],
    ['no course', with_({ term: { courses: 0 } }), rule('not_registered', 14), { days: 60 }],
    ['no course yet', with_({ term: { courses: 0, days: 13 } }), rule('not_registered', 14), null],
    ['a course', FINE, rule('not_registered', 14), null],
    ['fees', { ...FINE, unpaid_days: 30 }, rule('unpaid', 30), { days: 30 }],
    ['nothing owed', FINE, rule('unpaid', 0), null],
    ['warnings', with_({ record: { warnings: 1 } }), rule('warned', 1), { count: 1 }],
    ['the model', { ...FINE, probability: 0.62 }, rule('model', 60), { share: 62 }],
    ['no model', { ...FINE, probability: null }, rule('model', 0), null],
  ])('%s', (_name, facts, one, data) => {
    expect(said(facts, one)).toEqual(data ? [[`risk_${one.kind}`, data]] : [])
  })
})

test('every reason is told, what weighs most first; of one kind the heaviest', () => {
  const facts = with_({ attendance: { attended: 10 }, record: { gpa: 1.5, warnings: 2 } })
  const risk = riskOf(
    facts,
    [rule('attendance_low', 75, 2), rule('attendance_low', 60, 4), rule('gpa_low', 2, 3), rule('warned', 1, 3)],
    LIMITS,
  )
  expect(risk.reasons.map(({ code, points }) => [code, points])).toEqual([
    ['risk_attendance_low', 4],
    ['risk_gpa_low', 3],
    ['risk_warned', 3],
  ])
  expect([risk.points, risk.level]).toEqual([10, 'high'])
})

test('the level follows the points, and nothing stands out without a rule', () => {
  const facts = with_({ record: { gpa: 1 } })
  const level = (points: number) => riskOf(facts, [rule('gpa_low', 2, points)], LIMITS).level
  expect([2, 3, 5, 6].map(level)).toEqual([null, 'watch', 'watch', 'high'])
  expect(riskOf(facts, [], { watch: 0, high: 0 })).toEqual({ level: null, points: 0, reasons: [] })
})

test('a student is told nothing of results that are not out, nor what the model makes of them', () => {
  const facts = { ...with_({ marks: { below: 3, own_below: 1, own_of: 2 }, record: { gpa: 1 } }), probability: 0.9 }
  const rules = [rule('marks_low', 1), rule('gpa_low', 2), rule('model', 50)]
  expect(said(ownFacts(facts), ...rules)).toEqual([
    ['risk_marks_low', { below: 1, of: 2 }],
    ['risk_gpa_low', { gpa: 1 }],
  ])
  const held = { ...facts, record: { ...facts.record, told: false, failed: 3, warnings: 2, passed_hours: 0 } }
  const all = RISK_KINDS.map((kind) => rule(kind, 1))
  expect(said(ownFacts(held), ...all).map(([code]) => code)).toEqual(['risk_marks_low'])
})

test('a model reads figures of the term and the record, and nobody’s faculty, gender or nationality', () => {
  const { probability: _probability, ...known } = FINE
  const facts: TermFacts = { ...known, figures: { marks_mean: 71.26, hours: 15, level: 2, terms: 3 } }
  const { heads, rows } = riskFiguresTable([facts], [true])
  expect(heads).toEqual([...FIGURE_NAMES, 'term'])
  expect(heads.some((head) => /faculty|gender|national/.test(head))).toBe(false)
  expect(Object.fromEntries(heads.map((head, i) => [head, rows[0]![i]]))).toMatchObject({
    attendance: '90',
    attendance_lately: '100',
    marks_mean: '71.3',
    marks_below: '0',
    hours_behind: '0',
    unpaid_days: '0',
    term: 'hard',
  })
  const none = { ...facts, attendance: { attended: 0, recorded: 0, late_attended: 0, late_recorded: 0 } }
  expect(riskFiguresTable([none]).rows[0]![0]).toBe('')
})

test('all that can stand out has a word of its own', () => {
  const facts: RiskFacts = {
    attendance: { attended: 10, recorded: 20, late_attended: 1, late_recorded: 8 },
    marks: { below: 4, of: 5, own_below: 0, own_of: 0 },
    record: {
      gpa: 1.2,
      term_gpa: 1,
      term_gpa_before: 2.5,
      failed: 4,
      warnings: 2,
      passed_hours: 20,
      planned_hours: 60,
      told: true,
    },
    term: { courses: 0, days: 60 },
    unpaid_days: 90,
    probability: 0.97,
  }
  const rules = RISK_KINDS.map((kind) => rule(kind, kind === 'attendance_low' ? 75 : 1, 1))
  expect(riskOf(facts, rules, LIMITS).reasons.map(({ code }) => code)).toEqual([
    'risk_attendance_low',
    'risk_attendance_fell',
    'risk_marks_low',
    'risk_gpa_fell',
    'risk_failed',
    'risk_hours_behind',
    'risk_not_registered',
    'risk_unpaid',
    'risk_warned',
    'risk_model',
  ])
  expect(riskOf(facts, [rule('gpa_low', 2)], LIMITS).reasons.map(({ code }) => code)).toEqual(['risk_gpa_low'])
})
