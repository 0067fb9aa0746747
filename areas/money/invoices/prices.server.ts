/** Invoices whose prices were changed after they were issued: found by a job, decided by a person, never changed in silence. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { pricesChanged } from '#areas/money/fees/prices.server.ts'
import { priceLines } from '#areas/money/fees/pricing.rules.ts'
import { feeFacts, feeSettingsOf } from '#areas/money/fees/settings.server.ts'
import type { YearSettings } from '#areas/money/fees/settings/settings.rules.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import { hear } from '#kit/server/base/hears.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { serveBasis } from '#kit/server/workflow/basis-registry.ts'
import { sql } from 'kysely'
import { repriceAt, usedOf, withUsed, type Outdated } from './next/next.server.ts'
import { priceBasis } from './prices.contract.ts'

const PORTION = 200

interface Found extends Outdated {
  readonly version_id: number
}
/** Invoices of a year that were issued at other prices than those of its last version. */
const issuedBefore = async (db: Db | Tx, year_id: number, version_id: number): Promise<Found[]> =>
  (
    await sql<Found>`
      select i.id, i.payer_id, p.student_id, i.term_id, i.year_id, v.number::text as number, v.id as version_id
      from invoices i join payers p on p.id = i.payer_id join fee_versions v on v.id = i.setting_version_id
      where i.year_id = ${year_id} and i.reversed_at is null and i.type in ('tuition', 'hours', 'summer') and i.term_id is not null
        and v.id <> ${version_id} order by i.term_id, i.id`.execute(db)
  ).rows

/** What each would charge by its own prices and by those of today; those that cannot be priced are left to their own. */
async function compare(
  db: Db | Tx,
  portion: readonly Found[],
  settings: ReadonlyMap<number, YearSettings>,
  now: YearSettings,
) {
  const { term_id, year_id } = portion[0]!
  const facts = await feeFacts(
    db,
    portion.map((one) => one.student_id),
    { term_id },
  )
  const used = await usedOf(
    db,
    portion.map((one) => one.payer_id),
    year_id,
    { but: portion.map((one) => one.id), all: true },
  )
  return portion.map((one) => {
    const known = facts.get(one.student_id)
    const own = settings.get(one.version_id)
    if (!known || !own) return { id: one.id, before: 0, now: 0 }
    const of = withUsed(known, used.get(one.payer_id))
    const [then, today] = [priceLines(of, own), priceLines(of, now)]
    return then.reasons.length || today.reasons.length || then.currency !== today.currency
      ? { id: one.id, before: 0, now: 0 }
      : { id: one.id, before: then.amount, now: today.amount }
  })
}

/** After prices were changed: which invoices of the year would charge something else. Run again, it finds the same. */
export const comparePricesJob = defineJob<{ year_id: number }, { outdated: number }>({
  name: 'compare-prices',
  retries: 3,
  run: async (ctx, { year_id }, progress) => {
    const now = await feeSettingsOf(ctx.db, year_id)
    if (!now) return { outdated: 0 }
    const invoices = await issuedBefore(ctx.db, year_id, now.version_id)
    const settings = new Map<number, YearSettings>()
    for (const [version_id, number] of new Map(invoices.map((one) => [one.version_id, Number(one.number)])))
      settings.set(version_id, (await feeSettingsOf(ctx.db, year_id, number))!)
    let [outdated, done] = [0, 0]
    for (const ofTerm of Map.groupBy(invoices, (one) => one.term_id).values())
      for (let at = 0; at < ofTerm.length; at += PORTION) {
        const portion = ofTerm.slice(at, at + PORTION)
        const rows = await compare(ctx.db, portion, settings, now)
        const differ = rows.filter((one) => one.before !== one.now)
        await ctx.write(async (tx) => {
          await sql`delete from price_outdated_invoices where invoice_id = any(${rows.map((one) => one.id)}::int[])`.execute(
            tx,
          )
          await sql`insert into price_outdated_invoices (invoice_id, version_id, amount_before, amount_now)
            select x.id, ${now.version_id}, x.before, x.now from jsonb_to_recordset(${JSON.stringify(differ)}::jsonb) x (id int, before bigint, now bigint)
              join invoices i on i.id = x.id and i.reversed_at is null`.execute(tx)
        })
        outdated += differ.length
        done += portion.length
        await progress(Math.round((done * 100) / invoices.length))
      }
    return { outdated }
  },
})

export const pricesHeard = hear(pricesChanged, async (ctx: Ctx, tx: Tx, year_id: number) => {
  await ctx.services.jobs.send(tx, comparePricesJob, { year_id }, { actor: ctx.actor, lang: ctx.lang })
})

const closed = (tx: Tx, ids: readonly number[]) =>
  sql`delete from price_outdated_invoices where invoice_id = any(${[...ids]}::int[])`.execute(tx)
/** Such invoices, as they are shown with everything that is outdated, and what a person decides. */
export const priceBases = serveBasis(priceBasis, {
  from: `price_outdated_invoices ap join invoices i on i.id = ap.invoice_id join payers p on p.id = i.payer_id
    left join students s on s.id = p.student_id`,
  id: 'ap.invoice_id',
  where: 'i.reversed_at is null',
  student: 'p.student_id',
  named: `json_build_object('code', i.number, 'name', to_char(ap.amount_before / 100.0, 'FM999999999990.00') || ' → '
      || to_char(ap.amount_now / 100.0, 'FM999999999990.00') || ' ' || i.currency,
    'name_local', to_char(ap.amount_before / 100.0, 'FM999999999990.00') || ' ← '
      || to_char(ap.amount_now / 100.0, 'FM999999999990.00') || ' ' || i.currency)`,
  link: `'/payments/' || i.id`,
  scope: (ctx) => studentReach(ctx, 's'),
  outdated: sql`select invoice_id as decision_id, since from price_outdated_invoices`,
  renew: async (ctx, tx, ids) => {
    for (const id of ids) {
      const { rows } = await sql<Outdated>`
        select i.id, i.payer_id, p.student_id, i.term_id, i.year_id, (select max(v.number) from fee_versions v where v.year_id = i.year_id)::text as number
        from invoices i join payers p on p.id = i.payer_id where i.id = ${id}`.execute(tx)
      const done = await repriceAt(ctx, tx, firstRow(rows), {
        reason: 'Prices changed',
        reason_local: 'تغيّرت الأسعار',
      })
      if (done === 'refused') throw new Refusal(409, [{ code: 'invoice_not_priced' }])
      await sql`update invoices set setting_version_id = (select v.id from fee_versions v where v.year_id = ${firstRow(rows).year_id} and v.number = ${Number(firstRow(rows).number)}),
        version = version + 1 where id = ${id}`.execute(tx)
    }
    await closed(tx, ids)
  },
  kept: async (_ctx, tx, ids) => void (await closed(tx, ids)),
})
