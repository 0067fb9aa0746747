/** Duties of interns: drawn, judged, published, and shown to whom they concern. */
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { addDays } from '#kit/contract/day.ts'
import { inLanguage } from '#kit/contract/index.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import { nameIn } from '#kit/server/base/fields.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { writeCalendar, type CalendarEvent } from '#kit/server/calendar/ical.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { sql, type RawBuilder } from 'kysely'
import { trainingOfDuties } from '../reach.server.ts'
import { drawRoster } from './draw.rules.ts'
import { drawnFrom, judgedDuties, KIND } from './facts.server.ts'
import { giveHandlers } from './give.server.ts'
import { heldRoster, reachedDuties } from './held.server.ts'
import { judgeDuties, judgeNeeds, type JudgedNeed } from './judge.rules.ts'
import { dutyKind, rosterCalls as calls, type DutyBoard, type OwnDuties } from './roster.contract.ts'

/** Days of one roster at most, and of what one board shows. */
const MOST_DAYS = 92

const dutyKinds = workings(dutyKind, {
  scope: {
    faculty: () =>
      sql`(select y.faculty_id from emtyaz_trainings x join emtyaz_years y on y.id = x.year_id where x.id = t.training_id)`,
  },
  async beforeWrite(_ctx, tx, merged, current) {
    if (merged.from_time === merged.to_time) throw refuse(422, 'duty_kind_times', undefined, 'to_time')
    if (!current || (current.from_time === merged.from_time && current.to_time === merged.to_time)) return
    await refuseUsed(tx, current.id, 'duty_kind_used')
  },
  beforeRemove: (_ctx, tx, id) => refuseUsed(tx, id, 'duty_kind_used'),
})
async function refuseUsed(tx: Tx, id: number, code: string): Promise<void> {
  await sql`select from duty_kinds where id = ${id} for update`.execute(tx)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from duty_shifts where kind_id = ${id}
    and day >= university_today()`.execute(tx)
  if (firstRow(rows).count > 0) throw refuse(409, code, { count: firstRow(rows).count })
}

/** What the judge finds in a roster: duties with too few or too many, and what is wrong with those that stand. */
async function problemsOf(db: Db | Tx, roster: number): Promise<Reason[]> {
  const { rows } = await sql<{ students: number[]; from: string; until: string; needs: JudgedNeed[] }>`
    select o.starts_on::text as from, o.ends_on::text as until, array(select distinct student_id from duty_shifts where roster_id = o.id) as students,
      coalesce((select json_agg(json_build_object('kind', json_build_object('name', k.name, 'name_local', k.name_local), 'day', d.day::date,
          'wanted', k.interns, 'has', (select count(*) from duty_shifts x where x.roster_id = o.id and x.kind_id = k.id and x.day = d.day::date)) order by d.day, k.id)
        from duty_kinds k, generate_series(o.starts_on, o.ends_on, interval '1 day') as d (day)
        where k.training_id = o.training_id and k.removed_at is null), '[]') as needs
    from duty_rosters o where o.id = ${roster}`.execute(db)
  const { students, from, until, needs } = firstRow(rows)
  return [...judgeNeeds(needs), ...judgeDuties(await judgedDuties(db, students, from, until))]
}

async function draw(ctx: Ctx, training: number, starts_on: string, ends_on: string, seed: number) {
  if (ends_on < starts_on || addDays(starts_on, MOST_DAYS - 1) < ends_on)
    throw refuse(422, 'duty_roster_days', { days: MOST_DAYS }, 'ends_on')
  return ctx.write(async (tx) => {
    await reachedDuties(ctx, tx, training, 'plan_roster', true)
    const { rows: there } = await sql<{ id: number; status: string; same: boolean; from: string; until: string }>`
      select id, status, starts_on = ${starts_on}::date and ends_on = ${ends_on}::date as same, starts_on::text as from, ends_on::text as until
      from duty_rosters where training_id = ${training} and removed_at is null and daterange(starts_on, ends_on, '[]') && daterange(${starts_on}::date, ${ends_on}::date, '[]')
      order by starts_on for update`.execute(tx)
    const [other] = there.filter(({ status, same }) => status === 'published' || !same)
    if (other) throw refuse(409, 'duty_roster_twice', { from: other.from, until: other.until })
    // Interns in another training's roster of these days wait until that one is drawn.
    await sql`select from students where id in (select r.student_id from emtyaz_rotations r where r.training_id = ${training} and r.removed_at is null
      and r.status = 'accepted' and r.starts_on <= ${ends_on}::date and r.ends_on >= ${starts_on}::date) order by id for no key update`.execute(
      tx,
    )
    for (const { id } of there)
      await sql`update duty_rosters set removed_at = now(), version = version + 1 where id = ${id}`.execute(tx)
    await sql`delete from duty_shifts where roster_id = any(${there.map(({ id }) => id)}::int[])`.execute(tx)
    const { needs, people } = await drawnFrom(tx, training, starts_on, ends_on, sql`select 0`)
    if (!needs.length) throw refuse(409, 'duty_no_kinds')
    if (!people.length) throw refuse(409, 'duty_nobody')
    const result = drawRoster(needs, people, seed)
    const { rows } = await sql<{ id: number }>`insert into duty_rosters (training_id, starts_on, ends_on)
      values (${training}, ${starts_on}::date, ${ends_on}::date) returning id`.execute(tx)
    const { id } = firstRow(rows)
    const by = new Map(needs.map((need) => [need.key, need]))
    await sql`insert into duty_shifts (roster_id, kind_id, student_id, day, starts_at, ends_at, rests_until)
      select ${id}, k.id, x.person, x.day, duty_starts(x.day, k.from_time), duty_ends(x.day, k.from_time, k.to_time),
        duty_ends(x.day, k.from_time, k.to_time) + interval '11 hours'
      from jsonb_to_recordset(${JSON.stringify(
        result.drawn.map(({ key, person }) => ({ kind: by.get(key)!.kind_id, day: by.get(key)!.day, person })),
      )}::jsonb) as x (kind int, day date, person int) join duty_kinds k on k.id = x.kind order by x.day, k.id`.execute(
      tx,
    )
    const { rows: kinds } = await sql<{
      id: number
      name: string
      name_local: string
    }>`select id, name, name_local from duty_kinds
      where training_id = ${training}`.execute(tx)
    const problems = [
      // Why a duty stays open: how many are there, and how many of them rest.
      ...result.unfilled.map(({ key, missing, there: present, resting }) => {
        const { kind_id, day } = by.get(key)!
        const kind = kinds.find((one) => one.id === kind_id)
        return {
          code: 'duty_not_filled',
          data: { duty: kind?.name, duty_local: kind?.name_local, day, missing, there: present, resting },
        }
      }),
      ...(await problemsOf(tx, id)).filter(({ code }) => code !== 'duty_unfilled'),
    ]
    return { data: { id, drawn: result.drawn.length, problems: problems.map(toProblem) } }
  })
}

const PUBLISHED = sql.raw(
  `exists (select from duty_rosters o where o.id = d.roster_id and o.status = 'published' and o.removed_at is null)`,
)
const COUNTS = `count(*)::int as all, count(*) filter (where k.part = 'night')::int as nights,
  count(*) filter (where extract(dow from d.day) in (5, 6))::int as weekends`
const SUPERVISORS = `coalesce((select json_agg(json_build_object('id', n.id, 'name', n.name, 'name_local', n.name_local, 'code', n.code) order by n.name)
  from duty_supervisors v join instructors n on n.id = v.instructor_id where v.kind_id = d.kind_id and v.day = d.day), '[]')`

async function board(ctx: Ctx, id: number, from?: string, until?: string): Promise<DutyBoard> {
  await reachedDuties(ctx, ctx.db, id, 'access_roster')
  const { rows } = await sql<DutyBoard>`
    with w as (select coalesce(${from ?? null}::date, university_today() - 7) as a),
      z as (select a, least(coalesce(${until ?? null}::date, a + 34), a + ${MOST_DAYS - 1}::int) as b from w),
      shown as (select d.*, k.part from duty_shifts d join duty_kinds k on k.id = d.kind_id join duty_rosters o on o.id = d.roster_id, z
        where k.training_id = ${id} and d.day between z.a and z.b and (o.status = 'published' or ${plans(ctx, sql`k.training_id`)}))
    select ${ref('x')} as training, z.a::text as from, z.b::text as until, ${plans(ctx, sql`x.id`)} as plans,
      coalesce((select json_agg(${sql.raw(KIND)} order by k.from_time, k.id) from duty_kinds k where k.training_id = x.id
        and (k.removed_at is null or exists (select from shown where kind_id = k.id))), '[]') as kinds,
      coalesce((select json_agg(json_build_object('id', o.id, 'version', o.version, 'starts_on', o.starts_on, 'ends_on', o.ends_on, 'status', o.status,
          'problems', '[]'::json) order by o.starts_on) from duty_rosters o where o.training_id = x.id and o.removed_at is null
          and o.starts_on <= z.b and o.ends_on >= z.a and (o.status = 'published' or ${plans(ctx, sql`x.id`)})), '[]') as rosters,
      coalesce((select json_agg(json_build_object('id', d.id, 'kind_id', d.kind_id, 'day', d.day, 'student', ${ref('s')}, 'night', d.part = 'night')
          order by d.day, d.starts_at, s.name) from shown d join students s on s.id = d.student_id), '[]') as shifts,
      coalesce((select json_agg(json_build_object('kind_id', v.kind_id, 'day', v.day, 'instructor', ${ref('n')}) order by v.day, n.name)
        from duty_supervisors v join duty_kinds k on k.id = v.kind_id join instructors n on n.id = v.instructor_id
        where k.training_id = x.id and v.day between z.a and z.b), '[]') as supervisors,
      coalesce((select json_agg(json_build_object('student', ${ref('s')}, 'all', b.all, 'nights', b.nights, 'weekends', b.weekends) order by s.name)
        from (select d.student_id, count(*) as all, count(*) filter (where d.part = 'night') as nights,
            count(*) filter (where extract(dow from d.day) in (5, 6)) as weekends from shown d group by d.student_id) b
          join students s on s.id = b.student_id), '[]') as burden,
      coalesce((select json_agg(distinct jsonb_build_object('id', n.id, 'name', n.name, 'name_local', n.name_local, 'code', n.code))
        from emtyaz_training_instructors m join instructors n on n.id = m.instructor_id where m.training_id = x.id
          and m.starts_on <= z.b and m.ends_on >= z.a), '[]') as instructors
    from z, emtyaz_trainings x where x.id = ${id}`.execute(ctx.db)
  const found = firstRow(rows)
  const rosters = []
  for (const one of found.rosters)
    rosters.push({
      ...one,
      problems: found.plans ? (await problemsOf(ctx.db, one.id)).slice(0, 50).map(toProblem) : [],
    })
  return { ...found, rosters }
}
/** SQL: the reader plans the duties of the training. */
const plans = (ctx: Ctx, of: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from emtyaz_trainings t where t.id = ${of} and ${scopeCondition(ctx, 'plan_roster', trainingOfDuties(ctx))})`

async function ownDuties(ctx: Ctx): Promise<OwnDuties> {
  const student = ctx.actor?.student_id ?? null
  const { rows } = await sql<OwnDuties>`
    select university_today()::text as today,
      coalesce((select json_agg(json_build_object('id', d.id, 'training', ${ref('x')}, 'kind', ${sql.raw(KIND)}, 'day', d.day, 'starts_at', d.starts_at,
          'ends_at', d.ends_at, 'supervisors', ${sql.raw(SUPERVISORS)}) order by d.starts_at)
        from duty_shifts d join duty_kinds k on k.id = d.kind_id join emtyaz_trainings x on x.id = k.training_id
        where d.student_id = ${student}::int and ${PUBLISHED} and d.day >= university_today() - 60), '[]') as shifts,
      c.all, c.nights, c.weekends,
      coalesce((select json_agg(w.day order by w.day) from duty_wishes w where w.student_id = ${student}::int and w.day >= university_today()), '[]') as wishes
    from (select ${sql.raw(COUNTS)} from duty_shifts d join duty_kinds k on k.id = d.kind_id
      where d.student_id = ${student}::int and ${PUBLISHED}) c`.execute(ctx.db)
  return firstRow(rows)
}

/** Duties of a student as calendars of other programs read them, and what they are made of as one short text. */
export async function dutyEvents(
  ctx: Ctx,
  student_id: number,
  lang: 'ar' | 'en',
): Promise<{ mark: string; events: CalendarEvent[] }> {
  const { rows } = await sql<{
    id: number
    version: number
    kind: { name: string; name_local: string }
    training: { name: string; name_local: string }
    from: string
    until: string
  }>`
    select d.id, d.version, json_build_object('name', k.name, 'name_local', k.name_local) as kind,
      json_build_object('name', x.name, 'name_local', x.name_local) as training,
      to_char(d.starts_at at time zone university_zone(), 'YYYY-MM-DD"T"HH24:MI') as from,
      to_char(d.ends_at at time zone university_zone(), 'YYYY-MM-DD"T"HH24:MI') as until
    from duty_shifts d join duty_kinds k on k.id = d.kind_id join emtyaz_trainings x on x.id = k.training_id
    where d.student_id = ${student_id} and ${PUBLISHED} and d.day >= university_today() - 60 order by d.starts_at`.execute(
    ctx.db,
  )
  const host = new URL(ctx.services.config.publicUrl).hostname
  return {
    mark: rows.length ? JSON.stringify(rows) : '',
    events: rows.map((one) => ({
      uid: `duty-${one.id}@${host}`,
      sequence: one.version,
      start: one.from,
      end: one.until,
      summary: `${inLanguage(['Duty', 'نوبتجية'], lang)} · ${nameIn(one.kind, lang)}`,
      location: nameIn(one.training, lang),
    })),
  }
}

async function tellPublished(tx: Tx, roster: number): Promise<void> {
  const { rows } = await sql<{
    users: number[]
    students: number[]
    training: string
    training_local: string
    from: string
    until: string
  }>`
    select array(select distinct s.user_id from duty_shifts d join students s on s.id = d.student_id where d.roster_id = o.id and s.user_id is not null) as users,
      array(select distinct d.student_id from duty_shifts d where d.roster_id = o.id) as students,
      x.name as training, x.name_local as training_local, o.starts_on::text as from, o.ends_on::text as until
    from duty_rosters o join emtyaz_trainings x on x.id = o.training_id where o.id = ${roster}`.execute(tx)
  const { users, students, ...data } = firstRow(rows)
  if (users.length)
    await notify(tx, users, { key: 'logbook.notice_roster', data, link: '/emtyaz/duties', records: students })
}

export const rosterHandlers: readonly Handled[] = [
  ...dutyKinds.handlers,
  handle(calls.own, async (ctx) => ({ data: await ownDuties(ctx) })),
  handle(calls.calendar, async (ctx) => {
    const lang = ctx.lang === 'ar' ? 'ar' : 'en'
    const { events } = await dutyEvents(ctx, ctx.actor?.student_id ?? 0, lang)
    const { rows } = await sql<{ zone: string }>`select university_zone() as zone`.execute(ctx.db)
    return {
      name: 'duties.ics',
      type: 'ics',
      content: writeCalendar({
        name: inLanguage(['Duties', 'النوبتجيات'], lang),
        zone: firstRow(rows).zone,
        stamp: new Date(),
        events,
      }),
    }
  }),
  handle(calls.ofIntern, async (ctx, { params: { id } }) => {
    const { rows } = await sql<{ all: number; nights: number; weekends: number }>`
      select ${sql.raw(COUNTS)} from emtyaz_interns i left join (duty_shifts d join duty_kinds k on k.id = d.kind_id
          join emtyaz_trainings x on x.id = k.training_id join duty_rosters o on o.id = d.roster_id and o.status = 'published' and o.removed_at is null)
        on d.student_id = i.student_id and x.year_id = i.year_id
      where i.id = ${id} and i.removed_at is null and exists (select from students s where s.id = i.student_id
        and ${scopeCondition(ctx, 'access_roster', {
          ...studentReach(ctx, 's'),
          supervised: sql`exists (select from emtyaz_rotations r
          join emtyaz_training_instructors m on m.training_id = r.training_id where r.student_id = s.id and m.instructor_id = ${ctx.actor?.instructor_id ?? null}::int)`,
        })})
      group by i.id`.execute(ctx.db)
    if (!rows[0]) throw refuse(404, 'not_found')
    return { data: rows[0] }
  }),
  handle(calls.trainings, async (ctx) => {
    const { rows } = await sql<{
      id: number
      name: string
      name_local: string
      code: string
      kinds: number
      draft: number
      swaps: number
    }>`
      select x.* from (
        select t.id, t.name, t.name_local, t.code,
        (select count(*)::int from duty_kinds k where k.training_id = t.id and k.removed_at is null) as kinds,
        (select count(*)::int from duty_rosters o where o.training_id = t.id and o.status = 'draft' and o.removed_at is null and ${scopeCondition(ctx, 'plan_roster', trainingOfDuties(ctx))}) as draft,
        (select count(*)::int from duty_swaps w where w.training_id = t.id and w.status = 'agreed' and w.removed_at is null and ${scopeCondition(ctx, 'approve_dutySwap', trainingOfDuties(ctx))}) as swaps
      from emtyaz_trainings t join emtyaz_years y on y.id = t.year_id
      where t.removed_at is null and not y.is_closed and ${scopeCondition(ctx, 'access_roster', trainingOfDuties(ctx))}) x
      order by x.kinds = 0, x.name, x.id`.execute(ctx.db)
    return { data: rows }
  }),
  handle(calls.board, async (ctx, { params: { id }, query: { from, until } }) => ({
    data: await board(ctx, id, from, until),
  })),
  handle(calls.draw, (ctx, { params: { id }, body: { starts_on, ends_on, seed } }) =>
    draw(ctx, id, starts_on, ends_on, seed ?? 1),
  ),
  handle(calls.publish, (ctx, { params: { id }, body: { version } }) =>
    ctx.write(async (tx) => {
      const of = await heldRoster(ctx, tx, id, version)
      if (of.status === 'published') throw refuse(409, 'duty_published')
      // What is not filled is published with what is open; what breaks a rule is not.
      const wrong = (await problemsOf(tx, id)).filter(({ code }) => code !== 'duty_unfilled')
      if (wrong.length) throw new Refusal(409, wrong)
      await sql`update duty_rosters set status = 'published', published_at = now(), version = version + 1 where id = ${id}`.execute(
        tx,
      )
      await tellPublished(tx, id)
      return { data: { id } }
    }),
  ),
  handle(calls.withdraw, (ctx, { params: { id }, body: { reason, version } }) =>
    ctx.write(
      async (tx) => {
        const of = await heldRoster(ctx, tx, id, version)
        if (of.status !== 'published') throw refuse(409, 'duty_not_published')
        const { rows } =
          await sql`select from duty_shifts where roster_id = ${id} and day < university_today() limit 1`.execute(tx)
        if (rows.length) throw refuse(409, 'duty_roster_begun')
        await sql`update duty_rosters set status = 'draft', published_at = null, version = version + 1 where id = ${id}`.execute(
          tx,
        )
        await sql`update duty_swaps w set status = 'cancelled', version = version + 1 from duty_shifts d
          where d.roster_id = ${id} and w.shift_id = d.id and w.status in ('requested', 'agreed')`.execute(tx)
        return { data: { id } }
      },
      { reason },
    ),
  ),
  handle(calls.remove, (ctx, { params: { id } }) =>
    ctx.write(async (tx) => {
      const of = await heldRoster(ctx, tx, id)
      if (of.status === 'published') throw refuse(409, 'duty_published')
      await sql`delete from duty_shifts where roster_id = ${id}`.execute(tx)
      await sql`update duty_rosters set removed_at = now(), version = version + 1 where id = ${id}`.execute(tx)
      return { data: { id } }
    }),
  ),
  ...giveHandlers,
  handle(calls.supervise, (ctx, { params: { id }, body: { day, instructor_ids } }) =>
    ctx.write(async (tx) => {
      const { rows } = await sql<{
        training_id: number
      }>`select training_id from duty_kinds where id = ${id} and removed_at is null`.execute(tx)
      if (!rows[0]) throw refuse(404, 'not_found')
      await reachedDuties(ctx, tx, rows[0].training_id, 'plan_roster', true)
      const { rows: good } = await sql<{
        n: number
      }>`select count(distinct m.instructor_id)::int as n from emtyaz_training_instructors m
        where m.training_id = ${rows[0].training_id} and m.instructor_id = any(${instructor_ids}::int[]) and ${day}::date between m.starts_on and m.ends_on`.execute(
        tx,
      )
      if (firstRow(good).n < new Set(instructor_ids).size)
        throw refuse(409, 'duty_no_supervisor', undefined, 'instructor_ids')
      await sql`delete from duty_supervisors where kind_id = ${id} and day = ${day}::date and instructor_id <> all(${instructor_ids}::int[])`.execute(
        tx,
      )
      await sql`insert into duty_supervisors (kind_id, day, instructor_id) select ${id}, ${day}::date, x from unnest(${instructor_ids}::int[]) x
        on conflict do nothing`.execute(tx)
      return { data: { id } }
    }),
  ),
  handle(calls.wishes, (ctx, { body: { days } }) =>
    ctx.write(async (tx) => {
      const student = ctx.actor?.student_id ?? null
      const { rows } =
        await sql`select from emtyaz_interns i where i.student_id = ${student}::int and i.removed_at is null order by i.id
        for no key update`.execute(tx)
      if (student === null || !rows.length) throw refuse(403, 'logbook_no_intern')
      await sql`delete from duty_wishes where student_id = ${student} and day >= university_today()`.execute(tx)
      const { rows: kept } = await sql<{ day: string }>`insert into duty_wishes (student_id, day)
        select ${student}, d from unnest(${days}::date[]) d where d >= university_today() and d < university_today() + 400
        on conflict do nothing returning day::text`.execute(tx)
      return { data: { days: kept.map(({ day }) => day).sort() } }
    }),
  ),
]
