/** Percentages in hundredths. */
type Hundredths = number

export interface EntranceOutcomeFacts {
  readonly exam_result: Hundredths | null
  readonly interview_passed: boolean | null
  readonly min_exam: Hundredths
  readonly has_interview: boolean
}

/**
 * What a result leads to: failed as soon as one part was not passed, passed once all parts were, else it waits for the rest.
 * The workflow asks the same when the step is taken.
 */
export function entranceOutcome({
  exam_result,
  interview_passed,
  min_exam,
  has_interview,
}: EntranceOutcomeFacts): 'pass_exam' | 'fail_exam' | 'waits' {
  if (exam_result !== null && exam_result < min_exam) return 'fail_exam'
  if (has_interview && interview_passed === false) return 'fail_exam'
  if (exam_result === null || (has_interview && interview_passed === null)) return 'waits'
  return 'pass_exam'
}

/** Digits as a person types them in Arabic. */
const latin = (text: string): string =>
  text.replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) & 0xf)).replace('٫', '.')
const DECIMAL = /^\d{1,4}(?:\.\d{1,2})?$/

/** A number with at most two decimals in hundredths; null: it is none. */
export function hundredthsOf(text: string): Hundredths | null {
  const read = latin(text.trim()).replace(/\s*[%٪]$/, '')
  if (!DECIMAL.test(read)) return null
  const [whole = '0', part = ''] = read.split('.')
  return Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

/** A mark out of a total in percent, rounded half up. */
export const percentOfMark = (mark: Hundredths, total: Hundredths): Hundredths =>
  Math.floor((2 * mark * 10_000 + total) / (2 * total))

export const printedPercent = (value: Hundredths): string => (value / 100).toFixed(2)
