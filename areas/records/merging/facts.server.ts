/** What a merge looks at: both records with their accounts, and what of theirs does not go together. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { covers, rightsOf } from '#access/rights.server.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { scopeNamed } from '#kit/server/base/registry.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { flag, loadMask } from '#areas/common/academics/status.rules.ts'
import type { MergeKind } from './merge.contract.ts'
import { NO_COLLISIONS } from './merge.rules.ts'
import type { MergeSide, Collisions } from './merge.rules.ts'
import { TABLES } from './pointers.rules.ts'

type Queries = Db | Tx

/** A candidate with what the screen calls it. */
export interface MergeFacts extends MergeSide {
  readonly name: string
  readonly name_local: string
  readonly shown: string | null
  readonly version: number
}

/** How far somebody may merge: records within reach of the right, as their own resource is bound to the university. */
export const mergeReach = (ctx: Ctx, kind: MergeKind): RawBuilder<unknown> =>
  scopeCondition(ctx, 'merge_people', scopeNamed(kind)?.(ctx) ?? {})

const ACCOUNT = { student: sql`t.user_id`, instructor: sql`t.user_id`, user: sql`t.id` } as const

interface Raw {
  id: number
  code: string | null
  name: string
  name_local: string
  version: number
  removed: boolean
  blocked: boolean
  on_hold: boolean
  account_id: number | null
  account_type: number | null
  in_directory: boolean
  signs: string[]
  bears: ('student' | 'instructor')[]
  studies: { id: number; program_id: number }[]
}

/** The two records within reach. @throws {Refusal} 422 `merge_same_record`; 404 where one is not there for who asks */
export async function candidates(
  ctx: Ctx,
  db: Queries,
  kind: MergeKind,
  keep_id: number,
  merge_id: number,
): Promise<[kept: MergeFacts, merged: MergeFacts]> {
  if (keep_id === merge_id) throw refuse(422, 'merge_same_record', {}, 'merge_id')
  const { rows } = await sql<Raw>`
    select t.id, ${kind === 'user' ? sql`t.email` : sql`t.code`} as code, t.name, t.name_local, t.version, t.removed_at is not null as removed,
      ${kind === 'student' ? sql`t.blocked_at is not null or ` : sql``}coalesce(u.blocked_at is not null, false) as blocked,
      exists (select from legal_holds h where h.user_id = u.id and h.ended_at is null) as on_hold,
      u.id as account_id, u.type as account_type,
      exists (select from scim_people p where p.user_id = u.id and p.deleted_at is null) as in_directory,
      array(select p.title from signing_positions p where p.user_id = u.id order by p.chain, p.position) as signs,
      array(select 'student' from students s where s.user_id = u.id and s.removed_at is null
        union all select 'instructor' from instructors i where i.user_id = u.id and i.removed_at is null) as bears,
      coalesce((select json_agg(json_build_object('id', s.id, 'program_id', s.program_id) order by s.id) from students s
        where s.removed_at is null and (s.user_id = u.id ${kind === 'student' ? sql`or s.id = t.id` : sql``})), '[]') as studies
    from ${sql.table(TABLES[kind])} t left join users u on u.id = ${ACCOUNT[kind]}
    where t.id = any(${[keep_id, merge_id]}::int[]) and ${mergeReach(ctx, kind)}`.execute(db)
  const out: MergeFacts[] = []
  for (const id of [keep_id, merge_id]) {
    const row = rows.find((one) => one.id === id)
    if (!row) throw refuse(404, 'not_found')
    const { actor } = ctx
    const { code, ...rest } = row
    out.push({
      ...rest,
      code: code ?? row.name,
      shown: code,
      own: isOwn(ctx, kind, row),
      above:
        row.account_id !== null &&
        actor !== null &&
        !actor.is_root &&
        !covers(actor.rights, await rightsOf(db, row.account_id)),
    })
  }
  return out as [MergeFacts, MergeFacts]
}

function isOwn({ actor }: Ctx, kind: MergeKind, { id, account_id }: Raw): boolean {
  if (!actor) return false
  return (
    (account_id !== null && (account_id === actor.user_id || account_id === actor.impersonator_id)) ||
    (kind === 'student' && id === actor.student_id) ||
    (kind === 'instructor' && id === actor.instructor_id)
  )
}

/** Whose hours and meetings weigh on the term. */
const LOADED = String(loadMask)
const DROPPED = String(flag.Dropped)

/** What of two records of a kind does not go together. */
export async function collisions(db: Queries, kind: MergeKind, keep_id: number, merge_id: number): Promise<Collisions> {
  if (kind === 'user') return NO_COLLISIONS
  const asked = kind === 'student' ? studentCollisions(keep_id, merge_id) : instructorCollisions(keep_id, merge_id)
  const { rows } = await asked.execute(db)
  return { ...NO_COLLISIONS, ...rows[0] }
}

const studentCollisions = (a: number, b: number) => sql<Partial<Collisions>>`
  with theirs as (
    select r.*, r.student_id = ${a}::int as kept, c.code, t.code as term from registrations r
      join courses c on c.id = r.course_id join terms t on t.id = r.term_id
    where r.student_id = any(${[a, b]}::int[])),
  meetings as (
    select r.kept, r.id, r.term_id, r.code, s.day, p.start_time, p.end_time from theirs r
      join registration_slots rs on rs.registration_id = r.id join offering_slots s on s.id = rs.offering_slot_id
      join slots p on p.id = s.slot_id
    where r.status & ${sql.raw(LOADED)} <> 0),
  load as (
    select r.term_id, r.term, sum(r.credit_hours)::float8 as hours from theirs r
    where r.status & ${sql.raw(LOADED)} <> 0 group by 1, 2 having bool_or(r.kept) and bool_or(not r.kept))
  select
    array(select distinct k.code || ' (' || k.term || ')' from theirs k join theirs m on not m.kept and k.term_id = m.term_id and k.course_id = m.course_id
      where k.kept and m.status & ${sql.raw(DROPPED)} = 0 order by 1) as courses,
    array(select t.code from student_terms k join student_terms m on m.term_id = k.term_id and m.student_id = ${b}::int join terms t on t.id = k.term_id
      where k.student_id = ${a}::int order by t.start_date) as terms,
    array(select y.code from student_years k join student_years m on m.year_id = k.year_id and m.student_id = ${b}::int join years y on y.id = k.year_id
      where k.student_id = ${a}::int order by y.start_date) as years,
    array(select distinct k.code from theirs k join theirs m on not m.kept and k.course_id = m.course_id and k.term_id <> m.term_id
      where k.kept and k.letter <> m.letter order by 1) as results,
    array(select distinct k.code || ' – ' || m.code from meetings k join meetings m on not m.kept and k.term_id = m.term_id and k.day = m.day
      and k.start_time < m.end_time and m.start_time < k.end_time where k.kept order by 1) as clashes,
    coalesce((select json_agg(json_build_object('term', x.term, 'hours', x.hours, 'most', x.most) order by x.term) from (
      select l.term, l.hours, max(case when t.term_type = 'summer' then g.max_summer_ch_value else g.max_ch_value end)::float8 as most
      from load l join terms t on t.id = l.term_id join students s on s.id = ${a}::int join load_ranges g on g.bylaw_id = s.bylaw_id
      where t.end_date >= university_today() group by 1, 2) x where x.hours > x.most), '[]') as loads,
    case when exists (select from former_studies x where x.student_id = ${b}::int) or exists (select from course_credits x where x.student_id = ${b}::int)
        or exists (select from internal_transfers x where x.student_id = ${b}::int and x.status in ('added', 'agreed', 'executed'))
        or exists (select from external_transfers x where x.student_id = ${b}::int and x.status <> 'deleted')
        or exists (select from transfers_out x where x.student_id = ${b}::int and x.status in ('requested', 'approved')) then 'merged'
      when exists (select from former_studies x where x.student_id = ${a}::int) and exists (select from theirs m where not m.kept) then 'kept' end as transferred,
    (select json_build_object('from', mb.code, 'into', kb.code) from students k join students m on m.id = ${b}::int
      join bylaws kb on kb.id = k.bylaw_id join bylaws mb on mb.id = m.bylaw_id
      where k.id = ${a}::int and k.bylaw_id <> m.bylaw_id
        and (exists (select from registrations r where r.student_id = m.id) or exists (select from student_terms x where x.student_id = m.id)
          or exists (select from student_years x where x.student_id = m.id))) as bylaw`

const instructorCollisions = (a: number, b: number) => sql<Partial<Collisions>>`
  with meetings as (
    select i.instructor_id = ${a}::int as kept, s.id, s.term_id, s.day, p.start_time, p.end_time, c.code from offering_slot_instructors i
      join offering_slots s on s.id = i.offering_slot_id join offerings o on o.id = s.offering_id join courses c on c.id = o.course_id
      join terms t on t.id = s.term_id join slots p on p.id = s.slot_id
    where i.instructor_id = any(${[a, b]}::int[]) and o.removed_at is null and t.end_date >= university_today())
  select
    array(select distinct k.code || ' – ' || m.code from meetings k join meetings m on not m.kept and k.term_id = m.term_id and k.day = m.day
      and k.id <> m.id and k.start_time < m.end_time and m.start_time < k.end_time where k.kept order by 1) as teaching,
    (select json_build_object('count', x.count, 'most', x.most) from (
      select (select count(*)::int from students s where s.advisor_id = any(${[a, b]}::int[]) and s.removed_at is null and s.status = 'studying') as count,
        k.max_advised as most from instructors k where k.id = ${a}::int) x
      where x.count > x.most and exists (select from students s where s.advisor_id = ${b}::int)) as advised`
