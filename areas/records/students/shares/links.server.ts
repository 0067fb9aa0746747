/** Links by which somebody without an account opens what is shared, and the browser that has opened one. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { actorOf } from '#kit/server/identity/auth.ts'
import { addressLimit, attempt } from '#kit/server/identity/attempts.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { momentIn } from '#kit/server/mail/moment.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { asActor, requestContext } from '#kit/server/unit/request.ts'
import { cookie, cookieIn, hashToken, newToken } from '#kit/server/identity/sessions.ts'
import { universityHead } from '#kit/server/base/university.ts'
import type { Language } from '#kit/contract/index.ts'
import { shareCalls as calls } from './share.contract.ts'
import type { SharePart } from './share.contract.ts'
import { OPEN, shownOf } from './shown.server.ts'

/** Minutes for which the first link works, and one that is asked for later. */
const FIRST_MINUTES = 7 * 24 * 60
const LINK_MINUTES = 60
/** Minutes for which a browser sees what is shared, before a new link is needed. */
const VISIT_MINUTES = 8 * 60
/** Cookie of such a browser. It opens nothing else: no session of the university has this name. */
const VISIT = 'shared'

const secure = (ctx: Ctx): boolean => ctx.services.config.publicUrl.startsWith('https:')

/** Sends a link to an address, where something is shared with it. The token is made when the mail is written. */
export const sendShareLink = defineJob({
  name: 'send-share-link',
  retries: 5,
  async run(ctx, { email, share }: { email: string; share?: number }) {
    const { rows } = await sql<{
      id: number
      language: Language
      name: string
      student: string
      student_local: string
      last_day: string
    }>`
      select s.id, s.language, s.name, t.name as student, t.name_local as student_local, s.last_day::text as last_day
      from record_shares s join students t on t.id = s.student_id
      where s.email = ${email} and ${OPEN} and (${share ?? null}::int is null or s.id = ${share ?? null})
      order by s.id desc limit 1`.execute(ctx.db)
    const [found] = rows
    // Ended meanwhile, or nothing was ever shared: nobody is told.
    if (!found) return
    const { token, hash } = newToken()
    const minutes = share === undefined ? LINK_MINUTES : FIRST_MINUTES
    const { rows: kept } = await ctx.pool.query<{ expires_at: string }>(
      `insert into share_links (token_hash, email, expires_at) values ($1, $2, now() + make_interval(mins => $3))
       returning expires_at`,
      [hash, email, minutes],
    )
    const { language } = found
    const { name, name_local } = await universityHead(ctx)
    const days = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' })
    await ctx.services.mail.send({
      to: email,
      lang: language,
      key: share === undefined ? 'share_link' : 'share_given',
      data: {
        name: found.name,
        student: language === 'ar' ? found.student_local : found.student,
        university: language === 'ar' ? name_local : name,
        last_day: days.format(new Date(found.last_day)),
        until: momentIn(kept[0]!.expires_at, language),
        link: `${ctx.services.config.publicUrl}/shared?token=${token}`,
      },
    })
  },
})

const askLink = handle(calls.askLink, async (ctx, { body: { email } }) => {
  // Mails to one address are few, whoever asks for them; the answer is the same for every address.
  const key = `share link ${createHash('sha256').update(email).digest('base64url')}`
  await attempt(ctx.pool, [{ key, free: 5, longest: 900 }, addressLimit('share link', ctx.ip)])
  await ctx.write((tx) => ctx.services.jobs.send(tx, sendShareLink, { email }, { actor: null }))
  return { data: null }
})

const openLink = handle(calls.openLink, async (ctx, { body }) => {
  const succeeded = await attempt(ctx.pool, [addressLimit('share token', ctx.ip)])
  const { rows } = await ctx.pool.query<{ email: string }>(
    'delete from share_links where token_hash = $1 and expires_at > now() returning email',
    [hashToken(body.token)],
  )
  const email = rows[0]?.email
  if (email === undefined || (await openTo(ctx, email)).length === 0) throw refuse(403, 'share_link_over')
  await succeeded()
  const { token, hash } = newToken()
  const { rows: kept } = await ctx.pool.query<{ expires_at: string }>(
    `insert into share_visits (token_hash, email, expires_at) values ($1, $2, now() + make_interval(mins => $3))
     returning expires_at`,
    [hash, email, VISIT_MINUTES],
  )
  await ctx.services.security.write(asNobody(ctx), { kind: 'share', account: email, data: { change: 'opened' } })
  const expires = new Date(kept[0]!.expires_at)
  ctx.http?.reply.header('set-cookie', [cookie(VISIT, token, { secure: secure(ctx), host: true, expires })])
  return { data: null }
})

/** Who opens a link is nobody the university knows, whoever else is signed in in that browser. */
const asNobody = ({ services, lang, ip, request_id, http }: Ctx): Ctx =>
  requestContext(services, null, lang, ip, request_id, http)

/** The address for which this browser has opened a link. @throws {Refusal} 403 `share_closed` */
async function visitor(ctx: Ctx): Promise<string> {
  const token = cookieIn(ctx.http?.request.headers.cookie, VISIT, secure(ctx))
  if (!token) throw refuse(403, 'share_closed')
  const { rows } = await ctx.pool.query<{ email: string }>(
    'select email from share_visits where token_hash = $1 and expires_at > now()',
    [hashToken(token)],
  )
  if (!rows[0]) throw refuse(403, 'share_closed')
  return rows[0].email
}

interface OpenShare {
  id: number
  who: string
  parts: SharePart[]
  last_day: string
  student_id: number
  user_id: number
  name: string
  name_local: string
}
async function openTo(ctx: Ctx, email: string, id: number | null = null): Promise<OpenShare[]> {
  const { rows } = await sql<OpenShare>`
    select s.id, s.name as who, s.parts, s.last_day::text as last_day, t.id as student_id, t.user_id, t.name, t.name_local
    from record_shares s join students t on t.id = s.student_id and t.user_id is not null
    where s.email = ${email} and ${OPEN} and (${id}::int is null or s.id = ${id}) order by t.name, s.id`.execute(ctx.db)
  return rows
}

const sharedOne = handle(calls.sharedOne, async (ctx, { params: { id } }) => {
  const [share] = await openTo(ctx, await visitor(ctx), id)
  // As the student, and read only here: no more can be shown than the student sees.
  const actor =
    share && (await actorOf(ctx.services.pool, share.user_id, { impersonator_id: null, student_id: share.student_id }))
  if (!share || !actor) throw refuse(404, 'not_found')
  const data = await shownOf(asActor(ctx.services, actor, ctx.request_id, ctx.lang), share)
  ctx.services.security.note(
    asNobody(ctx),
    {
      kind: 'read',
      subject_id: share.user_id,
      record: { type: 'student', id: share.student_id },
      data: { share: share.id, guest: share.who },
    },
    `share ${share.id}`,
  )
  return { data }
})

const leaveShared = handle(calls.leaveShared, async (ctx) => {
  const token = cookieIn(ctx.http?.request.headers.cookie, VISIT, secure(ctx))
  if (token) await ctx.pool.query('delete from share_visits where token_hash = $1', [hashToken(token)])
  ctx.http?.reply.header('set-cookie', [cookie(VISIT, '', { secure: secure(ctx), host: true, expires: new Date(0) })])
  return { data: null }
})

export const shareLinkHandlers: readonly Handled[] = [
  askLink,
  openLink,
  leaveShared,
  handle(calls.shared, async (ctx) => ({
    data: (await openTo(ctx, await visitor(ctx))).map(({ id, name, name_local, last_day }) => ({
      id,
      name,
      name_local,
      last_day,
    })),
  })),
  sharedOne,
]
