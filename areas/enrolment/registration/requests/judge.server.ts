/** From what was gathered to the rules of registration, and back to what is written. */
import { toHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { dayOf } from '#kit/contract/day.ts'
import type { BylawSettings } from '#areas/study/catalogue/bylaws/settings.rules.ts'
import { bylawSettings } from '#areas/study/catalogue/bylaws/read-settings.server.ts'
import { coursesIn } from '#areas/study/catalogue/requisites.rules.ts'
import { STUDENT_STATUSES } from '#areas/records/students/student/student.contract.ts'
import { students } from '#areas/records/students/student/student.server.ts'
import { query, type Db, type Tx } from '#db/connect.ts'
import { refuse } from '#kit/server/base/errors.ts'
import type { Reason } from '#kit/server/base/errors.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { applyOverrides, checkRequest, type Override } from '../registration.rules.ts'
import { refusalCodes, type Refusal, type RefusalCode } from '../registration-refusals.rules.ts'
import type { RegistrationElsewhere, RequestInput } from '../registration-input.rules.ts'
import {
  attemptKind,
  flag,
  fromWire,
  mainOf,
  statusToWire,
  withAttempt,
  type StageCode,
  type Who,
} from '#areas/common/academics/status.rules.ts'
import type { GatheredRequest, GatheredOffering, GatheredRegistration } from './gather.server.ts'
import type { NewRegistration } from './seat.server.ts'

/** An offering asked for. Meetings of a chosen section that were not named come with it. */
export type Wanted = { offering_id: number; offering_slot_ids: readonly number[]; improve: boolean }

export type RequestTerms = {
  who: RequestInput['who']
  action: RequestInput['action']
  overrides: readonly Override[]
  /** Places above the quota may be used. */
  over_quota: boolean
  reason: string | null
  /** The offerings are the block of the student's level. */
  block?: boolean
  /** Of the block only the exams are sat. */
  exam_only?: boolean
}

type Rules = RequestInput['bylaw'] & Pick<BylawSettings, 'graduation' | 'marks'>
type Codes = Readonly<Record<string, string>>

const NAMED: ReadonlySet<RefusalCode> = new Set([
  'prerequisites',
  'corequisites',
  'placement_above',
  'time_clash',
  'exam_clash',
])
const mainFlag = { request: flag.RegisterRequest, add: flag.AddRequest, enroll: flag.Registered } as const

/** The slots meant by a choice: with one meeting of a section come the others. */
export function chosenSlots(offering: GatheredOffering, ids: readonly number[]): number[] {
  const asked = new Set(ids)
  const sections = new Set(
    offering.slots.flatMap((slot) =>
      asked.has(slot.id) && slot.section !== null ? [`${slot.group_id}/${slot.type}/${slot.section}`] : [],
    ),
  )
  for (const slot of offering.slots) {
    if (slot.section !== null && sections.has(`${slot.group_id}/${slot.type}/${slot.section}`)) asked.add(slot.id)
  }
  return [...asked]
}

/** Hours that the degree still asks of a student: those of the program, else of the bylaw; null: neither says. */
export function hoursToDegree(
  { program_hours, passed_hours }: Pick<GatheredRequest['student'], 'program_hours' | 'passed_hours'>,
  { graduation }: Pick<BylawSettings, 'graduation'>,
): number | null {
  const required = program_hours || graduation.hours
  return required === 0 ? null : Math.max(0, toHundredths(required) - toHundredths(passed_hours))
}

/** What a student has passed, with every course that counts as one of them. */
const withEquals = ({ passed, reference: { equals } }: GatheredRequest): GatheredRequest['passed'] =>
  equals.size === 0
    ? passed
    : passed.flatMap((one) => [one, ...(equals.get(one.course_id) ?? []).map((course_id) => ({ ...one, course_id }))])

/** Placements in which courses that count as those of the test stand at their level too. */
const placementsWithEquals = ({ placements, reference: { equals } }: GatheredRequest): GatheredRequest['placements'] =>
  equals.size === 0
    ? placements
    : placements.map((one) => ({
        ...one,
        courses: one.courses.flatMap((course) => [
          course,
          ...(equals.get(course.course_id) ?? []).map((course_id) => ({ ...course, course_id })),
        ]),
      }))

/** The name of a student's status that lets nobody register; null: studying. */
export function notStudying(status: string): { en: string; ar: string } | null {
  if (status === 'studying') return null
  const [en, ar] = STUDENT_STATUSES.find((studentStatus) => studentStatus.value === status)?.label ?? [status, status]
  return { en, ar }
}

/**
 * What the record says to whoever asks. A student, and the wait list which speaks to one, go by results that are out: an
 * attempt whose result is not yet to be seen is in progress, neither passed nor failed. Staff go by what control has settled.
 */
export function standingFor(g: GatheredRequest, who: Who) {
  const { student } = g
  if (who !== 'student' && who !== 'system') {
    const { level, gpa, passed_hours, program_hours, warnings } = student
    return { level, gpa, passed_hours, program_hours, warnings, passed: g.passed }
  }
  return {
    level: student.shown_level,
    gpa: student.shown_gpa,
    passed_hours: student.shown_passed_hours,
    program_hours: student.program_hours,
    warnings: student.shown_warnings,
    passed: g.passed.filter((one) => one.out),
  }
}

/** What the person takes in another program in a term. */
export const elsewhereIn = (
  { elsewhere, exams }: Pick<GatheredRequest, 'elsewhere' | 'exams'>,
  termId: number,
): RegistrationElsewhere[] =>
  elsewhere.flatMap(({ term_id, ...one }) =>
    term_id === termId ? [{ ...one, exams: exams.get(one.offering_id) ?? [] }] : [],
  )

/** The input of the rules for one offering. `current`: registrations of the term as they will stand by then. */
export function inputOf(
  g: GatheredRequest,
  rules: Rules,
  offering: GatheredOffering,
  current: readonly GatheredRegistration[],
  wanted: Pick<Wanted, 'offering_slot_ids' | 'improve'>,
  together: readonly number[],
  {
    who,
    action,
    over_quota,
    block,
    exam_only,
  }: Pick<RequestTerms, 'who' | 'action' | 'over_quota' | 'block' | 'exam_only'>,
  codes: Codes = {},
): RequestInput {
  const { student } = g
  const same = g.reference.equals.get(offering.course_id) ?? []
  const standing = standingFor(g, who)
  const term = g.terms.find((one) => one.id === offering.term_id)
  const holds = (kind: GatheredRequest['holds'][number]['kind']) => g.holds.filter((hold) => hold.kind === kind)
  const names = (kind: GatheredRequest['holds'][number]['kind'], otherwise: { en: string; ar: string }) =>
    holds(kind).map((hold) => ({ en: hold.note ?? otherwise.en, ar: hold.note_local ?? hold.note ?? otherwise.ar }))
  const documents = { en: 'documents of the file', ar: 'مستندات الملف' }
  return {
    now: g.now,
    today: dayOf(g.now),
    who,
    action,
    improve: wanted.improve,
    stages: term?.stages ?? [],
    term_type: term?.term_type ?? 'fall',
    bylaw: rules,
    ...(block && { block }),
    ...(exam_only && { exam_only }),
    student: {
      program_id: student.program_id,
      level: standing.level,
      gpa: standing.gpa,
      passed_hours: toHundredths(standing.passed_hours),
      hours_to_degree: hoursToDegree(standing, rules),
      warnings: standing.warnings,
      improvements: g.improvements,
      passed: withEquals({ ...g, passed: standing.passed }),
      placements: placementsWithEquals(g),
      current: current.map((one) => ({
        ...one,
        course_code: codes[one.course_id] ?? '',
        exams: g.exams.get(one.offering_id) ?? [],
      })),
      elsewhere: elsewhereIn(g, offering.term_id),
      not_studying: notStudying(student.status),
      blocked: student.blocked || holds('blocked').length > 0,
      // Finance puts a hold on an invoice once it is overdue: it was due at the latest the day before.
      unpaid_invoices: holds('unpaid_invoice').map((hold) => ({ code: hold.note ?? '–', due_date: '0000-01-01' })),
      unfilled_surveys: names('obligatory_survey', { en: 'a survey', ar: 'استبيان' }),
      missing_documents: names('missing_documents', documents),
    },
    offering: {
      id: offering.id,
      // Without groups and meetings there is nothing yet to register for.
      state: offering.slots.length === 0 && action !== 'enroll' ? 'draft' : offering.is_open ? 'open' : 'closed',
      control_status: offering.control_status,
      program_ids: offering.open_program ? [] : [0],
      levels: offering.level === null ? [] : [offering.level],
      plan_kind: offering.plan_kind,
      slots: offering.slots.map((slot) => ({
        id: slot.id,
        group: slot.group,
        type: slot.type,
        section: slot.section,
        meetings: slot.meetings,
        quota: slot.quota,
        over_quota: over_quota ? slot.over_quota : 0,
        taken: slot.taken,
        held: slot.held,
      })),
      exams: g.exams.get(offering.id) ?? [],
      course: {
        id: offering.course_id,
        code: offering.course_code,
        credit_hours: toHundredths(offering.credit_hours),
        prerequisites: offering.prerequisites,
        corequisite_ids: offering.corequisite_ids,
        min_passed_hours: toHundredths(offering.min_passed_hours) || null,
        min_level: offering.min_level || null,
        equal_ids: [...same],
        failed_attempts: g.failed_ids.filter((id) => id === offering.course_id || same.includes(id)).length,
      },
    },
    slot_ids: [...wanted.offering_slot_ids],
    together_ids: [...together, ...current.map((one) => one.course_id)].flatMap((id) => [
      id,
      ...(g.reference.equals.get(id) ?? []),
    ]),
    course_codes: codes,
  }
}

/** Windows of a term that are open to the student now. */
export const openStages = (g: Pick<GatheredRequest, 'now' | 'terms'>, termId: number): StageCode[] => {
  const now = Date.parse(g.now)
  const stages = g.terms.find((term) => term.id === termId)?.stages ?? []
  return stages.flatMap(({ code, from, to }) => (Date.parse(from) <= now && now < Date.parse(to) ? code : []))
}

/** The way into a course that the open windows give: adding, when only that is open. */
export const wayIn = (open: readonly StageCode[]): 'request' | 'add' =>
  open.includes('add_drop') && !open.includes('register') ? 'add' : 'request'

/** The settings of the student's bylaw. */
export const rulesFor = (ctx: { readonly db: Db | Tx }, g: GatheredRequest): Promise<Rules> =>
  bylawSettings(ctx.db, g.student.bylaw_id, g.student.bylaw_version)

/** Codes of every course a refusal could name. */
export async function courseCodes(ctx: Ctx, g: GatheredRequest): Promise<Codes> {
  const ids = new Set([
    ...g.registrations.map((registration) => registration.course_id),
    ...g.placements.flatMap((placement) => placement.courses.map((course) => course.course_id)),
    // Also those asked for together: one may stand against another.
    ...g.offerings.flatMap((offering) => [
      offering.course_id,
      ...coursesIn(offering.prerequisites),
      ...offering.corequisite_ids,
    ]),
  ])
  const rows = await query<{ id: number; code: string }>(
    ctx.pool,
    'registration_course_codes',
    'select id, code from courses where id = any ($1::int[])',
    [[...ids]],
  )
  return Object.fromEntries(rows.map((row) => [row.id, row.code]))
}

/** Refusals of one offering of a request, at its place. */
type Judged = { offering_id: number; refusals: Refusal[] }

type Outcome = { judged: Judged[]; registrations: NewRegistration[] }

function judgeWith(
  g: GatheredRequest,
  rules: Rules,
  wanted: readonly Wanted[],
  terms: RequestTerms,
  codes: Codes,
): Outcome {
  const judged: Judged[] = []
  const registrations: NewRegistration[] = []
  const found = wanted.map((one) => g.offerings.find((offering) => offering.id === one.offering_id))
  const together = found.flatMap((offering) => offering?.course_id ?? [])
  let current = g.registrations
  wanted.forEach((one, i) => {
    const offering = found[i]
    if (!offering)
      throw refuse(
        404,
        'not_found',
        { offering_id: one.offering_id },
        wanted.length > 1 ? `offerings.${i}.offering_id` : 'offering_id',
      )
    const ids = chosenSlots(offering, one.offering_slot_ids)
    const inTerm = current.filter((row) => row.term_id === offering.term_id)
    const input = inputOf(g, rules, offering, inTerm, { ...one, offering_slot_ids: ids }, together, terms, codes)
    const refusals = checkRequest(input)
    const { remaining, overridden } = applyOverrides(refusals, terms.overrides)
    judged.push({ offering_id: offering.id, refusals: remaining })

    const same = [offering.course_id, ...(g.reference.equals.get(offering.course_id) ?? [])]
    const outcomes = [
      ...(g.passed.some((row) => row.out && same.includes(row.course_id)) ? (['passed'] as const) : []),
      ...(g.failed_ids.some((id) => same.includes(id)) ? (['failed'] as const) : []),
    ]
    // Under a regulation by marks nobody's answer is waited for: what may be had is had.
    const main = rules.marks ? flag.Registered : mainFlag[terms.action]
    const status = statusToWire(withAttempt(main, attemptKind(outcomes)))
    const dropped = inTerm.find(
      (row) => row.course_id === offering.course_id && mainOf(fromWire(row.status)) === 'Dropped',
    )
    const slots = offering.slots.filter((slot) => ids.includes(slot.id))
    registrations.push({
      offering_id: offering.id,
      term_id: offering.term_id,
      course_id: offering.course_id,
      credit_hours: offering.credit_hours,
      status,
      dropped: dropped ? { id: dropped.id, status: dropped.status } : null,
      slots: slots.map((slot) => ({ id: slot.id, over: terms.over_quota && slot.taken + slot.held >= slot.quota })),
      action: terms.action,
      reason: terms.reason,
      overrides: overridden.length ? overridden.map(({ code, reason, data }) => ({ code, reason, data })) : null,
    })
    current = [
      ...current.filter((row) => row !== dropped),
      {
        id: 0,
        term_id: offering.term_id,
        offering_id: offering.id,
        course_id: offering.course_id,
        credit_hours: toHundredths(offering.credit_hours),
        status,
        slot_ids: ids,
        meetings: slots.flatMap((slot) => slot.meetings),
      },
    ]
  })
  return { judged, registrations }
}

/** What was gathered, with the notes on holds only where the person who asks reads them. */
export async function toldTo(ctx: Ctx, g: GatheredRequest): Promise<GatheredRequest> {
  if (!g.holds.length || ctx.actor?.student_id === g.student.id) return g
  const unread = await students.unread(ctx, g.student.id)
  if (!unread.has('blocked_reason')) return g
  return { ...g, holds: g.holds.map((hold) => ({ ...hold, note: null, note_local: null })) }
}

/** Judges a request by every rule. Names are looked up only where a refusal tells them. */
export async function judgeRequest(
  ctx: Ctx,
  gathered: GatheredRequest,
  wanted: readonly Wanted[],
  terms: RequestTerms,
): Promise<Outcome> {
  const g = await toldTo(ctx, gathered)
  const rules = await rulesFor(ctx, g)
  const outcome = judgeWith(g, rules, wanted, terms, {})
  const tells = outcome.judged.some(({ refusals }) => refusals.some(({ code }) => NAMED.has(code)))
  return tells ? judgeWith(g, rules, wanted, terms, await courseCodes(ctx, g)) : outcome
}

/** Refusals as reasons of an answer: what failed, and the step that unblocks it with the code of its text. */
export const reasonsOf = (judged: readonly Judged[], field: (index: number) => string | null): Reason[] =>
  judged.flatMap(({ offering_id, refusals }, i) =>
    refusals.map(({ code, data, step }) => ({
      field: field(i),
      code,
      data: { ...data, offering_id, step: { ...step, code: `${code}_step` } },
    })),
  )

/** Refusals that speak of the slots chosen, which a change of slots is judged by alone. */
export const slotCodes: ReadonlySet<RefusalCode> = new Set(
  refusalCodes.filter((code) => code.startsWith('slot_') || code === 'time_clash' || code === 'exam_clash'),
)
