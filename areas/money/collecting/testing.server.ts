/** A university in which money is asked for, for tests of collecting, and what they drive there by chance. */
import type { Db } from '#db/connect.ts'
import { sql } from 'kysely'
import { attendanceServer } from '#areas/enrolment/attendance/attendance.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { feesServer } from '#areas/money/fees/fees.server.ts'
import { invoicesServer } from '#areas/money/invoices/invoices.server.ts'
import { ledgerServer } from '#areas/money/ledger/ledger.server.ts'
import { moneyToDrive, proofOf } from '#areas/money/ledger/testing.server.ts'
import { sponsorsServer } from '#areas/money/sponsors/sponsors.server.ts'
import { transactionsServer } from '#areas/money/transactions/transactions.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import type { Services } from '#kit/server/base/context.ts'
import type { AreaServer } from '#kit/server/http/area.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { registrationWorld } from '#tests/registration-world.ts'
import { testUniversity } from '#tests/university.ts'
import { collectingServer } from './collecting.server.ts'
import { judgePlans } from './plans/judge.server.ts'
import { plansStand, wrongOutcomes } from './plans/testing.server.ts'

/** All that asks for money, pays it and follows it, with a faculty whose students register; `more` are further areas. */
export async function collectingUniversity(...more: readonly AreaServer[]) {
  const u = await testUniversity([
    kitServer,
    catalogueServer,
    attendanceServer,
    registrationServer,
    feesServer,
    ledgerServer,
    invoicesServer,
    transactionsServer,
    sponsorsServer,
    collectingServer,
    ...more,
  ])
  return { u, w: await registrationWorld(u) }
}

/** The same with three students whose money a model follows. */
export async function collectingDriven(seed: number) {
  const { u, w } = await collectingUniversity()
  const students: number[] = []
  for (let i = 0; i < 3; i++) students.push((await w.student()).id)
  return { u, w, students, world: await moneyToDrive(u.services, students, seed) }
}

/** Whatever was done: judged, what is not in order of the plans, and what the proof of the ledger finds. */
export async function foundWrong(services: Services): Promise<unknown[]> {
  await judgePlans(asSystem(services, 'test'))
  const { count, findings } = await proofOf(services)
  return [...(await plansStand(services)), ...(await wrongOutcomes(services)), ...(count ? [count] : []), ...findings]
}

/** Steps of reminders, written straight into the database. */
export function stepWorld(db: Db) {
  let n = 0
  return async (
    moment: 'before' | 'after',
    days: number,
    more: {
      faculty_id?: number
      fee?: string
      holds?: boolean
      text?: string
      text_local?: string
      text_de?: string
    } = {},
  ): Promise<number> => {
    const { rows } = await sql<{ id: number }>`
      insert into reminder_steps (code, name, name_local, faculty_id, moment, days, fee_item_id, holds, text, text_local, text_de, is_active)
      values (${`R${++n}`}, ${`Step ${n}`}, ${`مرحلة ${n}`}, ${more.faculty_id ?? null}, ${moment}, ${days},
        (select id from fee_items where code = ${more.fee ?? null}), ${more.holds ?? false}, ${more.text ?? null}, ${more.text_local ?? null},
        ${more.text_de ?? null}, true) returning id`.execute(db)
    return rows[0]!.id
  }
}
