import { sql } from 'kysely'
import { demoPart, usersByEmail } from '#demo/part.ts'
import { checkDigit } from '#demo/people.ts'
import { addDays } from '#kit/contract/day.ts'
import type { Tx } from '#db/connect.ts'
import type { DueDate, FineRule } from './instalments.rules.ts'
import type { Currency, FeeType, Per, PriceRow } from './pricing.rules.ts'
import { applyToAll } from './scholarships/by-rule.server.ts'
import { feeSettingsOf } from './settings.server.ts'
import { storeVersion } from './settings/version.server.ts'

const due = (
  type: FeeType,
  term_kind: DueDate['term_kind'],
  instalment: number,
  due_on: string,
  share: number,
): DueDate => ({
  id: 0,
  type,
  term_kind,
  instalment,
  due_on,
  share,
  faculty_id: null,
  level: null,
})
const fine = (type: FeeType, currency: Currency, cap: number): FineRule & { id: number } => ({
  id: 0,
  type,
  currency,
  cap,
  steps: [
    { from_days: 15, amount: null, per_mille: 10 },
    { from_days: 30, amount: null, per_mille: 25 },
  ],
})

/** A grant by hand. */
async function granted(
  tx: Tx,
  code: string,
  student_ids: readonly number[],
  years: readonly [from: number, until: number],
  more: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const student_id of student_ids)
    await sql`insert into scholarship_grants (student_id, scholarship_id, year_id, until_year_id, during, percent, amount, currency, types,
        priority, reason, status, granted_by, ended_at, ended_by, ended_reason)
      select ${student_id}, h.id, ${years[0]}, ${years[1]}, 'empty', h.percent, h.amount, h.currency, h.types, h.priority,
        ${more.reason ?? null}, ${more.status ?? 'applied'}, ${more.by ?? null}, ${more.ended_at ?? null}, ${more.ended_by ?? null}, ${more.ended_reason ?? null}
      from scholarships h where h.code = ${code} on conflict do nothing`.execute(tx)
}

/**
 * Prices of every year of the demo: the hour in the faculty of credit hours, the term in the other one, both by level, in pounds
 * and in dollars; days, fines, accounts. Of the current year a second version, which put a forgotten price right. Scholarships as
 * their rules give them, some by hand, one that was lost and one that was taken back.
 */
export default demoPart(
  ['fee_versions', 'fee_prices', 'scholarship_grants'],
  [
    'fee_items',
    'nationality_group_countries',
    'scholarships',
    'students',
    'student_years',
    'student_terms',
    'terms',
    'programs',
    'banks',
    'families',
    'users',
  ],
  async (tx, demo) => {
    const finance = (await usersByEmail(tx)).get(`finance@${demo.university.domain}`) ?? null
    const { rows: named } = await sql<{ kind: string; id: number; code: string }>`
      select 'item' as kind, id, code from fee_items union all select 'group', id, code from nationality_groups
      union all select 'faculty', id, code from faculties`.execute(tx)
    const id = (kind: string, code: string) => named.find((row) => row.kind === kind && row.code === code)!.id
    const [engineering, commerce, medicine] = [id('faculty', 'FEC'), id('faculty', 'FCO'), id('faculty', 'FMD')]
    const foreign = id('group', 'INT')
    const ai = demo.programs.find((program) => program.code === 'AI')?.id ?? null
    const price = (
      item: string,
      per: Per,
      currency: Currency,
      pounds: number,
      more: Partial<PriceRow> = {},
    ): PriceRow => ({
      id: 0,
      item_id: id('item', item),
      program_id: null,
      faculty_id: null,
      level: null,
      bylaw_id: null,
      nationality_group_id: null,
      currency,
      per,
      amount: pounds * 100,
      ...more,
    })
    const last = demo.terms.find((one) => one.id === demo.current_terms.current_term)!.year_id
    const years = [...new Set(demo.terms.map((one) => one.year_id))].toSorted((a, b) => a - b)
    for (const year_id of years) {
      // A tenth less for each year before, in steps of ten pounds.
      const was = (pounds: number) => Math.round((pounds * 0.9 ** Math.max(0, last - year_id)) / 10) * 10
      const dollars = (amount: number) => Math.round(amount * 0.97 ** Math.max(0, last - year_id))
      const prices: PriceRow[] = [
        ...[1, 2, 3, 4].flatMap((level) => [
          price('HOURS', 'hour', 'EGP', was(2400 - 100 * (level - 1)), { faculty_id: engineering, level }),
          price('TUITION', 'term', 'EGP', was(24_000 - 1000 * (level - 1)), { faculty_id: commerce, level }),
        ]),
        ...[1, 2, 3].map((level) =>
          price('TUITION', 'year', 'EGP', was(98_000 - 3000 * (level - 1)), { faculty_id: medicine, level }),
        ),
        price('TUITION', 'year', 'USD', dollars(7000), { faculty_id: medicine }),
        price('HOURS', 'hour', 'USD', dollars(130), { faculty_id: engineering }),
        price('TUITION', 'term', 'USD', dollars(1600), { faculty_id: commerce }),
        ...(ai ? [price('HOURS', 'hour', 'EGP', was(2800), { program_id: ai })] : []),
        price('SUMMER', 'hour', 'EGP', was(2000), { faculty_id: engineering }),
        price('SUMMER', 'hour', 'EGP', was(1200), { faculty_id: commerce }),
        price('SUMMER', 'hour', 'USD', dollars(110)),
        price('REGIST', 'year', 'EGP', was(3500)),
        price('REGIST', 'year', 'USD', dollars(150)),
        price('CARD', 'request', 'EGP', 150),
        price('CARD', 'request', 'USD', 10),
        price('ENROLMENT', 'copy', 'EGP', 200),
        price('ENROLMENT', 'copy', 'USD', 10),
        price('TRANSCRIPT', 'copy', 'EGP', 350),
        price('TRANSCRIPT', 'copy', 'USD', 20),
        price('GRADUATION', 'copy', 'EGP', 600),
        price('GRADUATION', 'copy', 'USD', 40),
        price('RECHECK', 'request', 'EGP', 300),
        price('RECHECK', 'request', 'USD', 15, { nationality_group_id: foreign }),
        price('BED_NIGHT', 'request', 'EGP', 120),
        price('BED_NIGHT', 'request', 'USD', 6),
        price('BED_MONTH', 'request', 'EGP', 2400),
        price('BED_MONTH', 'request', 'USD', 120),
        price('BED_TERM', 'request', 'EGP', 8500),
        price('BED_TERM', 'request', 'USD', 430),
        price('BED_DEPOSIT', 'request', 'EGP', 1000),
        price('BED_DEPOSIT', 'request', 'USD', 50),
        price('SECOND', 'request', 'EGP', 900),
        price('SECOND', 'request', 'USD', 60),
        price('DEPOSIT', 'term', 'EGP', 2000),
        price('DEPOSIT', 'term', 'USD', 80),
      ]
      const terms = demo.terms.filter((one) => one.year_id === year_id)
      const due_dates = (['tuition', 'hours'] as const).flatMap((type) =>
        terms
          .filter((one) => one.type !== 'summer')
          .flatMap((one) => [
            due(type, one.type, 1, addDays(one.start_date, 21), 500),
            due(type, one.type, 2, addDays(one.start_date, 77), 500),
          ]),
      )
      const begins = terms.map((one) => one.start_date).toSorted()[0]!
      const summer = terms.find((one) => one.type === 'summer')
      const rows = {
        prices,
        due_dates: [
          ...due_dates,
          due('services', null, 1, addDays(begins, 21), 1000),
          ...(summer ? [due('summer', null, 1, addDays(summer.start_date, 7), 1000)] : []),
        ],
        fines: (['tuition', 'hours', 'summer'] as const).flatMap((type) => [
          fine(type, 'EGP', 200_000),
          fine(type, 'USD', 10_000),
        ]),
        accounts: (['tuition', 'hours', 'summer', 'certificates', 'services', 'exams'] as const).flatMap((type) => [
          { id: 0, type, currency: 'EGP' as const, bank_id: 1 },
          // Certificates are paid in dollars at the desk alone.
          ...(type === 'certificates' ? [] : [{ id: 0, type, currency: 'USD' as const, bank_id: 2 }]),
        ]),
        stacking: 'rest' as const,
        grant_cap: 10_000,
      }
      const made = { made_by: finance, note: null }
      const before = `${addDays(begins, -40)}T09:00:00Z`
      if (year_id < last) {
        await storeVersion(tx, year_id, { number: 1, what: 'copy', ...made, made_at: before }, rows)
        continue
      }
      const forgotten = prices.filter((row) => row.item_id !== id('item', 'RECHECK') || row.currency !== 'USD')
      await storeVersion(
        tx,
        year_id,
        { number: 1, what: 'copy', ...made, made_at: before },
        { ...rows, prices: forgotten },
      )
      const kept = (await feeSettingsOf(tx, year_id))!
      await storeVersion(
        tx,
        year_id,
        {
          number: 2,
          what: 'exams',
          made_by: finance,
          note: 'Rechecks of international students',
          made_at: `${addDays(begins, -20)}T10:30:00Z`,
        },
        {
          ...kept,
          prices: [...kept.prices, price('RECHECK', 'request', 'USD', 15, { nationality_group_id: foreign })],
        },
      )
    }
    await sql`update students set nationality_id = 64 where nationality_id is null`.execute(tx)
    // Brothers and sisters: eight pairs who have the national id of the father, four of whom only the telephone of a parent tells it.
    const { rows: pairs } = await sql<{ one: number; other: number }>`with pairs as (
        select a.id as one, b.id as other, row_number() over (order by a.id) as n from students a
        join students b on split_part(b.name, ' ', 2) = split_part(a.name, ' ', 2) and split_part(b.name, ' ', -1) = split_part(a.name, ' ', -1)
          and b.id > a.id and b.id < a.id + 400
        where a.status = 'studying' and b.status = 'studying' and not a.is_second_record and not b.is_second_record
          and a.user_id is distinct from b.user_id
          and not exists (select from family_members m where m.student_id in (a.id, b.id)))
      update students s set parent_phone = f.parent_phone, parent_name = f.parent_name from pairs p join students f on f.id = p.one
      where s.id = p.other and p.n <= 12 and not exists (select from pairs q where q.other = p.one) returning p.one, p.other`.execute(
      tx,
    )
    for (const [i, { one, other }] of pairs.toSorted((a, b) => a.other - b.other).entries())
      if (i % 3 < 2) {
        const first = `2${70 + (i % 10)}03${String(10 + i).padStart(2, '0')}01${String(200 + 2 * i).padStart(3, '0')}1`
        await sql`update students set father_national_id = ${first + checkDigit(first)} where id in (${one}, ${other})`.execute(
          tx,
        )
      }
    for (const code of ['RANK1', 'MERIT95', 'HONOUR', 'SIBLING']) await applyToAll(tx, code, last)
    const { rows: some } = await sql<{
      id: number
    }>`select s.id from students s where s.status = 'studying' and not s.is_second_record
      and not exists (select from scholarship_grants g where g.student_id = s.id) order by s.id % 17, s.id limit 12`.execute(
      tx,
    )
    const [full, staff, hardship, lost, removed] = [
      some.slice(0, 2),
      some.slice(2, 6),
      some.slice(6, 9),
      some.slice(9, 10),
      some.slice(10),
    ].map((part) => part.map((row) => row.id))
    const by = finance
    await granted(tx, 'FULL', full!, [last, last], { by, reason: 'Decision 14 of the university council' })
    await granted(tx, 'STAFF', staff!, [Math.max(years[0]!, last - 1), last], { by, reason: 'Parent works here' })
    await granted(tx, 'HARDSHIP', hardship!, [last, last], { by, reason: 'Social research of student affairs' })
    const ended = { by, ended_by: by, ended_at: `${demo.today}T08:00:00Z` }
    await granted(tx, 'HONOUR', lost!, [last, last], { ...ended, status: 'lost' })
    await granted(tx, 'HARDSHIP', removed!, [last, last], {
      ...ended,
      status: 'removed',
      reason: 'Social research of student affairs',
      ended_reason: 'Granted to another student by mistake',
    })
  },
)
