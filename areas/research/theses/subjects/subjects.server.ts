/** Subjects that supervisors offer, the wishes of students, and who is given one. */
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { isId, scopeCondition } from '#kit/server/base/scope.ts'
import { refText } from '#kit/server/base/sql.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { sql } from 'kysely'
import { theses } from '../thesis/flow.server.ts'
import { subjectCalls as calls, thesisSubject, type OfferedSubject, type ThesisWisher } from './subject.contract.ts'

const scope = {
  faculty: () => sql`(select d.faculty_id from departments d where d.id = t.department_id)`,
  department: () => sql`t.department_id`,
  own: (ctx: Ctx) => isId(sql`t.instructor_id`, ctx.actor?.instructor_id),
}
const reach = (ctx: Ctx) => ({ faculty: scope.faculty(), department: scope.department(), own: scope.own(ctx) })
const TAKEN = `(select count(*)::int from theses o where o.subject_id = t.id and o.removed_at is null and o.status <> 'ended')`
const subjects = workings(thesisSubject, {
  scope,
  computed: { taken: TAKEN, wishes: `(select count(*)::int from thesis_wishes w where w.subject_id = t.id)` },
  beforeWrite: async (_ctx, tx, merged, current) => {
    if (!current || current.places === merged.places) return
    const { rows } = await sql<{
      taken: number
    }>`select ${sql.raw(TAKEN)} as taken from thesis_subjects t where t.id = ${current.id}`.execute(tx)
    const { taken } = firstRow(rows)
    if (taken > Number(merged.places)) throw refuse(409, 'thesis_places_taken', { taken }, 'places')
  },
})

/** Who writes here: a student of a postgraduate program. @throws {Refusal} 409 */
async function writer(ctx: Ctx): Promise<{ id: number; faculty_id: number }> {
  const { rows } = await sql<{ id: number; faculty_id: number; may: boolean }>`select s.id, s.faculty_id,
      p.study_level = 'postgraduate' and s.status = 'studying' as may
    from students s join programs p on p.id = s.program_id where s.id = ${ctx.actor?.student_id ?? null}::int`.execute(
    ctx.db,
  )
  if (!rows[0]?.may) throw refuse(409, 'thesis_wish_who')
  return rows[0]
}
const OPEN = sql.raw(`t.removed_at is null and (t.open_until is null or t.open_until >= university_today())`)

export const subjectHandlers: readonly Handled[] = [
  ...subjects.handlers,
  handle(calls.offered, async (ctx) => {
    const { rows: me } = await sql<{ id: number; faculty_id: number }>`select s.id, s.faculty_id from students s
      join programs p on p.id = s.program_id where s.id = ${ctx.actor?.student_id ?? null}::int and p.study_level = 'postgraduate'`.execute(
      ctx.db,
    )
    if (!me[0]) return { data: [] }
    const { rows } =
      await sql<OfferedSubject>`select t.id, t.name, t.name_local, ${sql.raw(refText('i'))} as instructor, ${sql.raw(refText('d'))} as department,
        t.places, ${sql.raw(TAKEN)} as taken, t.description, t.open_until::text, w.position as wish
      from thesis_subjects t join instructors i on i.id = t.instructor_id join departments d on d.id = t.department_id
        left join thesis_wishes w on w.subject_id = t.id and w.student_id = ${me[0].id}
      where d.faculty_id = ${me[0].faculty_id} and i.removed_at is null and (w.id is not null or (${OPEN} and t.places > ${sql.raw(TAKEN)}))
      order by w.position nulls last, t.name, t.id`.execute(ctx.db)
    return { data: rows }
  }),
  handle(calls.wish, (ctx, { body: { subject_ids } }) =>
    ctx.write(async (tx) => {
      const me = await writer(ctx)
      if (new Set(subject_ids).size !== subject_ids.length)
        throw refuse(422, 'thesis_wish_twice', undefined, 'subject_ids')
      await sql`select from students where id = ${me.id} for update`.execute(tx)
      const { rows } = await sql`select t.id from thesis_subjects t join departments d on d.id = t.department_id
        where t.id = any(${subject_ids}::int[]) and d.faculty_id = ${me.faculty_id} and ${OPEN} for share of t`.execute(
        tx,
      )
      if (rows.length !== subject_ids.length) throw refuse(422, 'thesis_wish_closed', undefined, 'subject_ids')
      await sql`delete from thesis_wishes where student_id = ${me.id}`.execute(tx)
      await sql`insert into thesis_wishes (student_id, subject_id, position)
        select ${me.id}, x.id, x.place from unnest(${subject_ids}::int[]) with ordinality x (id, place)`.execute(tx)
      return { data: { wishes: subject_ids.length } }
    }),
  ),
  handle(calls.wishers, async (ctx, { params: { id } }) => {
    const { rows: of } =
      await sql`select from thesis_subjects t where t.id = ${id} and ${scopeCondition(ctx, 'show_thesisSubject', reach(ctx))}`.execute(
        ctx.db,
      )
    if (!of.length) throw refuse(404, 'not_found')
    const { rows } = await sql<ThesisWisher>`select ${sql.raw(refText('s'))} as student, w.position, s.gpa::text
      from thesis_wishes w join students s on s.id = w.student_id where w.subject_id = ${id}
      order by w.position, s.gpa desc nulls last, w.id`.execute(ctx.db)
    return { data: rows }
  }),
  handle(calls.take, (ctx, { params: { id }, body: { student_id } }) =>
    ctx.write(async (tx) => {
      await sql`select from thesis_subjects where id = ${id} for update`.execute(tx)
      const { rows } = await sql<{
        name: string
        name_local: string
        department_id: number
        instructor_id: number
        free: boolean
      }>`
        select t.name, t.name_local, t.department_id, t.instructor_id, t.places > ${sql.raw(TAKEN)} as free
        from thesis_subjects t where t.id = ${id} and t.removed_at is null and ${scopeCondition(ctx, 'edit_thesisSubject', reach(ctx))}`.execute(
        tx,
      )
      const [subject] = rows
      if (!subject) throw refuse(404, 'not_found')
      if (!subject.free) throw refuse(409, 'thesis_subject_full')
      // Whoever did not wish for it is given another one by nobody but a registrar, who adds the thesis.
      const { rows: wished } = await sql<{ user_id: number | null; degree: string; language: string }>`select s.user_id,
          case when p.semesters > 4 and p.degree ilike '%doc%' then 'doctorate' else 'master' end as degree, 'ar' as language
        from thesis_wishes w join students s on s.id = w.student_id join programs p on p.id = s.program_id
        where w.subject_id = ${id} and w.student_id = ${student_id} for update of w`.execute(tx)
      const [who] = wished
      if (!who) throw refuse(409, 'thesis_not_wished', undefined, 'student_id')
      const { rows: made } = await sql<{
        id: number
      }>`insert into theses (student_id, subject_id, department_id, degree, language, title, title_local)
        values (${student_id}, ${id}, ${subject.department_id}, ${who.degree}, ${who.language}, ${subject.name}, ${subject.name_local}) returning id`.execute(
        tx,
      )
      const thesis = firstRow(made)
      await sql`insert into thesis_members (thesis_id, instructor_id, job, position, share)
        values (${thesis.id}, ${subject.instructor_id}, 'leader', 1, 100)`.execute(tx)
      await theses.begin(ctx, tx, thesis.id, 'draft')
      await sql`delete from thesis_wishes where student_id = ${student_id}`.execute(tx)
      await notify(tx, who.user_id === null ? [] : [who.user_id], {
        key: 'theses.notice_subject',
        data: { title: subject.name, title_local: subject.name_local },
        link: `/theses/${thesis.id}`,
        records: [student_id],
      })
      return { data: thesis }
    }),
  ),
]
