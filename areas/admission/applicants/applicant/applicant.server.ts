/** Applicants as the desk sees them, and the one way by which their record is written. */
import { sql } from 'kysely'
import { Refusal, type Reason } from '#kit/server/base/errors.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { handle, type Handled } from '#kit/server/base/context.ts'
import { isPostgraduate } from '#areas/admission/admissions/words.contract.ts'
import { percentageOf } from '../apply/application.rules.ts'
import { applicant, applicantCalls } from './applicant.contract.ts'
import { applicantWorkflow, wishing } from './flow.server.ts'

const hundredths = (value: unknown): number | null =>
  value == null || value === '' ? null : Math.round(Number(value) * 100)

/** What a seat was given for. Once it is given, these are corrected only after it was taken back. */
const STOOD_ON = [
  'nationality_id',
  'gender',
  'birth_date',
  'certificate_type_id',
  'certificate_total',
  'subjects',
  'degrees',
  'preferences',
] as const
const told = (value: unknown): string => JSON.stringify(value ?? null)

export const applicants = workings(applicant, {
  scope: {
    faculty: wishing('faculty_id'),
    department: wishing('department_id'),
    bylaw: wishing('bylaw_id'),
    program: wishing('id'),
  },
  computed: {
    applicant_type: '(select a.applicant_type from admissions a where a.id = t.admission_id)',
    first_wish: `(select p.code from applicant_preferences w join programs p on p.id = w.program_id where w.applicant_id = t.id order by w.position limit 1)`,
  },
  lookups: ['admission_id'],
  flow: applicantWorkflow,
  abilities: {
    edit: (row) => row.status !== 'accepted' && row.status !== 'CANCELLED',
  },
  async beforeWrite(_ctx, tx, merged, current) {
    const reasons: Reason[] = []
    if (current?.program_id != null)
      for (const field of STOOD_ON)
        if (told(merged[field]) !== told(current[field])) reasons.push({ field, code: 'applicant_seat_given' })
    if (reasons.length) throw new Refusal(409, reasons)
    const subjects = (merged.subjects ?? []) as { certificate_subject_id: number; mark: string }[]
    const { rows } = await sql<{ applicant_type: number; max_total: string | null }>`
      select a.applicant_type, (select c.max_total::text from certificate_types c where c.id = ${merged.certificate_type_id ?? null}::int) as max_total
      from applicants t join admissions a on a.id = t.admission_id where t.id = ${current?.id ?? 0}`.execute(tx)
    const [of] = rows
    if (!of) return {}
    for (const [i, one] of subjects.entries())
      if (subjects.slice(0, i).some((before) => before.certificate_subject_id === one.certificate_subject_id))
        reasons.push({ field: `subjects.${i}.certificate_subject_id`, code: 'certificate_subject_once' })
    const degrees = (merged.degrees ?? []) as { degree: string; percentage: string }[]
    for (const [i, one] of degrees.entries())
      if (degrees.slice(0, i).some((before) => before.degree === one.degree))
        reasons.push({ field: `degrees.${i}.degree`, code: 'application_degree_once' })
    const wishes = (merged.preferences ?? []) as { program_id: number }[]
    const { rows: offered } = await sql<{ id: number }>`select x.program_id as id from admission_programs x
      where x.program_id = any(${wishes.map((one) => one.program_id)}::int[]) and x.removed_at is null
        and x.admission_id = (select t.admission_id from applicants t where t.id = ${current?.id ?? 0})`.execute(tx)
    for (const [i, one] of wishes.entries())
      if (
        !offered.some(({ id }) => id === one.program_id) ||
        wishes.slice(0, i).some((before) => before.program_id === one.program_id)
      )
        reasons.push({ field: `preferences.${i}.program_id`, code: 'application_wish_closed' })
    if (reasons.length) throw new Refusal(422, reasons)
    // What counts of a postgraduate is the first degree.
    const counts = isPostgraduate(of.applicant_type)
      ? hundredths(degrees.find(({ degree }) => degree === 'bachelor')?.percentage)
      : percentageOf(hundredths(merged.certificate_total), hundredths(of.max_total))
    return { percentage: counts === null ? null : (counts / 100).toFixed(2) }
  },
})

const handlerOf = (path: string) =>
  applicants.handlers.find(({ call }) => call.path === path && call.method === 'POST')!
const ofType = (body: { readonly filters?: Readonly<Record<string, unknown>> | undefined }, type: number) => ({
  ...body,
  filters: { ...body.filters, applicant_type: [type] },
})

export const applicantHandlers: readonly Handled[] = [
  ...applicants.handlers,
  handle(
    applicantCalls.ofType,
    (ctx, { params, body }) =>
      handlerOf('/applicants').handler(ctx, { body: ofType(body, params.id) } as never) as never,
  ),
  handle(
    applicantCalls.exportType,
    (ctx, { params, body }) =>
      handlerOf('/applicants/export').handler(ctx, { body: ofType(body, params.type) } as never) as never,
  ),
]
