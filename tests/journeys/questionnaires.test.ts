/**
 * A questionnaire, in Arabic on a phone: a student is led to it after signing in, puts it off, is led again the next day, answers, and
 * comes to where he or she was going. It is closed, and whoever is responsible sees the result and takes the report home.
 */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEMO_PASSWORD } from '../../apps/demo/index.ts'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  browser = await openBrowser()
  await readTexts('kit', 'kit-screens', 'questionnaires')
  demo = await openDemo({ SECRETS_KEY: 'of a journey: 7hQ2vX9mB4tR8kD1sW6yJ3nF5cL0zP' })
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

/** Students of the offering with the fewest of those who study it, seven at least, and their addresses. */
const classOf = (questionnaire: number) =>
  demo.query<{ set_id: number; email: string; id: number }>(
    `select a.set_id, u.email, u.id from questionnaire_asked($1) a join users u on u.id = a.user_id
     where a.set_id = (select set_id from questionnaire_asked($1) group by set_id having count(*) >= 7 order by count(*), set_id limit 1) order by u.id`,
    [questionnaire],
  )

describe.each(langsOf('ar'))('a questionnaire, %s', (lang) => {
  test('is led to, put off, answered on a phone, closed, and its result is seen', async () => {
    const { data: made } = await demo.send<{ data: { id: number } }>('quality', 'PUT', '/questionnaires', {
      type_id: 2,
      ...(
        await demo.query<{ term_id: number; opens_on: string; closes_on: string }>(
          `select term_id, university_today()::text as opens_on, (university_today() + 5)::text as closes_on from current_terms where key = 'current_term'`,
        )
      )[0],
      obligatory: true,
      postponements: 1,
    })
    await demo.read('quality', `/questionnaires/survey/status/${made.id}`)
    const students = await classOf(made.id)
    const [first] = students
    if (!first) throw new Error('a class')

    const student = await Person.open(browser, demo.address, { name: 'student asked', lang, width: 360 })
    const say = (key: string, values?: Record<string, string | number>) => student.say('questionnaires', key, values)
    await signIn(student, 'student', first.email)
    await student.page.waitForURL(/\/questionnaire_form\/\d+/)
    await student.reads(say('obligatory_title'))
    await student.look('led to a questionnaire')
    await student.button(say('not_now')).click()
    await student.page.waitForURL(/\/home/)

    // The next day, on the way to a screen of the own.
    await demo.query('update questionnaire_postponements set day = day - 1 where user_id = $1', [first.id])
    await student.leave()
    const again = await Person.open(browser, demo.address, { name: 'student led again', lang, width: 360 })
    await again.go('/myCourses')
    await signInHere(again, first.email)
    await again.page.waitForURL(/\/questionnaire_form\/\d+\?then=%2FmyCourses/)
    await again.reads(say('must_text'))
    const left = await demo.query<{ n: number }>(
      `select count(*)::int as n from questionnaire_asks($1) a join questionnaire_sets x on x.id = a.set_id where x.questionnaire_id = $2`,
      [first.id, made.id],
    )
    for (let i = 0; i < (left[0]?.n ?? 0); i++) {
      const address = again.page.url()
      await again.settled()
      for (const group of await again.page.getByRole('group').all())
        if (await group.getByRole('radio').count()) await group.getByRole('radio').nth(3).check({ force: true })
      await again.button(say('send')).click()
      await again.page.waitForURL((url) => url.href !== address)
    }
    await again.page.waitForURL(/\/myCourses/)
    await again.settled()
    expect(
      await demo.query(
        `select from standing_holds h join students s on s.id = h.student_id where s.user_id = $1 and h.kind = 'obligatory_survey'`,
        [first.id],
      ),
    ).toEqual([])
    expect([...student.problems, ...again.problems]).toEqual([])

    // The others of the class answer as well.
    const form = await demo.read<{ data: { questions: { key: string; kind: string }[] } }>(
      nameOfAddress(students[1]?.email),
      `/questionnaires/get_questions/${first.set_id}`,
    )
    const ratings = form.data.questions.filter(({ kind }) => kind === 'rating')
    for (const [i, { email }] of students.slice(1).entries())
      await demo.send(nameOfAddress(email), 'PUT', `/questionnaires/submit/${first.set_id}`, {
        answers: Object.fromEntries(ratings.map(({ key }) => [key, (i % 4) + 2])),
      })
    await demo.send('quality', 'PUT', `/questionnaires/close/${made.id}`, {})
    await expect
      .poll(
        async () =>
          (
            await demo.query<{ counted: boolean }>(
              'select counted_on is not null as counted from questionnaires where id = $1',
              [made.id],
            )
          )[0]?.counted,
        { timeout: 60_000 },
      )
      .toBe(true)

    const office = await Person.open(browser, demo.address, { name: 'quality', lang })
    await signIn(office, 'employee', 'quality@canopus.example.edu')
    await office.go(`/questionnaires/statistics/show/${made.id}?set=${first.set_id}`)
    await office.reads(office.say('questionnaires', 'answers', { count: students.length }))
    await office.look('result of a questionnaire')
    await office.button(office.say('kit', 'more_actions')).first().click()
    const report = await office.download(() =>
      office.page.getByRole('menuitem', { name: office.say('questionnaires', 'report_pdf') }).click(),
    )
    expect(report.content.subarray(0, 5).toString()).toBe('%PDF-')
    expect(office.problems).toEqual([])
  }, 600_000)
})

/** The part of an address before the @, by which `demo` knows somebody. */
const nameOfAddress = (email: string | undefined): string => email?.split('@')[0] ?? ''

/** Signs in where the application has led, so that it goes on to where the person was going. */
async function signInHere(person: Person, email: string): Promise<void> {
  const agree = person.button(person.say('kit', 'cookie_accept'))
  if (await agree.isVisible()) await agree.click()
  await person.page.getByRole('radiogroup').getByText(person.say('kit', 'as_student'), { exact: true }).click()
  await person.page.getByLabel(person.say('kit', 'email')).fill(email)
  await person.page.getByLabel(person.say('kit', 'password'), { exact: true }).fill(DEMO_PASSWORD)
  await person.button(person.say('kit', 'sign_in')).click()
}
