import { addMonths } from '#kit/contract/day.ts'
import { describe, expect, test } from 'vitest'
import { lastDayOf } from './clock.rules.ts'
import { checkTeam } from './team.rules.ts'
import {
  checkCommittee,
  checkConditions,
  checkDiscussion,
  checkRegistration,
  checkSchedule,
  checkSupervisors,
  checkThesisChange,
  checkThesisDecision,
  checkThesisGrant,
  USUAL_RULES,
  type ThesisFacts,
  type ThesisMember,
} from './thesis.rules.ts'

const member = (more: Partial<ThesisMember> = {}): ThesisMember => ({
  name: 'Mona',
  name_local: 'منى',
  job: 'leader',
  external: false,
  academic_title: 'professor',
  share: 100,
  tie: 'none',
  gone: false,
  load: 0,
  ...more,
})
const judge = (more: Partial<ThesisMember> = {}) => member({ job: 'committee', share: null, ...more })
const COMMITTEE = [judge(), judge(), judge({ external: true })]
const facts = (more: Partial<ThesisFacts> = {}): ThesisFacts => ({
  status: 'approved',
  today: '2026-06-01',
  registered_on: '2024-01-31',
  approved_on: '2024-06-01',
  title: true,
  postgraduate: true,
  studying: true,
  graduated: false,
  members: [member(), ...COMMITTEE],
  rules: USUAL_RULES,
  clock: [],
  decided_on: null,
  change: false,
  change_team: false,
  changed_last: false,
  reports: 1,
  seminars: 1,
  publications: 0,
  language: false,
  similarity: 10,
  manuscript: true,
  discussion: null,
  deposited: false,
  ...more,
})
const codes = (reasons: readonly { code: string }[]) => reasons.map(({ code }) => code)

describe('the clock', () => {
  test.each([
    ['2024-01-31', 1, '2024-02-29'],
    ['2023-01-31', 1, '2023-02-28'],
    ['2024-10-15', 6, '2025-04-15'],
    ['2024-12-31', 2, '2025-02-28'],
    ['2024-05-31', 0, '2024-05-31'],
  ])('%s and %i months: %s', (day, months, after) => expect(addMonths(day, months)).toBe(after))
  test.each([
    [{}, '2027-06-01'],
    [{ status: 'registered' }, '2024-07-31'],
    [{ status: 'draft' }, null],
    [{ status: 'granted' }, null],
    [{ clock: [{ kind: 'suspension', from_date: '2025-01-01', until_date: '2025-01-31' }] }, '2027-07-01'],
    // What was before the step began counts only from then.
    [{ clock: [{ kind: 'suspension', from_date: '2024-05-22', until_date: '2024-06-11' }] }, '2027-06-11'],
    [{ clock: [{ kind: 'suspension', from_date: '2024-01-01', until_date: '2024-05-01' }] }, '2027-06-01'],
    [{ clock: [{ kind: 'extension', from_date: '2027-05-01', until_date: '2027-12-01' }] }, '2027-12-01'],
    // An extension of the step before adds nothing.
    [{ clock: [{ kind: 'extension', from_date: '2024-03-01', until_date: '2028-12-01' }] }, '2027-06-01'],
    [
      {
        status: 'discussed',
        discussion: {
          begins_on: '2026-05-01',
          over: true,
          result: 'changes',
          changes_due: '2026-08-01',
          changes_done_on: null,
        },
      },
      '2026-08-01',
    ],
  ] as [Partial<ThesisFacts>, string | null][])('%j: %s', (more, day) => expect(lastDayOf(facts(more))).toBe(day))
})

describe('who supervises', () => {
  test.each([
    [[member()], []],
    [[], ['thesis_leader_missing']],
    [[member({ academic_title: 'demonstrator' })], ['thesis_leader_rank']],
    [[member({ external: true })], ['thesis_leader_rank']],
    [[member({ share: 99 })], ['thesis_shares']],
    [[member({ share: 60 }), member({ job: 'member', share: 40 })], []],
    [[member({ tie: 'relative' })], ['thesis_supervisor_relative']],
    [[member({ tie: 'coauthor' })], []],
    [[member({ gone: true })], ['thesis_supervisor_gone']],
    [[member({ load: 9 })], []],
    [[member({ load: 10 })], ['thesis_load']],
  ] as [ThesisMember[], string[]][])('%#', (members, expected) =>
    expect(codes(checkSupervisors({ members, rules: USUAL_RULES }))).toEqual(expected),
  )
  test('an undergraduate writes none', () =>
    expect(codes(checkRegistration(facts({ postgraduate: false })))).toEqual(['thesis_undergraduate']))
})

describe('who judges', () => {
  test.each([
    [COMMITTEE, []],
    [COMMITTEE.slice(1), ['thesis_committee_small']],
    [[judge(), judge(), judge()], ['thesis_committee_external']],
    [[...COMMITTEE, judge({ tie: 'relative' })], ['thesis_committee_relative']],
    [[...COMMITTEE, judge({ tie: 'coauthor' })], ['thesis_committee_coauthor']],
    [[...COMMITTEE, judge({ academic_title: 'lecturer' })], ['thesis_committee_rank']],
    [[...COMMITTEE, judge({ academic_title: 'expert' })], []],
    [[...COMMITTEE, judge({ gone: true })], ['thesis_committee_gone']],
  ] as [ThesisMember[], string[]][])('%#', (members, expected) =>
    expect(codes(checkCommittee({ members, rules: USUAL_RULES }))).toEqual(expected),
  )
})

describe('before the discussion', () => {
  const strict = { ...USUAL_RULES, min_publications: 1, needs_language: true }
  test.each([
    [{}, []],
    [{ manuscript: false }, ['thesis_manuscript_missing']],
    [{ similarity: null }, ['thesis_similarity_missing']],
    [{ similarity: 25 }, []],
    [{ similarity: 25.1 }, ['thesis_similarity']],
    [{ seminars: 0 }, ['thesis_seminars_missing']],
    [{ rules: strict }, ['thesis_publications_missing', 'thesis_language_missing']],
    [{ rules: strict, publications: 1, language: true }, []],
  ] as [Partial<ThesisFacts>, string[]][])('%#', (more, expected) =>
    expect(codes(checkConditions(facts(more)))).toEqual(expected),
  )
  test.each([
    [{}, '2026-06-01', []],
    [{ status: 'registered' }, '2026-06-01', ['thesis_schedule_state']],
    // While a change waits for the council nothing is scheduled: it finds the team it was asked for.
    [{ status: 'changing', change: true, change_team: true }, '2026-06-01', ['thesis_schedule_state']],
    [{}, '2026-05-31', ['thesis_schedule_past']],
    [{ approved_on: '2026-01-01' }, '2026-06-30', ['thesis_too_early']],
    [{ approved_on: '2026-01-01' }, '2026-07-01', []],
    [{}, '2027-06-02', ['thesis_too_late']],
    [
      { clock: [{ kind: 'suspension', from_date: '2026-06-01', until_date: '2026-07-01' }] },
      '2026-06-30',
      ['thesis_suspended'],
    ],
    [{ clock: [{ kind: 'suspension', from_date: '2026-06-01', until_date: '2026-07-01' }] }, '2026-07-01', []],
    [{ members: [member({ load: 50 }), ...COMMITTEE] }, '2026-06-01', []],
  ] as [Partial<ThesisFacts>, string, string[]][])('%#', (more, day, expected) =>
    expect(codes(checkSchedule(facts(more), day))).toEqual(expected),
  )
})

describe('a change', () => {
  const scheduled = { begins_on: '2026-07-01', over: false, result: null, changes_due: null, changes_done_on: null }
  test.each([
    [{}, ['thesis_change_missing']],
    [{ change: true }, []],
    [{ change: true, change_team: true }, []],
    [{ change: true, discussion: scheduled }, []],
    [{ change: true, change_team: true, discussion: scheduled }, ['thesis_team_scheduled']],
    [{ change: true, change_team: true, discussion: { ...scheduled, over: true } }, ['thesis_team_scheduled']],
    [{ change: true, change_team: true, discussion: { ...scheduled, over: true, result: 'accepted' } }, []],
  ] as [Partial<ThesisFacts>, string[]][])('%#', (more, expected) =>
    expect(codes(checkThesisChange(facts(more)))).toEqual(expected),
  )
})

describe('decisions', () => {
  const held = {
    begins_on: '2026-05-01',
    over: true,
    result: 'accepted',
    changes_due: null,
    changes_done_on: null,
  } as const
  test.each([
    [{ status: 'registered', decided_on: '2024-01-30' }, ['thesis_decision_early']],
    [{ status: 'registered', decided_on: '2024-07-31' }, []],
    [{ status: 'registered', decided_on: '2024-08-01' }, ['thesis_too_late']],
    [
      {
        status: 'registered',
        decided_on: '2024-03-01',
        clock: [{ kind: 'suspension', from_date: '2024-02-01', until_date: '2024-04-01' }],
      },
      ['thesis_suspended'],
    ],
    [{ status: 'discussed', decided_on: '2026-05-01', discussion: held }, []],
    [{ status: 'discussed', decided_on: '2026-04-30', discussion: held }, ['thesis_decision_early']],
    [{ status: 'changing', decided_on: '2026-04-30' }, []],
  ] as [Partial<ThesisFacts>, string[]][])('%#', (more, expected) =>
    expect(codes(checkThesisDecision(facts(more)))).toEqual(expected),
  )
  test('the degree needs a discussion that was passed', () => {
    expect(codes(checkThesisGrant(facts()))).toEqual(['thesis_not_discussed'])
    expect(codes(checkThesisGrant(facts({ discussion: { ...held, result: 'refused' } })))).toEqual(['thesis_refused'])
  })
  test('the degree waits for changes that the discussion asked for', () => {
    const changes = { ...held, result: 'changes', changes_due: '2026-06-01' } as const
    expect(codes(checkThesisGrant(facts({ discussion: changes })))).toEqual(['thesis_changes_open'])
    const done = { ...changes, changes_done_on: '2026-05-20' }
    expect(codes(checkThesisGrant(facts({ discussion: done, decided_on: '2026-05-21' })))).toEqual([])
  })
  test('a discussion is recorded once it was held, with changes due after it', () => {
    expect(codes(checkDiscussion(facts({ discussion: null })))).toEqual(['thesis_not_scheduled'])
    expect(codes(checkDiscussion(facts({ discussion: { ...held, result: null } })))).toEqual(['thesis_result_missing'])
    expect(codes(checkDiscussion(facts({ discussion: { ...held, over: false } })))).toEqual(['thesis_not_held'])
    const changes = { ...held, result: 'changes', changes_due: '2026-05-01' } as const
    expect(codes(checkDiscussion(facts({ discussion: changes })))).toEqual(['thesis_changes_due_early'])
  })
})

describe('the team', () => {
  const all = { status: 'draft', scheduled: false, supervisors: true, committee: true }
  const leader = { job: 'leader', share: 100, tie: 'none' } as const
  const seat = { job: 'committee', share: null, tie: 'none' } as const
  test.each([
    [{}, { before: null, after: leader }, []],
    [{ status: 'granted' }, { before: null, after: seat }, ['thesis_team_closed']],
    [{ status: 'approved' }, { before: null, after: leader }, ['thesis_by_council']],
    [{ status: 'approved' }, { before: null, after: seat }, []],
    [{ supervisors: false }, { before: null, after: leader }, ['thesis_team_supervisors']],
    [{ committee: false }, { before: null, after: seat }, ['thesis_team_committee']],
    [{ scheduled: true }, { before: seat, after: null }, ['thesis_team_scheduled']],
    [{}, { before: null, after: { ...seat, share: 10 } }, ['thesis_share_job']],
    [
      { status: 'approved', committee: false, supervisors: false },
      { before: leader, after: { ...leader, tie: 'relative' } },
      [],
    ],
    [{ committee: false }, { before: { ...leader, tie: 'relative' }, after: leader }, ['thesis_tie_declared']],
  ] as [object, Parameters<typeof checkTeam>[1], string[]][])('%#', (more, change, expected) =>
    expect(codes(checkTeam({ ...all, ...more }, change))).toEqual(expected),
  )
})
