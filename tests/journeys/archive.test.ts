/** A registrar keeps files and pages in the archive: uploads, puts them in order by the keyboard, writes, takes all of it out as a ZIP, moves and deletes. */
import { unzipSync } from 'fflate'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  ;[browser, demo] = await Promise.all([openBrowser(), openDemo(), readTexts('kit', 'archive')])
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

const pdf = (text: string) => Buffer.from(`%PDF-1.7\n1 0 obj<</T(${text})>>endobj\n%%EOF\n`)
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

test.each(langsOf('ar'))('files and a page in the archive, %s', { timeout: 360_000 }, async (lang) => {
  const registrar = await Person.open(browser, demo.address, { name: 'archive', lang })
  const { page } = registrar
  const say = (key: string, values?: Readonly<Record<string, string | number>>) => registrar.say('archive', key, values)
  /** The label that names a file; in Arabic its name stands between marks of direction. */
  const about = (key: string, name: string) =>
    new RegExp(
      say(key, { name: '@' })
        .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
        .replace('@', `\\W*${name.replace('.', '\\.')}\\W*`),
    )
  const add = async (what: string) => {
    await registrar.button(say('add')).click()
    await page.getByRole('menuitem', { name: say(what) }).click()
  }
  await signIn(registrar, 'employee', 'registrar@canopus.example.edu')
  await registrar.go('/archives')
  await registrar.look('the archive')

  await add('new_folder')
  await page.getByLabel(say('name'), { exact: true }).fill(`Circulars ${lang}`)
  await page.getByLabel(say('name_local')).fill(`منشورات ${lang}`)
  await registrar.button(say('save')).click()
  const folder = lang === 'ar' ? 'منشورات ar' : `Circulars ${lang}`
  await page.getByRole('button', { name: new RegExp(`^${folder}`) }).click()
  await registrar.reads(say('empty_folder'))

  await page.getByLabel(say('upload_files'), { exact: true }).setInputFiles([
    { name: 'First.pdf', mimeType: 'application/pdf', buffer: pdf('1') },
    { name: 'Second.png', mimeType: 'image/png', buffer: PNG },
    { name: 'Third.pdf', mimeType: 'application/pdf', buffer: Buffer.concat([pdf('3'), Buffer.alloc(9_000_000, 'x')]) },
  ])
  await expect.poll(() => page.getByText(say('upload_done'), { exact: true }).count(), { timeout: 90_000 }).toBe(3)
  // What is not what its name says is refused in words.
  await registrar.refused(422, '/archive/upload', async () => {
    await page
      .getByLabel(say('upload_files'), { exact: true })
      .setInputFiles([
        { name: 'Deceit.png', mimeType: 'image/png', buffer: Buffer.from('<html><script>alert(1)</script></html>') },
      ])
    await registrar.reads(say('upload_failed'))
  })
  await page.getByRole('button', { name: about('forget', 'Deceit.png') }).click()

  await page.getByRole('button', { name: about('order_handle', 'Third.pdf') }).focus()
  await page.keyboard.press('Home')
  await registrar.reads(say('order_told', { place: 1, count: 3 }))
  const order = () =>
    page
      .getByRole('list', { name: say('entries') })
      .getByRole('listitem')
      .allInnerTexts()
  await expect.poll(async () => (await order())[0]).toContain('Third.pdf')
  await page.reload()
  await registrar.settled()
  expect((await order()).map((text) => /\w+\.(pdf|png)/.exec(text)![0])).toEqual([
    'Third.pdf',
    'First.pdf',
    'Second.png',
  ])
  await page.getByRole('button', { name: /^Second\.png/ }).click()
  await page.getByRole('img', { name: 'Second.png' }).waitFor()
  await registrar.look('a picture beside the list')

  await add('new_page')
  await page.getByLabel(say('name'), { exact: true }).fill('Attendance')
  await registrar.button(say('save')).click()
  await page.waitForURL(/\/editor\//)
  await registrar.settled()
  const text = page.getByRole('textbox', { name: say('page_arabic') })
  await text.click()
  await page.keyboard.type('يُحرم من تجاوز غيابه الربع')
  await registrar.button(say('save')).click()
  await registrar.reads(say('page_saved'))
  await registrar.look('the page')

  await page.getByRole('link', { name: say('to_folder') }).click()
  await registrar.settled()
  await page.getByRole('checkbox', { name: about('choose', 'First.pdf') }).check()
  await page.getByRole('checkbox', { name: about('choose', 'Attendance') }).check()
  const { name, content } = await registrar.download(() => registrar.button(say('download_zip')).click())
  expect(name).toBe(`Circulars ${lang}.zip`)
  const files = unzipSync(new Uint8Array(content))
  expect(Object.keys(files).toSorted()).toEqual(['Attendance.ar.html', 'Attendance.en.html', 'First.pdf'])
  expect(new TextDecoder().decode(files['Attendance.ar.html'])).toContain('يُحرم')

  // By the keyboard: cut here, up to the archive in the tree of folders, pasted there, removed, deleted for good.
  await page.getByRole('button', { name: /^Second\.png/ }).focus()
  await page.keyboard.press('Control+x')
  await registrar.reads(say('cut_done', { count: 1 }))
  const tree = page.getByRole('tree', { name: say('folders') })
  await tree.getByRole('treeitem', { name: folder }).focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  // Pasted at once: nothing of the folder that is left may still be there to be pasted into.
  await page.getByRole('button', { name: say('paste', { count: 1 }) }).click()
  const pasted = page.getByRole('button', { name: /^Second\.png/ })
  await pasted.focus()
  await page.keyboard.press('Delete')
  await pasted.waitFor({ state: 'detached' })
  await registrar.go('/archives?bin=1')
  await page.getByRole('button', { name: /^Second\.png/ }).waitFor()
  await registrar.look('the recycle bin')
  await registrar.button(say('empty_bin_action')).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('empty_bin_action') })
    .click()
  await registrar.reads(say('empty_bin'))
  await registrar.leave()
})
