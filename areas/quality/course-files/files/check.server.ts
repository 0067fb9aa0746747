/** What is there of course files, part by part. */
import type { Db, Tx } from '#db/connect.ts'
import { toProblem } from '#kit/server/base/errors.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { reportsOf } from '../reports/read.server.ts'
import type { CheckedCourseFile, CourseFileDocument } from './course-file.contract.ts'
import {
  checkCourseFile,
  standParts,
  type CourseFileFacts,
  type CourseFilePart,
  type CourseHours,
  type PartStanding,
} from './course-file.rules.ts'

interface Known {
  readonly id: number
  readonly hours: CourseHours
  readonly files: Record<number, number>
  readonly lists: number
  readonly specified: boolean
  readonly open_comments: number
}
/** The parts of course files as they stand, with what a step looks at. Three round trips, however many. */
export async function standingOf(db: Db | Tx, ids: readonly number[]): Promise<Map<number, CourseFileFacts>> {
  const { rows: parts } = await sql<CourseFilePart>`
    select id, name, name_local, source, asked_of, is_optional, min_files, names_hidden, removed_at is not null as removed
    from course_file_parts order by position, id`.execute(db)
  const { rows } = await sql<Known>`
    select t.id, json_build_object('lecture', c.lecture_hours, 'tutorial', c.tutorial_hours, 'laboratory', c.laboratory_hours,
        'clinic', c.clinical_hours) as hours,
      coalesce((select json_object_agg(d.part_id, d.count) from (select part_id, count(*)::int as count from course_file_documents
        where course_file_id = t.id and removed_at is null group by part_id) d), '{}') as files,
      (select count(*)::int from meeting_occurrences x where x.offering_id = coalesce(o.linked_offering_id, o.id)
        and x.cancelled_at is null and exists (select from attendance a where a.occurrence_id = x.id)) as lists,
      (select count(*)::int from course_file_comments m where m.course_file_id = t.id and m.reply_to is null and m.settled_at is null) as open_comments,
      exists (select from specifications x where x.id = specification_in_force(o.course_id, null, w.year_id) and x.status = 'approved') as specified
    from course_files t join offerings o on o.id = t.offering_id join courses c on c.id = o.course_id join terms w on w.id = o.term_id
    where t.id = any(${[...ids]}::int[])`.execute(db)
  const reports = await reportsOf(db, ids)
  return new Map(
    rows.map(({ id, open_comments, ...found }) => {
      const { state, published } = reports.get(id) ?? { state: 'missing', published: false }
      return [id, { parts: standParts(parts, { ...found, report: state, published }), open_comments }]
    }),
  )
}

interface Document extends Omit<CourseFileDocument, 'url'> {
  readonly part_id: number
  readonly file_id: number
}
const asShown = ({ asked_of: _asked, ...part }: PartStanding) => part

/** A course file as its page shows it. */
export async function checkedCourseFile(ctx: Ctx, id: number): Promise<CheckedCourseFile> {
  const facts = (await standingOf(ctx.db, [id])).get(id)
  const { rows } = await sql<Document>`
    select d.id, d.part_id, d.file_id, f.name, f.size, d.created_at as at, d.names_hidden,
      (select ${refOrNull('u')} from users u where u.id = d.created_by) as by,
      case when d.entry_id is null then null when e.removed_at is not null then 'gone'
        when now_file.hash = f.hash then 'same' else 'changed' end as archive
    from course_file_documents d join files f on f.id = d.file_id left join archive_entries e on e.id = d.entry_id
      left join files now_file on now_file.id = e.file_id
    where d.course_file_id = ${id} and d.removed_at is null order by d.id`.execute(ctx.db)
  const parts = facts?.parts ?? []
  return {
    parts: parts.map((part) => ({
      ...asShown(part),
      documents: rows
        .filter((one) => one.part_id === part.id)
        .map(({ part_id: _part, file_id, ...one }) => ({
          ...one,
          url: ctx.services.files.link({ id: file_id, name: one.name }, ctx.actor!),
        })),
    })),
    reasons: checkCourseFile(parts).map(toProblem),
  }
}
