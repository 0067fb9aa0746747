import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { enrolMany, registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { flag, type MainFlag } from '#areas/common/academics/status.rules.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { controlStatuses, type ControlStatus } from '#areas/common/academics/control.rules.ts'
import { gradingServer } from './grading.server.ts'
import { authorities, changeKinds, mayChange } from './guard.rules.ts'

let u: TestUniversity
let w: RegistrationWorld
let registrar: Caller
let head: Caller
let root: Caller
let category: number
type Offering = Awaited<ReturnType<RegistrationWorld['offer']>>

const HELD = controlStatuses.filter((one) => one !== 'Draft')
const bits = (main: MainFlag) => (flag[main] | flag.Fresh).toString()

beforeAll(async () => {
  u = await testUniversity([catalogueServer, registrationServer, studentsServer, gradingServer])
  w = await registrationWorld(u)
  registrar = await u.as('registrar')
  head = await u.as('control_head')
  root = await u.as(null)
  await w.query('update users set is_root = true where id = $1', [root.user_id])
  root = await u.signIn(root.user_id)
  const [final] = await w.query<{ id: number }>(
    `insert into mark_categories (code, name, name_local, is_final_exam) values ('FIN', 'Final', 'النهائي', true) returning id`,
  )
  category = final!.id
  await w.query(`insert into mark_categories (code, name, name_local) values ('MORE', 'More', 'أخرى')`)
  await w.windows('register', 'add_drop', 'withdraw', 'excuse', 'exam', 'control')
})
afterAll(() => u.close())

/** An offering with a scheme of one mark, and a registration in a state with a mark and a result. */
async function taught(status: ControlStatus, main: MainFlag = 'Registered') {
  const offering = await w.offer('MA101', { quota: 50 })
  const [scheme] = await w.query<{ id: number }>(
    'insert into offering_marks (offering_id, mark_category_id, max) values ($1, $2, 100) returning id',
    [offering.id, category],
  )
  const student = await w.student()
  const [row] = await w.query<{ id: number }>(
    `insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours, total, letter, points, passed, counts_in_gpa, counts_in_attempted_hours)
     values ($1, $2, $3, $4, $5, 3, 40, 'F', 0, false, true, true) returning id`,
    [student.id, offering.id, w.term, w.courses.MA101, bits(main)],
  )
  await w.query('insert into registration_slots (registration_id, offering_slot_id) values ($1, $2)', [
    row!.id,
    offering.lectures[0],
  ])
  await w.query('insert into registration_marks (registration_id, offering_mark_id, mark) values ($1, $2, 40)', [
    row!.id,
    scheme!.id,
  ])
  await w.query('update offerings set control_status = $1 where id = $2', [status, offering.id])
  return { offering, scheme: scheme!.id, student, id: row!.id }
}
type Taught = Awaited<ReturnType<typeof taught>>

/** Everything that is kept of an offering. */
const kept = ({ offering }: { offering: Offering }) =>
  w.query(
    `select r.*, (select json_agg(rs order by rs.offering_slot_id) from registration_slots rs where rs.registration_id = r.id) as slots,
      (select json_agg(m order by m.offering_mark_id) from registration_marks m where m.registration_id = r.id) as marks
     from registrations r where r.offering_id = $1 order by r.id`,
    [offering.id],
  )

describe('the rule', () => {
  test('the program and the database know the same', async () => {
    const { rows } = await sql<{ s: ControlStatus; k: (typeof changeKinds)[number]; a: string | null; may: boolean }>`
      select s, k, a, control_allows(s, k, a) as may from unnest(${controlStatuses}::text[]) s, unnest(${changeKinds}::text[]) k,
        unnest(${[...authorities, null, '', 'anything']}::text[]) a`.execute(u.database.db)
    expect(rows.length).toBe(6 * 6 * 10)
    for (const { s, k, a, may } of rows) {
      const known = authorities.find((one) => one === a) ?? null
      expect([s, k, a, may]).toEqual([s, k, a, mayChange(s, k, known)])
    }
  })
})

describe('calls', () => {
  const call = (name: string) => `/registrations/students/${name}`
  const one = (t: Taught, more: object = {}) => ({ registration_ids: [t.id], reason: 'because', ...more })
  /** Calls that change a registration, each from a state from which the table lets it go. */
  const CALLS: readonly (readonly [string, MainFlag, (t: Taught) => Promise<Answer>])[] = [
    ['removing', 'Registered', (t) => registrar('PUT', call('remove-offering'), one(t))],
    ['accepting', 'RegisterRequest', (t) => registrar('PUT', call('accept-requested-offering'), one(t))],
    ['rejecting', 'AddRequest', (t) => registrar('PUT', call('reject-requested-offering'), one(t))],
    [
      'dropping',
      'Registered',
      (t) => t.student.as('PUT', call('addDrop-offering'), { action: 'drop', registration_ids: [t.id] }),
    ],
    ['accepting a drop', 'DropRequest', (t) => registrar('PUT', call('accept-requested-offering'), one(t))],
    [
      'asking to withdraw',
      'Registered',
      (t) => t.student.as('PUT', call('withdraw-offering'), { registration_ids: [t.id] }),
    ],
    ['accepting a withdrawal', 'WithdrawRequest', (t) => registrar('PUT', call('accept-requested-offering'), one(t))],
    [
      'withdrawing by force',
      'Registered',
      (t) => registrar('PUT', call('withdraw-offering'), { ...one(t), forced: true }),
    ],
    ['taking back a withdrawal', 'Withdrawn', (t) => registrar('PUT', call('undo-registered-offering'), one(t))],
    ['auditing', 'Registered', (t) => registrar('PUT', call('update-status/12'), one(t))],
    ['deregistering', 'Registered', (t) => root('PUT', call('update-status/14'), one(t))],
    [
      'another group',
      'Registered',
      (t) =>
        registrar('PUT', call('update-slot-offering'), {
          registration_id: t.id,
          offering_slot_ids: t.offering.lectures,
        }),
    ],
  ]
  test.each(HELD)('%s: nobody removes, moves, exempts or takes in', async (status) => {
    for (const [name, main, ask] of CALLS) {
      const t = await taught(status, main)
      const before = await kept(t)
      const answer = await ask(t)
      expect([name, answer.status, reasons(answer)]).toEqual([name, 409, ['control_holds']])
      expect(answer.body.errors[0].data).toMatchObject({ course: 'MA101', control_status: status, to_status: 'Draft' })
      expect(await kept(t), name).toEqual(before)
    }
    const t = await taught(status)
    const before = await kept(t)
    const other = await w.student()
    const bulk = {
      remove: await registrar('POST', `/registrations/delete_registrations/${t.offering.id}`, {
        student_ids: [t.student.id],
        reason: 'x',
      }),
      exempt: await registrar('POST', '/registrations/exempt_students', {
        offering_id: t.offering.id,
        student_ids: [t.student.id, other.id],
        reason: 'x',
      }),
      enrol: await root('POST', '/registrations/enroll_students', {
        offering_id: t.offering.id,
        student_ids: [other.id],
        overrides: [{ code: 'offering_closed', reason: 'x' }],
      }),
    }
    expect(ok(bulk.remove)).toMatchObject({
      done: [],
      failed: [{ id: t.student.id, errors: [{ code: 'control_holds' }] }],
    })
    expect(ok(bulk.exempt)).toMatchObject({
      done: [],
      failed: [{ errors: [{ code: 'control_holds' }] }, { errors: [{ code: 'control_holds' }] }],
    })
    expect(ok(bulk.enrol)).toMatchObject({
      done: [],
      failed: [{ id: other.id, errors: [{ code: 'offering_control' }] }],
    })
    const asked = await other.as('PUT', call('request-offering'), {
      offerings: [{ offering_id: t.offering.id, offering_slot_ids: t.offering.lectures }],
    })
    expect([asked.status, reasons(asked)]).toEqual([409, ['offering_control']])
    const waits = await other.as('PUT', '/registrations/students/wait-list', {
      offering_id: t.offering.id,
      offering_slot_ids: t.offering.lectures,
    })
    expect(waits.status).toBe(409)
    expect(await kept(t)).toEqual(before)
    // The screen says why, and offers nothing.
    const [row] = ok(await t.student.as('GET', '/registrations/students/requested-offerings')).registrations
    expect([row.abilities, row.held.code, row.held.data.control_status]).toEqual([[], 'control_holds', status])
  })

  test('who is incomplete is told by control until it approves, by a correction with a reason until results are frozen', async () => {
    for (const [status, plain, code] of [
      ['Draft', 200, null],
      ['Submitted', 200, null],
      ['Reviewed', 200, null],
      ['Approved', 409, 'reason_required@reason'],
      ['Published', 409, 'reason_required@reason'],
      ['Frozen', 409, 'control_holds'],
    ] as const) {
      const t = await taught(status)
      const answer = await head('PUT', call('update-status/8'), { registration_ids: [t.id] })
      expect([status, answer.status, reasons(answer)[0] ?? null]).toEqual([status, plain, code])
      if (plain === 200 || status === 'Frozen') continue
      ok(await head('PUT', call('update-status/8'), { registration_ids: [t.id], reason: 'seen by the hall' }))
      const [row] = await w.query<{ letter: string }>('select letter from registrations where id = $1', [t.id])
      // Its grade is there at once.
      expect(row!.letter).toBe('I')
    }
  })

  test('an import enrols nobody where control works', async () => {
    const t = await taught('Submitted')
    const { id } = await w.student()
    const ctx = asSystem(u.services, 'import')
    await expect(
      ctx.write((tx) => enrolMany(tx, [{ student_id: id, offering_id: t.offering.id }])),
    ).rejects.toMatchObject({ code: 'UE409', message: 'control_holds' })
    // Who is there already stays, and is no reason to refuse.
    await ctx.write((tx) => enrolMany(tx, [{ student_id: t.student.id, offering_id: t.offering.id }]))
  })
})

describe('the database', () => {
  test.each(HELD)('%s: refuses whoever writes without an authority', async (status) => {
    const t = await taught(status)
    const other = await w.student()
    const statements = [
      [
        `insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours) values (${other.id}, ${t.offering.id}, ${w.term}, ${w.courses.MA101}, 262160, 3)`,
      ],
      [`update registrations set status = ${bits('Withdrawn')} where id = ${t.id}`],
      [`update registrations set total = 90, letter = 'A' where id = ${t.id}`],
      [`update registrations set credit_hours = 4 where id = ${t.id}`],
      [`delete from registrations where id = ${t.id}`],
      [`delete from registration_slots where registration_id = ${t.id}`],
      [`update registration_slots set over = true where registration_id = ${t.id}`],
      [`update registration_marks set mark = 99 where registration_id = ${t.id}`],
      [`delete from registration_marks where registration_id = ${t.id}`],
      [
        `insert into offering_marks (offering_id, mark_category_id, max) select ${t.offering.id}, id, 1 from mark_categories where code = 'MORE'`,
      ],
      [`update offering_marks set max = 50 where id = ${t.scheme}`],
      [`delete from registrations where offering_id = ${t.offering.id}`],
    ]
    const before = await kept(t)
    for (const [statement] of statements) {
      await expect(u.services.pool.query(statement!), statement).rejects.toMatchObject({ code: 'UE409' })
    }
    expect(await kept(t)).toEqual(before)
  })

  test('of a drop and a submission at one moment one wins, and the other is told', async () => {
    const seen = new Set<string>()
    for (let round = 0; round < 12; round++) {
      const t = await taught('Draft')
      const [drop, submit] = await Promise.all([
        t.student.as('PUT', '/registrations/students/addDrop-offering', { action: 'drop', registration_ids: [t.id] }),
        head('PUT', `/control/offerings/submit-control-status/${t.offering.id}`),
      ])
      expect(submit.status).toBe(200)
      const [row] = await w.query<{ status: string; control_status: string; at: string }>(
        `select r.status::text as status, o.control_status from registrations r join offerings o on o.id = r.offering_id where r.id = $1`,
        [t.id],
      )
      expect(row!.control_status).toBe('Submitted')
      if (drop.status === 200) expect(BigInt(row!.status) & flag.DropRequest).not.toBe(0n)
      else {
        expect([drop.status, reasons(drop)]).toEqual([409, ['control_holds']])
        expect(BigInt(row!.status) & flag.Registered).not.toBe(0n)
      }
      seen.add(String(drop.status))
    }
    expect([...seen].every((status) => ['200', '409'].includes(status))).toBe(true)
  })

  test('a change waits for a step of control that is under way, and then sees it', async () => {
    const t = await taught('Draft')
    const client = await u.database.pool.connect()
    try {
      await client.query('begin')
      await client.query('select from offerings where id = $1 for update', [t.offering.id])
      await client.query(`update offerings set control_status = 'Published' where id = $1`, [t.offering.id])
      const drop = t.student.as('PUT', '/registrations/students/addDrop-offering', {
        action: 'drop',
        registration_ids: [t.id],
      })
      const remove = registrar('POST', `/registrations/delete_registrations/${t.offering.id}`, {
        student_ids: [t.student.id],
        reason: 'x',
      })
      await new Promise((resolve) => setTimeout(resolve, 150))
      await client.query('commit')
      expect(reasons(await drop)).toEqual(['control_holds'])
      expect(ok(await remove).failed[0].errors[0].code).toBe('control_holds')
    } finally {
      client.release()
    }
  })
})
