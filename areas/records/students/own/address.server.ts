/** The e-mail address that a student gives as the own one: it is written once somebody has opened the link sent there. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { addressLimit, attempt } from '#kit/server/identity/attempts.ts'
import { actorOf } from '#kit/server/identity/auth.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { asActor } from '#kit/server/unit/request.ts'
import { hashToken, newToken } from '#kit/server/identity/sessions.ts'
import { universityHead } from '#kit/server/base/university.ts'
import type { Language } from '#kit/contract/index.ts'
import { students } from '../student/student.server.ts'
import { addressCalls as calls } from './address.contract.ts'

/** Hours for which a link works. */
const HOURS = 24

/**
 * Writes to an address that waits: the link to whom it is nobody's, and to whom it is somebody's that it was asked for. What
 * the one who asks is told is the same, and as fast.
 */
export const sendAddressLink = defineJob({
  name: 'send-address-link',
  retries: 5,
  async run(ctx, { student_id }: { student_id: number }) {
    const { rows } = await sql<{ email: string; language: Language; name: string; name_local: string; taken: boolean }>`
      select a.email, a.language, t.name, t.name_local,
        exists (select from users u where lower(u.email) = lower(a.email) and u.removed_at is null and u.id <> a.user_id)
          or exists (select from students s where lower(s.email) = lower(a.email) and s.removed_at is null
            and s.id <> t.id and s.user_id is distinct from t.user_id)
          or exists (select from instructors i where lower(i.email) = lower(a.email) and i.removed_at is null
            and i.user_id is distinct from t.user_id) as taken
      from student_addresses a join students t on t.id = a.student_id and t.removed_at is null
      where a.student_id = ${student_id} and a.expires_at > now()`.execute(ctx.db)
    const [found] = rows
    // Taken back meanwhile.
    if (!found) return
    const { token, hash } = newToken()
    const { email, language, taken } = found
    if (!taken) {
      const { rowCount } = await ctx.pool.query(
        'update student_addresses set token_hash = $2 where student_id = $1 and email = $3',
        [student_id, hash, email],
      )
      if (!rowCount) return
    }
    const head = await universityHead(ctx)
    await ctx.services.mail.send({
      to: email,
      lang: language,
      key: taken ? 'address_taken' : 'address_link',
      data: {
        university: language === 'ar' ? head.name_local : head.name,
        // Whose address it is already learns of no student.
        ...(!taken && {
          name: language === 'ar' ? found.name_local : found.name,
          hours: HOURS,
          link: `${ctx.services.config.publicUrl}/address?token=${token}`,
        }),
      },
    })
  },
})

/** An address that waits to be confirmed, as its record shows it. */
export async function waitingAddress(db: Db | Tx, student_id: number): Promise<string | null> {
  const { rows } = await sql<{ email: string }>`
    select email from student_addresses where student_id = ${student_id} and expires_at > now()`.execute(db)
  return rows[0]?.email ?? null
}

/** Whether an address is another than the record and the account of its student have: those need no proof. */
export async function isNewAddress(ctx: Ctx, student_id: number, email: string): Promise<boolean> {
  const { rows } = await sql`select from students t left join users u on u.id = t.user_id
    where t.id = ${student_id} and lower(${email}) in (lower(t.email), lower(u.email))`.execute(ctx.db)
  return rows.length === 0
}

/** Mails to one address and by one person are few, whoever asks and whatever comes of it. */
export const limitAddresses = (ctx: Ctx, student_id: number, email: string): Promise<unknown> =>
  attempt(ctx.pool, [
    { key: `address of student ${student_id}`, free: 5, longest: 900 },
    { key: `address ${createHash('sha256').update(email.toLowerCase()).digest('base64url')}`, free: 5, longest: 900 },
  ])

/** Keeps an address that a student gives until it is confirmed, in place of another that waits; `null`: none waits any more. */
export async function askAddress(ctx: Ctx, tx: Tx, student_id: number, email: string | null): Promise<void> {
  if (email === null) {
    await sql`delete from student_addresses where student_id = ${student_id}`.execute(tx)
    return
  }
  await sql`insert into student_addresses (student_id, user_id, impersonator_id, email, language, expires_at)
    values (${student_id}, ${ctx.actor!.user_id}, ${ctx.actor!.impersonator_id}, ${email}, ${ctx.lang}, now() + make_interval(hours => ${HOURS}))
    on conflict (student_id) do update set user_id = excluded.user_id, impersonator_id = excluded.impersonator_id, email = excluded.email, language = excluded.language,
      token_hash = null, expires_at = excluded.expires_at`.execute(tx)
  await ctx.services.jobs.send(tx, sendAddressLink, { student_id }, { actor: null })
}

export const addressHandlers: readonly Handled[] = [
  handle(calls.confirmAddress, async (ctx, { body: { token } }) => {
    const right = await attempt(ctx.pool, [addressLimit('address token', ctx.ip)])
    const { rows } = await ctx.pool.query<{ student_id: number; user_id: number; impersonator_id: number | null }>(
      'select student_id, user_id, impersonator_id from student_addresses where token_hash = $1 and expires_at > now()',
      [hashToken(token)],
    )
    const [asked] = rows
    const actor = asked && (await actorOf(ctx.services.pool, asked.user_id, asked))
    if (!actor || actor.student_id !== asked.student_id) throw refuse(403, 'address_link_over')
    await right()
    const own = asActor(ctx.services, actor, ctx.request_id, ctx.lang)
    await own.write(async (tx) => {
      // Two who open it at the same moment: one of them does it.
      const { rows: kept } = await sql<{ email: string }>`
        delete from student_addresses where token_hash = ${hashToken(token)} and expires_at > now() returning email`.execute(
        tx,
      )
      if (!kept[0]) throw refuse(403, 'address_link_over')
      // Somebody else's by now: the database says so, to whom the mailbox is.
      await students.update(own, tx, asked.student_id, { email: kept[0].email }, 'access_student')
    })
    return { data: null }
  }),
]
