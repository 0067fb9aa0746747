import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AREA_SERVERS } from '../../../../apps/server/areas.server.ts'
import { openMoodleSimulator } from '#demo/moodle-simulator.ts'
import type { MoodleSimulator } from '#demo/moodle-simulator.ts'
import { readConfig } from '#kit/server/base/config.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { membersToMove, nameInTwo } from './lms.rules.ts'
import { formOf, moodlePlatform } from './moodle.server.ts'
import { PlatformDown, PlatformRefused } from './platform.server.ts'

describe('rules', () => {
  const wanted = [
    { key: 'student:S1', email: 's1@x.example', role: 'student' },
    { key: 'instructor:I1', email: 'i1@x.example', role: 'teacher' },
  ] as const
  const accounts = new Map([
    ['student:S1', '11'],
    ['instructor:I1', '12'],
  ])
  const member = (id: string, roles: ('student' | 'teacher')[], key = '', email = '') => ({ id, key, email, roles })

  test('who belongs there comes in, who of ours left goes out, and who came by others stays', () => {
    const members = [
      member('12', ['teacher'], 'instructor:I1'),
      member('13', ['student'], 'student:S9'),
      member('14', ['student'], '', 'known@x.example'),
      member('15', ['student', 'teacher'], '', 'guest@elsewhere.example'),
    ]
    expect(membersToMove(wanted, accounts, members, new Set(['known@x.example']))).toEqual({
      enrol: [{ id: '11', role: 'student' }],
      remove: [
        { id: '13', role: 'student' },
        { id: '14', role: 'student' },
      ],
    })
  })

  test('who teaches the course and sits in it is its teacher; a changed part is changed', () => {
    const both = [...wanted, { key: 'student:S2', email: 'i1@x.example', role: 'student' as const }]
    const moved = membersToMove(
      both,
      new Map([...accounts, ['student:S2', '12']]),
      [member('12', ['student'], 'student:S2')],
      new Set(),
    )
    expect(moved.enrol).toContainEqual({ id: '12', role: 'teacher' })
    expect(moved.remove).toEqual([{ id: '12', role: 'student' }])
  })

  test('names are in two parts, and lists are written as PHP reads them', () => {
    expect([nameInTwo('Mona Adel Samy'), nameInTwo('Mona')]).toEqual([
      { first: 'Mona Adel', last: 'Samy' },
      { first: 'Mona', last: '–' },
    ])
    expect([...formOf({ users: [{ id: 1, ok: true }], values: ['a', 'b'] })]).toEqual([
      ['users[0][id]', '1'],
      ['users[0][ok]', '1'],
      ['values[0]', 'a'],
      ['values[1]', 'b'],
    ])
  })
})

describe('with a Moodle', () => {
  let moodle: MoodleSimulator
  let u: TestUniversity
  let registrar: Caller
  const q = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await u.database.pool.query(text, values)).rows as Row[]
  beforeAll(async () => {
    moodle = await openMoodleSimulator()
    u = await testUniversity(AREA_SERVERS, { database: await demoDatabase(), work: true, env: moodle.variables })
    registrar = await u.as('registrar')
  }, 540_000)
  afterAll(async () => {
    await u?.close()
    await moodle.close()
  })
  const done = async (who: Caller, id: string): Promise<any> => {
    for (;;) {
      const job = ok(await who('GET', `/jobs/${id}`))
      if (!['queued', 'running'].includes(job.state)) return job
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const bring = async (id: number): Promise<any> => {
    const job = await done(registrar, ok(await registrar('PUT', `/offerings/sync-offerings-to-lms/${id}`)).job_id)
    expect(job.state).toBe('done')
    return ok(await registrar('GET', `/offerings/lms?offering_id=${id}`)).offerings[0]
  }
  const smallest = async () =>
    (
      await q<{
        id: number
        code: string
        n: number
      }>(`select o.id, c.code, count(*)::int as n from offerings o join courses c on c.id = o.course_id
        join registrations r on r.offering_id = o.id and r.status & 262144 <> 0
        where o.term_id = (select term_id from current_terms where key = 'current_term') and exists (select from offering_instructors i where i.offering_id = o.id)
        group by o.id, c.code having count(*) > 2 order by count(*), o.id limit 1`)
    )[0]!

  test('the course, its team and its students stand there; again changes nothing; who dropped it leaves it there', async () => {
    const offering = await smallest()
    const first = await bring(offering.id)
    const team = (await q('select from offering_instructors where offering_id = $1', [offering.id])).length
    expect(first).toMatchObject({
      state: 'synced',
      result: { created: true, enrolled: offering.n + team, removed: 0, refused: [] },
    })
    expect(first.address).toBe(`${moodle.url}/course/view.php?id=2`)
    expect(moodle.courses).toHaveLength(1)
    expect(moodle.courses[0]!.members.size).toBe(offering.n + team)
    expect((await bring(offering.id)).result).toEqual({
      created: false,
      accounts: 0,
      enrolled: 0,
      removed: 0,
      refused: [],
    })
    // A guest came there by others; a student drops the course here.
    moodle.users.push({
      id: 900,
      username: 'g',
      idnumber: '',
      email: 'g@elsewhere.example',
      firstname: 'G',
      lastname: 'G',
      auth: 'manual',
    })
    moodle.courses[0]!.members.set(900, new Set([5]))
    await q(
      `update registrations set status = (status & ~262144::bigint) | 549755813888 where id = (
      select min(id) from registrations where offering_id = $1 and status & 262144 <> 0)`,
      [offering.id],
    )
    expect((await bring(offering.id)).result).toMatchObject({ enrolled: 0, removed: 1 })
    expect([moodle.courses[0]!.members.has(900), moodle.courses[0]!.members.size]).toEqual([true, offering.n + team])
  })

  test('whom it does not take is told by name, the others go on; the token stands in no answer', async () => {
    const offering = await smallest()
    const [one, two] = await q<{ id: number; user_id: number; code: string }>(
      `select s.id, s.user_id, s.code from registrations r join students s on s.id = r.student_id
       where r.offering_id = $1 and r.status & 262144 <> 0 order by s.id limit 2`,
      [offering.id],
    )
    await q('update students set email = null, user_id = null where id = $1', [one!.id])
    // Its address is taken there by an account that bears somebody else's number.
    moodle.users.splice(0, moodle.users.length)
    moodle.courses.forEach((course) => course.members.clear())
    const { email } = (
      await q<{ email: string }>(
        'select coalesce(u.email, s.email) as email from students s left join users u on u.id = s.user_id where s.id = $1',
        [two!.id],
      )
    )[0]!
    moodle.users.push({ id: 3, username: 'other', idnumber: 'X', email, firstname: 'O', lastname: 'O', auth: 'manual' })
    const row = await bring(offering.id)
    expect(row.state).toBe('partly')
    expect(row.result.refused.map((r: any) => [r.who, r.reason.code]).toSorted()).toEqual(
      [
        [one!.code, 'lms_no_email'],
        [two!.code, 'lms_refused'],
      ].toSorted(),
    )
    expect(row.result.refused.find((r: any) => r.who === two!.code).reason.en).toContain('Email address already exists')
    expect(JSON.stringify(row)).not.toContain(moodle.variables.MOODLE_TOKEN)
  })

  test('all offerings of the current term; a platform that is away is told; nobody without the right, nothing out of reach', async () => {
    const faculty = (
      await q<{
        faculty_id: number
      }>(`select faculty_id from offerings where term_id = (select term_id from current_terms where key = 'current_term')
      and faculty_id is not null group by faculty_id order by count(*) limit 1`)
    )[0]!.faculty_id
    const own = await u.as('faculty_registrar', ['faculty', faculty])
    const [elsewhere] = await q<{ id: number }>(
      'select id from offerings where faculty_id <> $1 and removed_at is null limit 1',
      [faculty],
    )
    expect((await own('PUT', `/offerings/sync-offerings-to-lms/${elsewhere!.id}`)).status).toBe(404)
    expect((await (await u.as('cashier'))('GET', '/offerings/syc_all_offerings_current_term')).status).toBe(403)
    const [empty] = await q<{ id: number }>(
      `insert into faculties (code, name, name_local, short_name) values ('LMS', 'Empty', 'كلية', 'E') returning id`,
    )
    const nothing = await u.as('faculty_registrar', ['faculty', empty!.id])
    expect(reasons(await nothing('GET', '/offerings/syc_all_offerings_current_term'))).toEqual(['lms_no_offerings'])
    moodle.silent = true
    const begun = ok(await own('GET', '/offerings/syc_all_offerings_current_term'))
    expect(begun.offerings).toBeGreaterThan(3)
    const job = await done(own, begun.job_id)
    expect([job.state, job.error.message]).toEqual(['failed', 'lms_down'])
    const failed = ok(await own('GET', '/offerings/lms')).offerings.filter((one: any) => one.state === 'failed')
    expect(failed).toHaveLength(3)
    moodle.silent = false
    // From another site nobody is made to begin it.
    const from = await u.app.inject({
      url: '/api/offerings/syc_all_offerings_current_term',
      headers: { cookie: `ems_session=${own.token}`, 'sec-fetch-site': 'cross-site' },
    })
    expect([401, 403]).toContain(from.statusCode)
  }, 180_000)

  test('a wrong token is a refusal, silence is none; without settings the calls say so', async () => {
    const { moodle: settings } = readConfig(moodle.variables)
    const course = { key: 'offering:0', short: 'x', name: 'X', starts: '2026-01-01', ends: '2026-02-01' }
    await expect(moodlePlatform({ ...settings!, token: 'wrong' }).course(course)).rejects.toThrow(PlatformRefused)
    await expect(moodlePlatform({ ...settings!, url: 'http://127.0.0.1:9' }).course(course)).rejects.toThrow(
      PlatformDown,
    )
    const page = createServer((_request, answer) => answer.end('<html>Maintenance</html>')).listen(0, '127.0.0.1')
    await once(page, 'listening')
    const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}`
    await expect(moodlePlatform({ ...settings!, url }).course(course)).rejects.toThrow(/no JSON/)
    page.close()
    expect(() => readConfig({ MOODLE_URL: moodle.url })).toThrow(/MOODLE_URL and MOODLE_TOKEN: needed together/)
    const bare = await testUniversity(AREA_SERVERS)
    try {
      const admin = await bare.as('admin')
      const none = await admin('GET', '/offerings/syc_all_offerings_current_term')
      expect([none.status, none.body.message]).toEqual([409, 'lms_none'])
    } finally {
      await bare.close()
    }
  }, 180_000)
})
