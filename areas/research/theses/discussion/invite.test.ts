/** What external examiners are sent of a discussion: they have no account, so a mail with a calendar goes to them. */
import { AREA_SERVERS } from '../../../../apps/server/areas.server.ts'
import { addDays } from '#kit/contract/day.ts'
import type { MailInput } from '#kit/server/mail/mail.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { ok, testUniversity, type TestUniversity } from '#tests/university.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { thesisWorld, type ThesisWorld } from '../testing.server.ts'
import { examinerMailJob } from './invite.server.ts'

let u: TestUniversity
let w: ThesisWorld
const mails: MailInput[] = []
beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS)
  w = await thesisWorld(u)
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- what a mail server would be given
  u.services.mail.send = async (mail) => {
    mails.push(mail)
  }
})
afterAll(() => u.close())

const progress = Object.assign(async () => undefined, { signal: new AbortController().signal })
type Payload = Parameters<typeof examinerMailJob.run>[1]
/** Sends what waits, the oldest first. @returns the mails */
async function sent(): Promise<{ to: string; key: string; ics: string }[]> {
  const jobs = await w.q<{ data: { payload: Payload } }>(
    `with taken as (delete from pgboss.job where name = 'thesis-examiner-mail' returning created_on, data)
     select data from taken order by created_on`,
  )
  mails.length = 0
  for (const { data } of jobs) await examinerMailJob.run(asSystem(u.services, 'test'), data.payload, progress)
  return mails.map(({ to, key, attachments }) => ({ to, key, ics: attachments?.[0]?.content.toString() ?? '' }))
}

test('a discussion reaches external examiners as a mail with a calendar; moved and called off it takes its own place', async () => {
  const of = await w.ready()
  await w.q(`update external_examiners set email = 'judge@delta.example.edu' where id = $1`, [of.outside])
  const schedule = async (day: number, code: string) =>
    ok(
      await w.registrar('POST', `/theses/discussion/${of.id}`, {
        location_id: await w.room(code),
        day: addDays(w.today, day),
        from_time: '10:00',
        until_time: '12:00',
      }),
    )
  await schedule(7, 'MAIL1')
  const [first, ...more] = await sent()
  expect([first?.to, first?.key, more]).toEqual(['judge@delta.example.edu', 'thesis_discussion', []])
  const at = (n: number) => `${addDays(w.today, n).replaceAll('-', '')}T100000`
  expect(first?.ics).toMatch(new RegExp(`UID:thesis-discussion-of-${of.id}\\r\\n`))
  expect(first?.ics).toContain('SEQUENCE:0')
  expect(first?.ics).toContain(at(7))
  expect(first?.ics).toContain('LOCATION:MAIL1')

  await schedule(9, 'MAIL2')
  const moved = await sent()
  expect(moved.map(({ key }) => key)).toEqual(['thesis_discussion'])
  expect(moved[0]?.ics).toMatch(new RegExp(`UID:thesis-discussion-of-${of.id}\\r\\n`))
  expect(moved[0]?.ics).toContain('SEQUENCE:2')
  expect(moved[0]?.ics).toContain(at(9))

  ok(await w.registrar('DELETE', `/theses/discussion/${of.id}`))
  const off = await sent()
  expect(off.map(({ key }) => key)).toEqual(['thesis_discussion_off'])
  expect(off[0]?.ics).toContain('STATUS:CANCELLED')
  expect(off[0]?.ics).toContain('SEQUENCE:3')

  // Called off before its mail went out: nothing is told as if it stood. Without an address nobody is written to.
  await schedule(8, 'MAIL3')
  ok(await w.registrar('DELETE', `/theses/discussion/${of.id}`))
  expect((await sent()).map(({ key }) => key)).toEqual(['thesis_discussion_off'])
  await w.q(`update external_examiners set email = null where id = $1`, [of.outside])
  await schedule(8, 'MAIL4')
  expect(await w.q(`select from pgboss.job where name = 'thesis-examiner-mail'`)).toEqual([])
})
