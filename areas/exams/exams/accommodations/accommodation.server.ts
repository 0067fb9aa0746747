/** Accommodations of students in exams: who grants them, and what they need. */
import { sql } from 'kysely'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { serveResource } from '#kit/server/resource/resource.ts'
import { examAccommodation } from './accommodation.contract.ts'
import { accommodationReasons, type AccommodationFacts, type WantedAccommodation } from './accommodation.rules.ts'

export const accommodationHandlers: readonly Handled[] = serveResource(examAccommodation, {
  scope: {
    faculty: (ctx) => (ids: readonly number[]) =>
      sql`exists (select from students s where s.id = t.student_id and ${studentReach(ctx, 's').faculty} = any(${[...ids]}::int[]))`,
  },
  search: [`(select s.search_text from students s where s.id = t.student_id)`],
  async beforeWrite(_ctx, tx, merged, current) {
    const { student_id, from_term_id, to_term_id = null } = merged as unknown as Record<string, number | null>
    merged.own_room ??= false
    // Two who grant something to one student at a time see each other.
    await sql`select from students where id = ${student_id} for no key update`.execute(tx)
    const { rows } = await sql<{
      id: number
      name: string
      name_local: string
      start_date: string
      end_date: string
    }>`select id, name, name_local, start_date::text, end_date::text from terms
      where id in (${from_term_id}, ${to_term_id}::int) and removed_at is null`.execute(tx)
    const from = rows.find((term) => term.id === from_term_id)
    const to = to_term_id === null ? null : rows.find((term) => term.id === to_term_id)
    if (!from) throw refuse(422, 'not_found', undefined, 'from_term_id')
    if (to === undefined) throw refuse(422, 'not_found', undefined, 'to_term_id')
    const { rows: others } = await sql<AccommodationFacts['others'][number]>`
      select f.name as from, f.name_local as from_local from exam_accommodations a join terms f on f.id = a.from_term_id
      where a.student_id = ${student_id} and a.removed_at is null and a.id is distinct from ${current?.id ?? null}::int
        and a.covers && daterange(${from.start_date}::date, ${to === null || to.end_date < from.start_date ? null : to.end_date}::date, '[]')
      order by f.start_date`.execute(tx)
    const wanted = merged as unknown as Partial<WantedAccommodation>
    const reasons = accommodationReasons(
      {
        extra_percent: wanted.extra_percent ?? null,
        own_room: wanted.own_room ?? false,
        helper: wanted.helper ?? null,
      },
      { from, to, others },
    )
    if (reasons.length) throw new Refusal(422, reasons)
  },
})
