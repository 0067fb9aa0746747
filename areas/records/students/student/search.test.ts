/** A search of students reads the narrow table beside theirs: it answers what the rows themselves would. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { peopleServer } from '#areas/people/people/people.server.ts'
import { actorOf } from '#kit/server/identity/auth.ts'
import { pagedList } from '#kit/server/resource/list.ts'
import { asActor } from '#kit/server/unit/request.ts'
import { sql } from 'kysely'
import type { ListQuery } from '#kit/contract/index.ts'
import { seededRandom } from '#demo/random.ts'
import { testUniversity } from '#tests/university.ts'
import type { TestUniversity } from '#tests/university.ts'
import { studentsServer } from '../students.server.ts'
import { student } from './student.contract.ts'
import { students } from './student.server.ts'

const LATIN = ['Ahmed', 'Mohamed', 'Mona', 'El-Sayed', 'Abdelrahman', 'Zoë', 'Müller', "O'Neil", 'José', 'Ibrahim']
const ARABIC = ['أحمد', 'محمد', 'منى', 'السيد', 'عبدالرحمن', 'إبراهيم', 'فاطمة', 'يُوسف', 'هبة', 'آية']
const random = seededRandom(41)
const some = <T>(of: readonly T[]): T => random.pick(of)

let u: TestUniversity
const q = async <Row>(text: string, values: unknown[] = []) => (await u.database.pool.query(text, values)).rows as Row[]
const faculties: number[] = []
const programs: number[] = []
beforeAll(async () => {
  u = await testUniversity([studentsServer, peopleServer, catalogueServer])
  for (const n of [1, 2]) {
    const [faculty] = await q<{ id: number }>(
      `insert into faculties (code, name, name_local) values ($1, 'Faculty ' || $1, 'كلية ' || $1) returning id`,
      [`F${n}`],
    )
    faculties.push(faculty!.id)
    const [bylaw] = await q<{ id: number }>(
      `insert into bylaws (code, name, name_local, faculty_id) values ($1, 'Bylaw ' || $1, 'لائحة ' || $1, $2) returning id`,
      [`B${n}`, faculty!.id],
    )
    const [program] = await q<{ id: number }>(
      `insert into programs (code, name, name_local, faculty_id, bylaw_id) values ($1, 'Program ' || $1, 'برنامج ' || $1, $2, $3) returning id`,
      [`P${n}`, faculty!.id, bylaw!.id],
    )
    programs.push(program!.id)
  }
  const rows = Array.from({ length: 600 }, (_, n) => {
    const at = random.int(0, 1)
    return [
      `S${String(n).padStart(5, '0')}`,
      `${some(LATIN)} ${some(LATIN)} ${some(LATIN)}`,
      `${some(ARABIC)} ${some(ARABIC)} ${some(ARABIC)}`,
      faculties[at],
      programs[at],
      random.int(0, 4),
      random.chance(0.1) ? null : random.int(100, 400) / 100,
      random.int(0, 3),
      random.chance(0.1) ? '2026-01-01' : null,
      random.chance(0.1) ? 'Called Dodo' : null,
    ]
  })
  await q(
    `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level, gpa, warnings, removed_at, used_name)
     select r ->> 0, r ->> 1, r ->> 2, (r ->> 3)::int, (r ->> 4)::int, (select bylaw_id from programs where id = (r ->> 4)::int), (r ->> 5)::int, (r ->> 6)::numeric,
       (r ->> 7)::int, (r ->> 8)::timestamptz, r ->> 9 from json_array_elements($1::json) r`,
    [JSON.stringify(rows)],
  )
})
afterAll(() => u.close())

/** What people type: parts of names and codes, in any dress. */
const typed = (): string =>
  Array.from({ length: random.int(1, 3) }, () => {
    const word = random.chance(0.2) ? `S0${random.int(0, 5)}` : some([...LATIN, ...ARABIC])
    const from = random.int(0, 1)
    const part = word.slice(from, from + random.int(2, 7))
    return some(
      [part, part.toUpperCase(), part.replace('ا', 'أ'), '%', '_', 't.name'].slice(0, random.chance(0.9) ? 3 : 6),
    )
  }).join(' ')

const query = (more: Partial<ListQuery>): ListQuery => ({
  page: 1,
  perPage: 10,
  search: '',
  filters: {},
  order_by: '',
  order_direction: 'asc',
  removed: false,
  ...more,
})

describe('a search of students', () => {
  test('has beside the rows the columns that the definition says', async () => {
    const found = await q<{ column_name: string }>(
      `select column_name from information_schema.columns where table_name = 'students_searched' order by ordinal_position`,
    )
    expect(found.map((one) => one.column_name)).toEqual(['id', 'search_text', 'removed_at', ...student.searched!])
  })

  test('answers what the rows would, whatever is typed, in every order, filter, page and reach', async () => {
    const [everywhere, faculty, advisor, dean] = await Promise.all([
      u.as('registrar'),
      u.as('faculty_registrar', ['faculty', faculties[0]!]),
      u.as('academic_advisor'),
      u.as('dean', ['faculty', faculties[1]!]),
    ])
    // Whoever advises reaches the advised, wherever they stand.
    await q(
      `with i as (insert into instructors (code, name, name_local, faculty_id, user_id) values ('I1', 'I', 'م', $1, $2) returning id)
       update students set advisor_id = (select id from i) where id % 3 = 0`,
      [faculties[0], advisor.user_id],
    )
    const readers = []
    for (const who of [everywhere, faculty, advisor, dean]) readers.push((await actorOf(u.services.pool, who.user_id))!)
    let many = 0
    for (let n = 0; n < 400; n++) {
      const actor = some(readers)
      const ctx = asActor(u.services, actor, 'test', 'ar')
      const removed = random.chance(0.1)
      const narrow = students.source(ctx, { removed })
      const { narrow: beside, ...wide } = narrow
      expect(beside).toBeDefined()
      const asked = query({
        search: typed(),
        page: random.int(1, 3),
        order_by: some(['', ...Object.keys(narrow.sort!)]),
        order_direction: some(['asc', 'desc']),
        removed,
        filters: Object.fromEntries(
          Object.entries({
            level: random.int(0, 4),
            status: 'studying',
            faculty_id: some(faculties),
            warnings: { from: 1 },
            tags: [1],
          }).filter(([name]) => random.chance(0.25) && name in narrow.filters!),
        ),
      })
      const [one, other] = await Promise.all([pagedList(ctx, narrow, asked), pagedList(ctx, wide, asked)])
      expect([asked, one]).toEqual([asked, other])
      many += one.meta.count
    }
    expect(many).toBeGreaterThan(1000)
  })

  test('reads the table beside the rows, unless something else is asked for', async () => {
    const ctx = asActor(u.services, (await actorOf(u.services.pool, (await u.as('registrar')).user_id))!, 'test', 'en')
    const [one] = await q<{ id: number }>('select id from students where removed_at is null limit 1')
    // As nobody may write it: only so can be seen where it was read.
    await q(`update students_searched set search_text = 'zzzyyyxxx' where id = $1`, [one!.id])
    const count = async (more: Partial<ListQuery>) =>
      (await pagedList(ctx, students.source(ctx), query({ search: 'zzzyyyxxx', ...more }))).meta.count
    expect(await count({})).toBe(1)
    expect(await count({ order_by: 'gpa', filters: { status: 'studying' } })).toBe(1)
    // Tags stand in a table of their own, found by the id.
    expect(await count({ filters: { tags: [1] } })).toBe(0)
    const { filters, ...source } = students.source(ctx)
    const other = { ...source, filters: { ...filters, gender: () => sql`t.gender is null` } }
    expect((await pagedList(ctx, other, query({ search: 'zzzyyyxxx', filters: { gender: 1 } }))).meta.count).toBe(0)
    await q('update students set name = name || $1 where id = $2', [' ', one!.id])
    await q('update students set search_text = search_text where id = $1', [one!.id])
  })

  test('finds the words of a column that the trigger names, as a migration adds one', async () => {
    await q(`alter table students add column nickname text;
      drop trigger search_text on students;
      create trigger search_text before insert or update of code, name, name_local, used_name, used_name_local, nickname, search_text
        on students for each row execute function search_text_of_person('nickname')`)
    const ctx = asActor(u.services, (await actorOf(u.services.pool, (await u.as('registrar')).user_id))!, 'test', 'en')
    const found = async (search: string) =>
      (await pagedList<{ id: number }>(ctx, students.source(ctx), query({ search }))).data.map(({ id }) => id)
    const [one] = await q<{ id: number; code: string }>(
      'select id, code from students where removed_at is null limit 1',
    )
    await q(`update students set nickname = 'Maâdi Ring' where id = $1`, [one!.id])
    expect(await found('maadi ring')).toEqual([one!.id])
    expect(await found(`${one!.code} ring`)).toEqual([one!.id])
    await q('update students set nickname = null where id = $1', [one!.id])
    expect([await found('maadi ring'), await found(one!.code)]).toEqual([[], [one!.id]])
  })

  test('the role of the program cannot write what stands beside', async () => {
    await expect(u.services.pool.query('delete from students_searched')).rejects.toMatchObject({ code: '42501' })
  })
})
