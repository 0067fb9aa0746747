import type { Db } from '#db/connect.ts'
import { sql } from 'kysely'

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
