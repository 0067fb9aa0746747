import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessAndPeopleServer } from '#areas/people/access-and-people/access-and-people.server.ts'
import { addDays } from '#kit/contract/day.ts'
import { hijriMonthStart } from '#kit/contract/hijri.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { createLog } from '#kit/server/base/log.ts'
import { hashPassword } from '#kit/server/identity/passwords.ts'
import { openMailServer } from '#tests/mail-server.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { openUniversity } from '../../../apps/server/assemble.ts'
import type { University } from '../../../apps/server/assemble.ts'
import { bothCalendars } from './hijri/hijri.server.ts'
import { settingsServer } from './settings.server.ts'

const AREAS = [kitServer, settingsServer, accessAndPeopleServer]
let u: TestUniversity
/** Another process on the same database. */
let second: University
let admin: Caller
beforeAll(async () => {
  u = await testUniversity(AREAS)
  const config = { ...u.services.config, databaseUrl: u.database.url }
  second = await openUniversity({ config, log: createLog(config), areas: AREAS, partial: true, work: false })
  admin = await u.as('admin')
})
afterAll(async () => {
  await second?.stop()
  await u?.close()
})

const setting = async (name: string): Promise<number> =>
  (ok(await admin('GET', '/settings')) as { id: number; name: string }[]).find((s) => s.name === name)!.id
const save = (values: Record<string, string>, by = admin) => by('PUT', '/settings', values)

test('settings are told to anyone, changed by who may, each by its kind', async () => {
  expect(ok(await u.nobody('GET', '/university/data'))).toMatchObject({
    pay_with_fawry: 'false',
    lazy_admission: 'false',
  })
  // What only staff need to know is not told to strangers.
  expect(Object.keys(ok(await u.nobody('GET', '/university/data')))).not.toContain('read_only')
  const fawry = await setting('pay_with_fawry')
  ok(await admin('POST', `/university/update/${fawry}`, { value: 'true' }))
  expect(ok(await u.nobody('GET', '/university/data')).pay_with_fawry).toBe('true')
  expect((await admin('POST', `/university/update/${fawry}`, { value: 'yes' })).status).toBe(422)
  expect(ok(await admin('PUT', `/settings/${fawry}`, { value: 'false' }))).toMatchObject({ id: fawry, value: 'false' })
  expect(ok(await admin('GET', `/settings/${fawry}`))).toMatchObject({ name: 'pay_with_fawry', group: 'payment' })
  const zone = await setting('time_zone')
  for (const value of ['Cairo', '+02:00', ''])
    expect(reasons(await admin('POST', `/university/update/${zone}`, { value }))).toEqual(['time_zone_not_valid@value'])
  ok(await admin('POST', `/university/update/${zone}`, { value: 'Asia/Riyadh' }))
  expect((await u.database.pool.query('select university_zone() as zone')).rows).toEqual([{ zone: 'Asia/Riyadh' }])
  const link = await setting('admission_link')
  expect((await admin('POST', `/university/update/${link}`, { value: 'javascript:alert(1)' })).status).toBe(422)
  expect((await admin('POST', '/university/update/999999', { value: 'x' })).status).toBe(404)
  expect((await admin('GET', '/settings/999999')).status).toBe(404)
})

test('several settings are saved together or not at all, each reason at its field', async () => {
  const wrong = await save({ university_email: 'info@university.example', accent_colour: 'red' })
  expect(reasons(wrong)).toEqual(['colour_not_valid@accent_colour'])
  for (const enrollment_certificate_days of ['3651', '-1', 'some'])
    expect(reasons(await save({ enrollment_certificate_days }))).toEqual(['days_not_valid@enrollment_certificate_days'])
  expect(ok(await u.nobody('GET', '/university/data')).university_email).toBe('')
  ok(await save({ university_email: 'info@university.example', accent_colour: '#7a1f4b' }))
  expect(ok(await u.nobody('GET', '/university/data'))).toMatchObject({
    university_email: 'info@university.example',
    accent_colour: '#7a1f4b',
  })
  expect((await save({ unheard_of: 'x' })).status).toBe(422)
})

test('the application is installable under the name, colour and sign of the university', async () => {
  const ask = async (url: string) => u.app.inject({ method: 'GET', url })
  ok(
    await save({
      university_name: 'Delta University',
      university_name_local: 'جامعة الدلتا',
      university_short_name: 'Delta',
      accent_colour: '#0f766e',
    }),
  )
  const manifest = await ask('/manifest.webmanifest?lang=ar')
  expect(manifest.headers['content-type']).toContain('application/manifest+json')
  expect(manifest.json()).toMatchObject({
    id: '/',
    name: 'جامعة الدلتا',
    short_name: 'Delta',
    start_url: '/',
    display: 'standalone',
    dir: 'rtl',
    lang: 'ar',
    theme_color: '#0f766e',
  })
  expect((await ask('/manifest.webmanifest?lang=fr')).json()).toMatchObject({
    name: 'Delta University',
    dir: 'ltr',
    lang: 'fr',
  })
  // A language that is none is no language.
  expect((await ask('/manifest.webmanifest?lang=xx')).json()).toMatchObject({ lang: 'en' })
  const { icons } = manifest.json() as { icons: { src: string; sizes: string; purpose: string }[] }
  expect(icons.map((one) => `${one.sizes} ${one.purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '192x192 maskable',
    '512x512 maskable',
  ])
  const size = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)]
  const own = new Map<string, Buffer>()
  for (const { src, sizes } of [...icons, { src: '/icons/apple-touch-icon.png', sizes: '180x180' }]) {
    const icon = await ask(src)
    expect([icon.statusCode, icon.headers['content-type']]).toEqual([200, 'image/png'])
    expect(size(icon.rawPayload).join('x')).toBe(sizes)
    own.set(src.split('?')[0]!, icon.rawPayload)
  }
  for (const file of ['icon-193.png', 'icon-192', '..%2fmanifest.png', 'constructor.png'])
    expect((await ask(`/icons/${file}`)).statusCode, file).toBe(404)
  // With a logo the icons are made of it, at other addresses; a broken picture leaves the own sign.
  const red = await sharp({ create: { width: 300, height: 100, channels: 3, background: '#cc0000' } })
    .png()
    .toBuffer()
  const kept = async (content: Buffer) => {
    const stored = await u.services.storage.put(content)
    const { rows } = await u.database.pool.query<{ id: number }>(
      `insert into files (hash, name, size, ext, mime, created_by) select $1::text, 'logo.png', $2::int, 'png', 'image/png', min(id) from users returning id`,
      [stored.hash, content.length],
    )
    await u.database.pool.query(`update settings set value = to_jsonb($1::text) where key = 'university_logo'`, [
      String(rows[0]!.id),
    ])
  }
  await kept(red)
  const [first] = (await ask('/manifest.webmanifest')).json().icons as { src: string }[]
  expect(first!.src).not.toBe(icons[0]!.src)
  const pixels = async (src: string) =>
    sharp((await ask(src)).rawPayload)
      .ensureAlpha()
      .raw()
      .toBuffer()
  const wide = await pixels('/icons/icon-192.png')
  const at = (raw: Buffer, x: number, y: number) => [...raw.subarray((y * 192 + x) * 4, (y * 192 + x) * 4 + 4)]
  expect(at(wide, 96, 96)).toEqual([204, 0, 0, 255])
  expect(at(wide, 96, 5)[3]).toBe(0)
  const masked = await pixels('/icons/maskable-192.png')
  expect([at(masked, 96, 96), at(masked, 2, 96)]).toEqual([
    [204, 0, 0, 255],
    [255, 255, 255, 255],
  ])
  await kept(Buffer.from('this is no picture'))
  expect((await ask('/icons/icon-192.png')).rawPayload).toEqual(own.get('/icons/icon-192.png'))
  ok(await save({ university_logo: '' }))
})

test('a logo is a picture that who sets it handed in, and anyone can fetch it', async () => {
  const file = async (by: Caller, ext: string, name: string, size = 10) => {
    const { rows } = await u.database.pool.query(
      `insert into files (hash, name, ext, mime, size, created_by) values ($1, $2, $3, 'image/png', $5, $4) returning id`,
      ['a'.repeat(64), name, ext, by.user_id, size],
    )
    return String(rows[0].id)
  }
  const other = await u.as('registrar')
  expect(reasons(await save({ university_logo: await file(other, 'png', 'theirs.png') }))).toEqual([
    'not_found@university_logo',
  ])
  expect(reasons(await save({ university_logo: await file(admin, 'pdf', 'logo.pdf') }))).toEqual([
    'picture_kind@university_logo',
  ])
  expect(reasons(await save({ university_logo: await file(admin, 'png', 'large.png', 500_001) }))).toEqual([
    'file_too_large@university_logo',
  ])
  const logo = await file(admin, 'png', 'logo.png')
  ok(await save({ university_logo: logo }))
  expect(ok(await u.nobody('GET', '/university/data')).university_logo).toMatch(`/api/files/${logo}/logo.png?token=`)
  ok(await save({ university_logo: '' }))
})

test('settings of certificates have calls, rights and rules of their own', async () => {
  const registrar = await u.as('registrar')
  const path = '/settings/enrollment-setting'
  ok(await registrar('PUT', path, { enrollment_certificate_days: '30' }))
  const seen = ok(await registrar('GET', '/settings')) as { name: string; value: string; group: string }[]
  expect(seen.find((one) => one.name === 'enrollment_certificate_days')?.value).toBe('30')
  const id = await setting('enrollment_certificate_text')
  expect(reasons(await registrar('PUT', `${path}/${id}`, { value: 'Certified: {name}, {salary}' }))).toEqual([
    'certificate_place_unknown@value',
  ])
  ok(await registrar('PUT', `${path}/${id}`, { value: 'Certified: {name}' }))
  // Of another group, or of the whole university.
  expect((await registrar('PUT', `${path}/${await setting('pay_with_fawry')}`, { value: 'true' })).status).toBe(404)
  expect(reasons(await registrar('PUT', path, { pay_with_fawry: 'true' }))).toEqual(['unknown_field@pay_with_fawry'])
  expect((await save({ lazy_admission: 'true' }, registrar)).status).toBe(403)
  const graduation = '/settings/graduation-certificate-setting'
  expect(reasons(await registrar('PUT', graduation, { graduation_certificate_signatures: 'A\nB\nC\nD\nE' }))).toEqual([
    'too_many_signatures@graduation_certificate_signatures',
  ])
  ok(await registrar('PUT', `${graduation}/${await setting('graduation_certificate_signatures')}`, { value: 'Dean' }))
  expect((await (await u.as('instructor'))('PUT', graduation, {})).status).toBe(403)
})

/** What both processes answer to a call of somebody: status and code. */
const both = (token: string, call: { method: 'GET' | 'PUT' | 'POST'; url: string; payload?: object }) =>
  Promise.all(
    [u.app, second.app].map(async (app) => {
      const answer = await app.inject({ ...call, headers: token ? { authorization: `Bearer ${token}` } : {} })
      return answer.statusCode === 200 ? '200' : `${answer.statusCode} ${answer.json().message}`
    }),
  )
/** Told by notification: long before anything that is remembered would run out. */
const soon = (ask: () => Promise<string[]>, answer: string) =>
  expect.poll(ask, { timeout: 1000, interval: 20 }).toEqual([answer, answer])

test('read-only mode holds in every process at once, and is ended by its own setting alone', async () => {
  const change = { method: 'PUT', url: '/api/users/profile', payload: { language: 'ar' } } as const
  const ask = () => both(admin.token, change)
  expect(await ask()).toEqual(['200', '200'])
  ok(await save({ read_only: 'true' }))
  await soon(ask, '403 you are in readonly mode')
  expect((await save({ pay_with_fawry: 'true' })).body.message).toBe('you are in readonly mode')
  expect((await save({ pay_with_fawry: 'true', read_only: 'false' })).body.message).toBe('you are in readonly mode')
  expect((await admin('GET', '/settings')).status).toBe(200)
  ok(await save({ read_only: 'false' }))
  await soon(ask, '200')
})

test('maintenance closes every process to all but those who work meanwhile, who sign in and end it', async () => {
  const registrar = await u.as('registrar')
  const person = async (email: string, role: string) => {
    const { user_id } = await u.as(role, undefined, { email })
    await u.database.pool.query('update users set password_hash = $2 where id = $1', [
      user_id,
      await hashPassword('three quiet rivers'),
    ])
    return { method: 'POST', url: '/api/login', payload: { email, password: 'three quiet rivers' } } as const
  }
  const theirs = await person('clerk@university.example', 'registrar')
  const his = await person('keeper@university.example', 'admin')
  const look = () => both(registrar.token, { method: 'GET', url: '/api/settings' })
  expect(await look()).toEqual(['200', '200'])
  ok(await save({ maintenance: 'true' }))
  await soon(look, '503 maintenance')
  expect(await both(admin.token, { method: 'GET', url: '/api/settings' })).toEqual(['200', '200'])
  expect(await both('', theirs)).toEqual(['503 maintenance', '503 maintenance'])
  expect(await both('', his)).toEqual(['200', '200'])
  expect(await both('', { method: 'GET', url: '/api/university/data' })).toEqual(['200', '200'])
  expect(ok(await u.nobody('GET', '/university/data')).maintenance).toBe('true')
  expect((await registrar('GET', '/settings')).body.errors[0].data).toMatchObject({ planned: true, until: null })
  expect((await registrar('POST', '/users/logout')).status).toBe(200)
  ok(await save({ maintenance: 'false' }))
  const another = await u.as('registrar')
  await soon(() => both(another.token, { method: 'GET', url: '/api/settings' }), '200')
})

test('announced maintenance begins and ends by the clock', async () => {
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  expect(reasons(await save({ maintenance_from: at(10), maintenance_until: at(5) }))).toEqual([
    'maintenance_ends_before@maintenance_until',
  ])
  ok(await save({ maintenance_from: at(10), maintenance_until: at(20) }))
  const { rows } = await u.database.pool.query(
    `select n, in_maintenance(now() + make_interval(mins => n)) as closed from unnest(array[0, 15, 25]) n`,
  )
  expect(rows.map((row) => row.closed)).toEqual([false, true, false])
  expect(ok(await u.nobody('GET', '/university/data'))).toMatchObject({ maintenance: 'false' })
  ok(await save({ maintenance_from: '', maintenance_until: '' }))
})

test('the wrong person changes nothing', async () => {
  const id = await setting('pay_with_fawry')
  for (const role of ['student', 'instructor', null]) {
    const who = await u.as(role)
    expect((await who('POST', `/university/update/${id}`, { value: 'false' })).status).toBe(403)
    expect((await who('PUT', `/settings/${id}`, { value: 'false' })).status).toBe(403)
    expect((await who('GET', '/university/data_grouped')).status).toBe(403)
    expect((await who('GET', '/settings')).status).toBe(403)
  }
  expect((await u.nobody('POST', `/university/update/${id}`, { value: 'false' })).status).toBe(401)
})

test('a university that stands there twice is merged: what points to it and what has its name typed follows', async () => {
  const add = async (code: string, name: string, name_local: string) =>
    ok(await admin('PUT', '/universities-list', { code, name, name_local })).id as number
  const [kept, twice] = [
    await add('CU', 'Cairo University', 'جامعة القاهرة'),
    await add('CU2', 'Univ. of Cairo', 'جامعه القاهره العريقة'),
  ]
  const { pool } = u.database
  // A table of an area that comes later.
  await pool.query(`create table transfers_to (id int primary key, to_id int references universities_list)`)
  await pool.query(`grant select, update on transfers_to to public`)
  await pool.query(`insert into transfers_to values (1, $1)`, [twice])
  const path = `/universities-list/merge/${twice}`
  expect((await (await u.as('instructor'))('POST', path, { into_id: kept })).status).toBe(403)
  expect(reasons(await admin('POST', path, { into_id: twice }))).toEqual(['merge_with_itself@into_id'])
  expect(reasons(await admin('POST', path, { into_id: 999_999 }))).toEqual(['reference_missing@into_id'])
  expect((await admin('POST', '/universities-list/merge/999999', { into_id: kept })).status).toBe(404)
  const both_ = await Promise.all([1, 2].map(() => admin('POST', path, { into_id: kept })))
  expect(both_.map((answer) => answer.status).toSorted()).toEqual([200, 409])
  expect(both_.find((answer) => answer.status === 200)!.body.data).toEqual({ id: kept, moved: 1, renamed: 0 })
  expect((await pool.query('select to_id from transfers_to')).rows).toEqual([{ to_id: kept }])
  expect((await admin('POST', path, { into_id: kept })).body.message).toBe('removed_record')
  expect(reasons(await admin('POST', `/universities-list/merge/${kept}`, { into_id: twice }))).toEqual([
    'removed_record@into_id',
  ])
})

test('Hijri months are corrected by a day where that leaves a calendar, and everybody is told', async () => {
  const of = (year: number, month: number) => hijriMonthStart({ year, month })
  const first = { year: 1447, month: 9, first_day: addDays(of(1447, 9), 1) }
  const made = ok(await admin('PUT', '/hijri-months', first))
  expect(made).toMatchObject(first)
  expect(ok(await u.nobody('GET', '/university/data')).hijri_months).toBe(`1447-9-${first.first_day}`)
  expect(reasons(await admin('PUT', '/hijri-months', first))).toContain('hijri_months_month@year')
  expect(reasons(await admin('PUT', '/hijri-months', { year: 1446, month: 9, first_day: '2025-03-09' }))).toEqual([
    'hijri_far@first_day',
  ])
  expect(reasons(await admin('PUT', `/hijri-months/${made.id}`, { first_day: addDays(of(1447, 9), -2) }))).toEqual([
    'hijri_length@first_day',
  ])
  // Whoever writes: the database holds that months follow each other.
  await expect(
    u.database.pool.query(`insert into hijri_months (year, month, first_day) values (1447, 10, $1)`, [
      addDays(first.first_day, 28),
    ]),
  ).rejects.toMatchObject({ constraint: 'hijri_follow' })
  // A month after one that begins later begins later too: the first is not taken back before the second.
  const length = (year: number, month: number) =>
    (Date.parse(of(month === 12 ? year + 1 : year, (month % 12) + 1)) - Date.parse(of(year, month))) / 86_400_000
  const years = Array.from({ length: 40 }, (_, i) => 1450 + i)
  const [year, month] = years
    .flatMap((y) => [3, 4, 5, 6, 7, 8].map((m) => [y, m] as const))
    .find(([y, m]) => length(y, m - 1) === 29 && length(y, m) === 30 && length(y, m + 1) === 30)!
  const later = (m: number) => admin('PUT', '/hijri-months', { year, month: m, first_day: addDays(of(year, m), 1) })
  const [start, next] = [ok(await later(month)), ok(await later(month + 1))]
  expect(reasons(await admin('DELETE', `/hijri-months/${start.id}`))).toEqual(['hijri_needed'])
  for (const { id } of [next, start]) expect((await admin('DELETE', `/hijri-months/${id}`)).status).toBe(200)
  const ctx = { db: u.services.db } as never
  expect(await bothCalendars(ctx, '2026-11-22', 'ar')).toBe('2026-11-22')
  ok(await save({ hijri_dates: 'true' }))
  expect(await bothCalendars(ctx, '2026-11-22', 'ar')).toBe('2026-11-22 (12 جمادى الآخرة 1448 هـ)')
  expect(await bothCalendars(ctx, first.first_day, 'ar')).toContain('(1 رمضان 1447')
  expect(await bothCalendars(ctx, '2026-11-22', 'en')).toBe('2026-11-22')
  expect((await admin('DELETE', `/hijri-months/${made.id}`)).status).toBe(200)
  const person = await u.as('instructor', undefined, { type: 1 })
  expect(ok(await person('PUT', '/users/profile', { show_hijri: true })).show_hijri).toBe(true)
  expect((await person('PUT', '/hijri-months', first)).status).toBe(403)
})

test('the state of the installation is real: processes, migrations, what is reached, and a trial mail', async () => {
  const seen = ok(await admin('GET', '/deployment'))
  expect(seen.processes).toHaveLength(2)
  expect(seen.migrations.pending).toEqual([])
  expect(seen.migrations.ran).toBeGreaterThan(8)
  expect(Object.fromEntries(seen.checks.map((c: { name: string; state: string }) => [c.name, c.state]))).toEqual({
    database: 'ok',
    storage: 'ok',
    mail: 'unset',
    provider: 'unset',
  })
  expect(seen.disk.free).toBeGreaterThan(0)
  expect(seen.backup).toBeNull()
  const { rows } = await u.database.pool.query(`select email from users where id = $1`, [admin.user_id])
  const sent = await admin('POST', '/deployment/mail')
  if (rows[0].email) expect(ok(sent).sent_to).toBe(rows[0].email)
  else expect(sent.body.message).toBe('own_email_missing')
  for (const role of ['registrar', 'student']) {
    const who = await u.as(role)
    expect((await who('GET', '/deployment')).status).toBe(403)
    expect((await who('POST', '/deployment/mail')).status).toBe(403)
  }
})

test('a trial mail that the server does not take is told with its answer, and with what broke where it is not there', async () => {
  const mails = await openMailServer()
  const config = { ...u.services.config, databaseUrl: u.database.url }
  const at = async (smtpUrl: string) =>
    openUniversity({ config: { ...config, smtpUrl }, log: createLog(config), areas: AREAS, partial: true, work: false })
  const here = await at(mails.url)
  const away = await at('smtp://127.0.0.1:9')
  const who = await u.as('admin', undefined, { email: 'trial@university.example' })
  const sent = async (from: University) => {
    const headers = { authorization: `Bearer ${who.token}` }
    const answer = await from.app.inject({ method: 'POST', url: '/api/deployment/mail', headers })
    const { errors, data } = answer.json()
    return [answer.statusCode, errors?.[0]?.code, errors?.[0]?.data?.fault, data?.sent_to]
  }
  try {
    mails.mood = 'refuses'
    expect(await sent(here)).toEqual([409, 'mail_not_taken', expect.stringMatching(/^[45]\d\d$/), undefined])
    expect(await sent(away)).toEqual([409, 'mail_not_taken', 'ESOCKET', undefined])
    expect(mails.mails).toEqual([])
    mails.mood = 'well'
    expect(await sent(here)).toEqual([200, undefined, undefined, 'trial@university.example'])
    expect((await mails.mailTo('trial@university.example')).subject).toBeTruthy()
  } finally {
    await here.stop()
    await away.stop()
    await mails.stop()
  }
})

test('a failed job is sent again with what it was sent with, once', async () => {
  const { pool } = u.database
  const id = await u.services.jobs.send(u.services.db, 'tell-new-sign-in', { user_id: 0 } as never, { actor: null })
  const again = () => admin('POST', `/deployment/jobs/${id}/retry`)
  expect((await again()).body.message).toBe('job_not_failed')
  await pool.query(
    `update jobs set state = 'failed', finished_at = now(), error = '{"message": "unexpected", "error": {"en": "E", "ar": "خ"}, "errors": []}' where id = $1`,
    [id],
  )
  expect(ok(await admin('GET', '/deployment')).failed).toMatchObject([
    { id, name: 'tell-new-sign-in', can_retry: true },
  ])
  const answers = await Promise.all([again(), again()])
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409])
  const next = answers.find((answer) => answer.status === 200)!.body.data.id
  const { rows } = await pool.query(
    `select j.state, b.data -> 'payload' as payload from jobs j join pgboss.job b on b.id = j.id where j.id = $1`,
    [next],
  )
  expect(rows).toEqual([{ state: 'queued', payload: { user_id: 0 } }])
  expect(ok(await admin('GET', '/deployment')).failed).toEqual([])
  expect((await admin('POST', '/deployment/jobs/00000000-0000-4000-8000-000000000000/retry')).status).toBe(404)
  await pool.query(`update jobs set state = 'failed', finished_at = now() where id = $1`, [next])
  await pool.query(`delete from pgboss.job where id = $1`, [next])
  expect((await admin('POST', `/deployment/jobs/${next}/retry`)).body.message).toBe('job_forgotten')
})
