/** What stands against a request for a service: pure functions that return every reason. */
import type { Reason } from '#kit/contract/issues.ts'
import type { ServiceField } from '../kinds/kind.contract.ts'

/** Longest answers, in letters. */
export const SERVICE_TEXT = 300
export const SERVICE_LONG_TEXT = 4000
/** Kinds of files that are taken, and the largest, in bytes. */
export const SERVICE_FILES = ['pdf', 'jpg', 'jpeg', 'png'] as const
export const SERVICE_FILE_MOST = 5_000_000

export type ServiceAnswers = Readonly<Record<string, string | number | null>>

/** A kind of service, as far as it decides who may ask. */
export interface ServiceKindFacts {
  readonly active: boolean
  readonly for_students: boolean
  readonly for_graduates: boolean
  readonly for_staff: boolean
  readonly stopped_by_debt: boolean
  readonly one_at_a_time: boolean
}
export interface ServiceAskerFacts {
  /** Of a student; of who works here `working`, as long as that is so. */
  readonly status: string
  /** A debt holds certificates. */
  readonly held: boolean
  readonly asked_already: boolean
}

/** As whom somebody asks; null: who has left. */
export const serviceAudience = (status: string): 'student' | 'graduate' | 'staff' | null =>
  status === 'graduated'
    ? 'graduate'
    : status === 'studying' || status === 'suspended'
      ? 'student'
      : status === 'working'
        ? 'staff'
        : null
const OFFERED_TO = { student: 'for_students', graduate: 'for_graduates', staff: 'for_staff' } as const

/** Why somebody may not ask for a kind now, whatever is answered. */
export function checkServiceOffered(kind: ServiceKindFacts, who: ServiceAskerFacts): Reason[] {
  const reasons: Reason[] = []
  const audience = serviceAudience(who.status)
  const field = 'kind_id'
  if (!kind.active) reasons.push({ field, code: 'service_not_offered' })
  if (audience === null) reasons.push({ code: 'service_left' })
  else if (!kind[OFFERED_TO[audience]]) reasons.push({ field, code: 'service_not_for_you' })
  if (kind.stopped_by_debt && who.held) reasons.push({ code: 'service_held' })
  if (kind.one_at_a_time && who.asked_already) reasons.push({ field, code: 'service_asked_twice' })
  return reasons
}

const DAY = /^[12]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/
const isDay = (given: string): boolean => {
  if (!DAY.test(given)) return false
  const at = new Date(`${given}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(given)
}
const empty = (given: unknown): boolean => given == null || (typeof given === 'string' && !given.trim())

function checkAnswer({ key, type, options }: ServiceField, given: string | number): Reason[] {
  const wrong = (code: string, data?: Record<string, unknown>): Reason[] => [
    { field: key, code, ...(data && { data }) },
  ]
  switch (type) {
    case 'text':
    case 'long_text': {
      const max = type === 'text' ? SERVICE_TEXT : SERVICE_LONG_TEXT
      if (typeof given !== 'string') return wrong('service_answer_text')
      return given.trim().length > max ? wrong('service_answer_long', { max }) : []
    }
    case 'number':
      return typeof given === 'number' && Number.isFinite(given) ? [] : wrong('service_answer_number')
    case 'date':
      return typeof given === 'string' && isDay(given) ? [] : wrong('service_answer_date')
    case 'choice':
      return options.some(({ value }) => value === given) ? [] : wrong('service_answer_choice')
    case 'file':
      return typeof given === 'number' && Number.isInteger(given) && given > 0 ? [] : wrong('service_answer_file')
  }
}

/** Every reason against what was answered: what is missing, what is of another kind, what nobody asked. Each names its field. */
export function checkServiceAnswers(fields: readonly ServiceField[], answers: ServiceAnswers): Reason[] {
  const known = new Set(fields.map(({ key }) => key))
  return [
    ...fields.flatMap((field): Reason[] => {
      const given = answers[field.key]
      if (given === undefined || given === null || empty(given))
        return field.required ? [{ field: field.key, code: 'required' }] : []
      return checkAnswer(field, given)
    }),
    ...Object.keys(answers)
      .filter((key) => !known.has(key) && !empty(answers[key]))
      .map((key) => ({ field: key, code: 'service_answer_unknown' })),
  ]
}

/** The answers as they are kept: in the order of the fields, without what was left empty. */
export const keptAnswers = (
  fields: readonly ServiceField[],
  answers: ServiceAnswers,
): Record<string, string | number> =>
  Object.fromEntries(
    fields.flatMap(({ key }) => {
      const given = answers[key]
      if (given === undefined || given === null || empty(given)) return []
      return [[key, typeof given === 'string' ? given.trim() : given]]
    }),
  )

/** What a step with a request looks at. */
export interface ServiceFacts {
  /** The program itself takes the step: what was paid, say. */
  readonly system: boolean
  /** It is the turn of the office of whoever acts, or the person manages services. */
  readonly turn: boolean
  /** The office whose turn it is. */
  readonly office: string
  readonly office_local: string
  /** Nobody comes after it. */
  readonly last: boolean
  /** Paid before anybody works on it. */
  readonly prepaid: boolean
  /** Number of an invoice that is not paid, or is paid no more; null: nothing is due. */
  readonly unpaid: string | null
  /** Who asked has left the university. */
  readonly left: boolean
}

const checkTurn = ({ system, turn, office, office_local }: ServiceFacts): Reason[] =>
  system || turn ? [] : [{ code: 'service_not_your_turn', data: { office, office_local } }]
const checkStays = ({ left }: ServiceFacts): Reason[] => (left ? [{ code: 'service_left' }] : [])
const checkPaid = ({ unpaid }: ServiceFacts): Reason[] =>
  unpaid === null ? [] : [{ code: 'service_unpaid', data: { number: unpaid } }]

/** Why an office does not work on it: another one's turn, who asked has left, or it is paid no more. */
export const checkServiceWork = (facts: ServiceFacts): Reason[] => [
  ...checkTurn(facts),
  ...checkStays(facts),
  ...(facts.prepaid ? checkPaid(facts) : []),
]
/** Why it does not go to the next office: there is none. */
export const checkServiceForward = (facts: ServiceFacts): Reason[] => [
  ...checkServiceWork(facts),
  ...(facts.last ? [{ code: 'service_last_office' }] : []),
]
/** Why it is not done: others come after this office, or it is not paid. */
export const checkServiceDone = (facts: ServiceFacts): Reason[] => [
  ...checkTurn(facts),
  ...checkStays(facts),
  ...checkPaid(facts),
  ...(facts.last ? [] : [{ code: 'service_not_last_office' }]),
]
/** Why an office does not refuse it or ask back: it is another one's turn. */
export const checkServiceTurn = checkTurn
/** Why the fee is not waited for: of what is paid later, the work goes on while it is not paid. */
export const checkServiceFee = ({ system, prepaid }: ServiceFacts): Reason[] =>
  system && !prepaid ? [{ code: 'service_paid_later' }] : []
