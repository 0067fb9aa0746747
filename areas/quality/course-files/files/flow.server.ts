/** The way of course files: handed in, accepted, approved, each given back with a reason, and each step taken back. */
import type { Ctx } from '#kit/server/base/context.ts'
import { refText } from '#kit/server/base/sql.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import { sql } from 'kysely'
import { standingOf } from './check.server.ts'
import { courseFile, courseFileFlow, courseFileSteps } from './course-file.contract.ts'
import { OPEN_STATES } from './course-file.rules.ts'
import { courseFileReach, TEAM } from './reach.server.ts'

const NAMED = (column: string) =>
  `(select c.${column} from offerings o join courses c on c.id = o.course_id where o.id = t.offering_id)`

export const courseFiles = serveWorkflow(courseFileFlow, courseFileSteps, {
  table: 'course_files',
  scope: courseFileReach,
  units: () => ({
    faculty: sql`(select o.faculty_id from offerings o where o.id = t.offering_id)`,
    department: sql`(select o.department_id from offerings o where o.id = t.offering_id)`,
  }),
  seen: ['access_courseFile'],
  nameOf: `(select c.code || ' · ' || o.code from offerings o join courses c on c.id = o.course_id where o.id = t.offering_id)`,
  // Nobody judges how the own course was taught. Quality staff only begin a file: it is not theirs.
  own: (people) => sql`exists (select from offering_instructors m join instructors i on i.id = m.instructor_id
    where m.offering_id = t.offering_id and i.user_id = any(${people}))`,
  enteredByOfficer: true,
  facts: (_ctx, tx, ids) => standingOf(tx, ids),
  tells: {
    users: TEAM,
    data: `json_build_object('course', ${NAMED('name')}, 'course_local', ${NAMED('name_local')})`,
    link: (id) => `/courseFile/${id}`,
  },
})

const scope = Object.fromEntries(
  (['faculty', 'department', 'program', 'bylaw', 'taught'] as const).map((kind) => [
    kind,
    (ctx: Ctx) => courseFileReach(ctx)[kind],
  ]),
) as unknown as { readonly [K in keyof ReturnType<typeof courseFileReach>]: (ctx: Ctx) => never }

export const courseFileResource = workings(courseFile, {
  scope,
  flow: courseFiles,
  // What somebody decides on, or has decided on, is not taken away.
  abilities: { remove: ({ status }) => OPEN_STATES.has(status ?? '') || 'course_file_closed' },
  async afterWrite(ctx, tx, id, _merged, current) {
    if (!current) await courseFiles.begin(ctx, tx, id, 'draft')
  },
  computed: {
    term_id: '(select o.term_id from offerings o where o.id = t.offering_id)',
    faculty_id: '(select o.faculty_id from offerings o where o.id = t.offering_id)',
    instructors: `coalesce((select json_agg(${refText('i')} order by m.instructor_id) from offering_instructors m join instructors i on i.id = m.instructor_id
      where m.offering_id = t.offering_id), '[]')`,
    documents: `(select count(*)::int from course_file_documents d where d.course_file_id = t.id and d.removed_at is null)`,
    comments: `(select count(*)::int from course_file_comments m where m.course_file_id = t.id and m.reply_to is null and m.settled_at is null)`,
  },
  search: [`(select c.search_text from offerings o join courses c on c.id = o.course_id where o.id = t.offering_id)`],
})
