/**
 * The state of a registration (one student in one offering).
 *
 * A status is a set of flags in 63 bits: `bigint` in the database, a decimal string on the wire, a BigInt here, because
 * `Banned` is 2^61 and does not fit a JavaScript number. Exactly one main flag is set at a time; Fresh, Repeat or
 * Improve and Audit may stand beside it.
 */

/** The flags, verbatim. */
export const flag = {
  Fresh: 16n,
  Repeat: 32n,
  Improve: 64n,
  Withdrawn: 1024n,
  Excused: 2048n,
  Audit: 32768n,
  Registered: 262144n,
  RegisterRequest: 1048576n,
  AddRequest: 2097152n,
  DropRequest: 4194304n,
  WithdrawRequest: 8388608n,
  ExcuseRequest: 16777216n,
  Punished: 134217728n,
  Absent: 536870912n,
  Complete: 2147483648n,
  Incomplete: 4294967296n,
  Dropped: 549755813888n,
  ForcedWithdrawn: 17592186044416n,
  Banned: 2305843009213693952n,
} as const

export type Flag = keyof typeof flag

/** Exactly one of these is set in every status. */
export const mainFlags = [
  'RegisterRequest',
  'AddRequest',
  'Registered',
  'DropRequest',
  'WithdrawRequest',
  'ExcuseRequest',
  'Dropped',
  'Withdrawn',
  'ForcedWithdrawn',
  'Excused',
  'Incomplete',
  'Complete',
  'Absent',
  'Punished',
  'Banned',
] as const satisfies readonly Flag[]

export type MainFlag = (typeof mainFlags)[number]

/** By a decision of its own each: nothing else leads there, or back. */
export const decidedMains = ['Punished', 'Banned', 'Absent', 'Excused'] as const satisfies readonly MainFlag[]
export type DecidedMain = (typeof decidedMains)[number]
export const isDecided = (main: MainFlag | 'removed' | null): main is DecidedMain =>
  (decidedMains as readonly (string | null)[]).includes(main)

/** At most one of these is set: which attempt at the course this is. */
export const attemptFlags = ['Fresh', 'Repeat', 'Improve'] as const satisfies readonly Flag[]

export type AttemptKind = (typeof attemptFlags)[number]

/** All flags that qualify a main flag. */
export const qualifierFlags = [...attemptFlags, 'Audit'] as const satisfies readonly Flag[]

const union = (names: readonly Flag[]): bigint => names.reduce((bits, name) => bits | flag[name], 0n)

/** All main flags together: `status & mainMask` is the main flag. */
export const mainMask: bigint = union(mainFlags)

const attemptMask = union(attemptFlags)
const largest = 2n ** 63n - 1n

/** The status as it travels in JSON. */
export const statusToWire = (status: bigint): string => status.toString()

/** Reads a status from JSON; throws RangeError where the text is no decimal in 63 bits. */
export function fromWire(text: string): bigint {
  if (!/^\d{1,19}$/.test(text)) throw new RangeError(`Not a status: ${text}`)
  const status = BigInt(text)
  if (status > largest) throw new RangeError(`Not a status: ${text}`)
  return status
}

/** The main flag of a status, null where none is set. Throws RangeError where several are: such a row is damaged. */
export function mainOf(status: bigint): MainFlag | null {
  const main = status & mainMask
  if (main === 0n) return null
  const name = mainFlags.find((candidate) => flag[candidate] === main)
  if (name === undefined) throw new RangeError(`Several main flags in status ${status}`)
  return name
}

/** The same status with another main flag; every qualifier stays. */
export const withMain = (status: bigint, main: MainFlag): bigint => (status & ~mainMask) | flag[main]

/** The same status marked as this attempt. */
export const withAttempt = (status: bigint, attempt: AttemptKind): bigint => (status & ~attemptMask) | flag[attempt]

/** Which attempt the status says it is, null where it says nothing. */
export const attemptOf = (status: bigint): AttemptKind | null =>
  attemptFlags.find((name) => (status & flag[name]) !== 0n) ?? null

export const isAudit = (status: bigint): boolean => (status & flag.Audit) !== 0n

/** The numeric enumeration of statuses used by older calls and spreadsheets. */
export const statusCodes = {
  1: 'register request',
  2: 'registered',
  3: 'withdraw request',
  4: 'drop request',
  5: 'withdrawn',
  6: 'dropped',
  7: 'excused',
  8: 'incomplete',
  9: 'add request',
  10: 'absent',
  11: 'punished',
  12: 'audit',
  13: 'banned',
  14: 'deregistered',
} as const

export type StatusCode = keyof typeof statusCodes

/**
 * The code of each main flag. Two main flags have no code of their own: a student who asked for an excuse is still
 * registered, and so is one whose incomplete mark has arrived. A forced withdrawal is what the codes call deregistered.
 */
const codeOfMain: Record<MainFlag, StatusCode> = {
  RegisterRequest: 1,
  Registered: 2,
  ExcuseRequest: 2,
  Complete: 2,
  WithdrawRequest: 3,
  DropRequest: 4,
  Withdrawn: 5,
  Dropped: 6,
  Excused: 7,
  Incomplete: 8,
  AddRequest: 9,
  Absent: 10,
  Punished: 11,
  Banned: 13,
  ForcedWithdrawn: 14,
}

/** The numeric code of a status; an audited registration is 12. Null where the status has no main flag. */
export function statusCodeOf(status: bigint): StatusCode | null {
  const main = mainOf(status)
  if (main === null) return null
  return main === 'Registered' && isAudit(status) ? 12 : codeOfMain[main]
}

/** The flags a numeric code stands for, null for an unknown code. */
export function flagsOfCode(code: number): { main: MainFlag; audit: boolean } | null {
  if (code === 12) return { main: 'Registered', audit: true }
  const main = mainFlags.find((name) => codeOfMain[name] === code)
  return main === undefined ? null : { main, audit: false }
}

/** The windows of a term that a registrar opens for groups of students. */
export const stageCodes = [
  'register',
  'add_drop',
  'withdraw',
  'excuse',
  'grade_entry',
  'control',
  'results',
  'questionnaire',
  'recheck',
  'exam',
] as const

export type StageCode = (typeof stageCodes)[number]

/** What the windows are called, as where they are kept. */
export const stageNames: Readonly<Record<StageCode, { en: string; ar: string }>> = {
  register: { en: 'Registration', ar: 'التسجيل' },
  add_drop: { en: 'Add and drop', ar: 'الحذف والإضافة' },
  withdraw: { en: 'Withdrawal', ar: 'الانسحاب' },
  excuse: { en: 'Excuses', ar: 'الأعذار' },
  grade_entry: { en: 'Mark entry', ar: 'رصد الدرجات' },
  control: { en: 'Control', ar: 'الكنترول' },
  results: { en: 'Results', ar: 'النتائج' },
  questionnaire: { en: 'Questionnaires', ar: 'الاستبيانات' },
  recheck: { en: 'Grade recheck', ar: 'التظلمات' },
  exam: { en: 'Examination', ar: 'الامتحانات' },
}
/** The window a refusal speaks of, in the words of its texts. */
export const stageData = (stage: StageCode) => ({
  stage,
  stage_name: stageNames[stage].en,
  stage_name_local: stageNames[stage].ar,
})

export const whos = ['student', 'advisor', 'registrar', 'control', 'exam_office', 'system'] as const

/** In which capacity somebody acts; whether the person may is the matter of permissions and scope. */
export type Who = (typeof whos)[number]

export const actions = [
  'request',
  'add',
  'enroll',
  'accept',
  'reject',
  'remove',
  'drop',
  'withdraw',
  'excuse',
  'force_withdraw',
  'absent',
  'ban',
  'punish',
  'incomplete',
  'complete',
  'undo',
  'undo_incomplete',
] as const

export type Action = (typeof actions)[number]

/** What the change does to the seats of the chosen slots. */
export type SeatEffect = 'hold' | 'free' | 'keep'

/** `stage: null` = at any time; `to: 'removed'` = the row goes, its history stays; `from: null` = no row yet. */
export type Transition = {
  from: MainFlag | null
  action: Action
  who: readonly Who[]
  stage: StageCode | null
  to: MainFlag | 'removed'
  seat: SeatEffect
}

/**
 * Which main flags hold a seat.
 *
 * A seat is free again after Dropped and Excused, and when the row is removed. Withdrawn keeps it: the place was used
 * and paid for. ForcedWithdrawn keeps it for the same reason, and so that undoing it can never fail for a full slot.
 */
const seats: Record<MainFlag, boolean> = {
  RegisterRequest: true,
  AddRequest: true,
  Registered: true,
  DropRequest: true,
  WithdrawRequest: true,
  ExcuseRequest: true,
  Dropped: false,
  Withdrawn: true,
  ForcedWithdrawn: true,
  Excused: false,
  Incomplete: true,
  Complete: true,
  Absent: true,
  Punished: true,
  Banned: true,
}

/** Whether a registration in this state occupies a seat; null and 'removed' (no row) do not. */
export const holdsSeat = (main: MainFlag | 'removed' | null): boolean =>
  main !== null && main !== 'removed' && seats[main]

export const seatHoldingMains: readonly MainFlag[] = mainFlags.filter((name) => seats[name])

/** For SQL: `(status & mainMask) in (seatHoldingSql)`, as numbers separated by commas. */
export const seatHoldingSql: string = seatHoldingMains.map((name) => flag[name].toString()).join(', ')

/** For SQL: `status & seatMask <> 0` says the row holds a seat, because exactly one main flag is set. */
export const seatMask: bigint = union(seatHoldingMains)

/** Main flags whose hours weigh on the load of the term. A pending request to leave still counts: it may be refused. */
export const loadMains: readonly MainFlag[] = mainFlags.filter(
  (name) => !['Dropped', 'Withdrawn', 'ForcedWithdrawn', 'Excused'].includes(name),
)

export const countsInLoad = (main: MainFlag | null): boolean => main !== null && loadMains.includes(main)

/** For SQL: `status & loadMask <> 0` says the hours of the row weigh on the load. */
export const loadMask: bigint = union(loadMains)

/** Whether a change brings hours and meetings back into the term that had left it: then limits and clashes are looked at again. */
export const comesBack = (from: MainFlag | null, to: MainFlag | 'removed' | null): boolean =>
  from !== null && !countsInLoad(from) && to !== 'removed' && countsInLoad(to)

const advisers: readonly Who[] = ['advisor', 'registrar']

const row = (
  from: MainFlag | null,
  action: Action,
  who: readonly Who[],
  stage: StageCode | null,
  to: MainFlag | 'removed',
): Transition => {
  const before = holdsSeat(from)
  const after = holdsSeat(to)
  return { from, action, who, stage, to, seat: before === after ? 'keep' : after ? 'hold' : 'free' }
}

/**
 * Every change a registration can go through. An action that is not here for the state found is answered 409.
 *
 * Beyond the requests of students: the registrar enrols and removes in bulk at any time; the system moves the first of
 * the wait list into the request of the window that is open; a request to drop, withdraw or be excused that is refused, or taken back, leaves
 * the student registered.
 */
export const transitions: readonly Transition[] = [
  row(null, 'request', ['student', 'advisor', 'registrar', 'system'], 'register', 'RegisterRequest'),
  row(null, 'add', ['student', 'advisor', 'system'], 'add_drop', 'AddRequest'),
  row(null, 'enroll', ['registrar'], null, 'Registered'),

  row('RegisterRequest', 'accept', advisers, 'register', 'Registered'),
  row('RegisterRequest', 'reject', advisers, 'register', 'removed'),
  row('RegisterRequest', 'remove', ['student', ...advisers], 'register', 'removed'),
  row('AddRequest', 'accept', advisers, 'add_drop', 'Registered'),
  row('AddRequest', 'reject', advisers, 'add_drop', 'removed'),
  row('AddRequest', 'remove', ['student', ...advisers], 'add_drop', 'removed'),

  row('Registered', 'drop', ['student'], 'add_drop', 'DropRequest'),
  // Who leaves the university while others may still register leaves the seat to them.
  row('Registered', 'drop', ['system'], null, 'Dropped'),
  row('DropRequest', 'accept', advisers, null, 'Dropped'),
  row('DropRequest', 'reject', advisers, null, 'Registered'),
  row('DropRequest', 'remove', ['student'], 'add_drop', 'Registered'),

  row('Registered', 'withdraw', ['student'], 'withdraw', 'WithdrawRequest'),
  // Recorded by the registrar without a request: as if it had been asked for and accepted, in the same window.
  row('Registered', 'withdraw', ['registrar'], 'withdraw', 'Withdrawn'),
  row('WithdrawRequest', 'accept', advisers, null, 'Withdrawn'),
  row('WithdrawRequest', 'reject', advisers, null, 'Registered'),
  row('WithdrawRequest', 'remove', ['student'], 'withdraw', 'Registered'),

  row('Registered', 'excuse', ['student'], 'excuse', 'ExcuseRequest'),
  row('Registered', 'excuse', ['registrar'], 'excuse', 'Excused'),
  row('ExcuseRequest', 'accept', ['registrar'], null, 'Excused'),
  row('ExcuseRequest', 'reject', ['registrar'], null, 'Registered'),
  row('ExcuseRequest', 'remove', ['student'], 'excuse', 'Registered'),

  row('Registered', 'remove', ['registrar'], null, 'removed'),
  row('Registered', 'force_withdraw', ['registrar'], null, 'ForcedWithdrawn'),
  row('Registered', 'absent', ['exam_office', 'control'], 'exam', 'Absent'),
  row('Registered', 'ban', ['exam_office', 'control'], 'exam', 'Banned'),
  row('Registered', 'punish', ['exam_office', 'control'], 'exam', 'Punished'),
  row('Registered', 'incomplete', ['control'], 'control', 'Incomplete'),
  row('Incomplete', 'complete', ['control'], 'control', 'Complete'),

  ...(
    [
      'DropRequest',
      'WithdrawRequest',
      'ExcuseRequest',
      'Dropped',
      'Withdrawn',
      'Excused',
      'ForcedWithdrawn',
      'Absent',
      'Banned',
      'Punished',
    ] as const
  ).map((from) => row(from, 'undo', ['registrar'], null, 'Registered')),
  row('Incomplete', 'undo_incomplete', ['registrar'], null, 'Registered'),
  row('Complete', 'undo_incomplete', ['registrar'], null, 'Registered'),
]

const key = (from: MainFlag | null, action: Action, who: Who): string => `${from ?? ''}/${action}/${who}`

const index = new Map<string, Transition>(
  transitions.flatMap((entry) => entry.who.map((who) => [key(entry.from, entry.action, who), entry] as const)),
)

/** The change this action makes, or null where it is not possible from this state in this capacity (409). */
export const nextState = (from: MainFlag | null, action: Action, who: Who): Transition | null =>
  index.get(key(from, action, who)) ?? null

/** The actions open in a state to somebody acting in this capacity; stages are not looked at. */
export const actionsFrom = (from: MainFlag | null, who: Who): Action[] =>
  actions.filter((action) => index.has(key(from, action, who)))

/** How an earlier registration in the same course (or an equal one) ended; 'none' = left, excused or still running. */
export type AttemptOutcome = 'passed' | 'failed' | 'none'

/** Fresh on the first attempt, Repeat after a failed one, Improve after a passed one. */
export function attemptKind(earlier: readonly AttemptOutcome[]): AttemptKind {
  if (earlier.includes('passed')) return 'Improve'
  return earlier.includes('failed') ? 'Repeat' : 'Fresh'
}
