import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessAndPeopleServer } from '#areas/people/access-and-people/access-and-people.server.ts'
import { conversationServer } from '#areas/people/conversation/conversation.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { digestMails, noticeMails } from '#kit/server/mail/notices.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import type { Progress } from '#kit/server/jobs/jobs.ts'
import { openMailServer } from '#tests/mail-server.ts'
import type { MailServer } from '#tests/mail-server.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { settingsServer } from '../settings.server.ts'

let u: TestUniversity
let mails: MailServer
let admin: Caller
/** Mona reads Arabic, Emil German. */
let mona: Caller
let emil: Caller
const KEY = 'conversation.notice_ticket_reply'
const progress = Object.assign(async () => {}, { signal: new AbortController().signal }) as Progress
const run = (job: typeof noticeMails) => job.run(asSystem(u.services, 'test'), {}, progress)
const tell = (who: Caller, data: object) =>
  u.services.db
    .transaction()
    .execute((tx) => notify(tx, [who.user_id], { key: KEY, data: { ...data }, link: '/my-tickets/7' }))
const save = (key: string, language: string, subject: string, text: string, version = 0, by = admin) =>
  by('PUT', `/notice-texts/${key}/${language}`, { subject, forms: { text }, version })

beforeAll(async () => {
  mails = await openMailServer()
  u = await testUniversity([kitServer, settingsServer, accessAndPeopleServer, conversationServer], {
    env: {
      SMTP_URL: mails.url,
      SMTP_TLS: 'false',
      PUBLIC_URL: 'https://ems.example.edu',
      MAIL_FROM: 'ems@example.edu',
    },
  })
  admin = await u.as('admin')
  mona = await u.as(null, undefined, { type: 3, email: 'mona@example.edu', name: 'Mona' })
  emil = await u.as(null, undefined, { type: 3, email: 'emil@example.edu', name: 'Emil' })
  await u.database.pool.query(
    `update users set language = case id when $1 then 'ar' else 'de' end where id in ($1, $2)`,
    [mona.user_id, emil.user_id],
  )
})
afterAll(async () => {
  await u?.close()
  await mails?.stop()
})

test('what the university says itself reaches its readers in their language, in the application and by mail', async () => {
  const { shipped } = ok(await admin('GET', `/notice-texts/${KEY}`)).languages.find(
    (one: { language: string }) => one.language === 'de',
  )
  ok(await save(KEY, 'ar', 'رد على {name}', 'وصل رد على تذكرتك {name} من كلية الهندسة'))
  for (const who of [mona, emil]) await tell(who, { name: 'T-2026-00017' })
  await run(noticeMails)
  const own = await mails.mailTo('mona@example.edu')
  expect(own.subject).toMatch(/^رد على T-2026-00017 · /)
  expect(own.text).toContain('وصل رد على تذكرتك T-2026-00017 من كلية الهندسة')
  const other = await mails.mailTo('emil@example.edu')
  expect(other.subject).toContain(shipped.subject)
  const shown = async (who: Caller, lang: string) =>
    (
      await u.app.inject({
        url: '/api/notifications',
        headers: { authorization: `Bearer ${who.token}`, 'x-language': lang },
      })
    ).json().data[0].text
  expect(await shown(mona, 'ar')).toBe('وصل رد على تذكرتك T-2026-00017 من كلية الهندسة')
  expect(await shown(mona, 'en')).toBeNull()
  // Back to what is shipped; what was said stays in the history.
  const back = ok(await admin('POST', `/notice-texts/${KEY}/ar/reset`, { version: 1 }))
  expect(back.languages[0]).toMatchObject({ language: 'ar', own: null, version: 2 })
  expect(back.history.map((one: { text: unknown }) => one.text !== null)).toEqual([false, true])
  expect(await shown(mona, 'ar')).toBeNull()
})

test('a text is refused with every reason; what changed meanwhile is not overwritten', async () => {
  const refused = async (subject: string, text: string, key = KEY) => reasons(await save(key, 'en', subject, text))
  expect(await refused('Ticket {numbr}', 'A reply { to } {name}')).toEqual([
    'text_brace@forms.text',
    'text_place_unknown@subject',
  ])
  expect(await refused('Line\r\nBcc: all@example.edu', 'x')).toEqual(['text_one_line@subject'])
  expect(await refused('x', 'two\nlines')).toEqual(['text_one_line@forms.text'])
  expect(await refused('<b>x</b>', '<script>alert(1)</script>')).toEqual(['text_html@forms.text', 'text_html@subject'])
  expect(await refused('Hello', 'Set a password.', 'mail.invitation')).toEqual(['text_place_missing@forms.text'])
  const forms = await admin('PUT', `/notice-texts/${KEY}/en`, { subject: 'x', forms: { one: 'x' }, version: 0 })
  expect(reasons(forms)).toEqual(['not_a_choice@forms.one', 'required@forms.text'])
  expect((await save('conversation.nothing', 'en', 'x', 'x')).status).toBe(404)
  expect((await save('mail.toString', 'en', 'x', 'x')).status).toBe(404)
  const both = await Promise.all([save(KEY, 'en', 'One', 'One'), save(KEY, 'en', 'Two', 'Two')])
  expect(both.map((one) => one.status).toSorted()).toEqual([200, 409])
  for (const seen of [0, 7])
    expect(reasons(await save(KEY, 'en', 'Three', 'Three', seen))).toEqual(['changed_meanwhile'])
  for (const by of [mona, await u.as('registrar')])
    expect((await save(KEY, 'en', 'Four', 'Four', 1, by)).status).toBe(403)
})

test('what fills a text brings no HTML and no header; what no longer fits is left for what is shipped', async () => {
  ok(await save(KEY, 'de', 'Antwort {name}', '5 > 3 & {name}'))
  await tell(emil, { name: '<img src=x onerror=alert(1)>\r\nBcc: all@example.edu' })
  const before = mails.mails.length
  await run(noticeMails)
  const mail = await mails.mailTo('emil@example.edu', before)
  expect(mail.html).toContain('5 &gt; 3 &amp; &lt;img src=x onerror=alert(1)&gt;')
  expect([mail.bcc, mail.subject]).toEqual([
    undefined,
    expect.stringContaining('onerror=alert(1)> Bcc: all@example.edu'),
  ])
  // A release took the place away.
  await u.database.pool.query(
    `insert into notice_texts (key, language, version, subject, forms) values ($1, 'de', 2, 'Alt', '{"text": "Alt {gone}"}')`,
    [KEY],
  )
  const then = mails.mails.length
  await tell(emil, { name: 'T-9' })
  await run(noticeMails)
  expect((await mails.mailTo('emil@example.edu', then)).text).not.toContain('Alt')
})

test('a preview shows both ways with places filled, and keeps nothing', async () => {
  const preview = (key: string, subject: string, text: string) =>
    admin('POST', `/notice-texts/${key}/en/preview`, { subject, forms: { text } })
  const shown = ok(await preview(KEY, 'About {name}', 'See {name}.'))
  expect(shown).toMatchObject({ app: 'See ‹name›.', subject: expect.stringContaining('About ‹name›') })
  expect(shown.text).toContain('See ‹name›.')
  expect(ok(await preview('mail.invitation', 'Welcome', 'Hello {name}: {link}'))).toEqual({
    app: null,
    subject: 'Welcome',
    text: `Hello ${(await u.database.pool.query('select name from users where id = $1', [admin.user_id])).rows[0].name}: https://ems.example.edu/`,
  })
  expect(reasons(await preview(KEY, 'x', '{wrong}'))).toEqual(['text_place_unknown@forms.text'])
  expect(ok(await admin('GET', '/notice-texts/mail.invitation')).history).toEqual([])
})

test('a mail of the program itself says it too, and is sent once the mail server takes it', async () => {
  ok(await save('mail.digest', 'ar', 'ملخص {university}', 'أهلًا {name}\n\n{lines}\n\n{preferences}'))
  await u.database.pool.query(
    `insert into notice_mails (user_id, key, data, way) values ($1, $2, '{"name": "T-5"}', 'digest')`,
    [mona.user_id, KEY],
  )
  await u.database.pool.query(
    `insert into digests (user_id, hour) values ($1, 0) on conflict (user_id) do update set hour = 0, sent_on = null`,
    [mona.user_id],
  )
  const before = mails.mails.length
  mails.mood = 'refuses'
  await expect(run(digestMails)).rejects.toThrow()
  mails.mood = 'well'
  await run(digestMails)
  const mail = await mails.mailTo('mona@example.edu', before)
  expect(mail.subject).toMatch(/^ملخص /)
  expect(mail.text).toContain('T-5')
})
