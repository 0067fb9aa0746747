import { afterAll, beforeAll, expect, it } from 'vitest'
import { pino } from 'pino'
import { openMailServer } from '#tests/mail-server.ts'
import type { MailServer } from '#tests/mail-server.ts'
import { readConfig } from '../base/config.ts'
import { createMail } from './mail.ts'
import type { Mail } from './mail.ts'

let server: MailServer
let mail: Mail
/** Does not wait long. */
let hasty: Mail
beforeAll(async () => {
  server = await openMailServer()
  const read = readConfig({ SMTP_URL: server.url, MAIL_FROM: 'Registrar <registrar@ems.example>' })
  const config = { ...read, publicUrl: 'https://ems.example' }
  const log = pino({ level: 'silent' })
  mail = createMail(config, log)
  hasty = createMail(config, log, { patience: 800 })
})
afterAll(async () => {
  mail.close()
  hasty.close()
  await server.stop()
})
const reset = (to: string, by = mail) =>
  by.send({
    to,
    lang: 'ar',
    key: 'reset_password',
    data: {
      name: 'منى\r\nBcc: x@y.example <b>',
      link: 'https://ems.example/x?token=1',
      until: '12:00',
      university: 'Canopus',
    },
    id: 'once',
  })

it('a mail reaches the mail server, in the language and direction of its reader', async () => {
  await reset('mona@x.example')
  const got = await server.mailTo('mona@x.example')
  expect(got.from).toMatchObject({ name: 'Registrar', address: 'registrar@ems.example' })
  expect(got.messageId).toBe('<once@ems.example>')
  expect(got.text).toContain('https://ems.example/x?token=1')
  expect(got.html).toMatch(/dir="rtl"/)
  // What somebody is called adds neither lines to the head nor marks to the page.
  expect(got.bcc ?? []).toEqual([])
  expect(got.html).not.toContain('<b>')
})

it('a mail server that refuses, says nothing, or is away is told to the job, which tries again', async () => {
  server.mood = 'refuses'
  await expect(reset('a@x.example')).rejects.toThrow(/Come again later/)
  server.mood = 'hangs'
  await expect(reset('b@x.example', hasty)).rejects.toThrow(/timeout|never received/i)
  server.mood = 'well'
  await reset('c@x.example')
  expect(server.mails.map((one) => one.to?.[0]?.address)).toEqual(['mona@x.example', 'c@x.example'])
})
