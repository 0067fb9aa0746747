import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { gradingArea } from '#areas/records/grading/grading.contract.ts'
import { registrationArea } from '#areas/enrolment/registration/registration.contract.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { AREAS } from '../../../apps/areas.contract.ts'
import type { Progress } from '../jobs/jobs.ts'
import { kitServer } from '../kit.server.ts'
import { checkNotices, digestMails, noticeMails } from './notices.ts'
import { notify, registerNotices } from './notifications.ts'
import type { Notification } from './notifications.ts'
import { asSystem } from '../unit/request.ts'

let u: TestUniversity
let folder: string
let people = 0
const published: Notification = {
  key: 'grading.notice_published',
  data: { course: 'CS101', name: 'Logic', name_local: 'المنطق' },
  link: '/myCourses/7',
}
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'ems-notices-'))
  u = await testUniversity([kitServer], { env: { MAIL_FOLDER: folder, PUBLIC_URL: 'https://ems.example.edu' } })
  registerNotices(gradingArea)
  registerNotices(registrationArea)
})
beforeEach(async () => {
  await u.database.pool.query('delete from notice_mails; delete from digests')
  for (const file of await readdir(folder)) await rm(path.join(folder, file))
})
afterAll(async () => {
  await u.close()
  await rm(folder, { recursive: true, force: true })
})

const student = async (language: string): Promise<Caller & { email: string }> => {
  const email = `s${++people}@example.edu`
  const caller = await u.as(null, undefined, { type: 3, email, name: `Student ${people}` })
  await u.database.pool.query('update users set language = $2 where id = $1', [caller.user_id, language])
  return Object.assign(await u.signIn(caller.user_id), { email })
}
const tell = (users: number[], notice: Notification) =>
  u.services.db.transaction().execute((tx) => notify(tx, users, notice))
const progress = Object.assign(async () => {}, { signal: new AbortController().signal }) as Progress
const run = (job: typeof noticeMails) => job.run(asSystem(u.services, 'test'), {}, progress)
const mails = async (): Promise<string[]> =>
  Promise.all((await readdir(folder)).toSorted().map((file) => readFile(path.join(folder, file), 'utf8')))
const prefer = (by: Caller, key: string, app: boolean, mail: string) =>
  by('PUT', '/notices/preferences', { preferences: [{ key, app, mail }] })

test('every declared notice has a text in every language, and every notice that is given is declared', async () => {
  for (const area of AREAS) checkNotices(area)
  const { globSync, readFileSync } = await import('node:fs')
  const given = globSync('{areas,kit}/**/*.server.ts', { cwd: path.join(import.meta.dirname, '../../..') }).flatMap(
    (file) =>
      [
        ...readFileSync(path.join(import.meta.dirname, '../../..', file), 'utf8').matchAll(/'([\w-]+\.notice_\w+)'/g),
      ].map((match) => match[1]!),
  )
  const declared = new Set(AREAS.flatMap((area) => Object.keys(area.notices).map((key) => `${area.name}.${key}`)))
  expect(given.length).toBeGreaterThan(5)
  expect(given.filter((key) => !declared.has(key))).toEqual([])
})

test('a mail is sent once, in the language of the reader, also when two processes send at the same time', async () => {
  const readers = [await student('ar'), await student('de'), await student('en')]
  await tell(
    readers.map((one) => one.user_id),
    published,
  )
  await Promise.all([run(noticeMails), run(noticeMails)])
  await run(noticeMails)
  const sent = await mails()
  expect(sent.length).toBe(3)
  const to = (reader: { email: string }) => sent.find((mail) => mail.includes(`To: ${reader.email}\n`))!
  expect(to(readers[0]!)).toMatch(/Subject: نتيجة مقرر · /)
  expect(to(readers[1]!)).toMatch(/Subject: Ergebnis eines Kurses · /)
  expect(to(readers[2]!)).toContain('Results of CS101 are out')
  expect(to(readers[2]!)).toContain('https://ems.example.edu/myCourses/7')
  for (const one of readers) expect(ok(await one('GET', '/notifications')).length).toBe(1)
})

test('what is rolled back is mailed to nobody', async () => {
  const one = await student('en')
  await expect(
    u.services.db.transaction().execute(async (tx) => {
      await notify(tx, [one.user_id], published)
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  await run(noticeMails)
  expect(await mails()).toEqual([])
})

test('each person chooses the way; some notices cannot be switched off', async () => {
  const one = await student('en')
  const offered = ok(await one('GET', '/notices/preferences')) as { key: string; fixed: object; mail: string }[]
  expect(offered.find((n) => n.key === 'grading.notice_published')).toMatchObject({
    group: 'grades',
    app: true,
    mail: 'now',
    fixed: { app: true, mail: false },
    title: { name: 'Results of a course' },
  })
  // What is for instructors is not offered to a student.
  expect(offered.some((n) => n.key === 'grading.notice_returned')).toBe(false)
  expect(reasons(await prefer(one, 'grading.notice_dismissed', true, 'off'))).toEqual(['notice_fixed@preferences.0'])
  expect(reasons(await prefer(one, 'grading.notice_published', false, 'now'))).toEqual(['notice_fixed@preferences.0'])
  expect(reasons(await prefer(one, 'grading.notice_returned', true, 'off'))).toEqual(['not_a_choice@preferences.0.key'])
  ok(await prefer(one, 'grading.notice_published', true, 'off'))
  ok(await prefer(one, 'registration.notice_advisor', false, 'now'))
  await tell([one.user_id], published)
  await tell([one.user_id], { key: 'registration.notice_advisor', data: { name: 'A', name_local: 'أ' } })
  await run(noticeMails)
  expect((await mails()).map((mail) => /Subject: (.*) · /.exec(mail)![1])).toEqual(['A new academic advisor'])
  expect(ok(await one('GET', '/notifications')).map((n: any) => n.key)).toEqual(['grading.notice_published'])
  expect((await u.nobody('GET', '/notices/preferences')).status).toBe(401)
})

test('the link in a mail stops mails of its kind without signing in; nobody makes one up, and some mails have none', async () => {
  const one = await student('en')
  await tell([one.user_id], published)
  await tell([one.user_id], { key: 'grading.notice_dismissed' })
  await run(noticeMails)
  const sent = await mails()
  const result = sent.find((mail) => mail.includes('Results of CS101'))!
  expect(sent.find((mail) => mail.includes('Subject: Dismissal'))).not.toContain('/notices/stop/')
  const token = /notices\/stop\/(\S+)/.exec(result)![1]!
  const other = token.replace(`.${one.user_id}.`, `.${one.user_id + 1}.`)
  expect((await u.nobody('POST', `/notices/stop/${other}`)).status).toBe(404)
  expect(
    (await u.nobody('POST', `/notices/stop/${token.replace('notice_published', 'notice_dismissed')}`)).status,
  ).toBe(404)
  expect(ok(await u.nobody('POST', `/notices/stop/${token}`)).title.name).toBe('Results of a course')
  await tell([one.user_id], published)
  await run(noticeMails)
  expect((await mails()).length).toBe(2)
  expect(ok(await one('GET', '/notifications')).length).toBe(3)
})

test('the summary comes once a day, in the morning of the university, with all that waited', async () => {
  const [early, late] = [await student('ar'), await student('en')]
  const hour = Number(new Intl.DateTimeFormat('en', { timeZone: 'UTC', hour: 'numeric', hourCycle: 'h23' }).format())
  /** Makes it so many hours after midnight at the university. */
  const hourIs = (wanted: number) => {
    const ahead = ((wanted - hour + 36) % 24) - 12
    const zone = ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
    return u.database.pool.query(
      `insert into settings (key, value) values ('time_zone', to_jsonb($1::text)) on conflict (key) do update set value = excluded.value`,
      [zone],
    )
  }
  ok(await late('PUT', '/notices/preferences', { digest_hour: 9 }))
  expect((await late('PUT', '/notices/preferences', { digest_hour: 24 })).status).toBe(422)
  for (const courses of ['CS101', 'CS102'])
    await tell([early.user_id, late.user_id], { key: 'registration.notice_accepted', data: { courses, count: 1 } })
  await hourIs(6)
  await run(digestMails)
  expect(await mails()).toEqual([])
  await hourIs(7)
  await Promise.all([run(digestMails), run(digestMails)])
  const [first, ...more] = await mails()
  expect(more).toEqual([])
  expect(first).toContain(`To: ${early.email}`)
  expect(first).toContain('ملخصك اليومي')
  expect(first!.indexOf('CS101')).toBeLessThan(first!.indexOf('CS102'))
  await tell([early.user_id], { key: 'registration.notice_accepted', data: { courses: 'CS103', count: 1 } })
  await run(digestMails)
  expect((await mails()).length).toBe(1)
  await hourIs(9)
  await run(digestMails)
  expect((await mails()).filter((mail) => mail.includes(`To: ${late.email}`)).length).toBe(1)
})

test('a mail that the mail server does not take waits, holds up no other, and is given up in the end', async () => {
  const [bad, good] = [await student('en'), await student('en')]
  await tell([bad.user_id, good.user_id], published)
  const { send } = u.services.mail
  Object.assign(u.services.mail, {
    send: async (mail: Parameters<typeof send>[0]) => {
      if (mail.to === bad.email) throw new Error('550 no such mailbox')
      return send(mail)
    },
  })
  try {
    await run(noticeMails)
    expect((await mails()).length).toBe(1)
    const state = async () =>
      (
        await u.database.pool.query(
          'select failures, next_at > now() as later, next_at is null as over from notice_mails where user_id = $1',
          [bad.user_id],
        )
      ).rows[0]
    expect(await state()).toEqual({ failures: 1, later: true, over: false })
    await u.database.pool.query('update notice_mails set failures = 6, next_at = now() where user_id = $1', [
      bad.user_id,
    ])
    await expect(run(noticeMails)).rejects.toThrow('550')
    expect(await state()).toMatchObject({ failures: 7, over: true })
  } finally {
    Object.assign(u.services.mail, { send })
  }
})
