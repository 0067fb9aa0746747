/** A super admin gives a clerk a role in a faculty for a month, and asks why she may see a student. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  ;[browser, demo] = await Promise.all([
    openBrowser(),
    openDemo(),
    readTexts('kit', 'kit-screens', 'access-and-people'),
  ])
}, 240_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

interface Named {
  id: number
  name: string
  name_local: string
}
const day = (shift: number): string => new Date(Date.now() + shift * 86_400_000).toISOString().slice(0, 10)

test.each(langsOf('en'))('a role for a month, and why she may, %s', { timeout: 240_000 }, async (lang) => {
  const boss = await Person.open(browser, demo.address, { name: 'rights', lang })
  const say = (key: string, values?: Record<string, string | number>) => boss.say('access-and-people', key, values)
  const [clerk] = await demo.query<Named>(
    `select u.id, u.name, u.name_local from users u join role_assignments a on a.user_id = u.id join roles r on r.id = a.role_id and r.key = 'cashier'
     where u.type = 2 and u.removed_at is null order by u.id limit 1`,
  )
  const [faculty] = await demo.query<Named>(
    'select id, name, name_local from faculties where removed_at is null order by id desc limit 1',
  )
  const [role] = await demo.query<Named>(`select id, name, name_local from roles where key = 'faculty_registrar'`)
  // In another language before: as it was.
  await demo.query('delete from role_assignments where user_id = $1 and role_id = $2', [clerk!.id, role!.id])
  await signIn(boss, 'employee', 'superadmin@canopus.example.edu')

  await boss.go('/settings/roles')
  await boss.look('roles')
  await boss.go(`/settings/roles/details/${role!.id}`)
  await boss.look('a role')

  await boss.go(`/users/${clerk!.id}`)
  await boss.look('a user')
  await boss.go(`/settings/user/role/${clerk!.id}`)
  await boss.button(say('role_give')).click()
  const dialog = boss.page.getByRole('dialog')
  const pick = async (field: string, name: string) => {
    await dialog
      .getByRole('combobox', { name: say(field) })
      .or(dialog.getByRole('textbox', { name: say(field) }))
      .first()
      .fill(name)
    await boss.page.getByRole('option', { name }).first().click()
  }
  await pick('role', boss.nameOf(role!))
  await pick('part_of_university', boss.nameOf(faculty!))
  await dialog.getByLabel(say('last_day')).fill(day(30))
  await boss.picture('giving')
  await boss.button(say('give'), dialog).click()
  await boss.reads(say('preview_title'), boss.nameOf(faculty!))
  await boss.look('what it gives')
  await boss.page.getByLabel(say('reason')).fill(lang === 'ar' ? 'تنوب عن مسجل الكلية' : 'Stands in for the registrar')
  await boss.button(say('access_save')).click()
  await boss.reads(say('access_saved', { name: boss.nameOf(clerk!) }))
  await boss.look('given')
  expect(
    await demo.query(
      `select valid_to::text, scope_type, scope_id from role_assignments where user_id = $1 and role_id = $2`,
      [clerk!.id, role!.id],
    ),
  ).toEqual([{ valid_to: day(30), scope_type: 'faculty', scope_id: faculty!.id }])

  await boss.go(`/settings/rights?tab=why&user=${clerk!.id}&right=show_students`)
  await boss.reads(say('why_yes', { name: boss.nameOf(clerk!) }), boss.nameOf(role!), boss.nameOf(faculty!))
  await boss.look('why')
  await boss.go('/settings/rights?right=approve_control')
  await boss.look('who')

  await boss.go('/settings/rights/reviews')
  await boss.look('reviews')
  const [open] = await demo.query<Named & { row: number; grant: number; user: Named }>(
    `select v.id, t.id as row, t.grant_id as grant, r.name, r.name_local,
       json_build_object('id', u.id, 'name', u.name, 'name_local', u.name_local) as user
     from rights_reviews v join rights_review_rows t on t.review_id = v.id and t.decision is null and t.way = 'role'
       join roles r on r.id = t.role_id and r.key in ('timetable_assistant', 'summer_desk') join users u on u.id = t.user_id
     where v.closed_at is null order by t.id limit 1`,
  )
  const right = boss.nameOf(open!)
  await boss.go(`/settings/rights/reviews/${open!.id}?search=${encodeURIComponent(boss.nameOf(open!.user))}`)
  await boss.look('a review')
  const line = boss.page.getByRole('row').filter({ hasText: right })
  await line.getByRole('button', { name: boss.say('kit-screens', 'row_actions') }).click()
  await boss.page.getByRole('menuitem', { name: say('take'), exact: true }).click()
  const asked = boss.page.getByRole('dialog')
  await asked.getByRole('textbox').fill(lang === 'ar' ? 'لم يعد يعمل في الجودة' : 'No longer works in quality')
  await boss.button(say('take'), asked).click()
  await boss.reads(say('review_revoked', { name: boss.nameOf(open!.user), what: right }))
  expect(await demo.query('select from role_assignments where id = $1', [open!.grant])).toEqual([])
  expect(
    await demo.query('select decision, note is not null as noted from rights_review_rows where id = $1', [open!.row]),
  ).toEqual([{ decision: 'revoked', noted: true }])
  await boss.go('/profile/lookers')
  await boss.look('who looked')
  await boss.leave()
})
