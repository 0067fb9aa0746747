import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { actionsFrom, checkStep, wayFrom, workflowCalls } from '#kit/contract/workflow.ts'
import {
  canFinish,
  checkSubmission,
  controlStatuses,
  studentView,
  visibleParts,
  type ControlStatus,
} from '#areas/common/academics/control.rules.ts'
import { control, type ControlAction } from './control/flow.contract.ts'
import { mayEnterMarks } from './guard.rules.ts'

const actions = Object.keys(control.actions) as ControlAction[]
const lacks = (registration_id: number, ...codes: string[]) => ({
  registration_id,
  student: { id: registration_id, code: 'S', name: 'S', name_local: 'S' },
  bylaw: 'B1',
  categories: codes.map((code) => ({ code, name: code, name_local: code })),
})
const fine = { sound: true, categories: 3, missing: [] }
const judging = { state: 'Draft', may: () => true, own: false, reason: null, facts: fine } as const
const codes = (action: ControlAction, change: object) =>
  checkStep(control, action, { ...judging, ...change }).map((one) => one.code)

describe('steps', () => {
  test.each([
    ['Draft', 'submit', 'Submitted'],
    ['Draft', 'review', null],
    ['Draft', 'undo', null],
    ['Submitted', 'submit', null],
    ['Submitted', 'review', 'Reviewed'],
    ['Submitted', 'undo', 'Draft'],
    ['Reviewed', 'approve', 'Approved'],
    ['Reviewed', 'publish', null],
    ['Reviewed', 'undo', 'Submitted'],
    ['Approved', 'publish', 'Published'],
    ['Approved', 'undo', 'Reviewed'],
    ['Published', 'freeze', 'Frozen'],
    ['Published', 'undo', 'Approved'],
    ['Frozen', 'freeze', null],
    ['Frozen', 'undo', 'Published'],
  ] as const)('%s, %s: %s', (from, action, to) => expect(wayFrom(control, from, action)?.to ?? null).toBe(to))

  test('every walk moves one status at a time, and undo takes back exactly the last step forward', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...actions), { maxLength: 60 }), (walk) => {
        let status: ControlStatus = 'Draft'
        for (const action of walk) {
          const step: { to: ControlStatus } | null = wayFrom(control, status, action)
          expect(actionsFrom(control, status).includes(action)).toBe(step !== null)
          if (step === null) continue
          const change = controlStatuses.indexOf(step.to) - controlStatuses.indexOf(status)
          expect(change).toBe(action === 'undo' ? -1 : 1)
          if (change === 1) expect(wayFrom(control, step.to, 'undo')?.to).toBe(status)
          status = step.to
        }
      }),
    )
  })

  test('undoing frozen grades needs a permission of its own', () => {
    const permission = wayFrom(control, 'Frozen', 'undo')?.permission
    expect(permission).toEqual(['unfreeze_control'])
    expect(wayFrom(control, 'Published', 'undo')?.permission).toEqual(['undo_control'])
  })

  test('the words of the paths', () => {
    const words = Object.values(workflowCalls(control).steps).map(
      (one) => /offerings\/(\w+)-control/.exec(one.path)?.[1],
    )
    expect(words).toEqual(['submit', 'review', 'approve', 'publish', 'freez', 'undo'])
  })
})

describe('what a step needs', () => {
  test('submitting needs a scheme and all marks, and says all that is wrong', () => {
    expect(codes('submit', {})).toEqual([])
    const facts = { sound: false, categories: 3, missing: [lacks(4, 'MID'), lacks(8, 'MID'), lacks(9, 'FIN')] }
    expect(codes('submit', { may: () => false, facts })).toEqual(['step_permission', 'control_scheme', 'control_marks'])
    expect(checkSubmission(facts)[1]?.data).toMatchObject({ count: 3, ids: [4, 8, 9] })
    expect(codes('review', { state: 'Submitted', facts })).toEqual([])
  })

  test('all marks and yet no result: the bylaw is named, once', () => {
    const missing = [lacks(4), lacks(5), lacks(6, 'MID')]
    expect(checkSubmission({ sound: true, categories: 3, missing })).toMatchObject([
      { code: 'control_marks', data: { count: 1, ids: [6] } },
      { code: 'grade_ranges_missing', data: { bylaw: 'B1' } },
    ])
    expect(checkSubmission({ sound: false, categories: 0, missing: [lacks(4)] })).toMatchObject([
      { code: 'control_scheme' },
      { code: 'control_marks', data: { count: 1 } },
    ])
  })

  test('undo needs a reason', () => {
    expect(codes('undo', { state: 'Frozen', reason: ' ' })).toEqual(['reason_required'])
    expect(codes('undo', { state: 'Frozen', reason: 'wrong sheet' })).toEqual([])
    const may = (keys: readonly string[]) => keys.includes('undo_control')
    expect(codes('undo', { state: 'Frozen', reason: 'x', may })).toEqual(['step_permission'])
  })

  test('a wrong status is the only thing said', () => {
    expect(checkStep(control, 'submit', { ...judging, state: 'Frozen', may: () => false })).toEqual([
      { code: 'step_state', data: { state: 'Frozen', state_local: 'مجمَّدة', control_status: 'Frozen' } },
    ])
  })
})

test.each<[ControlStatus, boolean, boolean, boolean]>([
  ['Draft', true, true, false],
  ['Submitted', false, true, false],
  ['Reviewed', false, true, false],
  ['Approved', false, false, true],
  ['Published', false, false, true],
  ['Frozen', false, false, true],
])('%s: instructor writes %s, control writes %s, finish %s', (status, instructor, control, finish) => {
  expect(mayEnterMarks(status, 'instructor')).toBe(instructor)
  expect(mayEnterMarks(status, 'control')).toBe(control)
  expect(canFinish(status)).toBe(finish)
})

test('a student sees what the bylaw allows, and never less in a later status', () => {
  const visibility = { marks: 'Submitted', letter: 'Published', points: 'Frozen', gpa: null } as const
  expect(studentView(visibility, 'Draft')).toEqual({ marks: false, letter: false, points: false, gpa: false })
  expect(studentView(visibility, 'Approved')).toEqual({ marks: true, letter: false, points: false, gpa: false })
  expect(studentView(visibility, 'Frozen')).toEqual({ marks: true, letter: true, points: true, gpa: false })
  const from = fc.constantFrom(...controlStatuses, null)
  fc.assert(
    fc.property(fc.record({ marks: from, letter: from, points: from, gpa: from }), (any) => {
      const views = controlStatuses.map((status) => studentView(any, status))
      for (const part of visibleParts) {
        expect(views.filter((view) => view[part])).toEqual(
          views.slice(any[part] === null ? 6 : controlStatuses.indexOf(any[part])),
        )
      }
    }),
  )
})
