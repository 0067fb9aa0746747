import { zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kitServer } from '#kit/server/kit.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { cleanCode, codeFromName } from './bundle/rows.rules.ts'
import { readBundle } from './bundle/bundle.server.ts'
import { readFiles } from './bundle/read.server.ts'
import { termType } from './bundle/structure.rules.ts'
import { checkBundle, corrected } from './oneroster.rules.ts'
import { oneRosterServer } from './oneroster.server.ts'
import { importBundle } from './store/import.server.ts'
import type { ImportDifference } from './store/import.server.ts'
import { sampleBundle, sampleBytes } from './sample.server.ts'
import type { SampleFiles } from './sample.server.ts'

const read = (files: SampleFiles) => readFiles(sampleBytes(files))
/** The sample with one file changed. */
const spoilt = (file: string, change: (text: string) => string): SampleFiles => {
  const files = sampleBundle()
  return { ...files, [file]: change(files[file]!) }
}
const places = (files: SampleFiles) =>
  read(files).errors.map((e) => `${e.file}:${e.line ?? ''}:${e.column ?? ''} ${e.code}`)

describe('checks', () => {
  test('the sample is without error', () => {
    const { bundle, errors, source } = read(sampleBundle())
    expect(errors).toEqual([])
    expect(source).toBe('sample')
    expect(bundle!.courses).toHaveLength(8)
    expect(bundle!.users.filter((u) => u.instructor)).toHaveLength(1)
  })
  test('a corrected cell is read as corrected, a row that is left out is not read, and others stay', () => {
    const row = (line: number) => ({ line, cells: { sourcedId: `org-${line}`, name: 'N' } })
    const orgs = { columns: ['sourcedId', 'name'], rows: [row(2), row(3), row(4)] }
    const made = corrected({ orgs }, [
      { file: 'orgs.csv', line: 2, column: 'name', value: ' Science ' },
      { file: 'orgs.csv', line: 3, column: null, value: '' },
      { file: 'users.csv', line: 4, column: null, value: '' },
    ])
    expect(made.orgs!.rows).toEqual([{ line: 2, cells: { sourcedId: 'org-2', name: 'Science' } }, row(4)])
  })
  test.each<[string, string, (text: string) => string, string[]]>([
    [
      'an unknown course',
      'classes',
      (t) => t.replace(',course-3,', ',course-99,'),
      ['classes.csv:5:courseSourcedId roster_reference_missing'],
    ],
    [
      'a day that does not exist',
      'academicSessions',
      (t) => t.replace('2027-01-20', '2027-02-30'),
      ['academicSessions.csv:3:endDate roster_date_not_valid'],
    ],
    [
      'a term that ends before it begins',
      'academicSessions',
      (t) => t.replace('2027-01-20', '2026-01-20'),
      ['academicSessions.csv:3:endDate roster_dates_out_of_order'],
    ],
    [
      'the same id twice',
      'users',
      (t) => t.replace('student-5,', 'student-4,'),
      ['users.csv:7:sourcedId roster_id_twice'],
    ],
    [
      'the same student code twice',
      'users',
      (t) => t.replace('S260005', 's260004'),
      ['users.csv:7:identifier roster_code_twice'],
    ],
    ['the same e-mail twice', 'users', (t) => t.replace('s5@', 'S4@'), ['users.csv:7:email roster_code_twice']],
    [
      'HTML in a name',
      'users',
      (t) => t.replace('No3', '<img src=x>'),
      ['users.csv:5:familyName roster_cell_not_allowed'],
    ],
    [
      'an unknown role',
      'enrollments',
      (t) => t.replace(',student,', ',pupil,'),
      ['enrollments.csv:2:role roster_value_not_known'],
    ],
    ['an empty name', 'orgs', (t) => t.replace('Mathematics', ''), ['orgs.csv:4:name roster_cell_required']],
    [
      'a missing column',
      'courses',
      (t) => t.replace('title,courseCode', 'heading,courseCode'),
      ['courses.csv:1:title roster_column_missing'],
    ],
    [
      'organisations above each other in a circle',
      'orgs',
      (t) => t.replace('SU,', 'SU,org-2'),
      ['orgs.csv:2:parentSourcedId roster_parent_circle', 'orgs.csv:4:parentSourcedId roster_parent_circle'],
    ],
    [
      'sessions above each other in a circle',
      'academicSessions',
      (t) => t.replace('2027-08-31,,', '2027-08-31,term-1,'),
      [
        'academicSessions.csv:2:parentSourcedId roster_parent_circle',
        'academicSessions.csv:3:parentSourcedId roster_parent_circle',
      ],
    ],
    [
      'a term outside its year',
      'academicSessions',
      (t) => t.replace('2026-09-12', '2026-08-12'),
      ['academicSessions.csv:3:startDate roster_term_outside_year'],
    ],
    [
      'a code without letters',
      'courses',
      (t) => t.replace('S003', '???'),
      ['courses.csv:5:courseCode roster_code_empty'],
    ],
    [
      'a column that stands twice',
      'orgs',
      (t) => t.replace('name,type', 'name,name,type').replaceAll('district', 'x,district'),
      ['orgs.csv:1:name roster_column_twice'],
    ],
    [
      'a manifest of another version',
      'manifest',
      (t) => t.replace('manifest.version,1.0', 'manifest.version,3.0'),
      ['manifest.csv:2:value roster_manifest_not_supported'],
    ],
    [
      'a status that is not known',
      'users',
      (t) => t.replace('student-5,active', 'student-5,asleep'),
      ['users.csv:7:status roster_value_not_known'],
    ],
    [
      'an account that is neither on nor off',
      'users',
      (t) => t.replace('true,u5,', 'perhaps,u5,'),
      ['users.csv:7:enabledUser roster_value_not_known'],
    ],
    [
      'a mode that is none',
      'manifest',
      (t) => t.replace('file.users,bulk', 'file.users,some'),
      ['manifest.csv:8:value roster_file_not_bulk'],
    ],
    [
      'a delta without an import before it',
      'manifest',
      (t) => t.replace('file.users,bulk', 'file.users,delta'),
      ['manifest.csv:: roster_delta_without_base'],
    ],
    [
      'another version',
      'manifest',
      (t) => t.replace('oneroster.version,1.2', 'oneroster.version,1.0'),
      ['manifest.csv:3:value roster_version_not_supported'],
    ],
  ])('%s', (_what, file, change, expected) => {
    const found = places(spoilt(file, change))
    for (const place of expected) expect(found).toContain(place)
    expect(read(spoilt(file, change)).bundle).toBeNull()
  })
  test('a file that is no CSV, and one that is not there', () => {
    expect(places(spoilt('users', (t) => `${t}"never closed`)).join()).toContain('roster_csv_broken')
    const { users: _users, ...rest } = sampleBundle()
    expect(places(rest)).toEqual(['users.csv:: roster_file_missing'])
  })
  test('the same student in two classes of one course, unless the periods follow each other', () => {
    const files = sampleBundle()
    const more = {
      ...files,
      classes: `${files.classes}class-x,active,,Class X,,course-0,S0-2,scheduled,,org-1,term-1,,,\r\n`,
      enrollments: `${files.enrollments}enr-x,active,,class-x,org-1,student-0,student,,,\r\n`,
    }
    expect(places(more).join()).toContain('roster_course_twice_in_term')
    const moved = {
      ...more,
      enrollments: files
        .enrollments!.replace('student,,2026-09-12,2027-01-20', 'student,,2026-09-12,2026-10-10')
        .concat('enr-x,active,,class-x,org-1,student-0,student,,2026-10-11,2027-01-20\r\n'),
    }
    const { errors, bundle } = read(moved)
    expect(errors).toEqual([])
    expect(bundle!.enrollments.filter((e) => e.user === 'student-0').map((e) => e.class)).toContain('class-x')
    expect(bundle!.enrollments.filter((e) => e.user === 'student-0').map((e) => e.class)).not.toContain('class-0')
  })
  test('errors are in the order of files and lines, and never more than asked for', () => {
    const files = sampleBundle()
    const read = Object.fromEntries(
      ['manifest', 'orgs', 'academicSessions', 'courses', 'classes', 'users', 'enrollments'].map((f) => [
        f,
        { columns: files[f]!.split('\r\n')[0]!.split(','), rows: [] as never[] },
      ]),
    )
    const { errors } = checkBundle({ ...read, manifest: undefined }, [], 3)
    expect(errors.length).toBeLessThanOrEqual(3)
  })
  test('codes and kinds of terms', () => {
    expect(codeFromName('King Fahd University of Petroleum and Minerals')).toBe('KFUPM')
    expect(cleanCode(' A 1/2 (x) ')).toBe('A-1/2-x')
    expect([
      termType('2026-09-12', 'T'),
      termType('2027-02-01', 'T'),
      termType('2027-06-20', 'T'),
      termType('2027-02-01', 'Summer'),
    ]).toEqual(['fall', 'spring', 'summer', 'summer'])
  })
})

describe('import', () => {
  let u: TestUniversity
  beforeAll(async () => {
    u = await testUniversity([kitServer, oneRosterServer], { work: true })
  })
  afterAll(() => u.close())
  const counts = async () => {
    const { rows } = await u.database.pool.query(
      `select (select count(*)::int from students) as students, (select count(*)::int from offerings) as offerings,
        (select count(*)::int from registrations) as registrations, (select sum(taken)::int from offering_slots) as taken,
        (select count(*)::int from registration_history) as history,
        (select count(*)::int from audit_log) as trail`,
    )
    return rows[0] as Record<string, number>
  }
  const run = async (files: SampleFiles, removals: number | null = null): Promise<ImportDifference> => {
    const { rows, source } = await readBundle({ files: sampleBytes(files) })
    return importBundle(asSystem(u.services, 'test'), source, rows!, { removals })
  }
  const zip = (files: SampleFiles) => Buffer.from(zipSync(sampleBytes(files)))
  const upload = (who: Caller, path: string, bytes: Buffer) => {
    const boundary = 'x'.repeat(20)
    return u.app.inject({
      method: 'POST',
      url: `/api${path}`,
      headers: { authorization: `Bearer ${who.token}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
      payload: Buffer.concat([
        Buffer.from(
          `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="bundle.zip"\r\ncontent-type: application/zip\r\n\r\n`,
        ),
        bytes,
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ]),
    })
  }

  test('all of it goes in, seats and history included; again changes nothing', async () => {
    const files = sampleBundle()
    const students = read(files).bundle!.enrollments.length
    const first = await run(files)
    expect(first.counts.user).toMatchObject({ created: 61, changed: 0, same: 0, gone: 0 })
    const then = await counts()
    expect(then).toMatchObject({
      students: 60,
      offerings: 8,
      registrations: students,
      taken: students,
      history: students,
    })
    const again = await run(files)
    expect(Object.values(again.counts).every((c) => c.created === 0 && c.changed === 0 && c.gone === 0)).toBe(true)
    expect(await counts()).toEqual(then)
  })
  test('a changed name is changed, a new student added, one that is gone is left alone', async () => {
    const files = sampleBundle()
    const changed = {
      ...files,
      users: files
        .users!.replace('No7,', 'Seven,')
        .concat('student-new,active,,true,n,,New,One,,S269999,,,,,,,,,,,,org-1,\r\n'),
      enrollments: files
        .enrollments!.split('\r\n')
        .filter((l) => !l.startsWith('enr-1-'))
        .join('\r\n'),
    }
    const { counts: c } = await run(changed)
    expect(c.user).toMatchObject({ created: 1, changed: 1, same: 60, gone: 0 })
    expect(c.registration.gone).toBeGreaterThan(0)
    const { rows } = await u.database.pool.query(`select name from students where code = 'S260007'`)
    expect(rows[0].name).toBe('Student Seven')
  })
  test('two imports at once: one after the other, nothing twice', async () => {
    const before = await counts()
    const files = sampleBundle({ students: 80 })
    await Promise.all([run(files), run(files)])
    expect((await counts()).students! - before.students!).toBe(20)
  })
  test('a failure half-way leaves nothing', async () => {
    const before = await counts()
    const files = sampleBundle({ students: 90 })
    // A code that another record of the university has already: the database refuses it at the end.
    await u.database.pool.query(`insert into students (code, name, name_local, faculty_id, program_id, bylaw_id)
      select 'S260089', 'x', 'س', faculty_id, id, bylaw_id from programs limit 1`)
    await expect(run(files)).rejects.toThrow()
    expect((await counts()).registrations).toBe(before.registrations)
    await u.database.pool.query(`delete from students where code = 'S260089'`)
  })
  test('by ZIP through the API: checked first, then a job', async () => {
    const admin = await u.as('admin')
    const bad = await upload(
      admin,
      '/oneroster/check',
      zip(spoilt('classes', (t) => t.replace(',course-3,', ',course-99,'))),
    )
    expect(bad.json().data.errors[0]).toMatchObject({ file: 'classes.csv', line: 5, code: 'roster_reference_missing' })
    expect(bad.json().data.errors[0].ar).toMatch(/[\u0600-\u06ff]/)
    const refused = await upload(
      admin,
      '/oneroster/import',
      zip(spoilt('classes', (t) => t.replace(',course-3,', ',course-99,'))),
    )
    expect(refused.statusCode).toBe(422)
    const answer = await upload(admin, '/oneroster/import', zip(sampleBundle({ students: 82 })))
    expect(answer.statusCode).toBe(200)
    const { job_id } = answer.json()
    await expect
      .poll(async () => ok(await admin('GET', `/jobs/${job_id}`)).state, { timeout: 45_000, interval: 100 })
      .toBe('done')
    expect(ok(await admin('GET', `/jobs/${job_id}`)).result.counts.user.created).toBe(2)
  })
  test('what is no ZIP is refused, and so is the wrong person', async () => {
    const admin = await u.as('admin')
    expect(
      reasons({ body: (await upload(admin, '/oneroster/check', Buffer.from('PK not really'))).json() } as never).join(),
    ).toMatch(/file_type_error|bundle_not_readable/)
    const over = '00000000-0000-4000-8000-000000000000'
    expect(reasons(await admin('POST', `/oneroster/check/${over}`, { corrections: [] }))).toEqual(['roster_check_over'])
    for (const role of ['student', 'instructor', 'dean']) {
      expect((await upload(await u.as(role), '/oneroster/check', zip(sampleBundle()))).statusCode).toBe(403)
    }
  })
})
