/** What an organisation sees and says by the link of a mail, without an account. Nothing else of a student is opened by it. */
import { firstRow } from '#db/rows.ts'
import type { Tx } from '#db/connect.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { addressLimit, attempt } from '#kit/server/identity/attempts.ts'
import { hashToken } from '#kit/server/identity/sessions.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { sql } from 'kysely'
import { checkOrganisationAssesses, TRAINING_LINK_DAYS } from '../places/training.rules.ts'
import { ENDS, STARTS } from '../students-trainings/facts.server.ts'
import { organisationLinkCalls as calls, type OrganisationSees } from './link.contract.ts'

interface Link {
  readonly ask_id: number
  /** Of all who ask for it or are in it; null: of one request alone. */
  readonly training_id: number | null
  readonly student_training_id: number | null
}
/** SQL: the link is about the request `t`. */
const ofLink = ({ training_id, student_training_id }: Link) =>
  sql`(t.training_id = ${training_id}::int or t.id = ${student_training_id}::int)`
const linkOf = async (db: Ctx['db'], token: string, held = false): Promise<Link | undefined> =>
  (
    await sql<Link>`select k.id as ask_id, k.training_id, k.student_training_id
      from training_links l join training_asks k on k.id = l.ask_id and k.ended_at is null
        left join trainings y on y.id = k.training_id and y.removed_at is null
        left join students_trainings p on p.id = k.student_training_id and p.removed_at is null
      where l.token_hash = ${hashToken(token)} and university_today() <= coalesce(y.ends_on, p.own_ends_on) + ${TRAINING_LINK_DAYS}::int
      ${held ? sql`for share of k` : sql``}`.execute(db)
  ).rows[0]

/** The question of a link that has not ended. Guessing is limited by address. @throws {Refusal} 403 `training_link_over` */
async function opened(ctx: Ctx, token: string): Promise<Link> {
  const succeeded = await attempt(ctx.pool, [addressLimit('training organisation', ctx.ip)])
  const link = await linkOf(ctx.db, token)
  if (!link) throw refuse(403, 'training_link_over')
  await succeeded()
  return link
}

async function seen(ctx: Ctx, link: Link): Promise<OrganisationSees> {
  const { rows } = await sql<Omit<OrganisationSees, 'university'>>`
    select json_build_object('name', g.name, 'name_local', g.name_local) as organisation,
      json_build_object('name', coalesce(y.name, p.own_organisation), 'name_local', coalesce(y.name_local, p.own_organisation)) as training,
      coalesce(y.starts_on, p.own_starts_on)::text as starts_on, coalesce(y.ends_on, p.own_ends_on)::text as ends_on, coalesce(y.places, 1) as places,
      case when p.id is null then (select coalesce(max(w.taken), 0)::int from training_week_counts(y.id) w)
        else (p.status in ('accepted', 'approved'))::int end as taken,
      (coalesce(y.ends_on, p.own_ends_on) + ${TRAINING_LINK_DAYS}::int)::text as until,
      coalesce((select json_agg(json_build_object('id', t.id, 'student', json_build_object('name', s.name, 'name_local', s.name_local),
          'starts_on', ${STARTS}, 'ends_on', ${ENDS}, 'has_cv', t.cv_file_id is not null,
          'answer', (select json_build_object('says', w.says, 'reason', w.reason) from training_answers w join training_asks k on k.id = w.ask_id
            where w.student_training_id = t.id and k.email = (select o.email from training_asks o where o.id = ${link.ask_id}) order by w.id desc limit 1)) order by s.name, t.id)
        from students_trainings t join students s on s.id = t.student_id
        where ${ofLink(link)} and t.removed_at is null and t.status = 'requested'), '[]') as waiting,
      coalesce((select json_agg(json_build_object('id', t.id, 'student', json_build_object('name', s.name, 'name_local', s.name_local),
          'starts_on', ${STARTS}, 'ends_on', ${ENDS}, 'begun', ${STARTS} <= university_today(),
          'assessment', (select json_build_object('score', m.score, 'text', m.text, 'visited_on', m.visited_on) from training_assessments m
            where m.student_training_id = t.id and m.source = 'organisation' order by m.id desc limit 1)) order by s.name, t.id)
        from students_trainings t join students s on s.id = t.student_id
        where ${ofLink(link)} and t.removed_at is null and t.status = 'accepted'), '[]') as placed
    from training_asks k left join trainings y on y.id = k.training_id left join students_trainings p on p.id = k.student_training_id
      join training_organisations g on g.id = coalesce(y.organisation_id, p.organisation_id) where k.id = ${link.ask_id}`.execute(
    ctx.db,
  )
  const { name, name_local } = await universityHead(ctx)
  return { university: { name, name_local }, ...firstRow(rows) }
}

/** Says something for the organisation in a unit of work, with the link and the request held. */
async function say(
  ctx: Ctx,
  { token, id, said_by }: { token: string; id: number; said_by: string },
  work: (
    system: Ctx,
    tx: Tx,
    of: { ask_id: number; status: string; starts_on: string; today: string },
  ) => Promise<void>,
): Promise<void> {
  const about = await opened(ctx, token)
  const system = asSystem(ctx.services, `The organisation answered: ${said_by}`, ctx.lang)
  await system.write(async (tx) => {
    const link = await linkOf(tx, token, true)
    // Taken back meanwhile.
    if (!link) throw refuse(403, 'training_link_over')
    await sql`select from students_trainings t where t.id = ${id} and ${ofLink(about)} for update`.execute(tx)
    const { rows } = await sql<{ status: string; starts_on: string; today: string }>`
      select t.status, ${STARTS}::text as starts_on, university_today()::text as today
      from students_trainings t left join trainings y on y.id = t.training_id
      where t.id = ${id} and ${ofLink(about)} and t.removed_at is null and t.status <> 'cancelled'`.execute(tx)
    if (!rows[0]) throw refuse(404, 'not_found')
    await work(system, tx, { ...rows[0], ask_id: link.ask_id })
    await tellOffice(tx, link)
  })
}

/** Who asked is told once, until he or she has looked. */
async function tellOffice(tx: Tx, { ask_id, training_id, student_training_id }: Link): Promise<void> {
  const link =
    training_id === null
      ? `/students-trainings?view=all&id=${student_training_id}`
      : `/trainings/overview/${training_id}`
  const { rows } = await sql<{ user_id: number; name: string; name_local: string }>`
    select k.asked_by as user_id, coalesce(y.name, p.own_organisation) as name, coalesce(y.name_local, p.own_organisation) as name_local
    from training_asks k left join trainings y on y.id = k.training_id left join students_trainings p on p.id = k.student_training_id
    where k.id = ${ask_id} and k.asked_by is not null and not exists (select from notifications n
      where n.user_id = k.asked_by and n.key = 'trainings.notice_organisation' and n.link = ${link} and n.read_at is null)`.execute(
    tx,
  )
  for (const { user_id, name, name_local } of rows)
    await notify(tx, [user_id], {
      key: 'trainings.notice_organisation',
      data: { what: name, what_local: name_local },
      link,
    })
}

export const organisationLinkHandlers: readonly Handled[] = [
  handle(calls.openAsOrganisation, async (ctx, { body: { token } }) => {
    const link = await opened(ctx, token)
    await asSystem(ctx.services, 'The organisation opened its link', ctx.lang).write((tx) =>
      sql`update training_asks set opened_at = now() where id = ${link.ask_id} and opened_at is null`.execute(tx),
    )
    return { data: await seen(ctx, link) }
  }),
  handle(calls.cvAsOrganisation, async (ctx, { body: { token, id } }) => {
    const about = await opened(ctx, token)
    const { rows } = await sql<{ file_id: number }>`select t.cv_file_id as file_id from students_trainings t
      where t.id = ${id} and ${ofLink(about)} and t.removed_at is null and t.status = 'requested' and t.cv_file_id is not null`.execute(
      ctx.db,
    )
    if (!rows[0]) throw refuse(404, 'not_found')
    const { content } = await ctx.services.files.read(rows[0].file_id)
    return { type: 'pdf' as const, name: 'CV.pdf', content }
  }),
  handle(calls.answerAsOrganisation, async (ctx, { body }) => {
    const { id, says, said_by } = body
    const reason = body.reason?.trim() || null
    if (!says && reason === null) throw refuse(422, 'training_answer_reason', undefined, 'reason')
    await say(ctx, body, async (_system, tx, { ask_id, status }) => {
      if (status !== 'requested') throw refuse(409, 'training_answered_late')
      await sql`insert into training_answers (student_training_id, ask_id, says, reason, said_by)
        values (${id}, ${ask_id}, ${says}, ${reason}, ${said_by})`.execute(tx)
    })
    return { data: null }
  }),
  handle(calls.assessAsOrganisation, async (ctx, { body }) => {
    const { id, score, text, visited_on = null, said_by } = body
    await say(ctx, body, async (_system, tx, of) => {
      const reasons = checkOrganisationAssesses({ ...of, visited_on })
      if (reasons.length) throw new Refusal(reasons[0]?.field ? 422 : 409, reasons)
      await sql`insert into training_assessments (student_training_id, source, score, text, visited_on, said_by)
        values (${id}, 'organisation', ${score}, ${text}, ${visited_on}::date, ${said_by})`.execute(tx)
    })
    return { data: null }
  }),
]
