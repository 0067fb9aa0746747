import { sql } from 'kysely'
import { correctionProblem, formatHijri, hijri } from '#kit/contract/hijri.ts'
import type { HijriCorrection } from '#kit/contract/hijri.ts'
import type { PaperLanguage } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { serveResource } from '#kit/server/resource/resource.ts'
import { universitySettingsOf } from '../university/university.server.ts'
import { hijriCorrections } from './corrections.server.ts'
import { hijriMonth } from './hijri.contract.ts'

/** Handlers of corrected months: what is left after a change is a calendar, with what is reckoned between. */
export const hijriHandlers = serveResource(hijriMonth, {
  beforeWrite: async (_ctx, tx, merged, current) => {
    await sql`select pg_advisory_xact_lock(hashtext('hijri months'))`.execute(tx)
    const next = merged as unknown as HijriCorrection
    if (!next.year || !next.month || !next.first_day) return
    const others = (await hijriCorrections(tx)).filter((one) => one.id !== current?.id)
    // Moved to another month, it leaves its place to the reckoning: those beside it must still follow.
    for (const one of [next, ...others]) {
      const wrong = correctionProblem(one, [...others, next])
      if (wrong) throw refuse(422, wrong.code, wrong.data, 'first_day')
    }
  },
  beforeRemove: async (_ctx, tx, id) => {
    await sql`select pg_advisory_xact_lock(hashtext('hijri months'))`.execute(tx)
    const left = (await hijriCorrections(tx)).filter((one) => one.id !== id)
    for (const one of left)
      if (correctionProblem(one, left)) throw refuse(409, 'hijri_needed', { year: one.year, month: one.month })
  },
})

/** A day as Arabic papers write it, with the Hijri one beside it where the university shows it. */
export async function bothCalendars(ctx: Ctx, day: string, lang: PaperLanguage): Promise<string> {
  if (lang !== 'ar' || (await universitySettingsOf(ctx, ['hijri_dates'])).hijri_dates !== 'true') return day
  return `${day} (${formatHijri(hijri(day, await hijriCorrections(ctx.db)), 'ar')})`
}
