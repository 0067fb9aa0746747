/**
 * Whom a distribution gave no seat is told by mail once results are shown; and where that distribution is taken back, that it
 * does not count any more. The rows are the queue: whatever dies, what was not sent is still there.
 */
import { sql } from 'kysely'
import type { Language } from '#kit/contract/index.ts'
import { defineJob, type Progress } from '#kit/server/jobs/jobs.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { universityHead, type UniversityHead } from '#kit/server/base/university.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { LEASE_MINUTES, minutesUntilAgain, MOST_TRIES } from './told.rules.ts'

/** Applicants who are put in the queue by one statement. */
const PORTION = 20_000
/** Mails that are on their way to the mail server at once. */
const LANES = 4
/** Milliseconds of a turn. The clock gives the next one; two at once, also of two processes, share the queue. */
const TURN = 5 * 60_000
/** So many failures in a row are the mail server's, not those of an address: the turn ends, and says so. */
const IN_A_ROW = 5

/** Days after which results are no news any more, so that nobody is told of them late (after an update, say). */
const NEWS = 30

/** SQL: what a mail `m` says to the applicant `t` is true now: nothing is sent that another step made wrong meanwhile. */
const STANDS = sql`t.removed_at is null and t.email is not null and (m.kind = 'withdrawn'
  or t.status = 'DISTRIBUATION_REQUIRED' and t.program_id is null
    and exists (select from distribution_runs r join admissions a on a.id = r.admission_id
      where r.id = m.run_id and r.status = 'confirmed' and (a.results_at is null or a.results_at <= now()))
    -- The latest result is the one that counts.
    and not exists (select from distribution_places k join distribution_runs r on r.id = k.run_id
      where k.applicant_id = m.applicant_id and k.run_id > m.run_id and r.status = 'confirmed'))`

/** SQL: that an earlier result does not count is told before the mail `m`, if it can be told at all. */
const FIRST = sql`(m.kind = 'withdrawn' or not exists (select from distribution_mails o join distribution_runs r on r.id = o.run_id
  where o.applicant_id = m.applicant_id and o.kind = 'no_seat' and o.begun_at is not null and r.status = 'discarded'
    and not exists (select from distribution_mails w where w.run_id = o.run_id and w.applicant_id = o.applicant_id
      and w.kind = 'withdrawn' and (w.sent_at is not null or w.tries >= ${MOST_TRIES}))))`

/** Takes out of the queue what is not true any more and was never begun: it is put there again if it comes true once more. */
async function dropStale(ctx: Ctx): Promise<void> {
  await sql`delete from distribution_mails m using applicants t
    where m.begun_at is null and m.sent_at is null and t.id = m.applicant_id and not (${STANDS})`.execute(ctx.db)
}

/** Puts whoever has no seat in the queue, some at a time. */
async function queueWithout(ctx: Ctx, progress: Progress): Promise<number> {
  const { rows: runs } = await sql<{ id: number }>`select r.id from distribution_runs r
    join admissions a on a.id = r.admission_id
    where r.status = 'confirmed' and (a.results_at is null or a.results_at <= now())
      and greatest(r.confirmed_at, a.results_at) > now() - make_interval(days => ${NEWS}) order by r.id`.execute(ctx.db)
  let queued = 0
  for (const { id } of runs) {
    for (let added = PORTION; added === PORTION; queued += added) {
      progress.signal.throwIfAborted()
      const { numAffectedRows } = await sql`insert into distribution_mails (run_id, applicant_id, kind)
        select m.run_id, m.applicant_id, m.kind
        from (select run_id, applicant_id, 'no_seat' as kind from distribution_places where run_id = ${id} and program_id is null) m
          join applicants t on t.id = m.applicant_id
        where ${STANDS} and not exists (select from distribution_mails o
          where o.run_id = m.run_id and o.applicant_id = m.applicant_id and o.kind = 'no_seat')
        order by m.applicant_id limit ${PORTION} on conflict do nothing`.execute(ctx.db)
      // Whoever got fewer, because another process puts the same ones there, leaves the others to the next turn.
      added = Number(numAffectedRows ?? 0)
    }
  }
  return queued
}

/** Puts whoever was told by a distribution that was taken back in the queue; a try under way is waited for, so that it does not come second. */
async function queueWithdrawn(ctx: Ctx): Promise<number> {
  const { numAffectedRows } = await sql`insert into distribution_mails (run_id, applicant_id, kind)
    select m.run_id, m.applicant_id, 'withdrawn' from distribution_mails m join distribution_runs r on r.id = m.run_id
    where r.status = 'discarded' and m.kind = 'no_seat'
      and (m.sent_at is not null or m.begun_at < now() - make_interval(mins => ${LEASE_MINUTES}))
      and not exists (select from distribution_mails w where w.run_id = m.run_id and w.applicant_id = m.applicant_id and w.kind = 'withdrawn')
    on conflict do nothing`.execute(ctx.db)
  return Number(numAffectedRows ?? 0)
}

interface Due {
  readonly run_id: number
  readonly applicant_id: number
  readonly kind: 'no_seat' | 'withdrawn'
  readonly tries: number
  readonly email: string
  readonly language: Language
  readonly code: string
  readonly admission: string
}
/** The next mail that is due, taken for this process; undefined: none is. */
async function take(ctx: Ctx): Promise<Due | undefined> {
  const { rows } = await sql<Due>`with next as (select m.run_id, m.applicant_id, m.kind from distribution_mails m
      join applicants t on t.id = m.applicant_id
      where m.sent_at is null and m.due_at <= now() and m.tries < ${MOST_TRIES} and ${STANDS} and ${FIRST}
      order by m.due_at, m.run_id, m.applicant_id for update of m skip locked limit 1)
    update distribution_mails m set tries = m.tries + 1, begun_at = now(), due_at = now() + make_interval(mins => ${LEASE_MINUTES})
    from next n, applicants t join admissions a on a.id = t.admission_id
    where m.run_id = n.run_id and m.applicant_id = n.applicant_id and m.kind = n.kind and t.id = m.applicant_id
    returning m.run_id, m.applicant_id, m.kind, m.tries::int as tries, coalesce(t.email, '') as email, t.language, t.code,
      case when t.language = 'ar' then a.name_local else a.name end as admission`.execute(ctx.db)
  return rows[0]
}

const send = (ctx: Ctx, head: UniversityHead, one: Due): Promise<void> =>
  ctx.services.mail.send({
    to: one.email,
    lang: one.language,
    key: one.kind === 'no_seat' ? 'application_no_seat' : 'application_result_withdrawn',
    // By it mail servers know a mail again whose process died before it noted that it was sent.
    id: `distribution-${one.run_id}-${one.applicant_id}-${one.kind}`,
    data: {
      number: one.code,
      admission: one.admission,
      university: one.language === 'ar' ? head.name_local : head.name,
      link: `${ctx.services.config.publicUrl}/apply`,
    },
  })

/** Sends what is due until nothing is, or the turn is over. */
async function sendDue(ctx: Ctx, progress: Progress, turn: number): Promise<{ sent: number; failed: number }> {
  const head = await universityHead(ctx)
  const until = Date.now() + turn
  const done = { sent: 0, failed: 0 }
  let inARow = 0
  let broken: unknown
  const lane = async (): Promise<void> => {
    while (Date.now() < until && inARow < IN_A_ROW && !progress.signal.aborted) {
      const one = await take(ctx)
      if (!one) return
      const which = sql`run_id = ${one.run_id} and applicant_id = ${one.applicant_id} and kind = ${one.kind}`
      try {
        await send(ctx, head, one)
      } catch (error) {
        const minutes = minutesUntilAgain(one.tries)
        if (minutes !== null)
          await sql`update distribution_mails set due_at = now() + make_interval(mins => ${minutes}) where ${which}`.execute(
            ctx.db,
          )
        done.failed++
        inARow++
        broken = error
        continue
      }
      inARow = 0
      await sql`update distribution_mails set sent_at = now() where ${which}`.execute(ctx.db)
      if (++done.sent % 100 === 0) await progress(50, String(done.sent))
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  // The failed job shows that the mail server is away.
  if (inARow >= IN_A_ROW) throw broken
  return done
}

/** Tells applicants who have no seat, and those who were told so by a distribution that was taken back. */
export const tellWithoutSeatJob = defineJob<Record<string, never>, { queued: number; sent: number; failed: number }>({
  name: 'tell-without-seat',
  cron: '* * * * *',
  run: async ({ services }, _payload, progress) => {
    const ctx = asSystem(services, 'Results of distributions')
    await dropStale(ctx)
    const queued = (await queueWithdrawn(ctx)) + (await queueWithout(ctx, progress))
    return { queued, ...(await sendDue(ctx, progress, TURN)) }
  },
})
