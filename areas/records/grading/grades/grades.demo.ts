import { sql } from 'kysely'
import { insertRows } from '#db/bulk.ts'
import { demoPart, pick } from '#demo/part.ts'
import { writeRecords } from '../terms/record.server.ts'
import { GradingReference, calendarOf } from '../terms/gather-record.server.ts'
import { computeGrades } from './compute.server.ts'

/** Marks, the grades that come of them, and the rows of the terms that are over. */
export default demoPart(
  ['registration_marks', 'student_terms'],
  // Whether somebody may graduate stands on the requirements as well.
  ['registrations', 'offering_marks', 'requirement_trees'],
  async (tx, demo) => {
    const { rows } = await sql<{ id: number; offering_id: number; mark_category_id: number }>`
      select id, offering_id, mark_category_id from offering_marks`.execute(tx)
    const schemeId = new Map(rows.map((row) => [`${row.offering_id}/${row.mark_category_id}`, row.id]))
    const offeringOf = new Map(demo.registrations.map((r) => [r.id, r.offering_id]))
    await insertRows(
      tx,
      'registration_marks',
      demo.registration_marks.map((m) => ({
        ...pick(m, 'registration_id', 'mark', 'absent'),
        offering_mark_id: schemeId.get(`${offeringOf.get(m.registration_id)}/${m.mark_category_id}`),
      })),
    )
    await computeGrades(
      tx,
      demo.offerings.map((o) => o.id),
    )
    const terms = demo.terms.filter((t) => t.state === 'finished').map((t) => t.id)
    await writeRecords(
      null,
      tx,
      new GradingReference(await calendarOf(tx)),
      terms,
      demo.students.map((s) => s.id),
    )
  },
)
