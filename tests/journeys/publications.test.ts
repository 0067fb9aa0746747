/**
 * What a member of staff has published: fetched by the ORCID iD, one by its DOI, the rest from a BibTeX file that is not whole; two that
 * are one are merged, listed, taken out as BibTeX and read back, and shown to everybody on the researcher's own page.
 */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LANGUAGES } from '#kit/contract/index.ts'
import { openPublicationsSimulator } from '../../apps/demo/publications-simulator.ts'
import type { PublicationsSimulator, SimulatedWork } from '../../apps/demo/publications-simulator.ts'
import { publicationsArea } from '../../areas/research/publications/publications.contract.ts'
import { readReferences } from '../../areas/research/publications/references/read.server.ts'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
let services: PublicationsSimulator
beforeAll(async () => {
  browser = await openBrowser()
  await readTexts('kit', 'kit-screens', 'publications')
  services = await openPublicationsSimulator()
  demo = await openDemo(services.variables)
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
  await services?.close()
})

/** Of another town in every language, so that no language finds what another has brought. */
const TOWNS = { en: 'Rosetta', ar: 'Damietta', de: 'Ismailia', fr: 'Suez', pt: 'Aswan' }
const LIST = '/my_researches/publications/list'

describe.each(langsOf('en'))('publications, %s', (lang) => {
  test('are fetched, imported, merged, listed, taken out and shown', async () => {
    const [author] = await demo.query<{ id: number; email: string; name: string; orcid: string; slug: string }>(
      `select u.id, u.email, u.name, r.orcid, r.slug from researchers r join users u on u.id = r.user_id
         join instructors i on i.user_id = u.id join role_assignments a on a.user_id = u.id join roles o on o.id = a.role_id
       where r.orcid is not null and o.key = 'instructor' order by u.email like 'dean@%', u.id limit 1`,
    )
    if (!author) throw new Error('somebody with an ORCID iD')
    await demo.query('update researchers set is_public = false where user_id = $1', [author.id])
    const town = TOWNS[lang]
    // And of years of its own: what two towns have measured in one year may be one work.
    const before = 1990 + 5 * LANGUAGES.indexOf(lang)
    const words = author.name.split(' ')
    const person = { orcid: author.orcid, given: words.slice(0, -1).join(' '), family: words.at(-1) ?? '' }
    const work = (n: number, title: string, authors = [person]): SimulatedWork => ({
      doi: `10.99999/${town.toLowerCase()}.${n}`,
      title,
      journal: 'Journal of Coastal Engineering',
      issn: '2049-3630',
      year: before + n,
      volume: String(n),
      page: `${n}1-${n}9`,
      authors: [...authors, { given: 'Peter', family: 'Weiss', orcid: '' }],
      changed: Date.now(),
    })
    const lamps = `Measurements of harbour lamps during winter storms near ${town}`
    const ofDoi = `Fog signals heard along the coast of ${town}`
    if (!services.people.some(({ orcid }) => orcid === person.orcid)) services.people.push(person)
    services.works.push(work(1, lamps), work(2, `Keeping the lighthouse of ${town}`))
    const staff = await Person.open(browser, demo.address, { name: 'researcher', lang })
    const say = (key: string, values?: Record<string, string | number>) => staff.say('publications', key, values)
    const { page } = staff
    const menu = async (key: string) => {
      await staff.button(staff.say('kit', 'more_actions')).first().click()
      return page.getByRole('menuitem', { name: say(key), exact: true })
    }
    const own = () =>
      demo.query<{ id: number; title: string; status: string; origin: string }>(
        `select p.id, p.title, p.status, p.origin from publications p where p.removed_at is null and p.title like $1
           and exists (select from publication_members m where m.publication_id = p.id and m.user_id = $2) order by p.id`,
        [`%${town}%`, author.id],
      )

    // All of the iD, by a job.
    await signIn(staff, 'instructor', author.email)
    await staff.go(LIST)
    await staff.look('publications before')
    const orcid = await menu('from_orcid')
    await staff.picture('what the menu offers')
    await orcid.click()
    await staff.reads(say('fetched', { added: 2, known: 0 }), lamps)
    await staff.look('publications of an iD')
    expect((await own()).map(({ title, origin }) => [title, origin])).toEqual([
      [lamps, 'orcid'],
      [`Keeping the lighthouse of ${town}`, 'orcid'],
    ])

    // One by its DOI: first one that nobody has.
    services.works.push({ ...work(3, ofDoi), changed: 0 })
    await (await menu('by_doi')).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'DOI' }).fill('10.99999/nobody.1')
    await staff.refused(409, '/publications/sync-publications', async () => {
      await staff.button(say('fetch'), dialog).click()
      await staff.reads(refusal(staff, 'source_doi_unknown'))
    })
    await staff.look('a DOI that nobody has')
    await dialog.getByRole('textbox', { name: 'DOI' }).fill(`https://doi.org/10.99999/${town.toUpperCase()}.3`)
    await staff.button(say('fetch'), dialog).click()
    await page.waitForURL(/\/publications\/show\/\d+/)
    await staff.reads(ofDoi, 'Peter Weiss')
    await staff.look('a publication by its DOI')

    // A file: one new, one twice, one that cannot be read, one that is there, and one that is nearly there.
    await staff.go('/my_researches/publications/import')
    const file = [
      `@article{new, title={Tides and {T}urbines of ${town}}, author={${person.family}, ${person.given} and M{\\"u}ller, J{\\'e}r{\\^o}me}, journal={Waves}, year=${before + 4}}`,
      `@article{twice, title={tides and turbines of ${town}}, author={${person.family}, ${person.given}}, year=${before + 4}}`,
      `@article{broken, title={Unended {${town}}, author={X Y}, year=2001}`,
      `@article{there, title={${ofDoi}}, author={${person.family}, ${person.given}}, doi={10.99999/${town.toLowerCase()}.3}, year=${before + 3}}`,
      `@article{near, title={Measurements of old harbour lamps during winter storms near ${town}}, author={${person.family}, ${person.given}}, year=${before + 1}}`,
    ].join('\n')
    await page.locator('input[type="file"]').setInputFiles({
      name: `${town}.bib`,
      mimeType: 'text/plain',
      buffer: Buffer.from(file),
    })
    await staff.reads(say('import_done', { added: 2, known: 2, wrong: 1 }))
    await staff.look('what became of a file')
    const rows = page.getByRole('table', { name: `${town}.bib` }).getByRole('row')
    const line = async (n: number) => staff.text(rows.nth(n))
    expect(await line(1)).toMatch(new RegExp(`^1 .*Turbines of ${town}.*${say('outcome_added')}`))
    expect(await line(2)).toMatch(new RegExp(`^2 .*${say('outcome_known')}.*${refusal(staff, 'reference_repeats')}`))
    expect(await line(3)).toMatch(
      new RegExp(`^3 broken.*${say('outcome_wrong')}.*${refusal(staff, 'reference_brace_open')}`),
    )
    expect(await line(4)).toMatch(new RegExp(`^4 .*${say('outcome_known')}.*${refusal(staff, 'reference_known')}`))
    expect(await line(5)).toMatch(new RegExp(`^5 .*old harbour lamps.*${say('outcome_added')}`))
    await staff.button(say('outcome_wrong')).click()
    await expect.poll(() => rows.count()).toBe(2)
    await staff.look('entries that were not read')

    // Two that are one: the one with the DOI stays.
    await staff.go('/my_researches/publications/doubles')
    await staff.button(say('find_doubles')).click()
    await staff.reads(say('why_near_title'), lamps)
    await staff.look('two that may be one')
    await page.getByRole('button', { name: `${say('keep')}: ${lamps}`, exact: true }).click()
    await staff.look('merging is asked')
    await staff.button(say('merge'), page.getByRole('dialog')).click()
    await staff.reads(say('merged'))
    await expect
      .poll(async () => (await own()).map(({ title }) => title))
      .toEqual([lamps, `Keeping the lighthouse of ${town}`, ofDoi, `Tides and Turbines of ${town}`])

    // Listed: two of the four.
    for (const title of [lamps, `Tides and Turbines of ${town}`]) {
      const { id } = (await own()).find((one) => one.title === title)!
      await staff.go(`/my_researches/publications/show/${id}`)
      await staff.button(staff.label(['List', 'إدراج'])).click()
      await expect
        .poll(async () => (await own()).find((one) => one.title === title)?.status, { timeout: 20_000 })
        .toBe('listed')
    }
    await staff.look('a publication is listed')

    // Taken out, and read back as another program would.
    await staff.go(`${LIST}?q=${town}`)
    const taken = await staff.download(async () => (await menu('as_bibtex')).click())
    expect(taken.name).toBe('Publications.bib')
    const back = await readReferences(taken.content)
    expect(back).toMatchObject({ format: 'bibtex' })
    const read = back.entries.map(({ work: one }) => one).filter((one) => one?.title?.includes(town))
    expect(read.map((one) => one?.title).toSorted()).toEqual((await own()).map(({ title }) => title).toSorted())
    expect(read.find((one) => one?.title === lamps)).toMatchObject({
      doi: `10.99999/${town.toLowerCase()}.1`,
      issn: '2049-3630',
      venue: 'Journal of Coastal Engineering',
      year: before + 1,
    })
    expect(read.find((one) => one?.title?.startsWith('Tides'))?.members.map(({ name }) => name)).toEqual([
      author.name,
      'Jérôme Müller',
    ])

    // The page for everybody: closed until its owner opens it, and then of listed works alone.
    const reader = await Person.open(browser, demo.address, { name: 'reader', lang, width: 390 })
    const address = `${demo.address}/researchers/${author.slug}`
    await reader.refused(404, '/research/', async () => {
      await reader.page.goto(address)
      await reader.page.getByRole('alert').first().waitFor()
    })
    await reader.look('a page that is not open')
    await staff.go('/my_researches/page')
    await page
      .getByLabel(staff.label(['Page for everybody', 'صفحة متاحة للجميع']))
      .first()
      .check({ force: true })
    await page
      .getByRole('textbox', { name: new RegExp(`^${staff.label(['About', 'نبذة'])}`) })
      .first()
      .fill(`Measures the coast of ${town}.`)
    await staff.look('the own page is filled in')
    await staff.button(say('save')).click()
    await staff.reads(say('page_saved'), say('open_page'))
    await reader.page.goto(address)
    await reader.reads(lamps, `Tides and Turbines of ${town}`, author.orcid)
    const seen = await reader.text()
    expect(seen).not.toContain(ofDoi)
    expect(seen).not.toContain('old harbour lamps')
    await reader.look('a researcher for everybody')
    expect(await reader.page.locator('script[type="application/ld+json"]').last().textContent()).toContain(lamps)
    await staff.leave()
    await reader.leave()
  }, 300_000)
})

/** How a reason or a note begins, up to its first figure. */
function refusal(person: Person, code: string): string {
  return person.refusal('publications', code, publicationsArea.errors![code]!)
}
