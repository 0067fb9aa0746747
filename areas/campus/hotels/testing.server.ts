/** A hostel for men and one for women, with prices, in the small university that tests of registration stand in. */
import { feesServer } from '#areas/money/fees/fees.server.ts'
import { invoicesServer } from '#areas/money/invoices/invoices.server.ts'
import { moneyWorld, priceWorld } from '#areas/money/invoices/testing.server.ts'
import { bookTransactions } from '#areas/money/transactions/book.server.ts'
import { settingsServer } from '#areas/common/settings/settings.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { schedulingServer } from '#areas/study/scheduling/scheduling.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { registrationWorld } from '#tests/registration-world.ts'
import { ok, testUniversity, type Caller } from '#tests/university.ts'
import { hotelsServer } from './hotels.server.ts'

export const PRICES = { BED_NIGHT: 10_000, BED_TERM: 400_000, BED_DEPOSIT: 50_000, BED_SUITE: 25_000 } as const

/** A reservation as it stands in the table. */
interface StoredStay {
  readonly status: string
  readonly bed_id: number
  readonly from_day: string
  readonly until_day: string
  readonly invoice_id: number
  readonly version: number
  readonly student_id: number
  readonly continues_id: number | null
}

export async function hotelWorld() {
  const u = await testUniversity([
    kitServer,
    catalogueServer,
    settingsServer,
    feesServer,
    invoicesServer,
    studentsServer,
    schedulingServer,
    hotelsServer,
  ])
  const w = await registrationWorld(u)
  const m = moneyWorld(u.database.db)
  const p = await priceWorld(u.database.db, w.term)
  const q = w.query
  const one = async (text: string, values: unknown[] = []) => (await q<{ id: number }>(text, values))[0]!.id
  await q(
    `insert into fee_items (code, name, name_local, type, is_automatic)
    select x, x, x, 'services', false from unnest($1::text[]) x`,
    [Object.keys(PRICES)],
  )
  await p.version({ requests: PRICES })
  const item = (code: string) => one('select id from fee_items where code = $1', [code])
  const kind = async (code: string, night: string) =>
    one(
      `insert into room_kinds (code, name, name_local, night_item_id, term_item_id, deposit_item_id) values ($1, $1, $1, $2, $3, $4) returning id`,
      [code, await item(night), await item('BED_TERM'), await item('BED_DEPOSIT')],
    )
  const [double, suite] = [await kind('DOUBLE', 'BED_NIGHT'), await kind('SUITE', 'BED_SUITE')]
  const lamp = await one(
    `insert into room_kind_items (room_kind_id, position, name, name_local, price) values ($1, 0, 'Lamp', 'مصباح', 15000) returning id`,
    [double],
  )
  let n = 0
  const hostel = async (gender: 'men' | 'women' | 'families', faculty_id: number | null = null) => {
    const code = `H${++n}`
    const building = await one(
      `insert into buildings (code, name, name_local, faculty_id) values ($1, $1, $1, $2) returning id`,
      [code, faculty_id],
    )
    return one(
      `insert into hostels (building_id, code, name, name_local, gender) values ($1, $2, $2, $2, $3) returning id`,
      [building, code, gender],
    )
  }
  /** A room with beds. */
  const room = async (
    hostel_id: number,
    beds: number,
    more: { gender?: string; kind?: number; audience?: string; faculty_id?: number; level?: number } = {},
  ) => {
    const id = await one(
      `insert into hostel_rooms (hostel_id, code, floor, kind_id, gender, audience, faculty_id, level)
       values ($1, $2, 1, $3, coalesce($4, (select gender from hostels where id = $1)), $5, $6, $7) returning id`,
      [
        hostel_id,
        `R${++n}`,
        more.kind ?? double,
        more.gender ?? null,
        more.audience ?? null,
        more.faculty_id ?? null,
        more.level ?? null,
      ],
    )
    const rows = await q<{ id: number }>(
      `insert into hostel_beds (room_id, code) select $1, chr(64 + i) from generate_series(1, $2::int) i returning id`,
      [id, beds],
    )
    return { id, beds: rows.map((row) => row.id) }
  }
  /** A day so many days from today. */
  const day = async (days: number) =>
    (await q<{ day: string }>(`select (university_today() + $1::int)::text as day`, [days]))[0]!.day
  const student = async (gender: 1 | 2 = 1, more: { faculty?: 'own' | 'other'; level?: number } = {}) => {
    const made = await w.student(more)
    await q('update students set nationality_id = 64, gender = $2 where id = $1', [made.id, gender])
    return made
  }
  /** Many students at once, each signed in. */
  const students = async (count: number, gender: 1 | 2 = 1): Promise<{ id: number; as: Caller }[]> => {
    const made = await q<{ id: number; user_id: number }>(
      `with u as (insert into users (type, name, name_local) select 3, 'Crowd ' || i, 'طالب ' || i from generate_series(1, $1::int) i returning id),
        r as (insert into role_assignments (user_id, role_id) select u.id, (select id from roles where key = 'student') from u)
       insert into students (user_id, code, name, name_local, faculty_id, program_id, bylaw_id, gender, nationality_id)
       select id, 'C' || id, 'Crowd ' || id, 'طالب ' || id, $2, $3, $4, $5, 64 from u returning id, user_id`,
      [count, w.faculty, w.program, w.bylaw, gender],
    )
    return Promise.all(made.map(async ({ id, user_id }) => ({ id, as: await u.signIn(user_id) })))
  }
  /** A guest with a record, of this country unless told. */
  const guest = (nationality_id: number | null = 64) =>
    one(
      `insert into guests (name, name_local, document_kind, document_number, nationality_id) values ('A Guest', 'ضيف', 'passport', $1, $2) returning id`,
      [`P${1_000_000 + ++n}`, nationality_id],
    )
  /** Who works here. */
  const worker = (faculty_id: number | null = null) =>
    one(
      `insert into users (type, code, name, name_local, faculty_id) values (2, $1, 'A Worker', 'عامل', $2) returning id`,
      [`W-${1000 + ++n}`, faculty_id],
    )
  const system = () => asSystem(u.services, 'test')
  return {
    u,
    w,
    m,
    q,
    double,
    suite,
    lamp,
    hostel,
    room,
    day,
    student,
    students,
    guest,
    worker,
    system,
    officer: await u.as('affair_manager'),
    stay: async (id: number) =>
      (
        await q<StoredStay>(
          'select status, bed_id, from_day::text, until_day::text, invoice_id, version, student_id, continues_id from hotel_reservations where id = $1',
          [id],
        )
      )[0]!,
    /** What was told to somebody, the newest last. */
    told: async (user_id: number) =>
      (
        await q<{ key: string; data: { state?: string } }>(
          'select key, data from notifications where user_id = $1 order by id',
          [user_id],
        )
      ).map(({ key, data }) => `${key.split('.')[1]}${data.state ? ` ${data.state}` : ''}`),
    pay: async (student_id: number, amount: number, invoice: number) => {
      const transaction = await m.transaction(student_id, amount, { invoice })
      const ctx = system()
      await ctx.write((tx) => bookTransactions(ctx, tx, [transaction]))
    },
    payerOf: (invoice: number) => one('select payer_id as id from invoices where id = $1', [invoice]),
    /** The same of any payer. */
    payAs: async (payer: number, amount: number, invoice: number) => {
      const transaction = await one(
        `insert into transactions (payer_id, way, purpose, currency, amount, status, invoice_id)
         values ($1, 'bank', 'payment', 'EGP', $2, 'pending', $3) returning id`,
        [payer, amount, invoice],
      )
      const ctx = system()
      await ctx.write((tx) => bookTransactions(ctx, tx, [transaction]))
    },
    walletOf: async (payer: number): Promise<number> =>
      (
        await q<{ wallet: number }>(
          `select wallet::int as wallet from payer_balances where payer_id = $1 and currency = 'EGP'`,
          [payer],
        )
      )[0]?.wallet ?? 0,
    set: (name: string, value: string) =>
      q(
        `insert into settings (key, value) values ($1, to_jsonb($2::text)) on conflict (key) do update set value = excluded.value`,
        [name, value],
      ),
    ok,
  }
}
export type HotelWorld = Awaited<ReturnType<typeof hotelWorld>>
