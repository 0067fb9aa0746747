import { sql } from 'kysely'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { actorIn } from '#kit/server/base/actor.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { timeline } from './timeline.contract.ts'
import type { Spell } from './timeline.contract.ts'

interface TermRow {
  term: { id: number; name: string; name_local: string; code: string; start_date: string; end_date: string }
  terms: { id: number; name: string; name_local: string; code: string }[]
}

export const timelineHandler: Handled = handle(timeline, async (ctx, { query }) => {
  const { student_id } = actorIn(ctx)
  const { rows } = await sql<TermRow>`
    select json_build_object('id', t.id, 'name', t.name, 'name_local', t.name_local, 'code', t.code,
        'start_date', t.start_date, 'end_date', t.end_date) as term,
      (select json_agg(${ref('o')} order by o.start_date) from terms o where o.year_id = t.year_id and o.removed_at is null) as terms
    from terms t where t.removed_at is null and t.id = ${query.term_id ?? currentTermId()}`.execute(ctx.db)
  const [found] = rows
  if (!found && query.term_id !== undefined) throw refuse(404, 'not_found')
  const { rows: clock } = await sql<{ now: string }>`select now() as now`.execute(ctx.db)
  const now = clock[0]!.now
  if (!found) return { data: { term: null, terms: [], spells: [], now } }

  // Staff see windows of the groups that their right reaches; a student those of the groups he or she is in; everybody
  // those of all students.
  const within = scopeCondition(ctx, 'access_stage', {
    faculty: sql`g.faculty_id`,
    bylaw: sql`g.bylaw_id`,
    program: sql`g.program_id`,
  })
  const own = student_id
    ? sql`exists (select from students st where st.id = ${student_id} and coalesce(st.faculty_id = g.faculty_id, true)
        and coalesce(st.bylaw_id = g.bylaw_id, true) and coalesce(st.program_id = g.program_id, true) and coalesce(st.level = g.level, true))`
    : sql`false`
  const { rows: spells } = await sql<Spell>`
    select s.id, json_build_object('name', c.name, 'name_local', c.name_local) as what,
      case when g.id is not null then ${ref('g')} end as "group", s.starts_at, s.ends_at, ${ctx.can('access_stage')}::boolean as opens
    from term_stages s join stage_codes c on c.id = s.stage_code_id left join stage_groups g on g.id = s.stage_group_id
    where s.term_id = ${found.term.id} and s.removed_at is null and (g.id is null or ${within} or ${own})
    order by g.id is not null, g.name, g.id, s.starts_at, s.id`.execute(ctx.db)
  return { data: { term: found.term, terms: found.terms, spells, now } }
})
