import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '#db/testing.ts'
import type { TestDatabase } from '#db/testing.ts'
import { refusalOfDatabase, registerErrors } from '#kit/server/base/errors.ts'
import { AREAS } from '../apps/areas.contract.ts'

/**
 * Rules that the database holds, whoever writes: each refuses the one row that breaks it, takes the row beside it that does
 * not, and is told by its code. What else a row points to is left out: foreign keys wait (`replica`) unless they are the rule.
 */
let database: TestDatabase
let client: pg.PoolClient
beforeAll(async () => {
  for (const { name, errors } of AREAS) registerErrors(name, errors)
  database = await createTestDatabase()
  await database.pool.query('select ensure_audit_partitions(1)')
  client = await database.pool.connect()
}, 180_000)
afterAll(async () => {
  client?.release()
  await database?.drop()
})

type Row = Readonly<Record<string, unknown>>
interface ColumnOf {
  name: string
  type: string
  identity: boolean
}
/** Columns that have to be given: without a default, and not null. */
const needed = async (table: string): Promise<ColumnOf[]> =>
  (
    await client.query<ColumnOf>(
      `select column_name as name, udt_name as type, is_identity = 'YES' as identity from information_schema.columns
       where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'
         and (is_identity = 'YES' or (is_nullable = 'NO' and column_default is null))`,
      [table],
    )
  ).rows

let next = 2000
const filled = ({ type }: ColumnOf): unknown => {
  next++
  if (/^(int|float|numeric)/.test(type)) return next
  if (type === 'text') return `X${next}`
  if (type === 'bool') return false
  if (type === 'date') return '2026-01-01'
  if (type.startsWith('timestamp')) return '2026-01-01T08:00:00Z'
  if (type === 'jsonb') return '{}'
  throw new Error(`say a value of the type ${type}`)
}
async function insert(table: string, row: Row): Promise<void> {
  const lacking = (await needed(table)).filter(({ name, identity }) => !identity && !(name in row))
  const whole = { ...Object.fromEntries(lacking.map((one) => [one.name, filled(one)])), ...row }
  const names = Object.keys(whole)
  await client.query(
    `insert into ${table} (${names.join(', ')}) overriding system value values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
    Object.values(whole),
  )
}

/** As what a failure of the database is told. */
const toldOf = async (act: () => Promise<unknown>): Promise<readonly string[]> => {
  try {
    await act()
    return []
  } catch (error) {
    const refusal = refusalOfDatabase(error)
    if (!refusal) throw error
    return refusal.reasons.map(({ code }) => code)
  }
}
const inTransaction = async (work: () => Promise<void>): Promise<void> => {
  await client.query('begin')
  try {
    await client.query('set local session_replication_role = replica')
    await work()
  } finally {
    await client.query('rollback')
  }
}

/** Triggers act, and only foreign keys do not. */
async function withoutForeignKeys(table: string): Promise<void> {
  await client.query('set local session_replication_role = origin')
  const { rows } = await client.query<{ name: string }>(
    `select conname as name from pg_constraint where conrelid = $1::regclass and contype = 'f'`,
    [table],
  )
  for (const { name } of rows) await client.query(`alter table ${table} drop constraint ${name}`)
}

/** A row that is taken; what else of it is taken besides (of two that must differ); and what of it is refused. */
interface Held {
  readonly code: string
  readonly table: string
  readonly row: Row
  readonly besides?: Row
  readonly refused: Row
  /** It may wait for the end of a transaction: a trigger looks at it, which `replica` leaves out. */
  readonly deferrable?: true
}
const held = (table: string) => ({
  /** What is not itself right. */
  right: (code: string, row: Row, refused: Row): Held => ({ code, table, row, refused }),
  /** What is not there twice: again as it is, but for what is said to differ. */
  once: (code: string, row: Row, besides: Row, refused: Row = {}): Held => ({ code, table, row, besides, refused }),
  deferrable(code: string, row: Row, besides: Row, refused: Row = {}): Held {
    return { code, table, row, besides, refused, deferrable: true }
  },
})
const DURING = '[2026-01-01 09:00,2026-01-01 11:00)'

const HELD: readonly Held[] = [
  // Money
  {
    code: 'reminder_step_after',
    table: 'reminder_steps',
    row: { moment: 'before', days: 3, holds: false },
    refused: { holds: true },
  },
  {
    code: 'reminder_step_late',
    table: 'reminder_steps',
    row: { moment: 'before', days: 0 },
    refused: { moment: 'after' },
  },
  {
    code: 'reminder_step_taken',
    table: 'reminder_steps',
    row: { moment: 'after', days: 3, is_active: true },
    besides: { is_active: false },
    refused: {},
  },
  {
    code: 'promise_standing',
    table: 'payment_promises',
    row: { payer_id: 1, currency: 'EGP', amount: 5, promised_on: '2026-01-01', settled_before: 0 },
    besides: { invoice_id: 9 },
    refused: {},
  },
  {
    code: 'plan_asked',
    table: 'payment_plans',
    row: { payer_id: 1, currency: 'EGP', parts_asked: 2, first_day: '2026-01-01', why: 'Test' },
    besides: { invoice_id: 9 },
    refused: {},
  },
  // Study
  held('exam_slots').right(
    'exam_slots_regular_order',
    { start_time: '09:00', end_time: '11:00', ramadan_start_time: '10:00', ramadan_end_time: '12:00' },
    { end_time: '09:00' },
  ),
  held('exam_slots').right(
    'exam_slots_ramadan_order',
    { start_time: '09:00', end_time: '11:00', ramadan_start_time: '10:00', ramadan_end_time: '12:00' },
    { ramadan_end_time: '10:00' },
  ),
  held('offering_slots').deferrable(
    'offering_slots_room',
    { type: 'Lecture', term_id: 1, location_id: 1, day: 1, slot_id: 1, quota: 10 },
    { day: 2 },
  ),
  held('bylaws').right(
    'bylaws_absence_order',
    { absence_warn_share: 20, absence_ban_share: 20 },
    { absence_warn_share: 21 },
  ),
  // Records
  held('mark_categories').right(
    'mark_category_one_exam',
    { is_final_exam: true, exam_kind: null },
    { exam_kind: 'oral' },
  ),
  held('grace_rules').once('grace_rule_year', { bylaw_id: 1, year_id: 1 }, { year_id: 2 }),
  held('grace_rules').right(
    'grace_rule_order',
    { first_for: 'promote', then_for: 'pass_course' },
    { then_for: 'promote' },
  ),
  held('grace_rules').right('grace_rule_order', { first_for: 'promote' }, { first_for: null, then_for: 'promote' }),
  held('second_sessions').once('second_session_opened', { bylaw_id: 1, year_id: 1, level: 1 }, { level: 2 }),
  held('placement_courses').deferrable(
    'placement_course_twice',
    { placement_test_id: 1, course_id: 1, level: 1 },
    { course_id: 2 },
  ),
  held('placement_levels').right(
    'placement_levels_order',
    { position: 0, from_score: 1, to_score: 2 },
    { from_score: 2 },
  ),
  held('placement_levels').deferrable(
    'placement_levels_overlap',
    { placement_test_id: 1, position: 0, from_score: 0, to_score: 10 },
    { from_score: 10, to_score: 20 },
    { from_score: 9, to_score: 10 },
  ),
  held('placement_results').once(
    'placement_result_twice',
    { student_id: 1, placement_test_id: 1 },
    { placement_test_id: 2 },
  ),
  held('placement_results').right('placement_result_scored', { score: 5, level: 1 }, { level: null }),
  held('student_documents').once(
    'document_open_already',
    { student_id: 1, kind_id: 1 },
    { status: 'accepted' },
    { status: 'handed_in' },
  ),
  // Enrolment
  held('specializations').right(
    'specializations_elsewhere',
    { general_program_id: 1, program_id: 2, capacity: 1 },
    { program_id: 1 },
  ),
  held('specializations').once(
    'specialization_twice',
    { general_program_id: 1, program_id: 2, name: 'Robotics', capacity: 1 },
    { name: 'Networks' },
    { name: 'robotics' },
  ),
  held('specialization_courses').deferrable(
    'specialization_course_twice',
    { specialization_id: 1, course_id: 1, position: 0 },
    { course_id: 2 },
  ),
  held('specialization_seats').deferrable(
    'specialization_seat_twice',
    { specialization_time_id: 1, specialization_id: 1, position: 0, capacity: 1 },
    { specialization_id: 2 },
  ),
  held('specialization_times').right(
    'specialization_times_order',
    { start_date: '2026-01-02', end_date: '2026-01-02' },
    { end_date: '2026-01-01' },
  ),
  held('internal_transfers').right(
    'internal_transfer_elsewhere',
    { program_id: 1, from_program_id: 2 },
    { from_program_id: 1 },
  ),
  held('transfers_out').once('transfer_out_pending', { student_id: 1 }, { status: 'rejected' }),
  held('university_faculties').once(
    'university_faculty_known_already_local',
    { university_id: 1, name_local: 'كلية الحاسبات' },
    { university_id: 2 },
  ),
  held('excuses').right(
    'excuse_days',
    { kind: 'absence', from_date: '2026-01-02', to_date: '2026-01-02' },
    { to_date: '2026-01-01' },
  ),
  held('excuses').right('excuse_course', { kind: 'term', offering_id: null }, { offering_id: 1 }),
  held('building_distances').right(
    'building_distance_self',
    { building_id: 1, other_building_id: 2, minutes: 5 },
    { other_building_id: 1 },
  ),
  held('building_distances').once(
    'building_distance_twice',
    { building_id: 1, other_building_id: 2, minutes: 5 },
    { other_building_id: 3 },
  ),
  // Exams
  held('exam_days').once('exam_day_twice', { exam_id: 1, on_date: '2026-01-01' }, { on_date: '2026-01-02' }),
  held('exam_times').once('exam_time_twice', { exam_id: 1, exam_slot_id: 1 }, { exam_slot_id: 2 }),
  held('exam_halls').once('exam_hall_twice', { exam_id: 1, location_id: 1, seats: 5 }, { location_id: 2 }),
  held('exam_closures').right('exam_closures_one', { on_date: '2026-01-01', location_id: 1 }, { instructor_id: 1 }),
  held('exam_relations').right(
    'exam_relations_other',
    { kind: 'after', offering_id: 1, other_offering_id: 2 },
    { other_offering_id: null },
  ),
  held('exam_relations').right(
    'exam_relations_self',
    { kind: 'after', offering_id: 1, other_offering_id: 2 },
    { other_offering_id: 1 },
  ),
  held('exam_schedules').right(
    'exam_schedules_placed',
    { on_date: '2026-01-01', exam_slot_id: 1 },
    { exam_slot_id: null },
  ),
  held('exam_schedules').once('exam_offering_twice', { exam_id: 1, offering_id: 1 }, { offering_id: 2 }),
  held('exam_schedule_locations').once(
    'exam_schedule_location_twice',
    { exam_schedule_id: 1, location_id: 1, seats: 5, during: DURING },
    { location_id: 2 },
  ),
  held('exam_schedule_instructors').once(
    'exam_invigilator_repeated',
    { exam_schedule_id: 1, location_id: 1, instructor_id: 1, during: DURING },
    { instructor_id: 2 },
  ),
  held('exam_absences').once(
    'exam_absence_twice',
    { exam_schedule_id: 1, registration_id: 1 },
    { registration_id: 2 },
    { status: 'cancelled' },
  ),
  // Money
  held('invoice_balances').right(
    'invoice_charged_negative',
    { invoice_id: 1, currency: 'EGP', charged: 0 },
    { invoice_id: 2, charged: -1 },
  ),
  held('invoices').once('invoice_twice', { payer_id: 1, year_id: 1, type: 'tuition', currency: 'EGP' }, { year_id: 2 }),
  held('transactions').once(
    'transaction_provider_twice',
    { way: 'card', currency: 'EGP', amount: 1, provider: 'simulator', provider_reference: 'R1' },
    { provider_reference: 'R2' },
  ),
  held('transactions').right(
    'transaction_bank_reference',
    { way: 'slip', currency: 'EGP', amount: 1, bank_reference: 'B 123', bank_id: 1 },
    { bank_id: null },
  ),
  held('cash_shifts').right(
    'shift_review_closed',
    {
      reviewed_by: 1,
      reviewed_at: '2026-01-02T08:00:00Z',
      review_note: 'Counted again',
      closed_at: '2026-01-01T08:00:00Z',
    },
    { closed_at: null },
  ),
  held('fee_due_dates').once(
    'fee_due_twice',
    { version_id: 1, type: 'tuition', instalment: 1, share: 1000 },
    { instalment: 2 },
  ),
  held('fee_fines').once('fee_fine_twice', { version_id: 1, type: 'tuition', currency: 'EGP' }, { currency: 'USD' }),
  held('nationality_group_countries').once(
    'nationality_in_one_group',
    { nationality_group_id: 1, country_id: 1 },
    { country_id: 2 },
    { nationality_group_id: 2 },
  ),
  held('nationality_groups').right(
    'nationality_group_default',
    { currency: 'EGP', is_default: false },
    { is_default: true },
  ),
  held('scholarships').right(
    'scholarship_condition',
    { basis: 'manual', percent: 10, types: '{tuition}' },
    { from_value: 5 },
  ),
]

describe('a row that breaks a rule of its table', () => {
  it.each(HELD)('$code', async ({ code, table, row, besides, refused, deferrable }) => {
    await inTransaction(async () => {
      if (deferrable) await withoutForeignKeys(table)
      await insert(table, row)
      if (besides) await insert(table, { ...row, ...besides })
      expect(await toldOf(() => insert(table, { ...row, ...refused }))).toEqual([code])
    })
  })
})

/** What is there already, and a statement that a trigger or a foreign key refuses; with another value it is taken. */
interface Guarded {
  readonly code: string
  readonly there: readonly (readonly [table: string, row: Row])[]
  readonly act: string
  readonly taken: string
}
const EXAM: Guarded['there'] = [
  ['terms', { id: 901, term_type: 'fall', end_date: '2999-01-01', start_date: '2026-01-01' }],
  ['exams', { id: 901, term_id: 901, kind: 'final' }],
  ['offerings', { id: 901, term_id: 901 }],
  ['buildings', { id: 901 }],
  ['locations', { id: 901, building_id: 901, capacity: 3, location_type: 'hall' }],
  [
    'exam_slots',
    { id: 901, start_time: '09:00', end_time: '11:00', ramadan_start_time: '10:00', ramadan_end_time: '12:00' },
  ],
  ['exam_days', { exam_id: 901, on_date: '2026-01-05' }],
  ['exam_times', { exam_id: 901, exam_slot_id: 901 }],
]
const PLACED: Guarded['there'] = [
  ...EXAM,
  ['exam_halls', { exam_id: 901, location_id: 901, seats: 3 }],
  [
    'exam_schedules',
    { id: 901, exam_id: 901, offering_id: 901, on_date: '2026-01-05', exam_slot_id: 901, during: DURING },
  ],
]
const HALLED: Guarded['there'] = [
  ...PLACED,
  ['exam_schedule_locations', { exam_schedule_id: 901, exam_id: 901, location_id: 901, seats: 2, during: DURING }],
]
const schedule = (on: string, slot: number) =>
  `insert into exam_schedules (exam_id, offering_id, on_date, exam_slot_id) values (901, 901, '${on}', ${slot})`
const hall = (seats: number, schedule = 901, location = 901) =>
  `insert into exam_schedule_locations (exam_schedule_id, location_id, seats) values (${schedule}, ${location}, ${seats})`

const GUARDED: readonly Guarded[] = [
  { code: 'exam_schedules_day', there: EXAM, act: schedule('2026-01-06', 901), taken: schedule('2026-01-05', 901) },
  {
    code: 'exam_schedules_time',
    there: [
      ...EXAM,
      [
        'exam_slots',
        { id: 902, start_time: '12:00', end_time: '13:00', ramadan_start_time: '12:00', ramadan_end_time: '13:00' },
      ],
    ],
    act: schedule('2026-01-05', 902),
    taken: schedule('2026-01-05', 901),
  },
  {
    code: 'exam_schedule_locations_hall',
    there: [...PLACED, ['locations', { id: 902, capacity: 3, location_type: 'hall' }]],
    act: hall(2, 901, 902),
    taken: hall(2),
  },
  {
    code: 'exam_schedule_instructors_hall',
    there: [...HALLED, ['instructors', { id: 901 }]],
    act: 'insert into exam_schedule_instructors (exam_schedule_id, location_id, instructor_id) values (901, 902, 901)',
    taken:
      'insert into exam_schedule_instructors (exam_schedule_id, location_id, instructor_id) values (901, 901, 901)',
  },
  {
    code: 'exam_not_placed',
    there: [...PLACED, ['exam_schedules', { id: 902, exam_id: 901, offering_id: 902 }]],
    act: hall(2, 902),
    taken: hall(2),
  },
  { code: 'exam_hall_full', there: PLACED, act: hall(4), taken: hall(3) },
  {
    code: 'exam_hall_planned',
    there: HALLED,
    act: 'update exam_halls set seats = 1 where exam_id = 901',
    taken: 'update exam_halls set seats = 2 where exam_id = 901',
  },
  {
    code: 'exam_schedule_fixed',
    there: PLACED,
    act: 'update exam_schedules set offering_id = 902 where id = 901',
    taken: 'update exam_schedules set duration = 60 where id = 901',
  },
  {
    code: 'exam_has_schedule',
    there: PLACED,
    act: 'update exams set removed_at = now() where id = 901',
    taken: 'update exams set name = name where id = 901',
  },
  {
    code: 'location_capacity_exams',
    there: PLACED,
    act: 'update locations set capacity = 2 where id = 901',
    taken: 'update locations set capacity = 4 where id = 901',
  },
  {
    code: 'exam_seat_outside',
    there: [...HALLED, ['registrations', { id: 901, offering_id: 901, term_id: 901, status: '1', credit_hours: 3 }]],
    act: `insert into exam_seats (exam_schedule_id, location_id, during, seat, registration_id) values (901, 901, '${DURING}', 4, 901)`,
    taken: `insert into exam_seats (exam_schedule_id, location_id, during, seat, registration_id) values (901, 901, '${DURING}', 3, 901)`,
  },
  {
    code: 'exam_seats_full',
    there: [
      ...HALLED,
      ...[901, 902, 903].map(
        (id) => ['registrations', { id, offering_id: 901, term_id: 901, status: '1', credit_hours: 3 }] as const,
      ),
    ],
    act: `insert into exam_seats (exam_schedule_id, location_id, during, seat, registration_id)
      select 901, 901, '${DURING}', n, 900 + n from generate_series(1, 3) as n`,
    taken: `insert into exam_seats (exam_schedule_id, location_id, during, seat, registration_id)
      select 901, 901, '${DURING}', n, 900 + n from generate_series(1, 2) as n`,
  },
  {
    code: 'placement_no_level',
    there: [
      ['students', { id: 901 }],
      ['placement_tests', { id: 901, max_score: 100 }],
      ['placement_levels', { placement_test_id: 901, position: 0, from_score: 50, to_score: 100 }],
    ],
    act: 'insert into placement_results (placement_test_id, student_id, score) values (901, 901, 49)',
    taken: 'insert into placement_results (placement_test_id, student_id, score) values (901, 901, 100)',
  },
  {
    code: 'person_no_employee',
    there: [
      ['users', { id: 901, type: 3 }],
      ['users', { id: 902, type: 2 }],
    ],
    act: `insert into employee_contracts (employee_id, kind, from_date) values (901, 'permanent', '2026-01-01')`,
    taken: `insert into employee_contracts (employee_id, kind, from_date) values (902, 'permanent', '2026-01-01')`,
  },
  {
    code: 'fee_item_priced',
    there: [
      ['fee_items', { id: 901, type: 'services' }],
      ['fee_items', { id: 902, type: 'services' }],
      ['fee_prices', { version_id: 901, item_id: 901, currency: 'EGP', amount: 100, per: 'copy' }],
    ],
    act: `update fee_items set type = 'exams' where id = 901`,
    taken: `update fee_items set type = 'exams' where id = 902`,
  },
  {
    code: 'nationality_group_currency',
    there: [],
    act: `update nationality_groups set currency = 'USD' where code = 'EG'`,
    taken: `update nationality_groups set currency = 'EGP' where code = 'EG'`,
  },
  {
    code: 'nationality_group_needed',
    there: [],
    act: `update nationality_groups set removed_at = now() where code = 'INT'`,
    taken: `update nationality_groups set removed_at = now() where code = 'EG'`,
  },
  {
    code: 'slip_not_booked',
    there: [
      ['payers', { id: 901, student_id: 901 }],
      ['transactions', { id: 901, payer_id: 901, way: 'slip', currency: 'EGP', amount: 100 }],
      ['invoices', { id: 901, payer_id: 901, type: 'extra', currency: 'EGP' }],
      ['payment_slips', { id: 901, transaction_id: 901, invoice_id: 901, amount: 100, expires_on: '2999-01-01' }],
    ],
    act: `update payment_slips set status = 'accepted' where id = 901`,
    taken: `update payment_slips set status = 'expired' where id = 901`,
  },
  ...(
    [
      [
        'refund_beyond_payment',
        `insert into refund_requests (payer_id, kind, payment_id, way, currency, amount, reason, asked_by)
          values (901, 'refund', 901, 'cash', 'EGP', 101, 'x', 901)`,
        `insert into refund_requests (payer_id, kind, payment_id, way, currency, amount, reason, asked_by)
          values (901, 'refund', 901, 'cash', 'EGP', 40, 'x', 901)`,
      ],
      [
        'refund_request_stays',
        'update refund_requests set amount = 59 where id = 901',
        `update refund_requests set reason = 'y' where id = 901`,
      ],
      [
        'refund_request_paid',
        `update refund_requests set status = 'paid_out' where id = 902; set constraints all immediate`,
        `update refund_requests set status = 'paid_out', transaction_id = 901 where id = 902; set constraints all immediate`,
      ],
    ] as const
  ).map(([code, act, taken]): Guarded => ({
    code,
    there: [
      ['payers', { id: 901, student_id: 901 }],
      ['users', { id: 901, type: 2 }],
      ['users', { id: 902, type: 2 }],
      ['transactions', { id: 901, payer_id: 901, way: 'cash', currency: 'EGP', amount: 100 }],
      [
        'refund_requests',
        {
          id: 901,
          payer_id: 901,
          kind: 'refund',
          payment_id: 901,
          way: 'cash',
          currency: 'EGP',
          amount: 60,
          asked_by: 901,
        },
      ],
      [
        'refund_requests',
        {
          id: 902,
          payer_id: 901,
          kind: 'cash_back',
          way: 'cash',
          currency: 'EGP',
          amount: 5,
          asked_by: 901,
          status: 'approved',
          decided_by: 902,
          decided_at: '2026-01-02T08:00:00Z',
        },
      ],
    ],
    act,
    taken,
  })),
  {
    code: 'merge_same_record',
    there: [['merged_records', { kind: 'student', from_id: 901, into_id: 902 }]],
    act: `insert into not_doubles (kind, one_id, other_id, reason) values ('student', 901, 902, 'x')`,
    taken: `insert into not_doubles (kind, one_id, other_id, reason) values ('student', 901, 903, 'x')`,
  },
  {
    code: 'archive_not_a_folder',
    there: [
      ['archive_entries', { id: 901, parent_id: 1, kind: 'page' }],
      ['archive_entries', { id: 902, parent_id: 1, kind: 'folder' }],
    ],
    act: `insert into archive_entries (parent_id, kind, name) values (901, 'page', 'Inside')`,
    taken: `insert into archive_entries (parent_id, kind, name) values (902, 'page', 'Inside')`,
  },
]

describe('what a trigger or a foreign key refuses', () => {
  it.each(GUARDED)('$code', async ({ code, there, act, taken }) => {
    for (const [statement, told] of [
      [taken, []],
      [act, [code]],
    ] as const)
      await inTransaction(async () => {
        for (const [table, row] of there) await insert(table, row)
        await client.query('set local session_replication_role = origin')
        expect(await toldOf(() => client.query(statement)), statement).toEqual(told)
      })
  })
})
