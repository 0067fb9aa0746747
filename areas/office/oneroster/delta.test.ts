/** Deltas: what changed since the last import, laid over it; checked, compared and imported as a whole bundle is. */
import { zipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kitServer } from '#kit/server/kit.server.ts'
import { ok, reasons, testUniversity, type TestUniversity } from '#tests/university.ts'
import { expectSound } from '#tests/sound.ts'
import { isDelta, overLast } from './bundle/delta.rules.ts'
import type { CsvFile } from './bundle/bundle.rules.ts'
import { oneRosterServer } from './oneroster.server.ts'
import { sampleBundle, sampleBytes } from './sample.server.ts'
import type { SampleFiles } from './sample.server.ts'

let u: TestUniversity
let admin: Awaited<ReturnType<TestUniversity['as']>>
const base = sampleBundle({ students: 20, courses: 6, load: 3 })
beforeAll(async () => {
  u = await testUniversity([kitServer, oneRosterServer], { work: true })
  admin = await u.as('admin')
})
afterAll(async () => {
  await expectSound(u.database.url)
  await u.close()
})

const query = async <Row = Record<string, any>>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const header = (file: string) => base[file]!.split('\r\n')[0]!
/** A bundle of files that tell only what changed; the others are absent. */
const delta = (files: Record<string, readonly string[]>, version = '1.2'): SampleFiles => ({
  manifest: [
    'propertyName,value',
    'manifest.version,1.0',
    `oneroster.version,${version}`,
    ...['orgs', 'academicSessions', 'courses', 'classes', 'users', 'enrollments', 'roles'].map(
      (name) => `file.${name},${files[name] ? 'delta' : 'absent'}`,
    ),
    'source.systemCode,sample',
    '',
  ].join('\r\n'),
  ...Object.fromEntries(
    Object.entries(files).map(([name, rows]) => [
      name,
      [name === 'roles' ? 'userSourcedId,status,roleType,role' : header(name), ...rows, ''].join('\r\n'),
    ]),
  ),
})
const at = 'active,2026-10-01T00:00:00.000Z'
const person = (id: string, name: string, code: string, status = at) =>
  `${id},${status},true,${id},,New,${name},,${code},,,,,,,,,,,,org-1,`

async function upload(path: string, files: SampleFiles) {
  const boundary = 'x'.repeat(20)
  const answer = await u.app.inject({
    method: 'POST',
    url: `/api${path}`,
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="bundle.zip"\r\ncontent-type: application/zip\r\n\r\n`,
      ),
      Buffer.from(zipSync(sampleBytes(files))),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  })
  return { status: answer.statusCode, body: answer.json() }
}
const done = async (job_id: string) => {
  await expect
    .poll(async () => ok(await admin('GET', `/jobs/${job_id}`)).state, { timeout: 45_000, interval: 100 })
    .toBe('done')
  return ok(await admin('GET', `/jobs/${job_id}`)).result
}
const check = async (files: SampleFiles) => (await upload('/oneroster/check', files)).body.data
/** Checked, and imported with all removals that the check shows. */
async function importDelta(files: SampleFiles) {
  const { import_id, errors, difference } = await check(files)
  expect(errors).toEqual([])
  const { count } = difference.removals
  const answer = ok(await admin('POST', `/oneroster/import/${import_id}`, { removals: count || null }))
  return done(answer.job_id)
}
const students = async () =>
  (await query<{ n: number }>(`select count(*)::int as n from students where removed_at is null`))[0]!.n

test('without an import before it, a delta is refused with what to do', async () => {
  const { errors, difference } = await check(delta({ users: [person('s-new', 'One', 'N1')] }))
  expect([difference, errors]).toMatchObject([null, [{ file: 'manifest.csv', code: 'roster_delta_without_base' }]])
  const refused = await upload('/oneroster/import', delta({ users: [person('s-new', 'One', 'N1')] }))
  expect([refused.status, reasons(refused as never)[0]]).toEqual([422, 'bundle_has_errors@file'])
})

test('a row is added, changed or marked for removal; what the delta does not tell of stays', async () => {
  await done((await upload('/oneroster/import', base)).body.job_id)
  expect(await students()).toBe(20)
  const first = await importDelta(
    delta({
      users: [
        base
          .users!.split('\r\n')
          .find((line) => line.startsWith('student-7,'))!
          .replace('No7', 'Seven'),
        person('s-new', 'One', 'N1'),
      ],
      enrollments: [
        `enr-new,${at},class-0,org-1,s-new,student,,2026-09-12,2027-01-20`,
        ...base
          .enrollments!.split('\r\n')
          .filter((line) => line.startsWith('enr-1-'))
          .slice(0, 1)
          .map((line) => line.replace('active', 'tobedeleted')),
      ],
    }),
  )
  expect(first.counts.user).toMatchObject({ created: 1, changed: 1, gone: 0 })
  expect(first.counts.registration).toMatchObject({ created: 1, removed: 1 })
  expect(await students()).toBe(21)
  expect(await query(`select name from students where code = 'S260007'`)).toEqual([
    { name: 'New Seven'.replace('New', 'Student') },
  ])
  // The next one begins with that: nothing of it comes back, and the new one can be enrolled on.
  const second = await importDelta(
    delta({ enrollments: [`enr-new-2,${at},class-1,org-1,s-new,student,,2026-09-12,2027-01-20`] }),
  )
  expect([second.counts.user, second.counts.registration]).toMatchObject([
    { created: 0, changed: 0, gone: 0 },
    { created: 1, changed: 0, removed: 0 },
  ])
  // The same once more changes nothing.
  const again = await check(
    delta({ enrollments: [`enr-new-2,${at},class-1,org-1,s-new,student,,2026-09-12,2027-01-20`] }),
  )
  expect(Object.values(again.difference.counts as Record<string, any>).every((c) => c.created + c.changed === 0)).toBe(
    true,
  )
})

test('a role is one of a person: told alone, the others stay', async () => {
  const told = await importDelta(
    delta({ users: [person('p-1', 'Aide', 'P1')], roles: [`p-1,${at.split(',')[0]},primary,teacher`] }),
  )
  expect(told.counts.user).toMatchObject({ created: 1, changed: 0, gone: 0 })
  expect(await query(`select from instructors where code = 'P1'`)).toHaveLength(1)
})

test('a row of the last import that a delta leaves without what it names is told by name, and cannot be corrected there', async () => {
  const { errors } = await check(
    delta({ classes: [`class-9,${at},Class 9,,course-77,S9-1,scheduled,,org-1,term-1,,,`] }),
  )
  // Of the delta itself: at its line.
  expect(errors).toMatchObject([{ file: 'classes.csv', line: 2, code: 'roster_reference_missing' }])
  // Whole courses, of which one is left: classes of the others stand in no file here.
  const courses = delta({ courses: base.courses!.split('\r\n').slice(1, 2) })
  const { errors: broken } = await check({
    ...courses,
    manifest: courses
      .manifest!.replace('file.courses,delta', 'file.courses,bulk')
      .replace('file.users,absent', 'file.users,delta'),
    users: [header('users'), person('s-more', 'More', 'M1'), ''].join('\r\n'),
  })
  expect(broken[0]).toMatchObject({
    file: 'classes.csv',
    line: null,
    column: 'courseSourcedId',
    code: 'roster_delta_breaks',
    data: { row: 'class-1', value: 'course-1' },
  })
})

test('an import that was taken back is none to begin with; another version neither', async () => {
  const before = await query(`select id from roster_bundles order by id desc limit 1`)
  const { operation_id } = await importDelta(delta({ users: [person('s-undone', 'Gone', 'U1')] }))
  ok(await admin('POST', `/operations/${operation_id}/undo`, {}))
  const { difference } = await check(delta({ users: [person('s-later', 'Later', 'L1')] }))
  // One, not two: whoever came with what was taken back is not brought again.
  expect(difference.counts.user.created).toBe(1)
  expect(before).toHaveLength(1)
  const { errors } = await check(
    delta({ enrollments: [`enr-later,${at},class-1,org-1,student-1,student,,2026-09-12,2027-01-20`] }, '1.1'),
  )
  expect(errors).toMatchObject([{ code: 'roster_delta_without_base' }])
})

test('laying over: by id, at the place of files that are absent those of before, whole files instead of them', () => {
  const file = (...ids: string[]): CsvFile => ({
    columns: ['sourcedId', 'name'],
    rows: ids.map((id, i) => ({ line: i + 2, cells: { sourcedId: id.split('=')[0]!, name: id } })),
  })
  const manifest = (modes: Record<string, string>): CsvFile => ({
    columns: ['propertyName', 'value'],
    rows: Object.entries({ 'oneroster.version': '1.2', ...modes }).map(([propertyName, value], i) => ({
      line: i + 2,
      cells: { propertyName, value },
    })),
  })
  const last = { manifest: manifest({}), orgs: file('a', 'b'), users: file('u', 'v'), courses: file('c') }
  const given = {
    manifest: manifest({ 'file.orgs': 'delta', 'file.users': 'bulk', 'file.courses': 'absent' }),
    orgs: file('b=2', 'd'),
    users: file('w'),
  }
  expect(isDelta(given.manifest)).toBe(true)
  expect(isDelta(last.manifest)).toBe(false)
  const whole = overLast(last, given)!
  const names = (of: CsvFile | undefined) => of?.rows.map(({ cells, line }) => `${cells.name}:${line}`)
  expect([names(whole.orgs), names(whole.users), names(whole.courses), whole.classes]).toEqual([
    ['a:0', 'b=2:2', 'd:3'],
    ['w:2'],
    ['c:0'],
    undefined,
  ])
  expect(overLast(null, given)).toBeNull()
})
