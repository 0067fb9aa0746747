import type { Reason } from '#kit/contract/issues.ts'

/** A new code is shown every so many seconds. */
export const CODE_STEP = 5
/** Seconds that a code counts after the next one is shown: a phone needs them to open the page. */
export const CODE_GRACE = 10

/** Which of the codes is shown at an instant (seconds since 1970). */
export const codeStepAt = (seconds: number): number => Math.floor(seconds / CODE_STEP)
/** Whether a code may still be scanned. One of a time to come was not shown by anybody. */
export const isFresh = (step: number, seconds: number): boolean =>
  step <= codeStepAt(seconds) && seconds < (step + 1) * CODE_STEP + CODE_GRACE

/** What is known when a student scans a code. */
export interface ScanFacts {
  /** The code is one of this meeting and date. */
  readonly genuine: boolean
  /** The instructor is showing codes of it. */
  readonly open: boolean
  readonly fresh: boolean
  readonly course: string
  readonly course_local: string
  readonly cancelled: boolean
  readonly submitted: boolean
  /** The student has a seat in the meeting: of the offering only, or not at all. */
  readonly seat: 'meeting' | 'offering' | 'none'
  /** From where codes of the room are scanned, and whether this request came from there. */
  readonly network: boolean
  /** When the student was counted, as the university's clock says. */
  readonly counted: string | null
}

/**
 * Every reason why a scan does not count. A code that nobody shows cannot be told from a forged one: who is not of the
 * offering hears nothing of it.
 */
export function checkScan(facts: ScanFacts): Reason[] {
  const { course, course_local } = facts
  if (facts.open ? !facts.genuine : facts.seat === 'none') return [{ code: 'scan_unknown' }]
  if (facts.seat === 'none') return [{ code: 'scan_not_registered', data: { course, course_local } }]
  return [
    ...(facts.seat === 'offering' ? [{ code: 'scan_other_group', data: { course, course_local } }] : []),
    ...(facts.cancelled ? [{ code: 'scan_cancelled', data: { course, course_local } }] : []),
    ...(facts.submitted ? [{ code: 'attendance_submitted' }] : []),
    ...(facts.counted !== null ? [{ code: 'scan_counted', data: { course, course_local, at: facts.counted } }] : []),
    ...(!facts.open && !facts.cancelled ? [{ code: 'scan_closed', data: { course, course_local } }] : []),
    ...(facts.open && !facts.fresh ? [{ code: 'scan_old' }] : []),
    ...(facts.network ? [] : [{ code: 'scan_network' }]),
  ]
}
