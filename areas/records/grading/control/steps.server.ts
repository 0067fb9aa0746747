/** Steps of the control status: what they need, and what follows from them. */
import { offeringReach } from '#areas/common/academics/offering-reach.server.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { notifyEach, type Notification } from '#kit/server/mail/notifications.ts'
import { serveWorkflow, type Moved as MovedRecord } from '#kit/server/workflow/workflow.ts'
import { sql } from 'kysely'
import {
  statusReached,
  type ControlStatus,
  type MissingMarks,
  type OpenPapers,
} from '#areas/common/academics/control.rules.ts'
import { checkScheme } from '../grading.rules.ts'
import { actOn } from '../guard.server.ts'
import { STUDY_BYLAW, computeGrades, schemesOf, wholesOf } from '../grades/compute.server.ts'
import { listedMains, maskOf } from '../grades/grades.rules.ts'
import { noteForSigning } from '../signing/sign.server.ts'
import { followRecords, settleStanding } from '../terms/record.server.ts'
import { followAttempts } from './attempts.server.ts'
import { control, controlSteps, type ControlAction } from './flow.contract.ts'

type Moved = MovedRecord<ControlStatus, ControlAction>

/**
 * Steps of offerings through control: the row of the offering is locked, its grades are computed anew, and what hangs on
 * its results follows. Students whose marks are missing are named.
 */
export const controlFlow = serveWorkflow(control, controlSteps, {
  table: 'offerings',
  scope: (ctx) => offeringReach(ctx),
  seen: ['access_control'],
  nameOf: `(select c.code from courses c where c.id = t.course_id) || ' (' || t.code || ')'`,
  facts: async (_ctx, tx, ids, action) => {
    await actOn(tx, 'step')
    if (action === 'approve' || action === 'publish') await holdGrades(tx, ids)
    if (action !== 'undo' && action !== 'freeze') await computeGrades(tx, [...ids])
    if (action === 'approve') return await papersOf(tx, ids)
    if (action !== 'submit') return new Map()
    const missing = await missingMarks(tx, ids)
    const schemes = await schemesOf(tx, [...ids])
    const wholes = await wholesOf(tx, [...ids])
    const { rows: names } = await sql<{
      id: number
      closed: boolean
      course: string
    }>`select o.id, names_are_closed(o.id) as closed,
      (select c.code from courses c where c.id = o.course_id) as course from offerings o where o.id = any(${[...ids]}::int[])`.execute(
      tx,
    )
    const closed = new Map(names.map((row) => [row.id, row]))
    return new Map(
      ids.map((id) => {
        const categories = schemes.get(id) ?? []
        const sound = checkScheme({ categories }, wholes.get(id)).length === 0
        return [id, { sound, categories: categories.length, missing: missing.get(id) ?? [], ...closed.get(id) }]
      }),
    )
  },
  effect: async (ctx, tx, moved) => {
    await noteForSigning(
      tx,
      moved
        .filter(({ from, to }) => statusReached(from, 'Approved') !== statusReached(to, 'Approved'))
        .map(({ id }) => id),
    )
    await follow(ctx, tx, moved)
    await tell(tx, moved)
  },
})

/** What results are approved by stays until they are: who changes the bylaw meanwhile comes before, or after and sees them. */
const holdGrades = (tx: Tx, offering_ids: readonly number[]) =>
  sql`select from bylaws where id in (select ${STUDY_BYLAW} from registrations r join students s on s.id = r.student_id
      where r.offering_id = any(${[...offering_ids]}::int[]))
    order by id for share`.execute(tx)

/** Papers of final exams that are still open, by offering. */
async function papersOf(tx: Tx, ids: readonly number[]) {
  const { rows } = await sql<{ id: number; course: string; papers: OpenPapers[] }>`
    select o.id, c.code as course, exam_papers_open(o.id) as papers from offerings o join courses c on c.id = o.course_id
    where o.id = any(${[...ids]}::int[])`.execute(tx)
  return new Map(
    rows.map(({ id, course, papers }) => [id, { sound: true, categories: 0, missing: [], course, papers }]),
  )
}

/** By offering. */
async function missingMarks(tx: Tx, offering_ids: readonly number[]): Promise<Map<number, MissingMarks[]>> {
  if (!offering_ids.length) return new Map()
  const { rows } = await sql<MissingMarks & { offering_id: number }>`
    select r.offering_id, r.id as registration_id, json_build_object('id', s.id, 'code', s.code, 'name', s.name, 'name_local', s.name_local) as student,
      b.code as bylaw,
      coalesce((select json_agg(json_build_object('code', k.code, 'name', k.name, 'name_local', k.name_local) order by o.position)
        from offering_marks o join mark_categories k on k.id = o.mark_category_id
        where o.offering_id = r.offering_id and not exists (
          select from registration_marks m where m.registration_id = r.id and m.offering_mark_id = o.id)), '[]') as categories
    from registrations r join students s on s.id = r.student_id join bylaws b on b.id = ${STUDY_BYLAW}
    where r.offering_id = any(${offering_ids}::int[]) and r.letter is null and r.status & ${sql.raw(maskOf(listedMains))} <> 0
    order by s.code`.execute(tx)
  const by = new Map<number, MissingMarks[]>()
  for (const { offering_id, ...one } of rows) {
    const known = by.get(offering_id)
    if (known) known.push(one)
    else by.set(offering_id, [one])
  }
  return by
}

/**
 * What stands on the results of offerings follows their step: the attempts that later registrations of the courses are,
 * rows of finished terms that were being revised, and dismissals, which take effect with the publication.
 */
async function follow(ctx: Ctx, tx: Tx, moved: readonly Moved[]): Promise<void> {
  const settled = moved.filter(({ from, to }) => statusReached(from, 'Approved') || statusReached(to, 'Approved'))
  if (!settled.length) return
  const offering_ids = settled.map((one) => one.id)
  // Nothing but courses stands on the results of who has finished no term.
  const { rows } = await sql<{ id: number }>`select distinct r.student_id as id from registrations r
    where r.offering_id = any(${offering_ids}::int[])
      and exists (select from student_terms t where t.student_id = r.student_id)`.execute(tx)
  const ids = rows.map((row) => row.id)
  await followAttempts(ctx, tx)
  if (ids.length && settled.some(({ action }) => action !== 'undo')) await followRecords(ctx, tx, ids)
  await settleStanding(ctx, tx, ids)
}

/** Students hear that results are out; the team hears that, and that marks came back to it. */
async function tell(tx: Tx, moved: readonly Moved[]): Promise<void> {
  const told = moved.filter(({ action, to }) => action === 'publish' || to === 'Draft')
  if (!told.length) return
  const reason = told[0]!.reason
  const { rows } = await sql<{
    id: number
    course: string
    name: string
    name_local: string
    team: number[]
    students: number[]
    records: number[]
  }>`
    select o.id, c.code as course, c.name, c.name_local,
      array(select distinct i.user_id from offering_instructors oi join instructors i on i.id = oi.instructor_id
        where oi.offering_id = o.id and i.user_id is not null) as team,
      array(select distinct s.user_id from registrations r join students s on s.id = r.student_id
        where r.offering_id = o.id and r.letter is not null and s.user_id is not null) as students,
      array(select r.student_id from registrations r where r.offering_id = o.id and r.letter is not null) as records
    from offerings o join courses c on c.id = o.course_id
    where o.id = any(${told.map((one) => one.id)}::int[])`.execute(tx)
  const published = new Set(told.filter(({ action }) => action === 'publish').map((one) => one.id))
  await notifyEach(
    tx,
    rows.flatMap(({ id, course, name, name_local, team, students, records }) => {
      const data = { course, name, name_local, ...(reason && { reason }) }
      const to = (users: readonly number[], notice: Notification) => users.map((user_id) => ({ user_id, ...notice }))
      const link = `/offerings/grades/${id}`
      return published.has(id)
        ? [
            ...to(students, { key: 'grading.notice_published', data, link: `/myCourses/${id}`, records }),
            ...to(team, { key: 'grading.notice_published_team', data, link }),
          ]
        : to(team, { key: 'grading.notice_returned', data: { ...data, reason: reason ?? '' }, link })
    }),
  )
}
