import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  canFinish,
  checkControl,
  controlActionOfPath,
  controlActions,
  controlActionsFrom,
  controlStatuses,
  controlStep,
  controlSteps,
  studentView,
  visibleParts,
  type ControlInput,
  type ControlStatus,
} from './control.rules.ts'
import { mayEnterMarks } from './guard.rules.ts'

const input = (change: Partial<ControlInput>): ControlInput => ({
  status: 'Draft',
  action: 'submit',
  may: () => true,
  missing_marks: [],
  scheme_valid: true,
  reason: null,
  ...change,
})
const codes = (change: Partial<ControlInput>) => checkControl(input(change)).problems.map((one) => one.code)

describe('steps', () => {
  test.each([
    ['Draft', 'submit', 'Submitted'],
    ['Draft', 'review', null],
    ['Draft', 'undo', null],
    ['Draft', 'finish', null],
    ['Submitted', 'submit', null],
    ['Submitted', 'review', 'Reviewed'],
    ['Submitted', 'undo', 'Draft'],
    ['Reviewed', 'approve', 'Approved'],
    ['Reviewed', 'publish', null],
    ['Reviewed', 'undo', 'Submitted'],
    ['Approved', 'publish', 'Published'],
    ['Approved', 'finish', 'Approved'],
    ['Approved', 'undo', 'Reviewed'],
    ['Published', 'freeze', 'Frozen'],
    ['Published', 'undo', 'Approved'],
    ['Frozen', 'freeze', null],
    ['Frozen', 'undo', 'Published'],
  ] as const)('%s, %s: %s', (from, action, to) => expect(controlStep(from, action)?.to ?? null).toBe(to))

  test('every walk moves one status at a time, and undo takes back exactly the last step forward', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...controlActions), { maxLength: 60 }), (walk) => {
        let status: ControlStatus = 'Draft'
        for (const action of walk) {
          const step = controlStep(status, action)
          expect(controlActionsFrom(status).includes(action)).toBe(step !== null)
          if (step === null) continue
          const change = controlStatuses.indexOf(step.to) - controlStatuses.indexOf(status)
          expect(change).toBe(action === 'finish' ? 0 : action === 'undo' ? -1 : 1)
          if (change === 1) expect(controlStep(step.to, 'undo')?.to).toBe(status)
          status = step.to
        }
      }),
    )
    expect(new Set(controlSteps.map((step) => step.to))).toEqual(new Set(controlStatuses))
  })

  test('undoing frozen grades needs a permission of its own', () => {
    const permission = controlStep('Frozen', 'undo')?.permission
    expect(controlSteps.filter((step) => step.permission === permission)).toHaveLength(1)
  })

  test('the words of the paths', () => {
    expect(['undo', 'submit', 'review', 'approve', 'finish', 'publish', 'freez'].map(controlActionOfPath)).toEqual([
      'undo',
      'submit',
      'review',
      'approve',
      'finish',
      'publish',
      'freeze',
    ])
    expect(controlActionOfPath('freeze')).toBeNull()
    expect(controlActionOfPath('toString')).toBeNull()
  })
})

describe('what a step needs', () => {
  test('submitting needs a scheme and all marks, and says all that is wrong', () => {
    expect(codes({})).toEqual([])
    const result = checkControl(input({ missing_marks: [4, 8, 9], scheme_valid: false, may: () => false }))
    expect(result.step).toBeNull()
    expect(result.problems.map((one) => one.code)).toEqual(['control_permission', 'control_scheme', 'control_marks'])
    expect(result.problems[2]?.data).toEqual({ count: 3, ids: [4, 8, 9] })
    expect(codes({ status: 'Submitted', action: 'review', missing_marks: [4] })).toEqual([])
  })

  test('undo needs a reason', () => {
    expect(codes({ status: 'Frozen', action: 'undo', reason: ' ' })).toEqual(['control_reason'])
    expect(checkControl(input({ status: 'Frozen', action: 'undo', reason: 'wrong sheet' })).step?.to).toBe('Published')
    expect(codes({ status: 'Frozen', action: 'undo', reason: 'x', may: (key) => key === 'undo_control' })).toEqual([
      'control_permission',
    ])
  })

  test('a wrong status is the only thing said', () => {
    expect(checkControl(input({ status: 'Frozen', may: () => false })).problems).toEqual([
      { code: 'control_status', field: null, data: { status: 'Frozen', status_local: 'مجمَّدة' } },
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
