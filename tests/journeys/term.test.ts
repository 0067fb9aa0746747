/**
 * A term as its people go through it, in a real browser on the demo university, in English and again in Arabic: courses
 * asked for and accepted; marks of last term from the instructor's grid through control to the student's phone and the
 * transcript.
 */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFailed, test } from 'vitest'
import { control, type ControlAction } from '#areas/records/grading/control/flow.contract.ts'
import { CONTROL_STATUSES } from '#areas/common/academics/offering-words.contract.ts'
import type { Available } from '#areas/enrolment/registration/requests/request.contract.ts'
import { Person, openBrowser, readTexts } from './browser.ts'
import { expectSound } from '../sound.ts'
import { textOfPdf } from './pdf.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
  await readTexts('kit', 'kit-screens', 'grading', 'offerings', 'registration', 'students')
})
afterAll(() => browser.close())

/** What a step of control is called. */
const stepOf = (person: Person, action: ControlAction): string => {
  const [en, ar] = control.actions[action].label
  return person.label([en, ar])
}

/** What the demo student may ask for now, and what not and why. */
interface Wish {
  code: string
  name: string
  name_local: string
}

/** The course whose marks are entered: of the control term, still with its instructor, and the demo student takes it. */
interface Course {
  id: number
  code: string
  name: string
  name_local: string
  term_id: number
  term: { name: string; name_local: string }
  instructor: string
  registration_id: number
}
interface Cell {
  /** Place of the student in the grid, from 0. */
  row: number
  student: string
}

describe.each(langsOf('ar'))('a term, %s', (lang) => {
  let demo: DemoWorld
  // A journey ends where somebody cannot go on.
  let stuck = false
  beforeEach(({ skip }) => {
    if (stuck) skip()
    onTestFailed(() => {
      stuck = true
    })
  })
  let student: { id: number; code: string; name: string; name_local: string }
  let wishes: Wish[]
  let blocked: { code: string; missing: string }
  let course: Course
  let open: Cell[]
  /** Of the final exam. */
  let maximum: number
  const as = (name: string, width?: number) =>
    Person.open(browser, demo.address, { name, lang, ...(width && { width }) })

  beforeAll(async () => {
    demo = await openDemo()
    student = (
      await demo.query<typeof student>(
        `select s.id, s.code, s.name, s.name_local from students s join users u on u.id = s.user_id where u.email like 'student@%'`,
      )
    )[0]!
    // Two courses with a choice of groups that the student may have, and one whose prerequisite was not passed.
    const { offerings } = await demo
      .read<{ data: Available }>('student', '/registrations/students/available-offerings')
      .then(({ data }) => data)
    wishes = offerings
      .filter(
        (one) =>
          !one.refusals.length &&
          one.slots.some((slot) => slot.type !== 'Lecture') &&
          one.slots.every((slot) => slot.free > 0),
      )
      .slice(0, 2)
      .map(({ course }) => course as Wish)
    const refused = offerings.find(({ refusals: [only, more] }) => only?.code === 'prerequisites' && !more)!
    blocked = { code: refused.course.code!, missing: String(refused.refusals[0]!.data!.missing) }
    expect(wishes.length, 'courses to ask for').toBe(2)
    const found = await demo.query<Course>(
      `select o.id, c.code, c.name, c.name_local, o.term_id, json_build_object('name', t.name, 'name_local', t.name_local) as term,
         u.email as instructor, r.id as registration_id
       from registrations r join students s on s.id = r.student_id join users own on own.id = s.user_id
         join offerings o on o.id = r.offering_id join courses c on c.id = o.course_id join terms t on t.id = o.term_id
         join current_terms k on k.key = 'current_control_term' and k.term_id = o.term_id
         join offering_instructors i on i.offering_id = o.id and i.role in ('leader', 'instructor')
         join instructors n on n.id = i.instructor_id join users u on u.id = n.user_id
       where own.email like 'student@%' and o.control_status = 'Draft' and r.letter is null order by o.id, i.role limit 1`,
    )
    course = found[0]!
    // Students whose mark of the final exam is missing, at their places in the grid.
    open = await demo.query<Cell>(
      `select row, student from (
         select row_number() over (order by s.code)::int - 1 as row, s.code as student, r.letter is null and exists (
           select from offering_marks om where om.offering_id = r.offering_id and not exists (
             select from registration_marks m where m.registration_id = r.id and m.offering_mark_id = om.id)) as open
         from registrations r join students s on s.id = r.student_id
         where r.offering_id = $1 and r.status & (262144 | 4194304 | 8388608 | 16777216 | 1024 | 2048 | 4294967296 | 2147483648 | 536870912
           | 134217728 | 17592186044416 | 2305843009213693952) <> 0) x
       where open order by row`,
      [course.id],
    )
    expect(open.length).toBeGreaterThan(8)
    const [final] = await demo.query<{ max: string }>(
      `select m.max from offering_marks m join mark_categories k on k.id = m.mark_category_id
       where m.offering_id = $1 and k.is_final_exam`,
      [course.id],
    )
    maximum = Number(final!.max)
    // The first who comes loads the demo university, and builds the web application where nobody has.
  }, 720_000)

  afterAll(async () => {
    if (demo) await expectSound(demo.url)
    await demo?.close()
  })

  test('the student chooses groups on a phone, sees the week and why a course cannot be had, and asks for two courses', async () => {
    const person = await as('student', 360)
    const { page } = person
    await signIn(person, 'student', 'student@canopus.example.edu')
    // The home says that registration is open, and leads there.
    await person.look('my home before registering')
    await page.getByRole('main').locator('a[href$="/offering/registration"]').first().click()
    await page.waitForURL('**/offering/registration')
    await person.settled()
    await person.reads(person.say('registration', 'my_registration'), person.say('registration', 'no_courses'))
    await person.look('registration')

    // Groups of two courses that are not full; the second must not clash with the first.
    for (const { code } of wishes) {
      const card = page.getByRole('article').filter({ hasText: code })
      await card.getByRole('button', { name: code }).click()
      const ways = card.getByRole('group').getByRole('button', { disabled: false })
      const fitting = ways
        .filter({ hasNotText: person.say('registration', 'full') })
        .filter({ hasNotText: person.say('registration', 'clashes_with', { courses: '' }).trim() })
      await fitting.first().click()
      await expect.poll(() => person.text(card)).toContain(person.say('registration', 'chosen_word'))
      await person.look(`groups of ${code}`)
      await card.getByRole('button', { name: code }).click()
    }
    await person.reads(person.say('registration', 'chosen', { count: 2 }))

    // The week as it will be.
    await person.button(person.say('registration', 'show_week')).click()
    const week = page.getByRole('region', { name: person.say('registration', 'week'), exact: true })
    for (const { code } of wishes) await expect.poll(() => person.text(week)).toContain(code)
    await person.look('the week as it will be')
    await person.button(person.say('registration', 'hide_week')).click()

    // A course whose prerequisites are missing: which ones, and where the plan shows them.
    const card = page.getByRole('article').filter({ hasText: blocked.code })
    await card.getByRole('button', { name: blocked.code }).click()
    const reason = await person.text(card)
    expect(reason).toContain(
      person.refusal('registration', 'prerequisites', ['Prerequisites are not met', 'المتطلبات السابقة غير مستوفاة']),
    )
    expect(reason).toContain(blocked.missing)
    expect(await card.getByRole('link').getAttribute('href')).toContain('/student-academic')
    expect(await card.getByRole('group').getByRole('button', { disabled: false }).count()).toBe(0)
    await card.scrollIntoViewIfNeeded()
    await person.look('why a course cannot be had')

    await person
      .button(person.say('registration', 'send_request_count', { count: 2 }), page.locator('#registration-choice'))
      .click()
    await person.reads(person.say('registration', 'requested_done', { count: 2 }))
    const mine = page.getByRole('region', { name: person.say('registration', 'my_courses') })
    for (const { code } of wishes) await expect.poll(() => person.text(mine)).toContain(code)
    expect(await mine.getByText(person.label(['Requested', 'قيد الموافقة']), { exact: true }).count()).toBe(2)
    await page.evaluate('window.scrollTo(0, 0)')
    await person.look('requested')
    await person.leave()
  })

  test('the advisor accepts, and the student is registered', async () => {
    const advisor = await as('advisor')
    const { page } = advisor
    await signIn(advisor, 'instructor', 'advisor@canopus.example.edu')
    await advisor.go('/my_advising')
    await advisor.reads(advisor.nameOf(student))
    await advisor.look('my advising')
    await page.getByLabel(advisor.say('registration', 'search_students')).fill(student.code)
    await expect.poll(() => page.getByRole('link').filter({ hasText: student.code }).count()).toBe(1)
    await page.getByRole('link').filter({ hasText: student.code }).click()
    await page.waitForURL(`**/advising/registration/${student.id}`)
    await advisor.settled()
    for (const { code } of wishes) await advisor.reads(code)
    await advisor.look('registration of an advisee')
    await advisor.button(advisor.say('registration', 'accept_all_count', { count: 2 })).click()
    await advisor.reads(advisor.say('registration', 'accepted_done', { count: 2 }))
    const list = page.getByRole('region', { name: advisor.say('registration', 'my_courses') })
    await expect.poll(() => list.getByText(advisor.label(['Registered', 'مسجل']), { exact: true }).count()).toBe(2)
    await advisor.look('accepted')
    await advisor.leave()

    const person = await as('student', 360)
    await signIn(person, 'student', 'student@canopus.example.edu')
    await person.go('/myCourses')
    for (const wish of wishes) await person.reads(wish.code, person.nameOf(wish))
    await person.look('my courses')
    await person.leave()
    const seats = await demo.query(
      `select s.id from offering_slots s left join registration_slots rs on rs.offering_slot_id = s.id
       group by s.id having s.taken <> count(rs.*)`,
    )
    expect(seats).toEqual([])
  })

  /** What the demo student got in the final exam. */
  const FINAL = '41.5'

  test('the instructor enters marks by keyboard, pastes a column, marks an absent student, and submits', async () => {
    const person = await as('instructor')
    const { page } = person
    await signIn(person, 'instructor', course.instructor)
    // The home names the course whose marks are missing.
    await person.reads(person.nameOf(course))
    await person.look('my home with marks to enter')

    // From the own workspace, the term chosen, into the marks.
    await page.goto(`${demo.address}/workspace/my_offerings?term=${course.term_id}`)
    await person.settled()
    const card = page
      .getByRole('listitem')
      .filter({ hasText: course.code })
      .filter({ has: page.getByRole('heading') })
    await card.getByRole('link', { name: person.say('offerings', 'marks') }).click()
    await page.waitForURL(`**/offerings/grades/${course.id}`)
    await person.settled()
    await person.reads(person.nameOf(course), course.code)
    await person.look('marks to enter')

    // Too early: whose marks are missing is said by name.
    const submit = stepOf(person, 'submit')
    const confirm = page.getByRole('dialog')
    await person.button(submit).click()
    await person.reads(person.say('grading', 'missing_students', { count: open.length }))
    expect(await confirm.count()).toBe(0)
    const missing = page.getByRole('list', { name: person.say('grading', 'missing_marks') })
    expect(await missing.getByRole('listitem').count()).toBe(open.length)
    expect(await person.text(missing)).toContain(open[0]!.student)
    await person.look('marks missing')

    // The grid. The last column is that of the final exam.
    const grid = page.getByRole('grid')
    const columns = Number(await grid.getAttribute('aria-colcount'))
    const final = (await page.locator('[data-r="0"][data-c]').count()) - 1
    expect(columns).toBeGreaterThan(final)
    const cell = (row: number) => page.locator(`[data-r="${row}"][data-c="${final}"]`)
    let at = 0
    /** Goes to a row of the last column by keyboard alone, from where the keyboard is. */
    const goTo = async (row: number) => {
      for (; at < row; at++) await page.keyboard.press('ArrowDown')
      for (; at > row; at--) await page.keyboard.press('ArrowUp')
      await cell(row).waitFor()
      await expect.poll(() => grid.getAttribute('aria-activedescendant')).toBe(await cell(row).getAttribute('id'))
    }
    /** What a key does that moves to the row below. */
    const below = () => void at++
    // From the refusal straight to the first cell that is empty.
    const [first, ...others] = open
    await person.button(person.say('grading', 'missing_first')).press('Enter')
    at = first!.row
    await goTo(first!.row)
    // A mistake is told at once, and undone.
    await page.keyboard.type(String(maximum + 0.5))
    await page.keyboard.press('Enter')
    below()
    await goTo(first!.row)
    await expect.poll(() => cell(first!.row).getAttribute('aria-invalid')).toBe('true')
    await person.reads(person.say('kit-screens', 'grid_out_of_range', { min: 0, max: maximum }))
    await person.look('a mistake in the grid')
    await page.keyboard.press('Control+z')
    await expect.poll(() => cell(first!.row).getAttribute('aria-invalid')).toBeNull()

    // Typed one below the other: Enter goes down, and the total follows.
    await goTo(first!.row)
    const typed = first!.student === student.code ? FINAL : '38'
    await page.keyboard.type(typed)
    await page.keyboard.press('Enter')
    below()
    await expect
      .poll(() => grid.getAttribute('aria-activedescendant'))
      .toBe(await cell(first!.row + 1).getAttribute('id'))
    await expect.poll(() => person.text(cell(first!.row))).toContain(person.decimal(typed))

    // A column pasted where two miss one below the other.
    const pair = others.find(
      (one, i) =>
        others[i + 1]?.row === one.row + 1 && one.student !== student.code && others[i + 1]!.student !== student.code,
    )!
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.evaluate(`navigator.clipboard.writeText('31\\n29,5')`)
    await goTo(pair.row)
    await page.keyboard.press('Control+v')
    await person.reads(person.say('kit-screens', 'grid_pasted', { count: 2 }))
    await expect.poll(() => person.text(cell(pair.row))).toContain('31')
    await expect.poll(() => person.text(cell(pair.row + 1))).toContain(person.decimal('29.5'))

    // One was absent: a letter, and Enter as after a number. The demo student gets a good mark; the others what they earned.
    const rest = others.filter((one) => one !== pair && one.row !== pair.row + 1)
    const absent = rest.find((one) => one.student !== student.code)!
    for (const one of rest) {
      await goTo(one.row)
      const mark = one.student === student.code ? FINAL : String(20 + (one.row % 25))
      await page.keyboard.type(one === absent ? 'a' : mark)
      await page.keyboard.press('Enter')
      below()
    }
    await goTo(absent.row)
    await expect.poll(() => person.text(cell(absent.row))).toContain(person.say('kit-screens', 'grid_absent_short'))
    await person.reads(person.say('kit-screens', 'grid_unsaved', { count: open.length }))
    await person.look('marks before saving')
    await page.keyboard.press('Control+s')
    await expect
      .poll(() => page.getByRole('region', { name: person.say('kit-screens', 'unsaved_changes') }).count())
      .toBe(0)
    await person.reads(person.say('grading', 'missing_none'))

    // What was saved is there for whoever opens the screen again.
    await page.reload()
    await person.settled()
    await page.getByRole('grid').focus()
    await page.keyboard.press('End')
    at = 0
    await goTo(0)
    await goTo(pair.row)
    await expect.poll(() => person.text(cell(pair.row))).toContain('31')

    // Typed as one types from a list, without looking up: letters and numbers mixed, and one line too many.
    const last = Number(await grid.getAttribute('aria-rowcount')) - 2
    await goTo(last - 2)
    const before = await person.text(cell(last - 1))
    for (const mark of ['a', '33', 'a', '44']) {
      await page.keyboard.type(mark)
      await page.keyboard.press('Enter')
    }
    const short = person.say('kit-screens', 'grid_absent_short')
    await person.reads(person.say('kit-screens', 'grid_end'), person.say('kit-screens', 'grid_unsaved', { count: 3 }))
    expect(
      await Promise.all([last - 2, last - 1, last].map(async (row) => (await person.text(cell(row))).trim())),
    ).toEqual([short, '33', short])
    for (let i = 0; i < 3; i++) await page.keyboard.press('Control+z')
    await expect.poll(() => person.text(cell(last - 1))).toBe(before)

    // On a phone one tap opens the first cell, and Enter the next one: its keyboard stays.
    const phone = await as('instructor', 390)
    await signIn(phone, 'instructor', course.instructor)
    await phone.go(`/offerings/grades/${course.id}`)
    const inHand = (row: number) => phone.page.locator(`[data-r="${row}"][data-c="${final}"]`)
    await inHand(0).tap()
    await inHand(0).getByRole('textbox').waitFor()
    await phone.page.keyboard.type('21')
    await phone.page.keyboard.press('Enter')
    await inHand(1).getByRole('textbox').waitFor()
    await phone.look('a mark on a phone')
    await phone.page
      .getByRole('grid')
      .getByRole('button', { name: phone.say('kit-screens', 'grid_absent') })
      .tap()
    await inHand(2).getByRole('textbox').waitFor()
    await phone.page.keyboard.press('Escape')
    await expect.poll(async () => [await phone.text(inHand(0)), await phone.text(inHand(1))]).toEqual(['21', short])
    await phone.button(phone.say('kit-screens', 'discard')).tap()
    await phone.leave()

    await person.button(submit).click()
    await person.look('submit')
    await person.button(submit, confirm).click()
    await person.reads(
      person.say('grading', 'read_only_status'),
      person.label(CONTROL_STATUSES.find((one) => one.value === 'Submitted')!.label),
    )
    await person.look('marks submitted')
    await person.leave()
  })

  test('control reviews, approves and publishes', async () => {
    const step = async (person: Person, view: string, action: string) => {
      const { page } = person
      const tab = page.getByRole('tab', { name: view })
      await tab.click()
      await expect.poll(() => tab.getAttribute('aria-selected')).toBe('true')
      await person.settled()
      await person.reads(course.code)
      await page.getByRole('checkbox', { name: person.say('kit-screens', 'select_page') }).check()
      // One of the boxes is that of the page.
      const count = (await page.getByRole('row').getByRole('checkbox', { checked: true }).count()) - 1
      const bar = page.getByRole('toolbar', { name: person.say('kit-screens', 'selection') })
      await person.look(`selected, ${action}`)
      await person.button(action, bar).click()
      const dialog = page.getByRole('dialog')
      // Of many the number is typed.
      if (count >= 25) await dialog.getByRole('textbox').fill(String(count))
      await person.button(action, dialog).click()
      await expect.poll(() => person.text(dialog)).toContain(course.code)
      await person.reads(person.say('kit-screens', 'bulk_result', { done: count, failed: 0 }))
      await person.picture(`result, ${action}`)
      await person.button(person.say('kit-screens', 'close'), dialog).last().click()
      await dialog.waitFor({ state: 'detached' })
    }
    const reviewer = await as('control')
    await signIn(reviewer, 'instructor', 'control@canopus.example.edu')
    await reviewer.go('/control/offerings')
    await reviewer.look('control offerings')
    await step(reviewer, reviewer.label(['To review', 'للمراجعة']), stepOf(reviewer, 'review'))
    await reviewer.leave()

    const head = await as('head of control')
    await signIn(head, 'instructor', 'control.head@canopus.example.edu')
    await head.go('/control/offerings')
    await step(head, head.label(['To approve', 'للاعتماد']), stepOf(head, 'approve'))
    await step(head, head.label(['To publish', 'للإعلان']), stepOf(head, 'publish'))
    await head.go('/control/results')
    await head.look('control results')
    await head.go('/control/results?tab=offerings')
    await head.reads(course.code)
    await head.look('control results by offering')
    await head.leave()
    const [after] = await demo.query<{ control_status: string }>('select control_status from offerings where id = $1', [
      course.id,
    ])
    expect(after?.control_status).toBe('Published')
  })

  test('the student reads the grade on a phone, and prints the transcript', async () => {
    const person = await as('student', 360)
    const { page } = person
    await signIn(person, 'student', 'student@canopus.example.edu')
    // The home tells that the result is out.
    await person.reads(course.code)
    await person.look('my home with a result')

    await person.go(`/myCourses?term=${course.term_id}`)
    await person.reads(course.code)
    await person.look('my courses of last term')
    await page.getByRole('link').filter({ hasText: course.code }).click()
    await page.waitForURL(`**/myCourses/${course.id}`)
    await person.settled()
    const [result] = await demo.query<{ letter: string; total: string }>(
      'select letter, total from registrations where id = $1',
      [course.registration_id],
    )
    await person.reads(
      person.nameOf(course),
      person.decimal(FINAL),
      person.decimal(String(Number(result!.total))),
      result!.letter,
    )
    await person.look('a course with its grade')

    await person.go('/student-academic?tab=grades')
    await person.reads(course.code, result!.letter)
    await person.look('grades')

    // The transcript, from the menu of the own record.
    await person.button(person.say('kit', 'more_actions')).click()
    await page.getByRole('menuitem', { name: person.say('students', 'transcript') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await person.look('transcript')
    const { name, content } = await person.download(() =>
      person.button(person.say('students', 'print'), dialog).click(),
    )
    expect(name).toMatch(/\.pdf$/)
    expect(content.subarray(0, 4).toString()).toBe('%PDF')
    const text = await textOfPdf(content)
    if (text !== null) expect(text).toContain(course.code)
    await person.leave()
  })
})
