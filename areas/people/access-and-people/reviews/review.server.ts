/** Reviews of rights: who confirms that somebody still needs what was given, row by row. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { asRefusal, parse, refuse, toProblem } from '#kit/server/base/errors.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { actorIn } from '#kit/server/base/actor.ts'
import { pagedList } from '#kit/server/resource/list.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { reachesAll, scopeCondition } from '#kit/server/base/scope.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { id as recordId } from '#kit/contract/index.ts'
import { z } from 'zod'
import { changeAccess, placeText, rightNamed, todayOf, wantedOf } from '../rights/access.server.ts'
import { userReach } from '../rights/people.server.ts'
import { DECISIONS, reviewCalls } from './review.contract.ts'
import type { Review, ReviewRow } from './review.contract.ts'

const PEOPLE = sql.raw('(select id, name, name_local, email as code from users)')
/** SQL: what is asked about in the row `t` is still given. */
const GIVEN = `case t.way when 'role' then exists (select from role_assignments a where a.id = t.grant_id and a.user_id = t.user_id and coalesce(a.valid_to >= university_today(), true))
  when 'entry' then exists (select from access_entries e where e.id = t.grant_id and e.user_id = t.user_id and coalesce(e.valid_to >= university_today(), true))
  when 'direct' then exists (select from user_permissions d where d.id = t.grant_id and d.user_id = t.user_id)
  else exists (select from users u where u.id = t.user_id and u.is_super_admin and u.removed_at is null) end`
const STATE = `coalesce(t.decision, case when ${GIVEN} then 'open' else 'gone' end)`
/** Rows about people whom the reader's right to review reaches. */
const within = (ctx: Ctx) => scopeCondition(ctx, 'review_rights', userReach('p'))
const counted = (ctx: Ctx) => sql`cross join lateral (
    select count(*)::int as rows, ${sql.join(
      DECISIONS.map(({ value }) => sql`count(*) filter (where ${sql.raw(STATE)} = ${value})::int as ${sql.ref(value)}`),
    )}
    from rights_review_rows t join users p on p.id = t.user_id where t.review_id = v.id and ${within(ctx)}) n`
const REVIEW = sql`v.id, v.name, v.name_local, v.until_date, v.closed_at, v.created_at, ${refOrNull('b')} as by,
  n.rows, n.open, n.confirmed, n.revoked, n.gone`

const list = handle(reviewCalls.listReviews, (ctx, { body }) =>
  pagedList<Review>(
    ctx,
    {
      from: sql`rights_reviews v left join ${PEOPLE} b on b.id = v.created_by ${counted(ctx)}`,
      select: REVIEW,
      where: [],
      search: ['fold_text(v.name || v.name_local)'],
      sort: { until_date: 'v.until_date', created_at: 'v.created_at' },
      neverNull: new Set(['until_date', 'created_at']),
      order: ['created_at', 'desc'],
      key: 'v.id',
    },
    body,
  ),
)

const get = handle(reviewCalls.getReview, async (ctx, { params: { id } }) => {
  const { rows } =
    await sql<Review>`select ${REVIEW} from rights_reviews v left join ${PEOPLE} b on b.id = v.created_by ${counted(ctx)}
    where v.id = ${id}`.execute(ctx.db)
  const [found] = rows
  if (!found) throw refuse(404, 'not_found')
  const open = found.closed_at === null
  return {
    data: {
      ...found,
      abilities: [
        ...(open ? (['decide'] as const) : []),
        ...(open && reachesAll(ctx, 'review_rights') ? (['close'] as const) : []),
      ],
    },
  }
})

const begin = handle(reviewCalls.beginReview, (ctx, { body }) => {
  if (!reachesAll(ctx, 'review_rights')) throw refuse(403, 'not_allowed')
  const actor = actorIn(ctx)
  return ctx.write(async (tx) => {
    if (body.until_date < (await todayOf(tx))) throw refuse(422, 'review_day', {}, 'until_date')
    const made = await sql<{ id: number }>`insert into rights_reviews (name, name_local, until_date, created_by)
      values (${body.name}, ${body.name_local}, ${body.until_date}, ${actor.user_id}) returning id`.execute(tx)
    const { id } = firstRow(made.rows)
    // Students and applicants have what comes with being one; what is over needs no review.
    const { rows } = await sql<{ n: number }>`
      with given as (
        select a.user_id, 'role' as way, a.id as grant_id, a.role_id, null as permission, a.scope_type, a.scope_id, a.valid_from, a.valid_to, a.created_at, a.created_by
        from role_assignments a join roles r on r.id = a.role_id and r.removed_at is null
        union all select e.user_id, 'entry', e.id, null, e.permission, e.scope_type, e.scope_id, e.valid_from, e.valid_to, e.created_at, e.created_by from access_entries e
        union all select d.user_id, 'direct', d.id, null, d.permission, null, null, null, null, d.created_at, d.created_by from user_permissions d
        union all select u.id, 'super', u.id, null, null, null, null, null, null, u.created_at, null from users u where u.is_super_admin),
      added as (
        insert into rights_review_rows (review_id, user_id, way, grant_id, role_id, permission, scope_type, scope_id, valid_from, valid_to, given_at, given_by)
        select ${id}::int, g.* from given g join users u on u.id = g.user_id and u.removed_at is null and u.type < 3
        where coalesce(g.valid_to >= university_today(), true) returning 1)
      select count(*)::int as n from added`.execute(tx)
    return { data: { id, rows: firstRow(rows).n } }
  })
})

const decisions = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat())
const rowsOf = handle(reviewCalls.reviewRows, async (ctx, { params: { id }, body }) => {
  const { rows } = await sql<{
    closed: boolean
  }>`select closed_at is not null as closed from rights_reviews where id = ${id}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  const { closed } = rows[0]
  const me = actorIn(ctx).user_id
  const answer = await pagedList<Omit<ReviewRow, 'abilities'>>(
    ctx,
    {
      from: sql`rights_review_rows t join users p on p.id = t.user_id left join roles r on r.id = t.role_id
        left join ${PEOPLE} g on g.id = t.given_by left join ${PEOPLE} d on d.id = t.decided_by`,
      select: sql`t.id, json_build_object('id', p.id, 'name', p.name, 'name_local', p.name_local, 'code', p.email) as "user", t.way,
        case when r.id is not null then json_build_object('id', r.id, 'name', r.name, 'name_local', r.name_local) end as role,
        t.permission, ${sql.raw(placeText('t'))} as scope, t.valid_from, t.valid_to, t.given_at as since, ${refOrNull('g')} as by,
        ${sql.raw(STATE)} as decision, ${refOrNull('d')} as decided_by, t.decided_at, t.note`,
      where: [sql`t.review_id = ${id}`, within(ctx)],
      search: ['p.search_text', 'r.search_text'],
      sort: {
        user: ctx.lang === 'ar' ? 'p.name_local collate "ar-x-icu"' : 'p.name',
        since: 't.given_at',
        decided_at: 't.decided_at',
      },
      neverNull: new Set(['user', 'since']),
      order: ['user', 'asc'],
      filters: {
        decision: (value) => sql`${sql.raw(STATE)} = any(${parse(decisions, value, ['filters', 'decision'])}::text[])`,
        faculty_id: (value) =>
          sql`exists (select from user_units x where x.user_id = t.user_id and x.unit = 'faculty' and x.unit_id = ${parse(recordId, value, ['filters', 'faculty_id'])})`,
      },
    },
    body,
  )
  const abilities = (row: Omit<ReviewRow, 'abilities'>): ReviewRow['abilities'] =>
    closed || row.user.id === me
      ? []
      : row.decision === 'open'
        ? ['confirm', 'revoke']
        : row.decision === 'confirmed'
          ? ['revoke', 'reopen']
          : []
  return { ...answer, data: answer.data.map((row) => ({ ...row, abilities: abilities(row) })) }
})

interface Line {
  id: number
  user_id: number
  way: ReviewRow['way']
  grant_id: number
  decision: string
  name: string
  permission: string | null
  role: string | null
  role_local: string | null
}
/** Takes what the row asks about from the person, by the rules of every change of rights, and tells him or her. */
async function revoke(ctx: Ctx, tx: Tx, row: Line, reason: string): Promise<void> {
  await changeAccess(
    ctx,
    row.user_id,
    (now) => {
      const all = wantedOf(now)
      const others = (one: { id?: number | undefined }) => one.id !== row.grant_id
      if (row.way === 'role') return { roles: all.roles.filter(others) }
      if (row.way === 'entry') return { access_entries: all.access_entries.filter(others) }
      return row.way === 'direct'
        ? { permissions: all.permissions.filter((key) => key !== row.permission) }
        : { is_super_admin: false }
    },
    { reason, access: 'review_rights' },
  )
  const [name, name_local] = row.permission
    ? rightNamed(row.permission)
    : row.role
      ? [row.role, row.role_local ?? row.role]
      : rightNamed('assign_super_admin')
  await notify(tx, [row.user_id], {
    key: 'access-and-people.notice_right_revoked',
    data: { what: name, what_local: name_local, area: 'permissions' },
    link: '/profile',
  })
}

const decide = handle(reviewCalls.decide, (ctx, { params: { id }, body }) => {
  const actor = actorIn(ctx)
  return ctx.write(
    async (tx) => {
      const reviews = await sql<{ name: string; closed: boolean }>`
        select name, closed_at is not null as closed from rights_reviews where id = ${id} for share`.execute(tx)
      const [review] = reviews.rows
      if (!review) throw refuse(404, 'not_found')
      if (review.closed) throw refuse(409, 'review_closed')
      const { rows } = await sql<Line>`
        select t.id, t.user_id, t.way, t.grant_id, p.name, t.permission, r.name as role, r.name_local as role_local, ${sql.raw(STATE)} as decision
        from rights_review_rows t join users p on p.id = t.user_id left join roles r on r.id = t.role_id
        where t.review_id = ${id} and t.id = any(${body.ids}::int[]) and ${within(ctx)} order by t.id for update of t`.execute(
        tx,
      )
      const found = new Map(rows.map((row) => [row.id, row]))
      const done: number[] = []
      const failed: { id: number; name?: string; errors: ReturnType<typeof toProblem>[] }[] = []
      const from =
        body.decision === 'reopen' ? ['confirmed'] : body.decision === 'confirm' ? ['open'] : ['open', 'confirmed']
      for (const one of new Set(body.ids)) {
        const row = found.get(one)
        try {
          if (!row) throw refuse(404, 'not_found')
          if (row.user_id === actor.user_id) throw refuse(403, 'review_own')
          if (!from.includes(row.decision)) throw refuse(409, 'review_decided')
          await ctx.attempt(async () => {
            if (body.decision === 'revoke') await revoke(ctx, tx, row, body.note?.trim() || review.name)
            const decided = body.decision === 'reopen' ? null : body.decision === 'confirm' ? 'confirmed' : 'revoked'
            await sql`update rights_review_rows set decision = ${decided}, decided_by = ${decided && actor.user_id},
              decided_at = ${decided ? sql`now()` : null}, note = ${decided ? (body.note ?? null) : null} where id = ${one}`.execute(
              tx,
            )
          })
          done.push(one)
        } catch (problem) {
          const refusal = asRefusal(problem)
          if (!refusal) throw problem
          failed.push({ id: one, ...(row && { name: row.name }), errors: refusal.reasons.map(toProblem) })
        }
      }
      return { done, failed }
    },
    body.note ? { reason: body.note } : {},
  )
})

const close = handle(reviewCalls.closeReview, (ctx, { params: { id } }) => {
  if (!reachesAll(ctx, 'review_rights')) throw refuse(403, 'not_allowed')
  return ctx.write(async (tx) => {
    const { rows } = await sql<{
      closed: boolean
    }>`select closed_at is not null as closed from rights_reviews where id = ${id} for update`.execute(tx)
    if (!rows[0]) throw refuse(404, 'not_found')
    if (rows[0].closed) throw refuse(409, 'review_closed')
    await sql`update rights_reviews set closed_at = now() where id = ${id}`.execute(tx)
    await tellOpen(tx, id)
    return { data: { id } }
  })
})

/** Tells those who review everywhere what of a review is not decided. Nothing is taken for that. */
async function tellOpen(tx: Tx, id: number): Promise<void> {
  const { rows } = await sql<{ name: string; name_local: string; open: number; people: number[] }>`
    select v.name, v.name_local, (select count(*)::int from rights_review_rows t where t.review_id = v.id and ${sql.raw(STATE)} = 'open') as open,
      array(select distinct u.id from rights_paths p join users u on u.id = p.user_id and u.removed_at is null and u.blocked_at is null
        where (p.permission = 'review_rights' and p.reach = 'scope' and p.scope_type is null and coalesce(p.valid_from <= university_today(), true)
          and coalesce(p.valid_to >= university_today(), true)) or u.id = v.created_by) as people
    from rights_reviews v where v.id = ${id}`.execute(tx)
  const [review] = rows
  if (!review?.open) return
  await notify(tx, review.people, {
    key: 'access-and-people.notice_review_open',
    data: { name: review.name, name_local: review.name_local, count: review.open },
    link: `/settings/rights/reviews/${id}`,
  })
}
/** The morning after the last day, once. */
export const tellReviews = defineJob({
  name: 'rights-reviews',
  cron: '20 5 * * *',
  retries: 2,
  run: (ctx, _payload: object) =>
    ctx.write(async (tx) => {
      const { rows } = await sql<{ id: number }>`update rights_reviews set told_at = now()
        where until_date < university_today() and closed_at is null and told_at is null returning id`.execute(tx)
      for (const { id } of rows) await tellOpen(tx, id)
      return { told: rows.length }
    }),
})

export const reviewWork: readonly WorkSource[] = [
  {
    permissions: ['review_rights'],
    waiting: (ctx) => sql`
      select 'access-and-people.work_reviews', jsonb_build_object('count', count(*), 'name', v.name, 'name_local', v.name_local),
        '/settings/rights/reviews/' || v.id, v.created_at, (v.until_date + time '23:59') at time zone university_zone()
      from rights_reviews v join rights_review_rows t on t.review_id = v.id and t.decision is null join users p on p.id = t.user_id
      where v.closed_at is null and ${sql.raw(GIVEN)} and p.id <> ${ctx.actor?.user_id ?? 0} and ${within(ctx)}
      group by v.id having count(*) > 0`,
  },
]

export const reviewHandlers: readonly Handled[] = [list, get, begin, rowsOf, decide, close]
