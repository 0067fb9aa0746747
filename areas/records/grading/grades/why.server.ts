import { bylawSettings } from '#areas/study/catalogue/bylaws/read-settings.server.ts'
import { settingsIn, type TermPlace } from '#areas/study/catalogue/bylaws/editions.rules.ts'
import { attemptOf, isAudit, mainOf } from '#areas/common/academics/status.rules.ts'
import type { Db, Tx } from '#db/connect.ts'
import { sql } from 'kysely'
import type { Mark } from '../grading.rules.ts'
import { STUDY_BYLAW, schemesOf } from './compute.server.ts'
import { gradingBylaw, isSound } from './grades.rules.ts'
import { whyLetter, type WhyLetter } from './why.rules.ts'

/** Why the letter of a registration is not what its marks earn by themselves; null: it is, or nothing is known of it. */
export async function whyOf(db: Db | Tx, registration_id: number): Promise<WhyLetter | null> {
  const { rows } = await sql<{
    offering_id: number
    status: string
    letter: string | null
    bylaw_id: number
    bylaw_version: number
    grade_kind: 'letter' | 'pass_fail'
    term: TermPlace
    marks: [number, number | null][]
  }>`
    select r.offering_id, r.status::text as status, r.letter, b.id as bylaw_id, b.version as bylaw_version, c.grade_kind,
      json_build_object('id', w.id, 'start_date', w.start_date) as term,
      coalesce((select json_agg(json_build_array(m.offering_mark_id, (m.mark * 100)::int)) from registration_marks m
        where m.registration_id = r.id), '[]') as marks
    from registrations r join students s on s.id = r.student_id join bylaws b on b.id = ${STUDY_BYLAW}
      join courses c on c.id = r.course_id join terms w on w.id = r.term_id
    where r.id = ${registration_id}`.execute(db)
  const [row] = rows
  if (!row) return null
  const status = BigInt(row.status)
  const main = mainOf(status)
  const attempt = attemptOf(status)
  const [newest, schemes] = await Promise.all([
    bylawSettings(db, row.bylaw_id, row.bylaw_version),
    schemesOf(db, [row.offering_id]),
  ])
  const bylaw = settingsIn(newest, row.term)
  const categories = schemes.get(row.offering_id) ?? []
  if (main === null || !categories.length || !isSound(bylaw)) return null
  return whyLetter(
    {
      scheme: { categories, places: bylaw.total_places, grade_type: row.grade_kind },
      marks: Object.fromEntries(row.marks.map(([id, mark]): [number, Mark] => [id, mark ?? 'A'])),
      main,
      audit: isAudit(status),
      attempt,
      bylaw: gradingBylaw(bylaw, row.grade_kind),
    },
    row.letter,
  )
}
