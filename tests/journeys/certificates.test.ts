/**
 * The text of a type of certificate is written with fields that nobody breaks, by keyboard and in both directions, beside a preview; what
 * was written is a version. An issued paper is printed at the desk: the original, then a copy with its number and a reason.
 */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Person, openBrowser, readTexts } from './browser.ts'
import { openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  browser = await openBrowser()
  await readTexts('kit', 'kit-screens', 'certificates')
  demo = await openDemo()
}, 720_000)
afterAll(async () => {
  await demo?.close()
  await browser?.close()
})

const textOf = async (id: number) =>
  (
    await demo.query<{ body: string; body_local: string }>(
      'select body, body_local from certificate_settings where id = $1',
      [id],
    )
  )[0]!

test.each(['en', 'ar'] as const)(
  'a text with fields is written by keyboard, %s',
  { timeout: 300_000 },
  async (lang) => {
    const [type] = await demo.query<{ id: number }>(`select id from certificate_settings where code = 'CONDUCT'`)
    const before = await textOf(type!.id)
    const root = await Person.open(browser, demo.address, { name: 'root', lang, width: 1366 })
    const say = (key: string, values?: Record<string, string | number>) => root.say('certificates', key, values)
    await signIn(root, 'employee', 'root@canopus.example.edu')
    await root.go(`/certificate-settings/edit/${type!.id}`)
    const { page } = root
    const box = page.locator('[data-field=body_local] [role=textbox]')
    await box.waitFor()
    expect(await box.locator('[data-place]').count()).toBe(before.body_local.match(/\{\w+\}/g)!.length)
    // At the end of the text: words, then a field from the menu, by keyboard alone.
    await box.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' ورقمه ')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    // Nobody is faster than the menu.
    await expect.poll(() => page.evaluate(() => Boolean(document.activeElement?.closest('[role=menu]')))).toBe(true)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => (await box.locator('[data-place]').last().getAttribute('data-place')) ?? '')
      .not.toBe('')
    const chosen = await box.locator('[data-place]').last().getAttribute('data-place')
    await expect.poll(() => box.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.type(' تم')
    // A field is deleted whole.
    const english = page.locator('[data-field=body] [role=textbox]')
    await english.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.insertText(' {gpa}')
    await page.keyboard.press('Tab')
    await expect.poll(() => english.locator('[data-place=gpa]').count()).toBe(1)
    await english.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Backspace')
    await expect.poll(() => english.locator('[data-place=gpa]').count()).toBe(0)
    await page.keyboard.type('!')
    await root.look('a text with fields')
    await root.button(root.say('kit-screens', 'save')).click()
    await expect.poll(async () => (await textOf(type!.id)).body_local).toBe(`${before.body_local} ورقمه {${chosen}} تم`)
    expect((await textOf(type!.id)).body).toBe(`${before.body} !`)
    await root.go(`/certificate-settings/edit/${type!.id}`)
    const newest = page.locator('details').first()
    await newest.locator('summary').click()
    await expect
      .poll(() =>
        newest
          .locator('ins')
          .allInnerTexts()
          .then((all) => all.join(' ')),
      )
      .toContain('تم')
    await root.look('versions of a text')
    await page.setViewportSize({ width: 390, height: 800 })
    await root.look('a text with fields on a phone')
    // As it was before, in one step.
    await page.setViewportSize({ width: 1366, height: 820 })
    const first = page.locator('details').nth(1)
    await first.locator('summary').click()
    await first.getByRole('button', { name: say('version_take') }).click()
    await root.button(root.say('kit-screens', 'save')).click()
    await expect.poll(() => textOf(type!.id)).toEqual(before)
    await root.leave()
  },
)

test.each(['en', 'ar'] as const)('an issued paper is printed and counted, %s', { timeout: 300_000 }, async (lang) => {
  const [certificate] = await demo.query<{ id: number }>(
    `select c.id from certificates c where c.status = 'approved' and c.lang <> 'both' order by c.copies, c.id limit 1`,
  )
  const { id } = certificate!
  await demo.query('update certificates set copies = 1 where id = $1', [id])
  const root = await Person.open(browser, demo.address, { name: 'root', lang, width: 1366 })
  const say = (key: string, values?: Record<string, string | number>) => root.say('certificates', key, values)
  await signIn(root, 'employee', 'root@canopus.example.edu')
  await demo.send('root', 'POST', `/certificates/issue/${id}`, {})
  await root.go(`/certificates/show/${id}`)
  const downloads: string[] = []
  root.page.on('download', (one) => downloads.push(one.suggestedFilename()))
  await root.button(say('print')).click()
  await root.page
    .getByRole('dialog')
    .getByRole('button', { name: say('print'), exact: true })
    .click()
  await root.reads(say('print_original', { number: 1 }))
  await root.button(say('print_copy')).click()
  const asking = root.page.getByRole('dialog')
  await asking.getByRole('textbox').fill('Lost on the way')
  await root.look('asks for a copy')
  await asking.getByRole('button', { name: say('print_copy'), exact: true }).click()
  await root.reads(say('print_copy_number', { number: 2 }))
  await root.look('printed papers')
  expect(downloads).toHaveLength(2)
  await root.leave()
})
