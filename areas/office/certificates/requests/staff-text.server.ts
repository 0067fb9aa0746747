/** What stands on a certificate of who works here: a text whose places are filled from the record of the work. */
import { workplaceText } from '#areas/money/ledger/others.server.ts'
import { staffCodeText } from '#areas/money/ledger/reach.server.ts'
import { CONTRACT_KINDS } from '#areas/people/people/employees/employee.rules.ts'
import { ACADEMIC_TITLES } from '#areas/people/people/instructors/instructor.contract.ts'
import { certificatePage, type TextOnPaper } from '#areas/records/students/transcript/certificate.server.ts'
import type { PaperLanguage } from '#kit/contract/index.ts'
import { inLanguage } from '#kit/contract/index.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { nameIn } from '#kit/server/base/fields.ts'
import type { Names, PreparedPaper } from '#kit/server/papers/papers.ts'
import { sql } from 'kysely'
import type { StaffPlace } from '../types/places.contract.ts'

interface Worker extends Names {
  code: string | null
  job: Names | null
  academic_title: string | null
  faculty: Names | null
  department: Names | null
  since: string | null
  contract: string | null
  until: string | null
}
const NAMES = (of: string) => `json_build_object('name', ${of}.name, 'name_local', ${of}.name_local)`

/** @throws {Refusal} 404 for who does not work here */
async function workerOf(ctx: Ctx, id: number): Promise<Worker> {
  const { rows } = await sql<Worker>`
    select u.name, u.name_local, ${sql.raw(staffCodeText('u'))} as code,
      (select ${sql.raw(NAMES('j'))} from job_titles j where j.id = u.job_title_id) as job,
      (select i.academic_title from instructors i where i.user_id = u.id and i.removed_at is null) as academic_title,
      (select ${sql.raw(NAMES('f'))} from faculties f where f.id = ${sql.raw(workplaceText('u'))}) as faculty,
      (select ${sql.raw(NAMES('d'))} from departments d where d.id = ${sql.raw(workplaceText('u', 'department_id'))}) as department,
      (select min(c.from_date)::text from employee_contracts c where c.employee_id = u.id) as since, now.kind as contract, now.to_date::text as until
    from users u left join lateral (select c.kind, c.to_date from employee_contracts c where c.employee_id = u.id
        and c.from_date <= university_today() order by c.from_date desc, c.id desc limit 1) now on true
    where u.id = ${id} and u.type in (1, 2) and u.removed_at is null`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

/** The work of somebody in both languages: who teaches is called by the academic rank. */
function jobOf({ job, academic_title }: Worker): Names | null {
  const rank = ACADEMIC_TITLES.find(({ value }) => value === academic_title)?.label
  return job ?? (rank ? { name: rank[0], name_local: rank[1] } : null)
}

/** A certificate with any text for who works here. @throws {Refusal} 404 */
export async function prepareStaffText(
  ctx: Ctx,
  id: number,
  lang: PaperLanguage,
  wording: TextOnPaper,
): Promise<PreparedPaper<'type' | 'job' | 'faculty'>> {
  const worker = await workerOf(ctx, id)
  const job = jobOf(worker)
  const kind = CONTRACT_KINDS.find(({ value }) => value === worker.contract)?.label
  const said = (names: Names | null) => names && nameIn(names, lang)
  const known: Record<StaffPlace, string | null> = {
    name: nameIn(worker, lang),
    code: worker.code,
    job_title: said(job),
    faculty: said(worker.faculty),
    department: said(worker.department),
    works_since: worker.since,
    contract: kind ? inLanguage(kind, lang) : null,
    contract_until: worker.until,
  }
  return {
    holder: { name: worker.name, name_local: worker.name_local },
    title: wording.title,
    facts: { type: wording.title, job, faculty: worker.faculty },
    valid_until: wording.days ? addDays(dayOf(), wording.days) : null,
    compose: await certificatePage(ctx, { unit: worker.faculty, known }, lang, wording),
  }
}
