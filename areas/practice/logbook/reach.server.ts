/** How logbooks and duties are bound to the university: by the intern, and by who supervises the training. */
import type { Ctx } from '#kit/server/base/context.ts'
import { sql, type RawBuilder } from 'kysely'

const student = (column: string) => sql`(select s.${sql.ref(column)} from students s where s.id = t.student_id)`
const ofStudent = (ctx: Ctx) => ({
  faculty: student('faculty_id'),
  department: sql`(select p.department_id from students s join programs p on p.id = s.program_id where s.id = t.student_id)`,
  bylaw: student('bylaw_id'),
  program: student('program_id'),
  own: ctx.actor?.student_id == null ? sql`false` : sql`t.student_id = ${ctx.actor.student_id}`,
})
/** SQL: the reader supervises the training on some day between the two. */
const supervisesFor = (
  ctx: Ctx,
  training: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
  until: RawBuilder<unknown>,
) =>
  ctx.actor?.instructor_id == null
    ? sql`false`
    : sql`exists (select from emtyaz_training_instructors m where m.training_id = ${training} and m.instructor_id = ${ctx.actor.instructor_id}
        and m.starts_on <= ${until} and m.ends_on >= ${from})`

/** The entry is `t`: of the intern, and of who supervises its rotation. */
export const entryReach = (ctx: Ctx) => ({
  ...ofStudent(ctx),
  supervised:
    ctx.actor?.instructor_id == null
      ? sql`false`
      : sql`exists (select from emtyaz_rotations r where r.id = t.rotation_id
          and ${supervisesFor(ctx, sql`r.training_id`, sql`r.starts_on`, sql`r.ends_on`)})`,
})
/** The intern is `t`: of who supervises one of the rotations of the year. */
export const logbookReach = (ctx: Ctx) => ({
  ...ofStudent(ctx),
  supervised:
    ctx.actor?.instructor_id == null
      ? sql`false`
      : sql`exists (select from emtyaz_rotations r where r.year_id = t.year_id and r.student_id = t.student_id and r.removed_at is null
          and r.status = 'accepted' and ${supervisesFor(ctx, sql`r.training_id`, sql`r.starts_on`, sql`r.ends_on`)})`,
})
/** The training is `t`. */
export const trainingOfDuties = (ctx: Ctx) => ({
  faculty: sql`(select y.faculty_id from emtyaz_years y where y.id = t.year_id)`,
  own:
    ctx.actor?.student_id == null
      ? sql`false`
      : sql`exists (select from emtyaz_rotations r where r.training_id = t.id and r.student_id = ${ctx.actor.student_id}
          and r.removed_at is null and r.status = 'accepted')`,
  supervised:
    ctx.actor?.instructor_id == null
      ? sql`false`
      : sql`exists (select from emtyaz_training_instructors m where m.training_id = t.id and m.instructor_id = ${ctx.actor.instructor_id})`,
})
