/** How exams and those who sit them are bound to the university. */
import { offeringReach } from '#areas/common/academics/offering-reach.server.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import type { ScopeParts } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'

/** An exam `e`, as a whole: that of its faculty. One of the university belongs to who reaches all of it. */
export const wholeExam = (): ScopeParts => ({ faculty: sql`e.faculty_id` })
/** What is said of the offering `o` in its exam schedule `s`. Who teaches it learns of the exam once that is published. */
export const inExam = (ctx: Ctx): ScopeParts => {
  const parts = offeringReach(ctx, 'o')
  return {
    ...parts,
    taught: sql`(${parts.taught} and exists (select from exams pe where pe.id = s.exam_id and pe.status = 'published'))`,
  }
}
/** An exam `e` of which one offering at least is reached. */
export const partOfExam = (ctx: Ctx): ScopeParts =>
  Object.fromEntries(
    Object.entries(offeringReach(ctx, 'o')).map(([kind, part]) => [
      kind,
      typeof part === 'function'
        ? (ids: readonly number[]) => sql`exists (select from exam_schedules x join offerings o on o.id = x.offering_id
            where x.exam_id = e.id and x.removed_at is null and ${part(ids)})`
        : ['own', 'taught', 'advised'].includes(kind)
          ? sql`exists (select from exam_schedules x join offerings o on o.id = x.offering_id
              where x.exam_id = e.id and x.removed_at is null and ${part}
                and (e.status = 'published' or ${kind !== 'taught'}))`
          : (
              ids: readonly number[],
            ) => sql`exists (select from exam_schedules x join offerings o on o.id = x.offering_id
              where x.exam_id = e.id and x.removed_at is null and ${part} = any(${ids}::int[]))`,
    ]),
  )
