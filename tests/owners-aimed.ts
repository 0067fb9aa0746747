import { randomUUID } from 'node:crypto'
import { callsOf } from '#kit/contract/index.ts'
import type { Call } from '#kit/contract/index.ts'
import { flag } from '#areas/common/academics/status.rules.ts'
import { AREAS } from '../apps/areas.contract.ts'
import type { SentRequest } from './owners-watch.ts'
import { ok, type Caller, type TestUniversity } from './university.ts'

/**
 * Requests aimed at doors that requests filled in by rule do not find, and what has to stand for them: a drawer that is open, money
 * in a wallet, paid invoices, roles that are planned or over.
 */
export interface Aims {
  /** Work that goes on by itself, with what it is sent. */
  readonly jobs: readonly { readonly name: string; readonly payload: unknown }[]
  readonly requests: readonly (SentRequest & { readonly call: Call; readonly by?: string })[]
}

const CALLS = AREAS.flatMap((area) => callsOf(area)).map((call) => ({
  call,
  path: new RegExp(`^${call.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))
/** The call that answers at an address: one without places before one with. */
function callAt(method: string, url: string): Call {
  const found = CALLS.filter((one) => one.call.method === method && one.path.test(url))
  const [first] = found.toSorted((a, b) => a.call.path.split('{').length - b.call.path.split('{').length)
  if (!first) throw new Error(`No call is ${method} ${url}`)
  return first.call
}
interface Offered {
  readonly id: number
  readonly registration: unknown
  readonly refusals: readonly unknown[]
  readonly slots: readonly {
    readonly id: number
    readonly type: string
    readonly section: string | null
    readonly free: number
  }[]
}
const REASON = { reason: 'As decided by the council' }

/** Makes what is aimed at, before states are watched, and answers the requests. */
export async function prepareAims(u: TestUniversity): Promise<Aims> {
  const query = async (text: string, values: unknown[] = []): Promise<any[]> =>
    (await u.database.pool.query(text, values)).rows
  const one = async (text: string, values: unknown[] = []): Promise<any> => {
    const [row] = await query(text, values)
    if (!row) throw new Error(`The demo university has none: ${text.slice(0, 160)}`)
    return row
  }
  const { id: adminId } = await one('select id from users where is_super_admin order by id limit 1')
  const admin = await u.signIn(adminId)
  const { user_id: otherId } = await u.as(null)
  await query('update users set is_super_admin = true where id = $1', [otherId])
  const other = await u.signIn(otherId)
  const requests: (SentRequest & { call: Call; by?: string })[] = []
  const aim = (method: SentRequest['method'], url: string, body?: unknown, by?: Caller): void => {
    const call = callAt(method, url)
    requests.push({ call, method, url, ...(body !== undefined && { body }), ...(by && { by: by.token }) })
  }

  const jobs: { name: string; payload: unknown }[] = []

  await money()
  await roles()
  await students()
  await papers()
  return { requests, jobs }

  /** Invoices, payments, wallets. */
  async function money(): Promise<void> {
    ok(
      await admin('POST', '/cashier/shift/open', {
        opening: [
          { currency: 'EGP', amount: 900_000_000 },
          { currency: 'USD', amount: 900_000_000 },
        ],
      }),
    )
    const take = (student_id: number, currency: string, amount: number, invoice_ids: number[], to_wallet = false) => ({
      student_id,
      currency,
      amount,
      invoice_ids,
      to_wallet,
      note: null,
      key: randomUUID(),
    })
    // Open invoices of students of whom nothing else is under way.
    const open = await query(`select i.id, p.student_id, (b.charged - b.settled)::float8 as open
      from invoices i join invoice_balances b on b.invoice_id = i.id join payers p on p.id = i.payer_id join students s on s.id = p.student_id
      where i.reversed_at is null and b.settled = 0 and b.charged > 100 and i.currency = 'EGP' and s.status = 'studying'
        and not exists (select from transactions t where t.payer_id = i.payer_id and t.status in ('new', 'pending'))
        and (select count(*) from invoices k join invoice_balances c on c.invoice_id = k.id
          where k.payer_id = i.payer_id and c.charged > c.settled) = 1 order by b.charged desc, i.id limit 12`)
    const [unpaid, rich, whole, parts, next, back, backPart, online, almost, nothing, scholar] = open
    aim('POST', '/cashier/take', take(unpaid.student_id, 'EGP', 1, [unpaid.id]))
    aim('POST', '/cashier/take', take(unpaid.student_id, 'EGP', unpaid.open, [unpaid.id]))
    aim('POST', '/payments/payment-slip', { invoice_id: unpaid.id })
    const { id: bank } = await one(`select id from banks where removed_at is null order by id limit 1`)
    const { today, soon } = await one(
      'select university_today()::text as today, (university_today() + 5)::text as soon',
    )
    aim('PUT', '/promises', { invoice_id: unpaid.id, amount: 1, promised_on: soon })
    const entered = {
      student_id: unpaid.student_id,
      bank_id: bank,
      currency: 'EGP',
      paid_on: today,
      invoice_id: unpaid.id,
    }
    aim('POST', '/transactions/put', { ...entered, amount: 1, bank_reference: 'AIM-1' })
    aim('POST', '/transactions/put', { ...entered, amount: unpaid.open, bank_reference: 'AIM-2' })

    ok(
      await admin('POST', '/credits/charge-credit', {
        id: String(rich.student_id),
        amount: rich.open + 1000,
        currency: 'EGP',
        key: randomUUID(),
      }),
    )
    aim('POST', '/credits/charge-credit', {
      id: String(rich.student_id),
      amount: 10,
      currency: 'EGP',
      key: randomUUID(),
    })
    aim('POST', `/payments/pay_from_wallet/${rich.id}`, { amount: 1 })
    aim('POST', `/payments/pay_from_wallet/${rich.id}`, {})
    aim('POST', `/payments/cash_back/${rich.student_id}`, { amount: 1, currency: 'EGP', ...REASON, key: randomUUID() })

    // A guest: charged, and the wallet charged and paid out.
    const guest_id = (await one('select min(id) as id from guests')).id
    const visitor = () => ({ guest_id, currency: 'EGP', key: randomUUID() })
    for (const amount of [100, 90_000_000])
      aim('POST', '/payments/create_payer_payment', {
        guest_id,
        currency: 'EGP',
        lines: [{ account: 'services', name: 'Hall', name_local: 'قاعة', amount }],
        installments: [{ amount, due_date: '2031-12-31' }],
      })
    ok(await admin('POST', '/credits/charge-payer', { ...visitor(), amount: 1000 }))
    aim('POST', '/credits/charge-payer', { ...visitor(), amount: 10 })
    aim('POST', '/payments/cash_back_payer', { ...visitor(), amount: 1, ...REASON })

    const paid = ok(await admin('POST', '/cashier/take', take(whole.student_id, 'EGP', whole.open, [whole.id])))
    ok(await admin('POST', '/cashier/take', take(parts.student_id, 'EGP', 1, [parts.id])))
    const rest = ok(await admin('POST', '/cashier/take', take(parts.student_id, 'EGP', parts.open - 1, [parts.id])))
    const few = ok(await admin('POST', '/cashier/take', take(next.student_id, 'EGP', 50, [next.id])))
    // What was taken into the own drawer is cancelled by somebody else.
    for (const { id } of [paid, rest, few]) {
      aim('POST', '/transactions/cancel-transaction', { id, ...REASON }, other)
      aim('POST', `/payments/refund/${id}`, { ...REASON, key: randomUUID() })
      aim('POST', '/payments/refund', { id, ...REASON, key: randomUUID() })
      aim('POST', '/payments/refund', { id, amount: 1, ...REASON, key: randomUUID() })
      aim('POST', `/payments/refund/${id}`, { amount: 1, ...REASON, key: randomUUID() })
      aim('POST', `/payments/direct_cash_back/${id}`, { ...REASON, key: randomUUID() })
      aim('POST', `/payments/direct_cash_back/${id}`, { amount: 1, ...REASON, key: randomUUID() })
    }
    ok(await admin('POST', '/cashier/take', take(almost.student_id, 'EGP', almost.open - 1, [almost.id])))
    // Nothing is asked for any more, until something is again.
    const noLines = (await query('select id from invoice_lines where invoice_id = $1', [nothing.id])).map(({ id }) => ({
      id,
      amount: 0,
    }))
    const { version: nothingSeen } = await one('select version from invoices where id = $1', [nothing.id])
    ok(
      await admin('POST', `/payments/edit-invoice/${nothing.id}`, {
        lines: noLines,
        added: [],
        ...REASON,
        version: nothingSeen,
      }),
    )
    // Much money goes back once a second person has approved it.
    for (const [invoice, amount] of [
      [back, back.open],
      [backPart, backPart.open - 1],
    ] as const) {
      const { id } = ok(
        await admin('POST', '/cashier/take', take(invoice.student_id, 'EGP', invoice.open, [invoice.id])),
      )
      ok(await admin('POST', `/payments/refund/${id}`, { amount, ...REASON, key: randomUUID() }))
      const request = await one(`select id from refund_requests where payment_id = $1 and status = 'asked'`, [id])
      ok(await other('POST', `/payments/refunds/${request.id}/approve`, {}))
      aim('POST', `/payments/refunds/${request.id}/pay_out`, {})
    }
    // A provider says late that it was paid; and has not answered about a refund.
    for (const [i, amount] of [online.open, 1].entries()) {
      const { id } = await one(
        `insert into transactions (payer_id, way, currency, amount, status, provider, invoice_id) select payer_id, 'card', 'EGP', $2, 'failed', 'fawry', id
         from invoices where id = $1 returning id`,
        [online.id, amount],
      )
      const charge = await one(
        `insert into provider_charges (transaction_id, provider, reference, order_number, expires_at) values ($1, 'fawry', $2, $2, now()) returning id`,
        [id, `AIM-${i}`],
      )
      const event = await one(
        `insert into provider_events (provider, verdict, charge_id, reference, order_number, payment, status, amount, currency, judged_at)
         values ('fawry', 'ended', $1, $2, $2, $2, 'paid', $3, 'EGP', now()) returning id`,
        [charge.id, `AIM-${i}`, amount],
      )
      aim('POST', `/transactions/provider-events/${event.id}/decide`, { decision: 'book', ...REASON })
    }
    for (const { id } of await query(`select id from provider_refunds where status = 'asked'`))
      for (const happened of [true, false]) aim('POST', `/payments/refunds/unanswered/${id}`, { happened, ...REASON })
    // What came by a provider goes back by it.
    for (const {
      id,
    } of await query(`select id from transactions where way = 'mobile' and status = 'paid' and provider is not null and amount > 10
        and not exists (select from transactions r where r.refund_of = transactions.id) order by id desc limit 1`)) {
      aim('POST', `/payments/refund/${id}`, { amount: 1, ...REASON, key: randomUUID() })
      aim('POST', '/payments/refund', { id, amount: 1, ...REASON, key: randomUUID() })
    }
    // Scholarships: of an invoice, of a student, and taken away again.
    const scholarships = await query('select id from scholarships where removed_at is null order by id')
    for (const { id } of [almost, next])
      for (const scholarship of scholarships)
        aim('POST', `/payments/scholarship/${id}`, { scholarship_id: scholarship.id, ...REASON })
    aim('POST', `/payments/pay/${unpaid.id}`, { way: 'mobile' })
    aim('POST', `/payments/pay/${unpaid.id}`, { way: 'card' })
    // The fees of the term, of whom they are asked for; into a wallet that has money for a part of them, or for all.
    const due = []
    for (const {
      id,
    } of await query(`select s.id from students s where s.status = 'studying' and not exists (select from invoices i join payers p on p.id = i.payer_id
        where p.student_id = s.id and i.term_id = (select term_id from current_terms where key = 'current_term')) order by s.id limit 60`)) {
      const found = await admin('POST', `/payments/apply_next_invoice/${id}`, { preview: true })
      if (found.status === 200 && found.body.data.draft && !found.body.data.reasons.length) due.push(id)
      if (due.length === 3) break
    }
    // Scholarships of students change what is asked for, by itself.
    const { id: year } = await one('select year_id as id from invoices where id = $1', [almost.id])
    const given = scholarships.find(({ id }) => id === 6) ?? scholarships[0]
    for (const { student_id } of [almost, next, scholar])
      ok(
        await admin('POST', `/students/scholarships/apply-scholarship/${student_id}`, {
          scholarship_id: given.id,
          year_id: year,
          ...REASON,
        }),
      )
    jobs.push({ name: 'reprice-invoices', payload: {} })
    const { term_id } = await one(`select term_id from current_terms where key = 'current_term'`)
    jobs.push({ name: 'next-invoices', payload: { term_id, student_ids: due, preview: false } })
    for (const [i, id] of due.entries()) {
      if (i)
        await admin('POST', '/credits/charge-credit', {
          id: String(id),
          amount: i === 1 ? 100 : 90_000_000,
          currency: 'EGP',
          key: randomUUID(),
        })
      aim('POST', `/payments/apply_next_invoice/${id}`, {})
    }
    for (const { student_id } of [rich, unpaid])
      for (const amount of [100, 90_000_000])
        aim('POST', `/payments/create_payment/${student_id}`, {
          currency: 'EGP',
          lines: [{ account: 'services', name: 'Card', name_local: 'بطاقة', amount }],
          installments: [{ amount, due_date: '2031-12-31' }],
        })
    for (const { id } of [whole, next, almost, nothing, unpaid]) {
      const { version } = await one('select version from invoices where id = $1', [id])
      const lines = await query(
        'select id, amount::float8 as amount from invoice_lines where invoice_id = $1 order by id',
        [id],
      )
      const added = [{ account: 'services', name: 'Card', name_local: 'بطاقة', amount: 5000 }]
      const nothing = lines.map((line) => ({ id: line.id, amount: 0 }))
      const little = lines.map((line, i) => ({ id: line.id, amount: i === 0 ? Math.min(50, line.amount) : 0 }))
      for (const body of [
        { lines: [], added },
        { lines: nothing, added: [] },
        { lines: little, added: [] },
      ]) {
        aim('POST', `/payments/edit-invoice/${id}`, { ...body, ...REASON, version })
        aim('POST', '/payments/edit-invoice', { id, ...body, ...REASON, version })
      }
      aim('POST', `/payments/reverse-invoice/${id}`, REASON)
      for (const line of lines)
        for (const amount of new Set([0, 50, Math.max(0, line.amount - 1), line.amount + 5000])) {
          aim('PUT', `/payment/items/edit/${line.id}`, { amount, ...REASON })
          aim('PUT', `/payment/items/edit_amount/${line.id}`, { amount, ...REASON })
        }
    }
  }

  /** Roles that somebody holds, will hold, and held. */
  async function roles(): Promise<void> {
    const { today, before, after } = await one(
      `select university_today()::text as today, (university_today() - 10)::text as before, (university_today() + 10)::text as after`,
    )
    const role = async (key: string): Promise<number> => (await one('select id from roles where key = $1', [key])).id
    const [registrar, control] = [await role('registrar'), await role('control_head')]
    const person = await u.as('registrar')
    const user = person.user_id
    const held = async (valid_from: string | null, valid_to: string | null, role_id: number): Promise<number> =>
      (
        await one(
          'insert into role_assignments (user_id, role_id, valid_from, valid_to) values ($1, $2, $3, $4) returning id',
          [user, role_id, valid_from, valid_to],
        )
      ).id
    const { id: active } = await one('select id from role_assignments where user_id = $1', [user])
    const planned = await held(after, null, control)
    await held(before, before, await role('dean'))
    const set = (...list: object[]) => aim('PUT', `/users/set/access/${user}`, { roles: list, ...REASON })
    set()
    set({ role_id: registrar, valid_from: after })
    set({ id: active, role_id: registrar, valid_to: before })
    set({ id: planned, role_id: control })
    set({ id: active, role_id: registrar, valid_from: after })
    aim('PUT', '/advisors/add-advisors', {
      instructor_ids: [
        (
          await one(`select i.id from instructors i where i.user_id is not null and i.max_advised is null and not exists
          (select from role_assignments a join roles r on r.id = a.role_id where a.user_id = i.user_id and r.key = 'academic_advisor') limit 1`)
        ).id,
      ],
      max_advised: 25,
    })
    aim(
      'PUT',
      `/advisors/delete-advisors/${
        (
          await one(`select i.id from instructors i join role_assignments a on a.user_id = i.user_id
      join roles r on r.id = a.role_id and r.key = 'academic_advisor' where i.max_advised is not null order by (select count(*) from students s where s.advisor_id = i.id) limit 1`)
        ).id
      }`,
      {},
    )
    const { id: invited } = await one(`insert into instructors (code, name, name_local, email, faculty_id)
      select 'AIM', 'Aim', 'هدف', 'aim@example.edu', faculty_id from instructors order by id limit 1 returning id`)
    aim('POST', `/people/instructor/${invited}/invite`, {})
    aim('POST', `/roles/${control}/replace`, { role_id: registrar, ...REASON })

    // A directory whose group gives a role, and one that gives none yet.
    const { id: directory } = await one(`insert into scim_directories (name, kinds) values ('Aim', '{2}') returning id`)
    for (const [name, given] of [
      ['Bare', null],
      ['Giving', control],
    ] as const) {
      const { id: group } = await one(
        'insert into scim_groups (directory_id, name, role_id) values ($1, $2, $3) returning id',
        [directory, name, given],
      )
      const { user_id: member } = await u.as(null)
      await query('insert into scim_members (group_id, user_id) values ($1, $2)', [group, member])
      if (given) {
        const { id } = await one('insert into role_assignments (user_id, role_id) values ($1, $2) returning id', [
          member,
          given,
        ])
        await query(
          'insert into scim_grants (role_assignment_id, directory_id, user_id, role_id) values ($1, $2, $3, $4)',
          [id, directory, member, given],
        )
      }
      aim('PUT', `/directories/groups/${group}`, { role_id: given ? null : registrar })
    }
    // A review that has come to it.
    const { id: review } = await one(
      `insert into rights_reviews (name, name_local, until_date) values ('Aim', 'هدف', $1) returning id`,
      [after],
    )
    const { id: row } = await one(
      `insert into rights_review_rows (review_id, user_id, way, grant_id, role_id, given_at) values ($1, $2, 'role', $3, $4, $5) returning id`,
      [review, user, active, registrar, today],
    )
    aim('POST', `/rights/reviews/${review}/decide`, { ids: [row], decision: 'revoke', note: 'No longer' })
  }
  /** Students, their requests and places in queues. */
  async function students(): Promise<void> {
    const CURRENT = `(select term_id from current_terms where key = 'current_term')`
    const { today } = await one('select university_today()::text as today')
    const status = (id: number, to: string) =>
      aim('POST', `/students/status/${id}`, { status: to, decision: 'Council 15/2026', decided_on: today })
    const having = async (bits: bigint, where = 'true'): Promise<any> =>
      one(
        `select s.id, s.user_id, r.id as registration_id, r.offering_id from registrations r join students s on s.id = r.student_id and s.status = 'studying'
           join offerings o on o.id = r.offering_id
         where r.term_id = ${CURRENT} and r.status & $1::bigint <> 0 and ${where}
           and not exists (select from internal_transfers t where t.student_id = s.id)
           and not exists (select from transfers_out t where t.student_id = s.id) order by r.id limit 1`,
        [String(bits)],
      )
    const leaving = [
      await having(flag.Registered, `r.letter is null and o.control_status = 'Draft'`),
      await having(flag.RegisterRequest | flag.AddRequest),
      await having(flag.DropRequest | flag.WithdrawRequest),
      await one(`select s.id, s.user_id from wait_list w join students s on s.id = w.student_id and s.status = 'studying' where w.state = 'waiting'
        and not exists (select from internal_transfers t where t.student_id = s.id) and not exists (select from transfers_out t where t.student_id = s.id) limit 1`),
    ]
    for (const { id } of leaving) for (const to of ['suspended', 'withdrawn', 'dismissed']) status(id, to)
    for (const { id } of await query(
      `select min(id) as id from students where status in ('suspended', 'dismissed', 'withdrawn') group by status`,
    ))
      status(id, 'studying')
    const { id: able } =
      await one(`select id from students where status = 'studying' order by (select count(*) from registrations r where r.student_id = students.id
      and r.letter is not null) desc, id limit 1`)
    status(able, 'graduated')

    // Students ask for what can be had, or wait for what is full; staff register them, exempt them, take courses away.
    let asked = 0
    for (const one of await query(`select s.id, s.user_id from students s where s.status = 'studying' and s.user_id is not null
        and exists (select from registrations r where r.student_id = s.id and r.term_id = ${CURRENT}) order by md5(s.id::text) limit 60`)) {
      const student = await u.signIn(one.user_id)
      const { body } = await student('GET', '/registrations/students/available-offerings')
      const found = ((body?.data?.offerings ?? []) as Offered[]).filter(
        (offering) =>
          offering.slots.length > 0 && offering.slots.every((slot) => slot.type === 'Lecture' && slot.section === null),
      )
      const free = found.flatMap(({ id, registration, refusals, slots }) => {
        const slot = !registration && !refusals.length && slots.find((one) => one.free > 0)
        return slot ? [{ offering_id: id, offering_slot_ids: [slot.id] }] : []
      })
      const full = found.flatMap(({ id, registration, slots }) => {
        const slot = !registration && slots.find((one) => one.free === 0)
        return slot ? [{ offering_id: id, offering_slot_ids: [slot.id] }] : []
      })
      if (!free.length) continue
      for (const wanted of free.slice(0, 3)) {
        aim('PUT', '/registrations/students/request-offering', { offerings: [wanted] }, student)
        aim('PUT', '/registrations/students/addDrop-offering', { action: 'add', offerings: [wanted] }, student)
        aim('PUT', '/registrations/students/request-offering', {
          student_id: one.id,
          offerings: [wanted],
          enroll: true,
        })
        aim('POST', '/registrations/enroll_students', { ...wanted, student_ids: [one.id] })
        aim('POST', '/registrations/exempt_students', {
          offering_id: wanted.offering_id,
          student_ids: [one.id],
          ...REASON,
        })
      }
      for (const wanted of full.slice(0, 2)) aim('PUT', '/registrations/students/wait-list', wanted, student)
      if (++asked === 4) break
    }
    for (const bits of [flag.RegisterRequest, flag.AddRequest, flag.DropRequest, flag.WithdrawRequest]) {
      const waits = await having(bits, `o.control_status = 'Draft'`).catch(() => null)
      if (!waits) continue
      aim('PUT', '/registrations/students/accept-all-requested-offerings', { student_id: waits.id, ...REASON })
      const student = waits.user_id && (await u.signIn(waits.user_id))
      if (student)
        aim('PUT', '/registrations/students/remove-offering', { registration_ids: [waits.registration_id] }, student)
    }
    for (const { user_id, registration_id, id, offering_id } of await query(
      `select s.user_id, s.id, r.id as registration_id, r.offering_id from registrations r join students s on s.id = r.student_id and s.status = 'studying' and s.user_id is not null
         join offerings o on o.id = r.offering_id and o.control_status = 'Draft'
       where r.term_id = ${CURRENT} and r.status & $1::bigint <> 0 and r.letter is null and not exists (select from registration_marks m where m.registration_id = r.id)
       order by md5(r.id::text) limit 5`,
      [String(flag.Registered)],
    )) {
      const student = await u.signIn(user_id)
      aim(
        'PUT',
        '/registrations/students/addDrop-offering',
        { action: 'drop', registration_ids: [registration_id] },
        student,
      )
      aim('PUT', '/registrations/students/withdraw-offering', { registration_ids: [registration_id] }, student)
      aim('PUT', '/registrations/students/withdraw-offering', { registration_ids: [registration_id], ...REASON })
      aim('POST', `/registrations/delete_registrations/${offering_id}`, { student_ids: [id], ...REASON })
      aim('POST', '/registrations/exempt_students', { offering_id, student_ids: [id], ...REASON })
    }
    // Others wait for the same.
    const queue = await one(
      `select offering_id, offering_slot_ids from wait_list where state = 'waiting' order by id limit 1`,
    )
    for (const { user_id } of await query(
      `select s.id, s.user_id from students s join registrations r on r.student_id = s.id and r.term_id = ${CURRENT}
       where s.status = 'studying' and s.user_id is not null and s.program_id in (select x.program_id from wait_list w join students x on x.id = w.student_id where w.offering_id = $1)
         and not exists (select from wait_list w where w.student_id = s.id) and not exists (select from registrations k where k.student_id = s.id and k.offering_id = $1)
       group by 1, 2 order by md5(s.id::text) limit 8`,
      [queue.offering_id],
    ))
      aim(
        'PUT',
        '/registrations/students/wait-list',
        { offering_id: queue.offering_id, offering_slot_ids: queue.offering_slot_ids },
        await u.signIn(user_id),
      )
    const place = await one(`select id from wait_list where state = 'waiting' order by id limit 1`)
    aim('DELETE', `/registrations/students/wait-list/${place.id}`)
    // Excuses from a course: one that waits, and one that is asked for.
    const courses = await query(
      `select s.id, s.user_id, r.offering_id from registrations r join students s on s.id = r.student_id and s.status = 'studying' and s.user_id is not null
         join offerings o on o.id = r.offering_id and o.control_status = 'Draft'
       where r.term_id = ${CURRENT} and r.status & $1::bigint <> 0 and r.letter is null and not exists (select from registration_marks m where m.registration_id = r.id)
         and not exists (select from excuses x where x.student_id = s.id) and not exists (select from wait_list w where w.student_id = s.id)
       order by md5(r.id::text || 'excuse') limit 4`,
      [String(flag.Registered)],
    )
    for (const [i, { id, user_id, offering_id }] of courses.entries()) {
      const student = await u.signIn(user_id)
      const body = { student_id: id, kind: 'course', offering_id, why: 'I was ill for weeks, the paper is attached.' }
      if (i) aim('PUT', '/excuses', body, student)
      else ok(await student('PUT', '/excuses', body))
    }
    // Finals that were held: who was away is recorded; one is recorded already.
    const [held] = await query(
      `select s.id, s.exam_id, s.offering_id from exam_schedules s join exams e on e.id = s.exam_id and e.removed_at is null
       where lower(s.during) <= now() at time zone university_zone() and s.removed_at is null order by s.id limit 1`,
    )
    await query(`update exams set kind = 'final' where id = $1`, [held.exam_id])
    const sits = await query(
      `select r.id from registrations r where r.offering_id = $1 and r.status & $2::bigint <> 0
         and not exists (select from exam_absences a where a.registration_id = r.id) and not exists (select from exam_cases c where c.registration_id = r.id) order by r.id desc limit 3`,
      [held.offering_id, String(flag.Registered)],
    )
    for (const [i, { id }] of sits.entries())
      if (i) aim('PUT', '/exam-absences', { exam_schedule_id: held.id, registration_id: id })
      else ok(await admin('PUT', '/exam-absences', { exam_schedule_id: held.id, registration_id: id }))
    // Whoever waits is registered, exempted, or asks.
    for (const place of await query(`select w.student_id, w.offering_id, w.offering_slot_ids, s.user_id from wait_list w join students s on s.id = w.student_id and s.status = 'studying'
        where w.state = 'waiting' order by w.id limit 4`)) {
      const wanted = { offering_id: place.offering_id, offering_slot_ids: place.offering_slot_ids }
      aim('POST', '/registrations/enroll_students', {
        ...wanted,
        student_ids: [place.student_id],
        over_quota: true,
        ...REASON,
      })
      aim('POST', '/registrations/exempt_students', {
        offering_id: place.offering_id,
        student_ids: [place.student_id],
        ...REASON,
      })
      for (const action of [{ enroll: true }, {}])
        aim('PUT', '/registrations/students/request-offering', {
          student_id: place.student_id,
          offerings: [wanted],
          over_quota: true,
          ...REASON,
          ...action,
        })
      const free = await query(
        'select id from offering_slots where offering_id = $1 and taken + held < quota limit 1',
        [place.offering_id],
      )
      if (free.length && place.user_id) {
        const student = await u.signIn(place.user_id)
        const other = { offering_id: place.offering_id, offering_slot_ids: [free[0].id] }
        aim('PUT', '/registrations/students/request-offering', { offerings: [other] }, student)
        aim('PUT', '/registrations/students/addDrop-offering', { action: 'add', offerings: [other] }, student)
      }
    }
    // Who studies by marks is registered by the block of the level.
    for (const {
      id,
      user_id,
      ...level
    } of await query(`select s.id, s.user_id, s.program_id, f.level, ${CURRENT} as term_id from students s
        join shown_standing f on f.student_id = s.id where s.status = 'studying' and s.user_id is not null and s.bylaw_id in (select bylaw_id from student_years) and not exists (select from registrations r where r.student_id = s.id and r.term_id = ${CURRENT}) limit 3`)) {
      aim('PUT', '/registrations/students/block', {}, await u.signIn(user_id))
      aim('PUT', '/registrations/students/block', { student_id: id, ...REASON })
      aim('POST', '/registrations/block/level', { ...level, student_ids: [id], ...REASON })
    }
  }
  /** Exam papers and their barcodes. */
  async function papers(): Promise<void> {
    // Before marking has begun one person does it alone.
    const [{ id: fresh }, { id: untouched }] =
      await query(`select o.id from offerings o where o.control_status = 'Draft' and o.removed_at is null
      and (select count(*) from registrations r where r.offering_id = o.id and r.status & ${flag.Registered}::bigint <> 0) > 5
      and exists (select from offering_marks m join mark_categories k on k.id = m.mark_category_id and k.is_final_exam where m.offering_id = o.id)
      and not exists (select from anonymous_offerings a where a.offering_id = o.id)
      and not exists (select from offering_marks m join mark_categories k on k.id = m.mark_category_id and k.is_final_exam
        join registration_marks g on g.offering_mark_id = m.id where m.offering_id = o.id) order by o.id limit 2`)
    aim('POST', `/control/offerings/barcode/generate/${untouched}`, { spare: 2 })
    ok(await admin('POST', `/control/offerings/barcode/generate/${fresh}`, { spare: 2 }))
    const spare = await one(
      `select b.code from exam_barcodes b where b.offering_id = $1
      and not exists (select from exam_barcode_owners w where w.barcode_id = b.id) limit 1`,
      [fresh],
    )
    const paper = await one(
      `select b.id, w.registration_id from exam_barcodes b join exam_barcode_owners w on w.barcode_id = b.id where b.offering_id = $1 limit 1`,
      [fresh],
    )
    aim('POST', '/exam-barcodes/attach_backup_barcode', {
      registration_id: paper.registration_id,
      barcode: spare.code,
      ...REASON,
    })
    aim('POST', `/exam-barcodes/detach_backup_barcode/${paper.id}`, REASON)
    aim('POST', `/control/offerings/barcode/generate/${fresh}`, { spare: 1 })
    // Once it has, a second person confirms.
    const free =
      await one(`select b.id, b.code, b.offering_id from exam_barcodes b where b.mark is null and not b.absent
      and not exists (select from exam_barcode_owners w where w.barcode_id = b.id)`)
    aim('PUT', '/exam-barcodes/generate_backup_barcodes', { offering_id: free.offering_id, count: 1 })
    const owners = await query(
      `select b.id, b.code, w.registration_id, b.mark from exam_barcodes b join exam_barcode_owners w on w.barcode_id = b.id
      where b.offering_id = $1 and not exists (select from exam_paper_changes c where c.registration_id = w.registration_id) order by b.mark nulls first, b.id`,
      [free.offering_id],
    )
    const [bare] = owners
    aim('POST', '/exam-barcodes/attach_backup_barcode', {
      registration_id: bare.registration_id,
      barcode: free.code,
      ...REASON,
    })
    aim('POST', `/exam-barcodes/detach_backup_barcode/${bare.id}`, REASON)
    aim(
      'PUT',
      `/control/students/barcode/update-final-mark/${free.offering_id}`,
      { barcode: bare.code, mark: '12', version: null },
      other,
    )
    await admin('POST', `/exam-barcodes/detach_backup_barcode/${bare.id}`, REASON)
    for (const { id } of await query('select id from exam_paper_changes'))
      aim('POST', `/exam-barcodes/changes/confirm/${id}`, {}, other)
  }
}
