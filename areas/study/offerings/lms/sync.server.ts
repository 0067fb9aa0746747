/** Offerings, teams and students brought to the learning platform: a job, one offering after the other, each with what came of it. */
import { sql } from 'kysely'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { offeringReach } from '#areas/common/academics/offering-reach.server.ts'
import { flag, loadMask } from '#areas/common/academics/status.rules.ts'
import type { Config } from '#kit/server/base/config.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { refuse, toProblem } from '#kit/server/base/errors.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { lmsCalls } from './lms.contract.ts'
import type { PlatformRow, RefusedThere, SyncResult } from './lms.contract.ts'
import { membersToMove, nameInTwo } from './lms.rules.ts'
import type { Role } from './lms.rules.ts'
import { moodlePlatform } from './moodle.server.ts'
import { PlatformDown, PlatformRefused } from './platform.server.ts'
import type { LearningPlatform, PersonThere } from './platform.server.ts'

/** The platform of this installation. @throws {Refusal} 409 `lms_none` */
function platformOf({ moodle }: Config): LearningPlatform {
  if (!moodle) throw refuse(409, 'lms_none')
  return moodlePlatform(moodle)
}

/** Who sits in the course, not who asks for a place in it. */
const SITS = (loadMask & ~(flag.RegisterRequest | flag.AddRequest)).toString()
/** After so many offerings in a row that the platform did not answer, it is away. */
const MOST_SILENT = 3

interface Source {
  id: number
  course: string
  code: string
  name: string
  term: string
  starts: string
  ends: string
  people: { code: string; name: string; email: string | null; role: Role }[]
}

/** An offering with who belongs in it; undefined: not within reach. */
async function sourceOf(ctx: Ctx, id: number): Promise<Source | undefined> {
  const { rows } = await sql<Source>`
    select t.id, c.code as course, t.code, c.name, m.code as term, m.start_date::text as starts, m.end_date::text as ends,
      coalesce((select json_agg(x order by x.role desc, x.code) from (
        select i.code, i.name, coalesce(u.email, i.email) as email, 'teacher' as role
        from offering_instructors oi join instructors i on i.id = oi.instructor_id left join users u on u.id = i.user_id
        where oi.offering_id = t.id and i.removed_at is null
        union all
        select s.code, s.name, coalesce(u.email, s.email), 'student'
        from registrations r join students s on s.id = r.student_id left join users u on u.id = s.user_id
        where r.offering_id = t.id and r.status & ${SITS}::bigint <> 0 and s.removed_at is null) x), '[]') as people
    from offerings t join courses c on c.id = t.course_id join terms m on m.id = t.term_id
    where t.id = ${id} and t.removed_at is null and ${scopeCondition(ctx, 'sync_lms', offeringReach(ctx))}`.execute(
    ctx.db,
  )
  return rows[0]
}

/** Addresses, of those that stand in a course there, that are of people of this university. */
async function oursAmong(ctx: Ctx, emails: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ email: string }>`
    select lower(email) as email from students where lower(email) = any(${[...emails]}::text[])
    union select lower(email) from instructors where lower(email) = any(${[...emails]}::text[])
    union select lower(email) from users where lower(email) = any(${[...emails]}::text[])`.execute(ctx.db)
  return new Set(rows.map(({ email }) => email))
}

const saidBy = (error: unknown): { code: string; data: Record<string, unknown> } | null =>
  error instanceof PlatformRefused
    ? { code: 'lms_refused', data: { said: error.message || error.code, error: error.code } }
    : error instanceof PlatformDown
      ? { code: 'lms_down', data: {} }
      : null

/** Brings one offering there. @throws {PlatformDown | PlatformRefused} about the course itself */
async function bring(
  ctx: Ctx,
  platform: LearningPlatform,
  source: Source,
): Promise<{ course: string; address: string; result: SyncResult }> {
  const course = await platform.course({
    key: `offering:${source.id}`,
    short: `${source.course}-${source.code}-${source.term}`,
    name: source.name,
    starts: source.starts,
    ends: source.ends,
  })
  const refused: RefusedThere[] = []
  const no = (who: string, code: string, data: Record<string, unknown> = {}) =>
    refused.push({ who, reason: toProblem({ code, data }) })
  const people: PersonThere[] = source.people.flatMap(({ code, name, email, role }) => {
    if (email)
      return [{ key: `${role === 'teacher' ? 'instructor' : 'student'}:${code}`, ...nameInTwo(name), email, role }]
    no(code, 'lms_no_email')
    return []
  })
  const accounts = new Map(await platform.accounts(people))
  let made = 0
  for (const person of people.filter(({ key }) => !accounts.has(key)))
    try {
      accounts.set(person.key, await platform.make(person))
      made++
    } catch (error) {
      if (!(error instanceof PlatformRefused)) throw error
      no(person.key.replace(/^\w+:/, ''), 'lms_refused', { said: error.message || error.code, error: error.code })
    }
  const members = await platform.members(course.id)
  const ours = await oursAmong(
    ctx,
    members.map(({ email }) => email),
  )
  const { enrol, remove } = membersToMove(people, accounts, members, ours)
  if (enrol.length) await platform.enrol(course.id, enrol)
  if (remove.length) await platform.remove(course.id, remove)
  return {
    course: course.id,
    address: course.address,
    result: { created: course.created, accounts: made, enrolled: enrol.length, removed: remove.length, refused },
  }
}

/** Takes an offering for this run, so that two do not make its course twice; false: another has it. */
const begin = async (ctx: Ctx, id: number): Promise<boolean> =>
  ctx.write(async (tx) => {
    const { rows } = await sql`insert into offering_platforms (offering_id, begun_at) values (${id}, now())
      on conflict (offering_id) do update set begun_at = now()
        where offering_platforms.begun_at is null or offering_platforms.begun_at < now() - interval '10 minutes'
      returning offering_id`.execute(tx)
    return rows.length > 0
  })

interface Report {
  offerings: number
  synced: number
  partly: number
  failed: number
}

export const lmsJob = defineJob<{ ids: number[] }, Report>({
  name: 'learning-platform',
  async run(ctx, { ids }, progress) {
    const platform = platformOf(ctx.services.config)
    const report: Report = { offerings: ids.length, synced: 0, partly: 0, failed: 0 }
    let silent = 0
    for (const [i, id] of ids.entries()) {
      await progress(Math.floor((i * 100) / ids.length))
      const source = await sourceOf(ctx, id)
      if (!source || !(await begin(ctx, id))) continue
      let done: Awaited<ReturnType<typeof bring>> | null = null
      let result: SyncResult
      try {
        done = await bring(ctx, platform, source)
        result = done.result
        silent = 0
      } catch (error) {
        const reason = saidBy(error)
        if (!reason) throw error
        silent = error instanceof PlatformDown ? silent + 1 : 0
        result = {
          created: false,
          accounts: 0,
          enrolled: 0,
          removed: 0,
          refused: [{ who: null, reason: toProblem(reason) }],
        }
      }
      const state = !done ? 'failed' : result.refused.length ? 'partly' : 'synced'
      report[state]++
      await ctx.write((tx) =>
        sql`update offering_platforms set begun_at = null, finished_at = now(), state = ${state}, result = ${JSON.stringify(result)}::jsonb,
          course = coalesce(${done?.course ?? null}, course), address = coalesce(${done?.address ?? null}, address)
          where offering_id = ${id}`.execute(tx),
      )
      if (silent >= MOST_SILENT) throw refuse(503, 'lms_down')
    }
    return report
  },
})

const send = (ctx: Ctx, ids: number[]) =>
  ctx.write(async (tx) => ({
    data: {
      job_id: await ctx.services.jobs.send(tx, lmsJob, { ids }, { actor: ctx.actor, lang: ctx.lang }),
      offerings: ids.length,
    },
  }))

export const lmsHandlers: readonly Handled[] = [
  handle(lmsCalls.sync, async (ctx, { params: { id } }) => {
    platformOf(ctx.services.config)
    if (!(await sourceOf(ctx, id))) throw refuse(404, 'not_found')
    return send(ctx, [id])
  }),
  handle(lmsCalls.syncAll, async (ctx) => {
    platformOf(ctx.services.config)
    const { rows } = await sql<{ id: number }>`select t.id from offerings t
      where t.term_id = ${currentTermId()} and t.removed_at is null and ${scopeCondition(ctx, 'sync_lms', offeringReach(ctx))}
      order by t.id`.execute(ctx.db)
    if (!rows.length) throw refuse(409, 'lms_no_offerings')
    return send(
      ctx,
      rows.map(({ id }) => id),
    )
  }),
  handle(lmsCalls.state, async (ctx, { query: { offering_id } }) => {
    const { moodle } = ctx.services.config
    const { rows } = await sql<PlatformRow>`
      select json_build_object('id', t.id, 'code', t.code, 'name', c.name, 'name_local', c.name_local, 'course', ${ref('c')}) as offering, p.state, p.finished_at, p.address, p.result,
        (select count(*)::int from registrations r where r.offering_id = t.id and r.status & ${SITS}::bigint <> 0) as students
      from offerings t join courses c on c.id = t.course_id left join offering_platforms p on p.offering_id = t.id
      where t.removed_at is null and ${offering_id === undefined ? sql`t.term_id = ${currentTermId()}` : sql`t.id = ${offering_id}`}
        and ${scopeCondition(ctx, 'sync_lms', offeringReach(ctx))}
      order by array_position(array['failed', 'partly'], p.state), c.code, t.code limit 5000`.execute(ctx.db)
    return {
      data: { platform: moodle ? { name: moodlePlatform(moodle).name, url: moodle.url } : null, offerings: rows },
    }
  }),
]
