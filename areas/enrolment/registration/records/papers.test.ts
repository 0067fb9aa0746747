import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok, testUniversity, type TestUniversity } from '#tests/university.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { registrationServer } from '../registration.server.ts'

let u: TestUniversity
let w: RegistrationWorld
beforeAll(async () => {
  u = await testUniversity([catalogueServer, registrationServer])
  w = await registrationWorld(u)
  await w.windows('register')
})
afterAll(() => u.close())

test('form and audit report, in both languages, for the student and the staff, for nobody else', async () => {
  const student = await w.student({ passed: ['MA101'] })
  const other = await w.student()
  await w.query(`update students set name = 'Mona Adel', name_local = 'منى عادل' where id = $1`, [student.id])
  for (const code of ['CS101', 'PH101']) {
    const offering = await w.offer(code, { lab: true })
    ok(
      await student.as('PUT', '/registrations/students/request-offering', {
        offerings: [{ offering_id: offering.id, offering_slot_ids: [offering.lectures[0], offering.labs[0]] }],
      }),
    )
  }
  const registrar = await u.as('registrar')
  const [{ code } = { code: '' }] = await w.query<{ code: string }>('select code from students where id = $1', [
    student.id,
  ])
  for (const lang of ['ar', 'en'] as const) {
    for (const who of [student.as, registrar]) {
      const form = await who('GET', `/registrations/students/export-registration/${student.id}/${lang}`)
      expect([form.status, form.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
      const audit = await who('POST', `/registrations/students/print-pdf/${student.id}`, { lang })
      const named = (answer: typeof form) =>
        decodeURIComponent(String(answer.headers['content-disposition']).split("''")[1]!)
      expect(audit.status).toBe(200)
      expect([named(form).includes(code), named(audit)]).toEqual([true, 'audit-report.pdf'])
      if (process.env.KEEP_PAPERS && who === registrar) {
        await writeFile(`${process.env.KEEP_PAPERS}/form-${lang}.pdf`, form.bytes)
        await writeFile(`${process.env.KEEP_PAPERS}/audit-${lang}.pdf`, audit.bytes)
      }
    }
  }
  expect((await other.as('GET', `/registrations/students/export-registration/${student.id}/en`)).status).toBe(404)
  expect([403, 404]).toContain((await other.as('POST', `/registrations/students/print-pdf/${student.id}`, {})).status)
})
