/** The way of theses, with what each step writes besides. */
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import { refText } from '#kit/server/base/sql.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { serveWorkflow, type Moved } from '#kit/server/workflow/workflow.ts'
import { sql } from 'kysely'
import { factsOfTheses, holdSupervisors, keepDue } from './facts.server.ts'
import { thesisFlow, thesisSteps } from './flow.contract.ts'
import { THESIS_CONCERNED, supervisingReach, thesisReach } from './reach.server.ts'
import { thesis } from './thesis.contract.ts'

type Step = Moved<string, string>
/** State and days in one statement: neither stands without the other. */
async function writeSteps(_ctx: Ctx, tx: Tx, moved: readonly Step[]): Promise<void> {
  await sql`update theses t set status = x."to",
      registered_on = case when x."to" = 'draft' then null when x."from" = 'draft' then university_today() else t.registered_on end,
      approved_on = case when x.action = 'undo' and x."from" = 'approved' then null
        when x.action = 'approve' and x."from" = 'registered' then d.decided_on else t.approved_on end,
      granted_on = case when x."to" = 'granted' then d.decided_on end
    from jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) as x (id int, action text, "from" text, "to" text)
      left join lateral (select d.decided_on from thesis_decisions d where d.thesis_id = x.id and d.undone_at is null order by d.id desc limit 1) d on true
    where t.id = x.id`.execute(tx)
}

/** A change that the council approved: what was asked for stands now, and those who supervised before stay with their last day. */
async function applyChange(tx: Tx, id: number): Promise<void> {
  const { rows } = await sql<{ id: number; supervisors: object[] | null }>`
    update thesis_changes set state = 'applied' where thesis_id = ${id} and state = 'waiting' returning id, supervisors`.execute(
    tx,
  )
  const [change] = rows
  if (!change) return
  await sql`update theses t set title = coalesce(c.title, t.title), title_local = coalesce(c.title_local, t.title_local),
    department_id = coalesce(c.department_id, t.department_id) from thesis_changes c where c.id = ${change.id} and t.id = c.thesis_id`.execute(
    tx,
  )
  if (!change.supervisors) return
  await sql`update thesis_members set until_date = greatest(from_date, university_today())
    where thesis_id = ${id} and until_date is null and job in ('leader', 'member')`.execute(tx)
  // Who sat in the committee and supervises now sits in it no more.
  await sql`update thesis_members m set until_date = greatest(m.from_date, university_today())
    from jsonb_to_recordset(${JSON.stringify(change.supervisors)}::jsonb) as x (instructor_id int, examiner_id int)
    where m.thesis_id = ${id} and m.until_date is null and (m.instructor_id = x.instructor_id or m.examiner_id = x.examiner_id)`.execute(
    tx,
  )
  await sql`insert into thesis_members (thesis_id, instructor_id, examiner_id, job, position, share)
    select ${id}, x.instructor_id, x.examiner_id, x.job, x.place, x.share
    from rows from (jsonb_to_recordset(${JSON.stringify(change.supervisors)}::jsonb)
      as (instructor_id int, examiner_id int, job text, share smallint)) with ordinality as x (instructor_id, examiner_id, job, share, place)`.execute(
    tx,
  )
}

async function follow(_ctx: Ctx, tx: Tx, moved: readonly Step[]): Promise<void> {
  for (const { id, action, from, to } of moved) {
    if (action === 'approve' && from === 'changing') await applyChange(tx, id)
    if (action === 'undo' && from === 'changing')
      await sql`update thesis_changes set state = 'taken_back' where thesis_id = ${id} and state = 'waiting'`.execute(
        tx,
      )
    if (action === 'undo' && (from === 'approved' || from === 'granted'))
      await sql`update thesis_decisions set undone_at = now() where id = (select d.id from thesis_decisions d
        where d.thesis_id = ${id} and d.undone_at is null and d.kind = ${from === 'granted' ? 'grant' : 'approve'} order by d.id desc limit 1)`.execute(
        tx,
      )
    // One that was not passed stays: another is scheduled.
    if (action === 'undo' && from === 'discussed' && to === 'approved')
      await sql`update thesis_discussions set result = null, changes_due = null, changes_done_on = null
        where id = (select d.id from thesis_discussions d where d.thesis_id = ${id} and d.cancelled_at is null order by d.id desc limit 1)
          and result <> 'refused'`.execute(tx)
  }
  await keepDue(
    tx,
    moved.map((one) => one.id),
  )
}

const TITLE = (column: string) => `t.${column}`
export const theses = serveWorkflow(thesisFlow, thesisSteps, {
  table: 'theses',
  scope: thesisReach,
  bound: (ctx) => ({ register_thesis: supervisingReach(ctx) }),
  units: () => ({
    faculty: sql`(select s.faculty_id from students s where s.id = t.student_id)`,
    department: sql`t.department_id`,
  }),
  seen: ['access_thesis', 'show_thesis'],
  nameOf: 't.title',
  // Nobody decides on the own thesis, nor on one of the own team.
  own: (people) => sql`(exists (select from students s where s.id = t.student_id and s.user_id = any(${people}))
    or exists (select from thesis_members m join instructors i on i.id = m.instructor_id
      where m.thesis_id = t.id and m.until_date is null and i.user_id = any(${people})))`,
  enteredByOfficer: true,
  state: { read: 't.status', write: writeSteps },
  facts: async (_ctx, tx, ids, action) => {
    if (action === 'register' || action === 'approve') await holdSupervisors(tx, ids)
    return factsOfTheses(tx, ids)
  },
  effect: follow,
  tells: {
    users: THESIS_CONCERNED,
    data: `json_build_object('title', ${TITLE('title')}, 'title_local', ${TITLE('title_local')})`,
    student: 't.student_id',
    link: (id) => `/theses/${id}`,
  },
})

/** What a council has decided on changes by a council alone. */
const DECIDED = ['title', 'title_local', 'degree', 'language', 'department_id'] as const
export const thesisResource = workings(thesis, {
  scope: Object.fromEntries(
    (['faculty', 'department', 'bylaw', 'program', 'own', 'supervised'] as const).map((kind) => [
      kind,
      (ctx: Ctx) => thesisReach(ctx)[kind],
    ]),
  ) as never,
  filters: {
    // Of one person: who is on the team now.
    user_id: (value) => sql`exists (select from thesis_members tm join instructors ti on ti.id = tm.instructor_id
      where tm.thesis_id = t.id and tm.until_date is null and ti.user_id = ${Number(value)})`,
  },
  flow: theses,
  abilities: { remove: ({ status }) => status === 'draft' || 'thesis_not_draft' },
  beforeWrite: async (_ctx, tx, merged, current) => {
    const reasons: Reason[] = []
    if (current && current.status !== 'draft')
      for (const field of DECIDED)
        if (merged[field] !== current[field]) reasons.push({ field, code: 'thesis_by_council' })
    if (reasons.length) throw new Refusal(409, reasons)
    if (!current && merged.subject_id) {
      await sql`select from thesis_subjects where id = ${merged.subject_id} for update`.execute(tx)
      const { rows } = await sql<{ free: boolean }>`select s.places > (select count(*) from theses o
        where o.subject_id = s.id and o.removed_at is null and o.status <> 'ended') as free from thesis_subjects s where s.id = ${merged.subject_id}`.execute(
        tx,
      )
      if (rows[0] && !rows[0].free) throw new Refusal(409, [{ field: 'subject_id', code: 'thesis_subject_full' }])
    }
  },
  async afterWrite(ctx, tx, id, merged, current) {
    if (current) return
    await theses.begin(ctx, tx, id, 'draft')
    if (!merged.subject_id) return
    // Who offered the subject leads it.
    await sql`insert into thesis_members (thesis_id, instructor_id, job, position, share)
      select ${id}, s.instructor_id, 'leader', 1, 100 from thesis_subjects s where s.id = ${merged.subject_id}`.execute(
      tx,
    )
  },
  async afterRestore(_ctx, tx, id) {
    await keepDue(tx, [id])
  },
  computed: {
    faculty_id: '(select s.faculty_id from students s where s.id = t.student_id)',
    supervisors: `coalesce((select json_agg(${refText('p')} order by p.position) from (
      select coalesce(m.instructor_id, m.examiner_id) as id, coalesce(i.name, x.name) as name, coalesce(i.name_local, x.name_local) as name_local,
        coalesce(i.code, x.code) as code, m.position
      from thesis_members m left join instructors i on i.id = m.instructor_id left join external_examiners x on x.id = m.examiner_id
      where m.thesis_id = t.id and m.until_date is null and m.job in ('leader', 'member')) p), '[]')`,
  },
  search: ['t.search_text', '(select s.search_text from students s where s.id = t.student_id)'],
})
