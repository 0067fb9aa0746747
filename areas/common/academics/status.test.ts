import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  comesBack,
  actions,
  actionsFrom,
  attemptKind,
  attemptOf,
  statusCodeOf,
  countsInLoad,
  flag,
  flagsOfCode,
  fromWire,
  holdsSeat,
  loadMask,
  mainFlags,
  mainMask,
  mainOf,
  nextState,
  qualifierFlags,
  seatHoldingSql,
  seatMask,
  statusCodes,
  statusToWire,
  transitions,
  whos,
  withAttempt,
  withMain,
  type Action,
  type MainFlag,
  type Who,
} from './status.rules.ts'

const anyMain = fc.constantFrom(...mainFlags)
const anyQualifiers = fc
  .subarray([...qualifierFlags])
  .map((names) => names.reduce((bits, name) => bits | flag[name], 0n))

describe('flags', () => {
  test('are distinct single bits, and main flags and qualifiers share none', () => {
    const values = Object.values(flag)
    expect(new Set(values).size).toBe(19)
    for (const value of values) expect(value & (value - 1n)).toBe(0n)
    expect(mainFlags.length + qualifierFlags.length).toBe(19)
    expect(mainMask & (flag.Fresh | flag.Repeat | flag.Improve | flag.Audit)).toBe(0n)
  })

  test('Banned is 2^61 and survives the wire, which a number would not', () => {
    expect(flag.Banned).toBe(2n ** 61n)
    const status = flag.Banned | flag.Fresh
    expect(statusToWire(status)).toBe('2305843009213693968')
    expect(fromWire(statusToWire(status))).toBe(status)
    expect(BigInt(Number(status))).not.toBe(status)
  })

  test.each(['', '-1', '1.5', '0x10', '9223372036854775808', '99999999999999999999'])('%s is no status', (text) => {
    expect(() => fromWire(text)).toThrow(RangeError)
  })

  test('the wire keeps every status', () => {
    fc.assert(fc.property(fc.bigInt(0n, 2n ** 63n - 1n), (status) => fromWire(statusToWire(status)) === status))
  })

  test('withMain sets exactly one main flag and leaves everything else', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 63n - 1n), anyMain, (status, main) => {
        const next = withMain(status, main)
        expect(mainOf(next)).toBe(main)
        expect(next & ~mainMask).toBe(status & ~mainMask)
      }),
    )
  })

  test('no main flag is null, two are an error', () => {
    expect(mainOf(flag.Fresh)).toBeNull()
    expect(() => mainOf(flag.Registered | flag.Dropped)).toThrow(RangeError)
  })

  test('an attempt replaces the attempt before it', () => {
    const status = withAttempt(flag.Registered | flag.Fresh | flag.Audit, 'Improve')
    expect(status).toBe(flag.Registered | flag.Improve | flag.Audit)
    expect(attemptOf(status)).toBe('Improve')
    expect(attemptOf(flag.Registered)).toBeNull()
  })
})

describe('numeric codes', () => {
  test.each([
    ['RegisterRequest', 1],
    ['Registered', 2],
    ['WithdrawRequest', 3],
    ['DropRequest', 4],
    ['Withdrawn', 5],
    ['Dropped', 6],
    ['Excused', 7],
    ['Incomplete', 8],
    ['AddRequest', 9],
    ['Absent', 10],
    ['Punished', 11],
    ['Banned', 13],
    ['ForcedWithdrawn', 14],
  ] as const)('%s is %i', (main, code) => {
    expect(statusCodeOf(flag[main] | flag.Fresh)).toBe(code)
    expect(flagsOfCode(code)).toEqual({ main, audit: false })
  })

  test('an audited registration is 12, an unknown code nothing', () => {
    expect(statusCodeOf(flag.Registered | flag.Audit)).toBe(12)
    expect(statusCodeOf(flag.Withdrawn | flag.Audit)).toBe(5)
    expect(flagsOfCode(12)).toEqual({ main: 'Registered', audit: true })
    expect(flagsOfCode(15)).toBeNull()
    expect(statusCodeOf(flag.Fresh)).toBeNull()
    expect(Object.keys(statusCodes)).toHaveLength(14)
  })
})

describe('transitions', () => {
  test.each<[MainFlag | null, Action, Who, MainFlag | 'removed' | null]>([
    [null, 'request', 'student', 'RegisterRequest'],
    [null, 'request', 'registrar', 'RegisterRequest'],
    [null, 'add', 'advisor', 'AddRequest'],
    [null, 'add', 'registrar', null],
    ['RegisterRequest', 'accept', 'advisor', 'Registered'],
    ['RegisterRequest', 'accept', 'student', null],
    ['RegisterRequest', 'reject', 'advisor', 'removed'],
    ['RegisterRequest', 'remove', 'student', 'removed'],
    ['RegisterRequest', 'reject', 'student', null],
    ['AddRequest', 'accept', 'registrar', 'Registered'],
    ['Registered', 'drop', 'student', 'DropRequest'],
    ['Registered', 'remove', 'student', null],
    ['DropRequest', 'accept', 'advisor', 'Dropped'],
    ['DropRequest', 'reject', 'advisor', 'Registered'],
    ['DropRequest', 'drop', 'student', null],
    ['Registered', 'withdraw', 'student', 'WithdrawRequest'],
    ['WithdrawRequest', 'accept', 'advisor', 'Withdrawn'],
    ['Registered', 'excuse', 'student', 'ExcuseRequest'],
    ['Registered', 'excuse', 'registrar', 'Excused'],
    ['Registered', 'force_withdraw', 'registrar', 'ForcedWithdrawn'],
    ['Registered', 'absent', 'exam_office', 'Absent'],
    ['Registered', 'ban', 'control', 'Banned'],
    ['Registered', 'punish', 'student', null],
    ['Registered', 'incomplete', 'control', 'Incomplete'],
    ['Incomplete', 'complete', 'control', 'Complete'],
    ['Incomplete', 'undo', 'registrar', null],
    ['Incomplete', 'undo_incomplete', 'registrar', 'Registered'],
    ['Dropped', 'undo', 'registrar', 'Registered'],
    ['Withdrawn', 'undo', 'advisor', null],
    ['Registered', 'undo', 'registrar', null],
  ])('%s %s by %s gives %s', (from, action, who, to) => {
    expect(nextState(from, action, who)?.to ?? null).toBe(to)
  })

  test('are unambiguous: one row for a state, an action and a capacity', () => {
    const keys = transitions.flatMap((row) => row.who.map((who) => `${row.from}/${row.action}/${who}`))
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('reach every main flag from nothing, and every state but the row itself can be left', () => {
    const reached = new Set<MainFlag | 'removed' | null>([null])
    for (let size = 0; size !== reached.size;) {
      size = reached.size
      for (const row of transitions) if (reached.has(row.from)) reached.add(row.to)
    }
    expect([...reached].sort()).toEqual([null, 'removed', ...mainFlags].sort())
    for (const main of mainFlags) expect(transitions.some((row) => row.from === main)).toBe(true)
  })

  test('a student never reaches a registered seat alone', () => {
    const reached = new Set<MainFlag | 'removed' | null>([null])
    for (let size = 0; size !== reached.size;) {
      size = reached.size
      for (const row of transitions) if (row.who.includes('student') && reached.has(row.from)) reached.add(row.to)
    }
    expect(reached).toEqual(new Set([null, 'RegisterRequest', 'AddRequest', 'removed']))
  })

  test('what is asked for is decided in its window, by whom it concerns', () => {
    const rows = (from: MainFlag, action: Action) =>
      transitions.filter((row) => row.from === from && row.action === action)
    const asked = { RegisterRequest: 'register', AddRequest: 'add_drop' } as const
    for (const [from, stage] of Object.entries(asked) as [MainFlag, string][])
      for (const action of ['accept', 'reject', 'remove'] as const)
        expect(
          rows(from, action).map((row) => row.stage),
          `${from} ${action}`,
        ).toEqual([stage])
    // Leaving is asked for in a window, and decided whenever somebody gets round to it.
    for (const from of ['DropRequest', 'WithdrawRequest', 'ExcuseRequest'] as const)
      for (const action of ['accept', 'reject'] as const)
        expect(
          rows(from, action).map((row) => row.stage),
          `${from} ${action}`,
        ).toEqual([null])
    // An excuse weighs on the degree: the registrar alone decides it.
    for (const action of ['accept', 'reject'] as const)
      expect(rows('ExcuseRequest', action).map((row) => row.who)).toEqual([['registrar']])
    for (const from of ['DropRequest', 'WithdrawRequest'] as const)
      expect(rows(from, 'accept').map((row) => row.who)).toEqual([['advisor', 'registrar']])
  })

  test('the register and add windows bind students', () => {
    expect(nextState(null, 'request', 'student')?.stage).toBe('register')
    expect(nextState(null, 'add', 'student')?.stage).toBe('add_drop')
    for (const row of transitions) if (row.who.includes('student')) expect(row.stage).not.toBeNull()
  })

  test('whatever happens, the seats counted by effects are the seats held by states, and never below zero', () => {
    const step = fc.tuple(fc.constantFrom(...actions), fc.constantFrom(...whos))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), anyQualifiers, (steps, qualifiers) => {
        let state: MainFlag | null = null
        let taken = 0
        for (const [action, who] of steps) {
          const row = nextState(state, action, who)
          expect(actionsFrom(state, who).includes(action)).toBe(row !== null)
          if (row === null) continue
          taken += row.seat === 'hold' ? 1 : row.seat === 'free' ? -1 : 0
          state = row.to === 'removed' ? null : row.to
          expect(taken).toBe(holdsSeat(state) ? 1 : 0)
          if (state !== null) {
            const status = withMain(qualifiers, state)
            expect((status & seatMask) !== 0n).toBe(holdsSeat(state))
            expect((status & loadMask) !== 0n).toBe(countsInLoad(state))
          }
        }
      }),
    )
  })

  test('seats: dropped, excused and removed give back, withdrawn does not', () => {
    expect(nextState('DropRequest', 'accept', 'advisor')?.seat).toBe('free')
    expect(nextState('Registered', 'excuse', 'registrar')?.seat).toBe('free')
    expect(nextState('RegisterRequest', 'reject', 'advisor')?.seat).toBe('free')
    expect(nextState('WithdrawRequest', 'accept', 'advisor')?.seat).toBe('keep')
    expect(nextState('Dropped', 'undo', 'registrar')?.seat).toBe('hold')
    expect(nextState(null, 'request', 'student')?.seat).toBe('hold')
    expect(holdsSeat('ForcedWithdrawn')).toBe(true)
    expect(seatHoldingSql.split(', ')).toHaveLength(13)
    expect(seatHoldingSql.split(', ')).not.toContain('549755813888')
  })
})

test.each([
  [[], 'Fresh'],
  [['none', 'none'], 'Fresh'],
  [['failed', 'none'], 'Repeat'],
  [['failed', 'passed'], 'Improve'],
  [['passed', 'failed'], 'Improve'],
] as const)('after %j the attempt is %s', (earlier, kind) => {
  expect(attemptKind(earlier)).toBe(kind)
})

test('only what had left the load comes back into it: a request to leave that is taken back weighed all along', () => {
  const returning = transitions.filter((one) => comesBack(one.from, one.to))
  expect(new Set(returning.map((one) => one.action))).toEqual(new Set(['undo']))
  expect(new Set(returning.map((one) => one.from))).toEqual(
    new Set(['Dropped', 'Withdrawn', 'Excused', 'ForcedWithdrawn']),
  )
  for (const from of ['DropRequest', 'WithdrawRequest', 'ExcuseRequest'] as const) {
    expect(countsInLoad(from)).toBe(true)
    expect(comesBack(from, 'Registered')).toBe(false)
  }
})
