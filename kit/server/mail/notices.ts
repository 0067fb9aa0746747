import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { LANGUAGES } from '#kit/contract/index.ts'
import type { Area, Language } from '#kit/contract/index.ts'
import { noticeCalls } from '#kit/contract/notices.ts'
import type { Notice, NoticePreference } from '#kit/contract/notices.ts'
import { addressLimit, attempt } from '../identity/attempts.ts'
import { actorIn } from '../base/actor.ts'
import { handle } from '../base/context.ts'
import type { Actor, Ctx, Handled } from '../base/context.ts'
import { refuse } from '../base/errors.ts'
import { defineJob } from '../jobs/jobs.ts'
import { noticeText, noticeTitle, ownTexts } from './notice-texts.ts'
import { declaredNotices } from './notifications.ts'
import { secretOf } from '../base/secrets.ts'
import { universityHead } from '../base/university.ts'

// --- Mails at once --------------------------------------------------------------------------------------------------

/** Seconds to wait after the n-th failure; after the last the mail is given up. */
const WAITS = [60, 300, 1800, 7200, 21_600, 86_400]

interface Waiting {
  id: number
  user_id: number
  key: string
  data: Record<string, unknown>
  link: string | null
  failures: number
}
interface Reader {
  id: number
  name: string
  name_local: string
  email: string
  language: Language | null
}
const READER = `u.id, u.name, u.name_local, u.email, u.language`
/** Who can be written to. */
const WRITABLE = `u.email is not null and u.removed_at is null and u.blocked_at is null`

const frameOf = async (ctx: Ctx, reader: Reader) => {
  const lang = reader.language ?? 'ar'
  const head = await universityHead(ctx)
  return {
    lang,
    data: {
      name: lang === 'ar' ? reader.name_local : reader.name,
      university: lang === 'ar' ? head.name_local : head.name,
      preferences: `${ctx.services.config.publicUrl}/profile/notices`,
    },
  }
}

/** Hands the next mail to the mail server; false when none waits. Whoever else does the same takes another one. */
async function sendNext(ctx: Ctx): Promise<boolean> {
  let failed: { id: number; failures: number; error: unknown } | undefined
  const found = await ctx.write(async (tx) => {
    const { rows } = await sql<Waiting>`
      select id, user_id, key, data, link, failures from notice_mails
      where sent_at is null and way = 'now' and next_at <= now() order by next_at, id limit 1 for update skip locked`.execute(
      tx,
    )
    const [mail] = rows
    if (!mail) return false
    const { rows: readers } = await sql<Reader>`select ${sql.raw(READER)} from users u
      where u.id = ${mail.user_id} and ${sql.raw(WRITABLE)}`.execute(tx)
    const [reader] = readers
    const declared = declaredNotices.get(mail.key)
    if (reader && declared) {
      const { lang, data } = await frameOf(ctx, reader)
      const own = (await ownTexts(ctx.pool, [mail.key], lang)).get(mail.key)
      const stop = declared.notice.mail === 'always' ? undefined : await stopAddress(ctx, reader.id, mail.key)
      try {
        await ctx.services.mail.send({
          to: reader.email,
          lang,
          key: stop ? 'notice' : 'notice_always',
          id: `notice-${mail.id}`,
          data: {
            ...data,
            title: noticeTitle(mail.key, mail.data, lang, own),
            text: noticeText(mail.key, mail.data, lang, own),
            link: `${ctx.services.config.publicUrl}${mail.link ?? '/'}`,
            ...(stop && { stop }),
          },
          ...(stop && { unsubscribe: stop }),
        })
      } catch (error) {
        failed = { id: mail.id, failures: mail.failures, error }
        const wait = WAITS[mail.failures]
        await sql`update notice_mails set failures = failures + 1,
          next_at = ${wait === undefined ? null : sql`now() + make_interval(secs => ${wait})`} where id = ${mail.id}`.execute(
          tx,
        )
        return true
      }
    }
    await sql`update notice_mails set sent_at = now() where id = ${mail.id}`.execute(tx)
    return true
  })
  if (failed && failed.failures >= WAITS.length) throw failed.error
  return found
}

/** Sends what waits, one mail a transaction: what was handed over is never sent again by another process. */
export const noticeMails = defineJob({
  name: 'notice-mails',
  cron: '* * * * *',
  async run(ctx, _payload: object, progress) {
    while (!progress.signal.aborted && (await sendNext(ctx))) continue
  },
})

// --- The daily summary ----------------------------------------------------------------------------------------------

/** Sends the summary of the next person whose hour has come; false when there is none. */
async function sendDigest(ctx: Ctx): Promise<boolean> {
  return ctx.write(async (tx) => {
    const { rows } = await sql<Reader>`
      select ${sql.raw(READER)} from users u left join digests d on d.user_id = u.id
      where ${sql.raw(WRITABLE)} and exists (select from notice_mails m where m.user_id = u.id and m.way = 'digest' and m.sent_at is null)
        and extract(hour from now() at time zone university_zone()) >= coalesce(d.hour, 7)
        and d.sent_on is distinct from (now() at time zone university_zone())::date
      order by u.id limit 1 for update of u skip locked`.execute(tx)
    const [reader] = rows
    if (!reader) return false
    await sql`insert into digests (user_id, sent_on) values (${reader.id}, (now() at time zone university_zone())::date)
      on conflict (user_id) do update set sent_on = excluded.sent_on`.execute(tx)
    const { rows: mails } = await sql<Waiting>`
      update notice_mails set sent_at = now() where user_id = ${reader.id} and way = 'digest' and sent_at is null
      returning id, user_id, key, data, link, failures`.execute(tx)
    const { lang, data } = await frameOf(ctx, reader)
    const own = await ownTexts(
      ctx.pool,
      mails.map(({ key }) => key),
      lang,
    )
    const lines = mails
      .toSorted((a, b) => a.id - b.id)
      .filter(({ key }) => declaredNotices.has(key))
      .map((mail) => {
        const text = `• ${noticeText(mail.key, mail.data, lang, own.get(mail.key))}`
        return mail.link ? `${text}\n${ctx.services.config.publicUrl}${mail.link}` : text
      })
    if (lines.length)
      await ctx.services.mail.send({
        to: reader.email,
        lang,
        key: 'digest',
        id: `digest-${reader.id}-${mails.at(-1)!.id}`,
        data: { ...data, lines: lines.join('\n') },
      })
    return true
  })
}

/** Once a day, in each person's morning and language: what was not worth a mail of its own. */
export const digestMails = defineJob({
  name: 'notice-digests',
  cron: '4,34 * * * *',
  retries: 3,
  async run(ctx, _payload: object, progress) {
    while (!progress.signal.aborted && (await sendDigest(ctx))) continue
  },
})

// --- Preferences ----------------------------------------------------------------------------------------------------

const signed = (key: Buffer, about: string): string => createHmac('sha256', key).update(about).digest('base64url')

/** Page on which a reader stops mails of a kind without signing in. */
async function stopAddress(ctx: Ctx, user: number, notice: string): Promise<string> {
  const about = `${user}.${notice}`
  return `${ctx.services.config.publicUrl}/notices/stop/${signed(await secretOf(ctx, 'notice_stop'), about)}.${about}`
}

const ofReader = (actor: Actor) =>
  [...declaredNotices].filter(([, { notice }]) => notice.audience.includes(actor.type) && !hidden(notice))
/** Nothing about it can be chosen, and nobody is to wonder. */
const hidden = ({ app, mail }: Notice): boolean => app === 'always' && mail === 'never'

async function preferences(ctx: Ctx, actor: Actor): Promise<{ data: NoticePreference[]; digest_hour: number }> {
  const { rows } = await ctx.pool.query<{
    kept: { key: string; app: boolean; mail: NoticePreference['mail'] }[]
    hour: number
  }>(
    `select coalesce((select json_agg(json_build_object('key', p.key, 'app', p.app, 'mail', p.mail)) from notice_preferences p where p.user_id = $1), '[]') as kept,
       coalesce((select hour from digests where user_id = $1), 7)::int as hour`,
    [actor.user_id],
  )
  const kept = new Map(firstRow(rows).kept.map((one) => [one.key, one]))
  return {
    data: ofReader(actor).map(([key, { notice, area, group }]) => {
      const fixed = { app: notice.app === 'always', mail: notice.mail === 'always' || notice.mail === 'never' }
      const own = kept.get(key)
      const initial = notice.mail === 'always' ? 'now' : notice.mail === 'never' ? 'off' : notice.mail
      return {
        key,
        group,
        area,
        title: { name: notice.title[0], name_local: notice.title[1] },
        app: fixed.app || (own?.app ?? true),
        mail: fixed.mail ? initial : (own?.mail ?? initial),
        fixed,
      }
    }),
    digest_hour: firstRow(rows).hour,
  }
}

const keep = (tx: Tx, user: number, key: string, app: boolean, mail: string) =>
  sql`insert into notice_preferences (user_id, key, app, mail) values (${user}, ${key}, ${app}, ${mail})
    on conflict (user_id, key) do update set app = excluded.app, mail = excluded.mail`.execute(tx)

export const noticeHandlers: readonly Handled[] = [
  handle(noticeCalls.noticePreferences, (ctx) => preferences(ctx, actorIn(ctx))),
  handle(noticeCalls.saveNoticePreferences, async (ctx, { body }) => {
    const actor = actorIn(ctx)
    const offered = new Map((await preferences(ctx, actor)).data.map((one) => [one.key, one]))
    const reasons = body.preferences.flatMap(({ key, app, mail }, i) => {
      const one = offered.get(key)
      if (!one) return [{ field: `preferences.${i}.key`, code: 'not_a_choice' }]
      return (one.fixed.app && !app) || (one.fixed.mail && mail !== one.mail)
        ? [{ field: `preferences.${i}`, code: 'notice_fixed' }]
        : []
    })
    const [first] = reasons
    if (first) throw refuse(422, first.code, {}, first.field)
    await ctx.write(async (tx) => {
      for (const { key, app, mail } of body.preferences) await keep(tx, actor.user_id, key, app, mail)
      if (body.digest_hour !== undefined)
        await sql`insert into digests (user_id, hour) values (${actor.user_id}, ${body.digest_hour})
          on conflict (user_id) do update set hour = excluded.hour`.execute(tx)
    })
    return preferences(ctx, actor)
  }),
  handle(noticeCalls.stopNoticeMails, async (ctx, { params: { token } }) => {
    const right = await attempt(ctx.services.pool, [addressLimit('notice stop', ctx.ip)])
    const [, signature = '', user = '', key = ''] = /^([\w-]{43})\.(\d{1,10})\.([\w.-]+)$/.exec(token) ?? []
    const wanted = Buffer.from(signed(await secretOf(ctx, 'notice_stop'), `${user}.${key}`))
    const given = Buffer.from(signature)
    const declared = declaredNotices.get(key)
    if (
      given.length !== wanted.length ||
      !timingSafeEqual(given, wanted) ||
      !declared ||
      declared.notice.mail === 'always'
    )
      throw refuse(404, 'not_found')
    await right()
    await ctx.write(async (tx) => {
      await sql`insert into notice_preferences (user_id, key, app, mail)
        select id, ${key}, true, 'off' from users where id = ${Number(user)}
        on conflict (user_id, key) do update set mail = 'off'`.execute(tx)
    })
    const { title } = declared.notice
    return { data: { area: declared.area, title: { name: title[0], name_local: title[1] } } }
  }),
]

/** Every language has the text of every declared notice. @throws {Error} where one is missing */
export function checkNotices({ name, notices }: Area): void {
  for (const key of Object.keys(notices)) for (const lang of LANGUAGES) noticeText(`${name}.${key}`, {}, lang)
}
