import { createHash } from 'node:crypto'
import { demoPart } from '#demo/part.ts'
import { sql } from 'kysely'
import { markedMains, maskOf } from '../grades/grades.rules.ts'
import { barcodeOf } from './barcode.rules.ts'

/**
 * One course of the demo university whose final exam is marked by barcode, a third of the papers marked; for one paper another
 * barcode is asked for, and a second person confirms it.
 */
export default demoPart(
  ['anonymous_offerings', 'exam_barcodes', 'exam_barcode_owners', 'exam_paper_changes'],
  ['registration_marks', 'offering_marks', 'grade_links', 'role_assignments'],
  async (tx) => {
    const { rows } = await sql<{ offering_id: number; id: number; marker: number | null }>`
      with chosen as (
        select o.id from offerings o where o.control_status = 'Draft' and o.removed_at is null
          and not exists (select from offering_marks m join mark_categories k on k.id = m.mark_category_id and k.is_final_exam
            join registration_marks g on g.offering_mark_id = m.id where m.offering_id = o.id)
          and exists (select from offering_marks m where m.offering_id = o.id)
          and (select count(*) from registrations r where r.offering_id = o.id and r.status & ${sql.raw(maskOf(markedMains))} <> 0)
            between 6 and 40
        order by o.term_id desc, o.id desc limit 1)
      select r.offering_id, r.id, (select i.user_id from offering_instructors t join instructors i on i.id = t.instructor_id
        where t.offering_id = r.offering_id order by t.instructor_id limit 1) as marker
      from registrations r where r.offering_id in (select id from chosen) and r.status & ${sql.raw(maskOf(markedMains))} <> 0`.execute(
      tx,
    )
    if (!rows.length) return
    const papers = rows
      .map((row) => ({ ...row, code: barcodeOf(createHash('sha256').update(`paper ${row.id}`).digest()) }))
      .sort((a, b) => (a.code < b.code ? -1 : 1))
      .map((row, i) => ({ ...row, mark: i % 3 === 0 ? 20 + ((i * 7) % 20) : null }))
    const offering_id = papers[0]!.offering_id
    await sql`insert into anonymous_offerings (offering_id) values (${offering_id})`.execute(tx)
    await sql`with given as (select * from jsonb_to_recordset(${JSON.stringify(papers)}::jsonb)
          as n (id int, marker int, code text, mark numeric)),
        made as (insert into exam_barcodes (offering_id, code, mark, marked_by)
          select ${offering_id}::int, code, mark, case when mark is not null then marker end from given order by code returning id, code)
      insert into exam_barcode_owners (barcode_id, registration_id) select m.id, g.id from made m join given g using (code)`.execute(
      tx,
    )
    const spare = barcodeOf(createHash('sha256').update('spare paper').digest())
    await sql`with backup as (insert into exam_barcodes (offering_id, code) values (${offering_id}, ${spare}) returning id),
        asks as (select a.user_id from role_assignments a join roles r on r.id = a.role_id where r.key = 'exam_officer' order by a.id limit 1)
      insert into exam_paper_changes (offering_id, registration_id, from_barcode_id, to_barcode_id, reason, asked_by)
      select ${offering_id}, w.registration_id, w.barcode_id, backup.id, 'تمزق الملصق عند فتح الظرف', asks.user_id
      from backup left join asks on true, exam_barcode_owners w join exam_barcodes b on b.id = w.barcode_id
      where b.offering_id = ${offering_id} and b.mark is null order by b.code limit 1`.execute(tx)
  },
)
