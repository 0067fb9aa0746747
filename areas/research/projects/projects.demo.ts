import { createHash } from 'node:crypto'
import { insertRows } from '#db/bulk.ts'
import { demoPart, insertNew, momentBefore, stepsTo } from '#demo/part.ts'
import { sql } from 'kysely'
import { projectFlow } from './project/project.contract.ts'

const SUBJECTS: readonly (readonly [en: string, ar: string])[] = [
  ['Smart monitoring of coastal bridges', 'الرصد الذكي للكباري الساحلية'],
  ['Home care after surgery', 'الرعاية المنزلية بعد الجراحة'],
  ['Solar desalination for villages', 'تحلية المياه بالطاقة الشمسية للقرى'],
  ['Arabic language technology', 'تقنيات اللغة العربية'],
]
const STATES = ['running', 'proposed', 'finished', 'rejected'] as const

/** The smallest report: one empty page. */
const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
)

/** Projects of every faculty, so that all states stand in several. */
export default demoPart(
  ['projects'],
  ['users', 'instructors', 'faculties', 'departments', 'publications', 'theses'],
  async (tx) => {
    const { rows: leads } = await sql<{
      user_id: number
      faculty_id: number
      department_id: number | null
      place: number
    }>`
      select user_id, faculty_id, department_id, place::int from (select i.user_id, i.faculty_id, i.department_id,
          row_number() over (partition by i.faculty_id order by i.id) as place
        from instructors i where i.user_id is not null and i.removed_at is null) x where place <= 2 order by place, faculty_id`.execute(
      tx,
    )
    const { rows: days } = await sql<{ start: string; end: string; past: string; next: string }>`
      select (university_today() - 300)::text as start, (university_today() + 400)::text as end,
        (university_today() - 60)::text as past, (university_today() + 120)::text as next`.execute(tx)
    const { start, end, past, next } = days[0]!
    const plan = leads.map((lead, i) => ({
      lead,
      status: STATES[i % STATES.length]!,
      subject: SUBJECTS[i % SUBJECTS.length]!,
    }))
    const ids = await insertNew(
      tx,
      'projects',
      plan.map(({ lead, subject: [name, name_local] }, i) => ({
        code: `RP-${String(i + 1).padStart(3, '0')}`,
        name,
        name_local,
        faculty_id: lead.faculty_id,
        department_id: lead.department_id,
        funder: i % 2 ? 'Science and Technology Fund' : 'Canopus University',
        grant_number: i % 2 ? `STF-${1000 + i}` : null,
        currency: 'EGP',
        start_date: start,
        end_date: end,
        created_by: lead.user_id,
      })),
    )
    await insertRows(
      tx,
      'project_members',
      plan.flatMap(({ lead }, i) => [
        { project_id: ids[i]!, position: 0, user_id: lead.user_id, name: null, job: 'leader' },
        { project_id: ids[i]!, position: 1, user_id: null, name: 'Peter Weiss', job: 'consultant' },
      ]),
    )
    const lines = await insertNew(
      tx,
      'project_budget_lines',
      ids.flatMap((project_id) => [
        { project_id, position: 0, name: 'Equipment', amount: 25_000_000 },
        { project_id, position: 1, name: 'Travel', amount: 4_000_000 },
      ]),
    )
    await insertRows(
      tx,
      'project_milestones',
      plan.flatMap(({ status }, i) => [
        {
          project_id: ids[i]!,
          position: 0,
          name: 'Plan of work',
          start_date: start,
          due_date: past,
          done_on: status === 'finished' || i % 2 === 0 ? past : null,
        },
        {
          project_id: ids[i]!,
          position: 1,
          name: 'First results',
          start_date: past,
          due_date: next,
          done_on: status === 'finished' ? past : null,
        },
      ]),
    )
    // Every second that runs has all behind it but its last step.
    const whole = plan.flatMap(({ status }, i) =>
      status === 'finished' || (status === 'running' && i % 8 === 0) ? [i] : [],
    )
    await sql`update project_milestones set done_on = ${past}::date where project_id = any(${whole.map((i) => ids[i]!)}::int[])`.execute(
      tx,
    )
    const hash = createHash('sha256').update(PDF).digest('hex')
    const files = await insertRows(
      tx,
      'files',
      whole.map((i) => ({
        hash,
        ext: 'pdf',
        mime: 'application/pdf',
        size: PDF.byteLength,
        name: 'Final report.pdf',
        created_by: plan[i]!.lead.user_id,
      })),
      { returning: 'id' },
    )
    await insertRows(
      tx,
      'project_documents',
      whole.map((i, n) => ({
        project_id: ids[i]!,
        kind: 'final_report',
        name: 'Final report',
        file_id: files[n],
        created_by: plan[i]!.lead.user_id,
      })),
    )
    // Money was spent while they ran.
    await sql`update projects set status = 'running' where id = any(${ids.filter((_, i) => plan[i]!.status === 'running' || plan[i]!.status === 'finished')}::int[])`.execute(
      tx,
    )
    await insertRows(
      tx,
      'project_spendings',
      plan.flatMap(({ status, lead }, i) =>
        status === 'running' || status === 'finished'
          ? [
              {
                project_id: ids[i]!,
                line_id: lines[i * 2]!,
                spent_on: past,
                amount: 8_500_000,
                what: 'Sensors',
                created_by: lead.user_id,
              },
            ]
          : [],
      ),
    )
    await sql`update projects t set status = x.status, finished_on = case when x.status = 'finished' then university_today() - 20 end
      from jsonb_to_recordset(${JSON.stringify(plan.map(({ status }, i) => ({ id: ids[i], status })))}::jsonb) x (id int, status text)
      where t.id = x.id and t.status <> x.status`.execute(tx)
    await insertRows(
      tx,
      'step_history',
      plan.flatMap(({ status }, i) =>
        [{ action: 'begin', from_state: null, to_state: 'proposed' }, ...stepsTo(projectFlow as never, status)].map(
          (step, n) => ({
            workflow: projectFlow.name,
            record_id: ids[i]!,
            actor_id: null,
            at: momentBefore(200 - n * 20),
            ...step,
            reason: step.action === 'reject' ? 'The budget does not fit the work.' : null,
          }),
        ),
      ),
    )
    await sql`insert into project_publications (project_id, publication_id)
      select p.id, m.publication_id from projects p join project_members l on l.project_id = p.id and l.job = 'leader'
        join publication_members m on m.user_id = l.user_id on conflict do nothing`.execute(tx)
    await sql`insert into project_theses (project_id, thesis_id)
      select p.id, x.id from projects p cross join lateral (select t.id from theses t join students s on s.id = t.student_id
        where s.faculty_id = p.faculty_id and t.removed_at is null order by t.id limit 2) x
      where p.status in ('running', 'finished')`.execute(tx)
    return async (_db, storage) => {
      await storage.put(PDF, { maxBytes: 1_000_000 })
    }
  },
)
