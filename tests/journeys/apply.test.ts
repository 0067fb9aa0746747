/**
 * Somebody without an account applies on a phone: verifies an address, writes page by page, photographs the documents, is told
 * what is missing, sends the application in; staff find it.
 */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { APPLICATION_TABS } from '#areas/admission/applicants/words.contract.ts'
import { Person, openBrowser, readTexts } from './browser.ts'
import { openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  browser = await openBrowser()
  await readTexts('kit', 'kit-address', 'applicants', 'admission-payments')
  demo = await openDemo()
  // How fees are paid is tried in areas/admission/admission-payments.
  await demo.query(`delete from admission_fees where fee = 'application' and admission_id = 1`)
}, 720_000)
afterAll(async () => {
  await demo?.close()
  await browser?.close()
})

const CODE = '20317482'
/** The code of the mail: nobody but its reader knows it, so it is made another one here. */
async function knowCode(email: string): Promise<void> {
  await expect
    .poll(
      async () =>
        (
          await demo.query(
            `update intake_codes set code_hash = sha256(convert_to($1 || E'\\n' || $2, 'UTF8')) where address_hash = sha256(convert_to('intake' || E'\\n' || $1, 'UTF8')) returning 1`,
            [email, CODE],
          )
        ).length,
      { timeout: 30_000 },
    )
    .toBe(1)
}
/** A picture as a camera makes it: large. */
const PICTURE = `(async () => {
  const canvas = new OffscreenCanvas(2400, 1600)
  const pen = canvas.getContext('2d')
  for (let i = 0; i < 900; i++) { pen.fillStyle = 'hsl(' + (i % 360) + ' 60% 60%)'; pen.fillRect((i * 97) % 2400, (i * 53) % 1600, 90, 90) }
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.95 })
  return [...new Uint8Array(await blob.arrayBuffer())]
})()`

test('what is typed before the scripts are there is not lost', { timeout: 240_000 }, async () => {
  const me = await Person.open(browser, demo.address, { name: 'early', lang: 'en', width: 390 })
  const { page } = me
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/assets/*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${demo.address}/apply/1`, { waitUntil: 'commit' })
  const first = page.locator('#first')
  await first
    .locator('summary', { hasText: me.say('applicants', 'begin') })
    .first()
    .click()
  const named = await first.locator('details[open] h2').textContent()
  await first.locator('details[open] input').fill('early.bird@example.com')
  // Nothing can be sent yet.
  expect(await first.locator('details[open] button').isDisabled()).toBe(true)
  release()
  await first.waitFor({ state: 'detached' })
  expect(await page.getByLabel(me.say('kit', 'email')).inputValue()).toBe('early.bird@example.com')
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(named)
  await me.leave()
})

test.each(['ar', 'en'] as const)('applies on a phone, %s', { timeout: 720_000 }, async (lang) => {
  const email = `journey-${lang}@example.com`
  const me = await Person.open(browser, demo.address, { name: 'applicant', lang, width: 390 })
  const { page } = me
  const say = (key: string, values?: Record<string, string | number>) => me.say('applicants', key, values)
  await me.go('/apply/1')
  const agree = me.button(me.say('kit', 'cookie_accept'))
  if (await agree.isVisible()) await agree.click()
  await me.look('what can be applied for')
  await me.button(say('begin')).first().click()
  await page.getByLabel(me.say('kit', 'email')).fill(email)
  await me.look('asks for an address')
  await me.button(me.say('kit-address', 'send_code')).click()
  await page.getByLabel(me.say('kit-address', 'code'), { exact: true }).waitFor()
  await knowCode(email)
  await me.refused(403, '/admission/website/verify-email', async () => {
    await page.getByLabel(me.say('kit-address', 'code'), { exact: true }).fill('00000000')
    await me.button(me.say('kit-address', 'go_on')).click()
    await me.reads(/code|رمز/i)
    await page.waitForTimeout(500)
  })
  await page.getByLabel(me.say('kit-address', 'code'), { exact: true }).fill(CODE)
  await me.button(me.say('kit-address', 'go_on')).click()
  await page.locator('#tab-title').waitFor()

  const saved = (path = '/api/admission/') =>
    page.waitForResponse((answer) => answer.request().method() === 'POST' && answer.url().includes(path) && answer.ok())
  /** A document is there: sent at once, or the last of its parts. */
  const sent = () =>
    page.waitForResponse(
      (answer) =>
        answer.request().method() === 'POST' && /\/documents\/\d+(?:\/finish)?$/.test(answer.url()) && answer.ok(),
    )
  const fill = async (name: string, value: string) => {
    const field = page.locator(`[name="${name}"]`)
    const select = (await field.evaluate((element) => element.tagName)) === 'SELECT'
    await Promise.all([saved(), select ? field.selectOption(value) : field.fill(value).then(() => field.blur())])
  }
  const next = async () => {
    await me.button(say('next')).click()
    await me.settled()
  }
  const at = async (tab: keyof typeof APPLICATION_TABS) => {
    expect(await me.text(page.locator('#tab-title'))).toBe(me.label(APPLICATION_TABS[tab]))
    await me.look(tab)
  }

  await at('nationality')
  await fill('nationality_id', '64')
  await me.refused(422, '/admission/', async () => {
    const answered = page.waitForResponse((answer) => answer.status() === 422)
    await page.locator('[name="national_id"]').fill('123')
    await page.locator('[name="national_id"]').blur()
    await answered
    await page.locator('[aria-invalid="true"][name="national_id"]').waitFor()
  })
  // What was refused stays, to be mended.
  expect(await page.locator('[name="national_id"]').inputValue()).toBe('123')
  // Nobody goes on past it unseen: the page stays, and the focus is on what is wrong.
  await me.button(say('next')).click()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('national_id')
  await at('nationality')
  await fill('national_id', '30512310112345')
  await next()
  await at('personal_info')
  // The id said these.
  expect(await page.locator('[name="birth_date"]').inputValue()).toBe('2005-12-31')
  expect(await page.locator('[name="gender"]').inputValue()).toBe('2')
  await fill('name', 'Mona Ali')
  await fill('name_local', 'منى علي')
  await next()
  await at('contact_info')
  await fill('phone', '01001234567')
  await fill('country_id', '64')
  await fill('address', '1 Corniche')
  await next()
  await at('parent_info')
  await fill('father_name', 'Ali')
  await fill('mother_name', 'Huda')
  await next()
  await at('academic_data')
  await fill('certificate_type_id', '1')
  // What the total is out of is known before it is typed.
  await me.reads(say('out_of', { max: 320 }))
  await fill('certificate_year', '2024')
  await fill('certificate_school', 'A school')
  await fill('certificate_total', '300')
  for (const [i, mark] of ['76', '56', '56', '56', '56'].entries()) {
    const field = page.locator('fieldset input').nth(i)
    await Promise.all([saved(), field.fill(mark).then(() => field.blur())])
  }
  await me.reads('93.75%')
  await next()
  await at('personal_preference')
  const add = page.getByRole('button', { name: new RegExp(say('add_wish', { name: '.+' })) })
  await add.first().waitFor()
  await Promise.all([saved(), add.nth(1).click()])
  await Promise.all([saved(), add.nth(0).click()])
  const first = page.locator('section ol > li').first()
  const second = await me.text(page.locator('section ol > li').nth(1).locator('strong'))
  await Promise.all([
    saved(),
    page.getByRole('button', { name: say('earlier', { name: second }), exact: true }).click(),
  ])
  expect(await me.text(first.locator('strong'))).toBe(second)
  await me.look('wishes in their order')
  await next()
  await next()
  await at('documents')
  /** By mouse, by keys and by presses; turned, and the whole of it again. */
  const cutAndTurn = async () => {
    const edge = (name: 'left' | 'top' | 'right' | 'bottom') =>
      page.getByRole('slider', { name: say(`edge_${name}`), exact: true })
    const value = async (name: 'left' | 'top' | 'right' | 'bottom') =>
      Number(await edge(name).getAttribute('aria-valuenow'))
    await edge('left').waitFor()
    await edge('left').focus()
    for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    expect(await value('left')).toBe(8)
    await page.getByRole('button', { name: say('edge_top_in') }).click()
    expect(await value('top')).toBe(5)
    const box = (await edge('bottom').boundingBox())!
    const frame = (await page.locator('[data-edge="left"]').boundingBox())!
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2 - frame.height / 2, { steps: 4 })
    await page.mouse.up()
    expect(await value('bottom')).toBeGreaterThan(40)
    expect(await value('bottom')).toBeLessThan(60)
    await me.look('a picture that is cut')
    // Turned to the right, what was at the bottom is at the left.
    const bottom = await value('bottom')
    await me.button(say('turn_right')).click()
    expect(await value('left')).toBe(100 - bottom)
    await me.button(say('picture_reset')).click()
    expect([await value('left'), await value('top'), await value('right'), await value('bottom')]).toEqual([
      0, 0, 100, 100,
    ])
    await page.getByRole('button', { name: say('edge_bottom_in') }).click()
  }
  /** The line breaks while the second part is sent, once. */
  const broken: string[] = []
  const breakOnce = () =>
    page.route('**/documents/*/part', async (route) => {
      const second = route.request().postData()?.includes('name="offset"\r\n\r\n0\r\n') === false
      if (!second || broken.length) return route.continue()
      broken.push(route.request().url())
      return route.abort('connectionfailed')
    })
  const picture = Buffer.from(await page.evaluate<number[]>(PICTURE))
  const files = page.locator('input[type=file]')
  await files.first().waitFor({ state: 'attached' })
  const count = await files.count()
  expect(count).toBeGreaterThan(3)
  for (let i = 0; i < count; i++) {
    // While a picture is edited, its own field is away.
    await files.nth(i).setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: picture })
    await me.reads(say('picture_text'))
    if (i === 0) {
      await cutAndTurn()
      await breakOnce()
    }
    await page
      .getByText(/1.?334|pixel|بكسل/i)
      .first()
      .waitFor()
    await Promise.all([sent(), me.button(say('picture_use')).click()])
  }
  await me.look('documents that were sent')
  // Cut and turned anew, without choosing it again.
  await page
    .getByRole('button', { name: new RegExp(say('edit_picture')) })
    .first()
    .click()
  await me.button(say('turn_left')).click()
  await me.reads(/1[.,٬]?334|١[.,٬]?٣٣٤|×/)
  await Promise.all([sent(), me.button(say('picture_use')).click()])
  expect(broken).toHaveLength(1)
  // Nothing else went wrong than what was broken here.
  expect(me.problems.splice(0)).toEqual([expect.stringContaining('/part net::ERR_CONNECTION_FAILED')])
  // Smaller than the camera made it.
  const [stored] = await demo.query<{ size: number }>(
    `select max(f.size)::int as size from applicant_documents d join files f on f.id = d.file_id join applicants a on a.id = d.applicant_id where a.email = $1`,
    [email],
  )
  expect(stored!.size).toBeLessThan(picture.length)
  await next()
  await next()
  await next()
  await next()
  await at('Declaration')
  await next()
  // What lacks is said, and can wait.
  await me.button(say('later_on')).click()
  await me.settled()
  await at('payment')
  await next()
  // All answers are read over before they are sent: wishes by name, the percentage, the photographs.
  await me.reads(say('read_over'), second, '93.75', say('mark_of', { mark: 300, max: 320 }), say('page_open'))
  await expect
    .poll(() =>
      page
        .locator('main img')
        .evaluateAll((all) => all.filter((one) => (one as HTMLImageElement).naturalWidth > 0).length),
    )
    .toBe(count)
  await me.look('read over')
  await me.button(say('send_in')).click()
  await me.reads(say('missing'))
  await page
    .getByRole('link', { name: me.label(APPLICATION_TABS.Declaration) })
    .last()
    .click()
  const sentences = page.locator('fieldset input[type=checkbox]')
  // All of them at once are what is there: `all` waits for none.
  await sentences.first().waitFor()
  for (const one of await sentences.all()) await one.click()
  await expect
    .poll(() => demo.query('select from applicants where email = $1 and declared is not null', [email]))
    .toHaveLength(1)
  await next()
  await next()
  await page.getByRole('link', { name: say('edit_page', { page: me.label(APPLICATION_TABS.contact_info) }) }).click()
  await at('contact_info')
  await page.goBack()
  await me.button(say('send_in')).click()
  await page.waitForURL('**/apply/*/success*')
  await me.look('sent in')
  await me.reads(say('sent'), /A-\d{4}-\d{6}/, say('sent_next'), say('sent_mail', { email }).split(email)[0]!.trim())
  const [saved_as] = await Promise.all([page.waitForEvent('download'), me.button(say('sent_paper')).click()])
  expect(saved_as.suggestedFilename()).toBe('Application.pdf')
  // Loaded anew it is there; without the key it tells nothing.
  await page.reload()
  await me.reads(say('sent'), /A-\d{4}-\d{6}/)
  const place = new URL(page.url())
  await me.go(place.pathname)
  await me.reads(say('sent_no_key'))
  expect(await me.text(page.locator('main'))).not.toMatch(/A-\d{4}-\d{6}/)
  // The same address comes back to what it has.
  await me.go('/apply/1')
  await me.leave()

  const officer = await Person.open(browser, demo.address, { name: 'admission', lang, width: 1366 })
  await signIn(officer, 'employee', 'admission@canopus.example.edu')
  await officer.go('/applicants')
  await officer.look('applicants')
  const [found] = await demo.query<{ id: number; code: string }>('select id, code from applicants where email = $1', [
    email,
  ])
  await officer.reads(found!.code)
  await officer.go(`/applicants/${found!.id}`)
  await officer.look('an applicant')
  await officer.reads(lang === 'ar' ? 'منى علي' : 'Mona Ali', 'photo.jpg')
  await officer.leave()
})
