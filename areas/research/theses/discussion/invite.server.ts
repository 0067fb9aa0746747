/** The discussion as a calendar, and the mails that take it to external examiners: they have no account here. */
import type { Db, Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { writeCalendar } from '#kit/server/calendar/ical.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { sql } from 'kysely'

interface Discussed {
  readonly thesis_id: number
  readonly start: string
  readonly end: string
  readonly title: string
  readonly title_local: string
  readonly language: 'ar' | 'en'
  readonly room: string
  readonly zone: string
  readonly at: string
  readonly sequence: number
  readonly off: boolean
  readonly over: boolean
}
/** A discussion, and how often it was set anew before. */
const DISCUSSED = sql`d.thesis_id, to_char(lower(d.during) at time zone university_zone(), 'YYYY-MM-DD"T"HH24:MI') as start,
  to_char(upper(d.during) at time zone university_zone(), 'YYYY-MM-DD"T"HH24:MI') as end, t.title, t.title_local, t.language, l.code as room,
  university_zone() as zone, coalesce(d.cancelled_at, d.created_at) as at, d.cancelled_at is not null as off, d.result is not null as over,
  (select count(*) + count(o.cancelled_at) - 1 from thesis_discussions o where o.thesis_id = d.thesis_id and o.id <= d.id)::int as sequence`
const OF = sql`from thesis_discussions d join theses t on t.id = d.thesis_id join locations l on l.id = d.location_id`

/** What is scheduled of a thesis; null: nothing. */
export async function scheduledOf(db: Db | Tx, thesis_id: number): Promise<Discussed | null> {
  const { rows } = await sql<Discussed>`select ${DISCUSSED} ${OF}
    where d.thesis_id = ${thesis_id} and d.cancelled_at is null order by d.id desc limit 1`.execute(db)
  return rows[0] ?? null
}
/** One event for a thesis, however often it is moved: a calendar that has it puts the later one in its place. */
export const discussionCalendar = (of: Discussed, lang: string): Uint8Array => {
  const summary = lang === 'ar' ? of.title_local : of.title
  return writeCalendar({
    name: summary,
    zone: of.zone,
    stamp: new Date(of.at),
    events: [
      {
        uid: `thesis-discussion-of-${of.thesis_id}`,
        sequence: of.sequence,
        start: of.start,
        end: of.end,
        summary,
        location: of.room,
        ...(of.off && { cancelled: true }),
      },
    ],
  })
}

/** Repeated while the mail server refuses it. What was called off or moved meanwhile is not told as if it stood. */
export const examinerMailJob = defineJob<
  { readonly discussion_id: number; readonly examiner_id: number; readonly off: boolean },
  { readonly sent: boolean }
>({
  name: 'thesis-examiner-mail',
  retries: 20,
  async run(ctx, { discussion_id, examiner_id, off }) {
    const { rows } = await sql<Discussed & { email: string | null; name: string; name_local: string; moved: boolean }>`
      select ${DISCUSSED}, x.email, x.name, x.name_local,
        exists (select from thesis_discussions o where o.thesis_id = d.thesis_id and o.id > d.id and o.cancelled_at is null) as moved
      ${OF} join external_examiners x on x.id = ${examiner_id} and x.removed_at is null where d.id = ${discussion_id}`.execute(
      ctx.db,
    )
    const [of] = rows
    if (!of || of.email === null || of.off !== off || of.over || of.moved) return { sent: false }
    const head = await universityHead(ctx)
    // The language in which the thesis is written is one that its examiners read.
    const arabic = of.language === 'ar'
    await ctx.services.mail.send({
      to: of.email,
      lang: of.language,
      key: off ? 'thesis_discussion_off' : 'thesis_discussion',
      id: `thesis-discussion-${discussion_id}-${examiner_id}-${off ? 'off' : 'on'}`,
      data: {
        name: arabic ? of.name_local : of.name,
        university: arabic ? head.name_local : head.name,
        title: arabic ? of.title_local : of.title,
        // Before the hour and the minute.
        day: of.start.slice(0, -6),
        from: of.start.slice(11),
        until: of.end.slice(11),
        room: of.room,
      },
      attachments: [{ filename: 'discussion.ics', content: Buffer.from(discussionCalendar(of, of.language)) }],
    })
    return { sent: true }
  },
})

/** Writes to the external examiners of a discussion, and to those who supervise from elsewhere, once it is committed. */
export async function mailExaminers(
  ctx: Ctx,
  tx: Tx,
  { id, discussion_id, off }: { id: number; discussion_id: number; off: boolean },
): Promise<void> {
  const { rows } = await sql<{ examiner_id: number }>`
    select m.examiner_id from thesis_members m join external_examiners x on x.id = m.examiner_id and x.email is not null
    where m.thesis_id = ${id} and m.until_date is null and m.job in ('leader', 'member', 'committee') order by m.examiner_id`.execute(
    tx,
  )
  for (const { examiner_id } of rows)
    await ctx.services.jobs.send(tx, examinerMailJob, { discussion_id, examiner_id, off }, { actor: null })
}
