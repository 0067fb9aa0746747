/** Applicants who have taken their seat up become students: record, code, account, and the mail by which they sign in first. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { series } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { takeSerial } from '#kit/server/unit/serials.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { applicants } from '#areas/admission/applicants/applicant/applicant.server.ts'
import { applicantWorkflow } from '#areas/admission/applicants/applicant/flow.server.ts'
import { creditApplicant } from '#areas/enrolment/transfers/external/applicant.server.ts'
import { giveGrant } from '#areas/money/fees/scholarships/grants.server.ts'
import { firstBlockJob } from '#areas/enrolment/registration/block/block.server.ts'
import { sendPasswordLink } from '#areas/people/access-and-people/sign-in/passwords.server.ts'
import { NAME_COLUMNS } from '#areas/people/people/names/follow.server.ts'
import { carryDocuments } from '#areas/records/documents/students/carry.server.ts'
import { students } from '#areas/records/students/student/student.server.ts'

/** Codes of students who come by an admission. */
export const acceptedCodes = series('student_code', { per: 'year', format: '{period}{n}' })

/** A code that no student bears. */
async function freeCode(tx: Tx): Promise<string> {
  for (;;) {
    const { text } = await takeSerial(tx, acceptedCodes)
    const { rows } = await sql`select from students where lower(code) = lower(${text})`.execute(tx)
    if (!rows.length) return text
  }
}

interface Becoming {
  level: number
  /** The person is a student already, of another program. */
  again: boolean
  by_marks: boolean
  documents: { kind_id: number; file_id: number }[]
  term_id: number
  /** What takes the whole fee, and is granted for the first year. */
  scholarship: { scholarship_id: number; year_id: number; reason: string } | null
  values: Record<string, unknown>
}

/**
 * Makes the record of a student of an applicant, who is held. What was written in the application goes over; the program is the one that was
 * given, the level the first of its bylaw.
 *
 * @throws {Refusal} with every reason why there can be no such student: a national id that another student bears, an address in use
 */
export async function makeStudent(ctx: Ctx, tx: Tx, id: number): Promise<number> {
  const { rows } =
    await sql<Becoming>`select coalesce((select min(l.level)::int from bylaw_levels l where l.bylaw_id = p.bylaw_id), 1) as level,
      exists (select from students s where s.national_id = t.national_id and s.removed_at is null) as again, a.term_id,
      coalesce((select json_agg(json_build_object('kind_id', d.document_kind_id, 'file_id', d.file_id)) from applicant_documents d
        where d.applicant_id = t.id), '[]') as documents,
      (select coalesce(b.program_type, p.program_type) in ('term', 'annual') from bylaws b where b.id = p.bylaw_id) as by_marks,
      case when t.full_scholarship_id is not null then json_build_object('scholarship_id', t.full_scholarship_id, 'year_id', w.year_id,
        'reason', t.full_scholarship_reason) end as scholarship,
      json_build_object('name', t.name, 'name_local', t.name_local, 'faculty_id', p.faculty_id, 'program_id', p.id, 'entry_term_id', a.term_id,
        'gender', t.gender, 'birth_date', t.birth_date, 'birth_place', (select c.name_local from communities c where c.id = t.birth_community_id),
        'nationality_id', t.nationality_id, 'national_id', t.national_id, 'passport_number', t.passport_number, 'military_status', t.military_status,
        'email', t.email, 'phone', t.phone, 'address', t.address, 'father_national_id', t.father_national_id,
        'parent_name', coalesce(t.guardian_name, t.father_name), 'parent_relation', t.guardian_relation,
        'parent_phone', coalesce(t.guardian_phone, t.father_phone), 'parent_job', t.father_job,
        'school_certificate', (select c.name from certificate_types c where c.id = t.certificate_type_id), 'school_name', t.certificate_school,
        'school_year', t.certificate_year, 'school_percentage', case when t.certificate_type_id is not null then t.percentage::text end,
        'previous_university', t.previous_university, 'previous_program', t.previous_program) as values
    from applicants t join admissions a on a.id = t.admission_id join terms w on w.id = a.term_id join programs p on p.id = t.program_id where t.id = ${id}`.execute(
      tx,
    )
  const { values, level, again, scholarship, by_marks, term_id, documents } = firstRow(rows)
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
  // Accepting is the right that is asked for; the record follows from it.
  const student = await students.insert(asSystem(ctx.services, 'an applicant was accepted'), tx, {
    ...given,
    code: await freeCode(tx),
    level,
    status: 'studying',
    ...(again && { is_second_record: true }),
  })
  await carryDocuments(ctx, tx, student, documents)
  await creditApplicant(ctx, tx, id, student)
  if (scholarship) await giveGrant(asSystem(ctx.services, 'an applicant was accepted'), tx, student, scholarship)
  await invite(ctx, tx, student)
  // Whoever studies by credit hours chooses courses; the block of a level comes by itself.
  if (by_marks) await ctx.services.jobs.send(tx, firstBlockJob, { student_id: student, term_id }, { actor: null })
  return student
}

/** Gives a student who has none an account, and sends the link by which its first password is set. */
async function invite(ctx: Ctx, tx: Tx, student: number): Promise<void> {
  const { rows } = await sql<{ user_id: number | null }>`select user_id from students where id = ${student}`.execute(tx)
  if (firstRow(rows).user_id !== null) return
  const names = sql.join(NAME_COLUMNS.map((column) => sql.ref(column)))
  const { rows: made } = await sql<{ id: number }>`insert into users (type, email, ${names})
    select 3::smallint, email, ${names} from students where id = ${student} returning id`.execute(tx)
  const user_id = firstRow(made).id
  await sql`update students set user_id = ${user_id} where id = ${student}`.execute(tx)
  await ctx.services.jobs.send(tx, sendPasswordLink, { user_id, invitation: true }, { actor: null })
}

/** Who has taken a seat up and could not be accepted: a person looks why. A minute is what the clock takes. */
export const acceptanceWork: readonly WorkSource[] = [
  {
    permissions: ['assign_applicant'],
    waiting: (ctx) => sql`
      select 'acceptance.work_stuck', jsonb_build_object('count', count(*)), '/applicants?filters=%7B%22status%22%3A%5B%22APPROVED%22%5D%7D',
        min(t.updated_at), null::timestamptz
      from applicants t where t.status = 'APPROVED' and t.removed_at is null and t.updated_at < now() - interval '5 minutes'
        and ${applicants.scope(ctx, 'assign_applicant')} having count(*) > 0`,
  },
]

/** So many are accepted at a turn; the others a minute later. */
const AT_ONCE = 20_000

/** Accepts whoever has taken a seat up. What stops one of them stops none of the others, and is tried again. */
export const acceptApplicantsJob = defineJob<Record<string, never>, { accepted: number; failed: number }>({
  name: 'accept-applicants',
  cron: '* * * * *',
  run: async ({ services }, _payload, progress) => {
    const ctx = asSystem(services, 'Acceptance of applicants')
    const { rows } = await sql<{
      id: number
    }>`select id from applicants where status = 'APPROVED' and removed_at is null
      order by id limit ${AT_ONCE}`.execute(ctx.db)
    let accepted = 0
    let failed = 0
    for (let at = 0; at < rows.length; at += 200) {
      const outcome = await applicantWorkflow.takeEach(
        ctx,
        rows.slice(at, at + 200).map(({ id }) => id),
        'accept',
      )
      accepted += outcome.done.length
      failed += outcome.failed.length
      await progress(Math.floor((100 * at) / rows.length))
    }
    return { accepted, failed }
  },
})
