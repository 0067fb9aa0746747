import { expect, test } from 'vitest'
import { checkResearchPlan, type ResearchStage, type ResearchStageKind } from './research-plan.rules.ts'

const master = { postgraduate: true, semesters: 6 }
const stage = (
  kind: ResearchStageKind,
  from: number | null = null,
  to: number | null = null,
  times = 1,
): ResearchStage => ({
  stage: kind,
  times,
  earliest_semester: from,
  latest_semester: to,
})
const found = (stages: ResearchStage[], program = master) =>
  checkResearchPlan(stages, program).map(({ code, field }) => `${code}@${field}`)
const sound = [
  stage('coursework', 1, 2),
  stage('qualifying_exam', 2, 3),
  stage('proposal', 3, 3),
  stage('seminar', 3, 5, 2),
  stage('publication', null, null, 1),
  stage('defence', 5, 6),
]

test('a usual plan is sound, and so is none', () => {
  expect(found(sound)).toEqual([])
  expect(found([], { postgraduate: false, semesters: 8 })).toEqual([])
})

test.each<[string, ResearchStage[], string[]]>([
  ['a stage twice', [...sound.slice(0, 5), stage('seminar'), sound[5]!], ['research_twice@research_plan.5.stage']],
  ['several defences', [...sound.slice(0, 5), stage('defence', 5, 6, 2)], ['research_times@research_plan.5.times']],
  ['without a defence', sound.slice(0, 5), ['research_missing@research_plan']],
  [
    'something after the defence',
    [sound[2]!, stage('defence'), stage('publication')],
    ['research_defence_last@research_plan.1.stage'],
  ],
  [
    'the exam after the proposal',
    [stage('coursework'), stage('proposal'), stage('qualifying_exam'), stage('defence')],
    ['research_order@research_plan.2.stage'],
  ],
  [
    'a window turned round',
    [stage('proposal', 4, 3), stage('defence')],
    ['research_window@research_plan.0.latest_semester'],
  ],
  [
    'beyond the program',
    [stage('proposal'), stage('defence', 7)],
    ['research_beyond@research_plan.1.earliest_semester'],
  ],
  [
    'over before what comes earlier may begin',
    [stage('proposal', 3), stage('seminar'), stage('defence', null, 2)],
    ['research_too_early@research_plan.2.latest_semester'],
  ],
])('refused: %s', (_case, stages, reasons) => expect(found(stages)).toEqual(reasons))

test('an undergraduate program has none', () =>
  expect(found(sound, { postgraduate: false, semesters: 8 })).toEqual(['research_undergraduate@research_plan']))
