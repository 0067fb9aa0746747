import { isId } from '../base/scope.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { crud } from '#access/permissions.contract.ts'
import { area, call, f, failing, fold, resource, resourceCalls } from '#kit/contract/index.ts'
import fc from 'fast-check'
import { lookupCalls } from '#kit/contract/lookups.contract.ts'
import { emptyTables } from '#db/testing.ts'
import { defineAreaServer } from '../http/area.ts'
import { handle } from '../base/context.ts'
import type { Actor } from '../base/context.ts'
import { refuse } from '../base/errors.ts'
import { lookupHandlers } from './lookups.ts'
import { asSystem } from '../unit/request.ts'
import { serveResource, workings } from './resource.ts'
import { readSheet, writeSheet } from '../sheets/index.ts'
import { openTestApp, testActor } from '../testing.ts'
import type { TestApp } from '../testing.ts'

// A small library: every kind of field, scoped by faculty and by who wrote the book.
const shelf = resource({
  name: 'shelf',
  path: '/shelves',
  table: 'shelves',
  one: ['Shelf', 'رف'],
  many: ['Shelves', 'الرفوف'],
  adding: ['Add shelf', 'إضافة رف'],
  editing: ['Edit shelf', 'تعديل رف'],
  permissions: crud('location'),
  scope: ['faculty'],
  fields: {
    code: f.code(['Code', 'الكود'], { required: true }),
    name: f.text(['English name', 'الاسم بالإنجليزية'], { required: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'test_faculty', { required: true }),
    valid_until: f.date(['Valid until', 'صالح حتى']),
  },
  list: {
    columns: ['code', 'name'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name'],
    filters: ['faculty_id'],
    order: ['code', 'asc'],
  },
  exportName: 'shelves',
  softDelete: true,
  screens: {},
})
const testFaculty = resource({
  name: 'test_faculty',
  path: '/test-faculties',
  table: 'test_faculties',
  one: ['Faculty', 'كلية'],
  many: ['Faculties', 'الكليات'],
  adding: ['Add', 'إضافة'],
  editing: ['Edit', 'تعديل'],
  permissions: { ...crud('faculty'), import: null },
  scope: 'university',
  fields: {
    code: f.code(['Code', 'الكود'], { required: true }),
    name: f.text(['English name', 'الاسم بالإنجليزية'], { required: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
  },
  list: {
    columns: ['code'],
    search: ['code', 'name', 'name_local'],
    sort: ['code'],
    filters: [],
    order: ['code', 'asc'],
  },
  exportName: 'faculties',
  softDelete: false,
  screens: {},
})
const book = resource({
  name: 'book',
  path: '/books',
  table: 'books',
  one: ['Book', 'كتاب'],
  many: ['Books', 'الكتب'],
  adding: ['Add book', 'إضافة كتاب'],
  editing: ['Edit book', 'تعديل كتاب'],
  permissions: crud('building'),
  scope: ['faculty', 'own'],
  fields: {
    code: f.code(['Code', 'الكود'], { required: true }),
    name: f.text(['English name', 'الاسم بالإنجليزية'], { required: true, max: 60 }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
    shelf_id: f.lookup(['Shelf', 'الرف'], 'shelf', { required: true }),
    state: f.choice(
      ['State', 'الحالة'],
      [
        { value: 'kept', label: ['Kept', 'محفوظ'] },
        { value: 'lent', label: ['Lent', 'معار'] },
      ],
    ),
    topics: f.choices(
      ['Topics', 'الموضوعات'],
      [
        { value: 'art', label: ['Art', 'فنون'] },
        { value: 'law', label: ['Law', 'قانون'] },
      ],
    ),
    also_on: f.lookups(['Also on', 'أيضًا على'], 'shelf', {
      through: { table: 'book_shelves', from: 'book_id', to: 'shelf_id' },
    }),
    pages: f.integer(['Pages', 'الصفحات'], { min: 1, max: 9999 }),
    weight: f.decimal(['Weight', 'الوزن'], { places: 2, max: 99 }),
    price: f.money(['Price', 'السعر']),
    bought: f.date(['Bought', 'تاريخ الشراء']),
    seen_at: f.instant(['Seen', 'آخر جرد']),
    opens: f.time(['Opens', 'يفتح']),
    rare: f.flag(['Rare', 'نادر']),
    marks: f.flags(['Marks', 'العلامات']),
    text: f.richText(['Text', 'النص'], { detailOnly: true }),
    facts: f.json(['Facts', 'حقائق'], z.object({ isbn: z.string() }), { noExport: true }),
    year: f.integer(['Year', 'السنة'], { readOnly: true }),
    origin: f.text(['Origin', 'المصدر'], { createOnly: true }),
  },
  list: {
    columns: ['code', 'name', 'name_local', 'shelf_id', 'state'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'name_local', 'shelf_id', 'state', 'pages', 'year'],
    filters: [
      'shelf_id',
      'state',
      'topics',
      'also_on',
      'pages',
      'weight',
      'bought',
      'seen_at',
      'rare',
      'marks',
      'name',
      'price',
    ],
    order: ['code', 'asc'],
  },
  exportName: 'books',
  softDelete: true,
  screens: {},
})
/** A record of which nothing need be said. */
const slip = resource({
  name: 'slip',
  path: '/slips',
  table: 'slips',
  one: ['Slip', 'قصاصة'],
  many: ['Slips', 'القصاصات'],
  adding: ['Add slip', 'إضافة قصاصة'],
  editing: ['Edit slip', 'تعديل قصاصة'],
  permissions: crud('location'),
  scope: 'university',
  fields: { note: f.text(['Note', 'ملاحظة']) },
  list: { columns: ['note'], search: [], sort: ['note'], filters: [], order: ['note', 'asc'] },
  exportName: 'slips',
  softDelete: false,
  screens: {},
})
const books = resourceCalls(book)
const slips = resourceCalls(slip)
const shelves = resourceCalls(shelf)
const faculties = resourceCalls(testFaculty)
const own = {
  // A literal path beside `/books/{id}`, another parameter name at the same place, and a refusal of the area.
  newest: call('GET', '/books/newest', {
    permission: 'access_building',
    summary: ['Newest', 'الأحدث'],
    response: z.object({ name: z.string() }),
  }),
  lend: call('POST', '/books/{book_id}/lend/{lang}', {
    permission: 'edit_building',
    summary: ['Lend', 'إعارة'],
    body: z.strictObject({
      days: z
        .int()
        .min(1)
        .refine((d) => d !== 13, failing('thirteen', { days: 13 })),
      names: z.array(z.strictObject({ name: z.string().min(1) })).default([]),
    }),
    response: z.object({ id: z.int(), lang: z.string() }),
  }),
  fails: call('GET', '/books/fails', { permission: 'public', summary: ['Fails', 'يفشل'] }),
  hello: call('POST', '/books/hello', {
    permission: 'public',
    summary: ['Hello', 'أهلا'],
    response: z.object({ hello: z.string() }),
  }),
}
const library = area({
  name: 'library',
  label: ['Library', 'المكتبة'],
  resources: [book, shelf, testFaculty, slip],
  calls: { ...own, ...lookupCalls },
  errors: {
    thirteen: ['Not {days} days.', 'ليس {days} يومًا.'],
    lent_out: ['It is lent.', 'معار.'],
    lent_already: ['{name} is lent already.', '{name} معار بالفعل.'],
    books_price_even: ['The price is even.', 'السعر زوجي.'],
  },
})
const served = workings(book, {
  scope: {
    faculty: () => sql`(select s.faculty_id from shelves s where s.id = t.shelf_id)`,
    own: (ctx) => isId(sql`t.written_by`, ctx.actor?.user_id),
  },
  computed: { year: 'extract(year from t.bought)::int' },
  abilities: {
    remove: (row) => (row.state === 'lent' ? 'lent_out' : true),
    lend: {
      permission: 'edit_building',
      possible: (row) => !row.removed && (row.state === 'kept' || { code: 'lent_already', data: { name: row.name } }),
    },
  },
  beforeWrite: (_ctx, _tx, merged) => {
    if (merged.name === 'Forbidden') throw refuse(409, 'state_not_allowed')
    if (merged.name === 'Capital') merged.name = 'CAPITAL'
  },
  lookups: ['state', 'shelf_id'],
})
const server = defineAreaServer({
  area: library,
  handlers: [
    served.handlers,
    serveResource(shelf, { scope: { faculty: () => sql`t.faculty_id` } }),
    serveResource(testFaculty),
    serveResource(slip),
    lookupHandlers,
    handle(own.newest, async () => ({ name: 'Newest', secret: 'not declared' })),
    handle(own.lend, async (ctx, { params }) =>
      ctx.write(async (tx) => {
        const row = await served.lock(ctx, tx, params.book_id, { access: 'edit_building', ability: 'lend' })
        await sql`update books set state = 'lent' where id = ${row.id}`.execute(tx)
        return { id: params.book_id, lang: params.lang }
      }),
    ),
    handle(own.fails, async () => {
      throw new Error('SELECT secret FROM vault')
    }),
    handle(own.hello, async (ctx) => ({ hello: ctx.actor?.name ?? 'nobody' })),
  ],
})

const TABLES = `
  create table test_faculties (id integer generated always as identity primary key, code text not null unique, name text not null, name_local text not null,
    search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
    version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now());
  create table shelves (id integer generated always as identity primary key, code text not null unique, name text not null, name_local text not null,
    faculty_id integer not null references test_faculties, valid_until date,
    search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
    version integer not null default 1, removed_at timestamptz, created_at timestamptz not null default now(), updated_at timestamptz not null default now());
  create table books (id integer generated always as identity primary key, code text not null constraint books_code_key unique, name text not null, name_local text not null,
    shelf_id integer not null references shelves, state text, topics text[], pages integer, weight numeric(6, 2), price bigint constraint books_price_even check (price % 2 = 0),
    bought date, seen_at timestamptz, opens time, rare boolean not null default false, marks bigint, text text, facts jsonb, origin text, written_by integer,
    search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
    version integer not null default 1, removed_at timestamptz, created_at timestamptz not null default now(), updated_at timestamptz not null default now());
  create index on books using gin (search_text gin_trgm_ops);
  create table book_shelves (book_id integer not null references books on delete cascade, shelf_id integer not null references shelves, primary key (book_id, shelf_id));
  create table slips (id integer generated always as identity primary key, note text,
    version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now());
  select audit_table(t) from unnest(array['test_faculties', 'shelves', 'books', 'book_shelves', 'slips']) as t;`

const everything = Object.fromEntries(
  [book, shelf, testFaculty]
    .flatMap((r) => Object.values(r.permissions))
    .filter((key) => key !== null)
    .map((key) => [key, 'all' as const]),
)
let t: TestApp
let admin: Actor
let ids: Record<string, number>

beforeAll(async () => {
  t = await openTestApp([server])
  await t.database.pool.query(TABLES)
})
afterAll(() => t.close())
beforeEach(async () => {
  await emptyTables(t.database.db, ['settings', 'secrets'])
  const { rows } = await t.database.pool.query<{ id: number }>(
    `insert into users (type, name, name_local, email) values (2, 'Amal', 'أمل', 'amal@u.example'), (2, 'Basem', 'باسم', 'basem@u.example') returning id`,
  )
  const [amal, basem] = rows.map((r) => r.id) as [number, number]
  admin = testActor(everything, { user_id: amal, name: 'Amal' })
  const client = t.as(admin)
  const put = async (c: Parameters<typeof client.ask>[0], body: object) =>
    ((await client.ask(c, { body })) as unknown as { data: { id: number } }).data.id
  const science = await put(faculties.create, { code: 'SCI', name: 'Science', name_local: 'كلية العلوم' })
  const arts = await put(faculties.create, { code: 'ART', name: 'Arts', name_local: 'كلية الآداب' })
  const a = await put(shelves.create, { code: 'A1', name: 'First shelf', name_local: 'الرف الأول', faculty_id: science })
  const b = await put(shelves.create, { code: 'B1', name: 'Second shelf', name_local: 'الرف الثاني', faculty_id: arts })
  ids = { amal, basem, science, arts, a, b }
})

const full = () => ({
  code: 'BK-1',
  name: 'Élodie and the Sea',
  name_local: 'أحمد والبحر الكبير ١٢',
  shelf_id: ids.a,
  state: 'kept',
  topics: ['art', 'law'],
  also_on: [ids.a, ids.b],
  pages: 120,
  weight: '1.50',
  price: 12_550,
  bought: '2024-02-29',
  seen_at: '2026-01-01T10:00:00+02:00',
  opens: '09:30',
  rare: true,
  marks: '2305843009213693952',
  text: '<p onclick="x()">Good <b>book</b><script>alert(1)</script></p>',
  facts: { isbn: '978' },
  origin: 'gift',
})
const add = async (more: object = {}, actor = admin): Promise<number> =>
  (await t.as(actor).ask(books.create, { body: { ...full(), ...more } })).data.id
const list = async (body: object = {}, actor = admin) => t.as(actor).ask(books.list, { body: body })
const codes = async (body: object = {}, actor = admin) => (await list(body, actor)).data.map((row) => row.code)

describe('rows', () => {
  test('every kind of field is written and read back', async () => {
    const id = await add()
    const { data } = await t.as(admin).ask(books.get, { params: { id } })
    expect(data).toMatchObject({
      ...full(),
      id,
      version: 1,
      removed: false,
      seen_at: '2026-01-01T08:00:00.000Z',
      text: '<p>Good <b>book</b></p>',
      shelf: { id: ids.a, name: 'First shelf', name_local: 'الرف الأول', code: 'A1' },
      also_on: [
        { id: ids.a, code: 'A1' },
        { id: ids.b, code: 'B1' },
      ],
      year: 2024,
      abilities: ['edit', 'remove', 'lend'],
    })
  })

  test('a record of which nothing is said is there as well', async () => {
    const { id } = (await t.as(admin).ask(slips.create, { body: {} })).data
    expect((await t.as(admin).ask(slips.get, { params: { id } })).data).toMatchObject({ id, note: null, version: 1 })
  })

  test('unknown, read-only and hostile input is refused field by field, in both languages', async () => {
    const { status, error } = await t.as(admin).send(books.create, {
      body: {
        ...full(),
        code: 'a b',
        name: '=HYPERLINK("x")',
        name_local: 'مرحبا\u202e',
        pages: 1.5,
        weight: '1.555',
        bought: '2025-13-40',
        state: 'gone',
        year: 2020,
        surprise: 1,
        shelf_id: 'x',
        price: -1,
      },
    })
    expect(status).toBe(422)
    expect(error.message).toBe('invalid_input')
    expect(Object.fromEntries(error.errors.toReversed().map((e) => [e.field, e.code]))).toEqual({
      code: 'code_special_characters',
      name: 'text_formula',
      name_local: 'text_direction_controls',
      pages: 'not_an_integer',
      weight: 'format_not_valid',
      bought: 'date_not_valid',
      state: 'not_a_choice',
      year: 'unknown_field',
      surprise: 'unknown_field',
      shelf_id: 'wrong_type',
      price: 'too_small',
    })
    for (const e of error.errors) expect(e.ar).toMatch(/[\u0600-\u06ff]/)
    const html = await t
      .as(admin)
      .send(books.create, { body: { ...full(), name: '<img src=x>', name_local: 'English' } })
    expect(html.error.errors.map((e) => [e.field, e.code])).toEqual([
      ['name', 'text_html'],
      ['name_local', 'arabic_only'],
    ])
    const empty = await t.as(admin).send(books.create, { body: { state: '', pages: null } })
    expect(empty.error.errors.map((e) => [e.field, e.code])).toEqual([
      ['code', 'required'],
      ['name', 'required'],
      ['name_local', 'required'],
      ['shelf_id', 'required'],
    ])
  })

  test('what the database refuses names the field', async () => {
    await add()
    const again = await t.as(admin).send(books.create, { body: full() })
    expect([again.status, again.error.errors]).toMatchObject([422, [{ field: 'code', code: 'duplicate' }]])
    const gone = await t.as(admin).send(books.create, { body: { ...full(), code: 'BK-2', shelf_id: 999_999 } })
    expect(gone.error.errors).toMatchObject([{ field: 'shelf_id', code: 'reference_missing' }])
    const odd = await t.as(admin).send(books.create, { body: { ...full(), code: 'BK-3', price: 3 } })
    expect([odd.status, odd.error.message, odd.error.error.en]).toEqual([422, 'books_price_even', 'The price is even.'])
  })

  test('a change touches what it names, keeps the version, and merges', async () => {
    const id = await add()
    const { data } = await t
      .as(admin)
      .ask(books.update, { params: { id }, body: { name: 'Sea', also_on: [ids.b], version: 1 } })
    expect(data).toMatchObject({ name: 'Sea', version: 2, pages: 120, weight: '1.50', also_on: [{ id: ids.b }] })
    const cleared = await t
      .as(admin)
      .ask(books.update, { params: { id }, body: { pages: '', state: null, topics: null } })
    expect(cleared.data).toMatchObject({ pages: null, state: null, topics: null, version: 3 })
    const joined = await t.as(admin).ask(books.update, { params: { id }, body: { also_on: [] } })
    expect(joined.data).toMatchObject({ also_on: [], version: 4 })
    const frozen = await t.as(admin).send(books.update, { params: { id }, body: { origin: 'bought' } })
    expect(frozen.error.errors).toMatchObject([{ field: 'origin', code: 'unknown_field' }])
    const hook = await t.as(admin).ask(books.update, { params: { id }, body: { name: 'Capital' } })
    expect(hook.data.name).toBe('CAPITAL')
    expect((await t.as(admin).send(books.update, { params: { id }, body: { name: 'Forbidden' } })).status).toBe(409)
    expect((await t.as(admin).send(books.update, { params: { id }, body: { name: '' } })).error.errors).toMatchObject([
      { field: 'name', code: 'required' },
    ])
  })

  test('two people who change the same row: the second hears what the first did', async () => {
    const id = await add()
    const basem = testActor(everything, { user_id: ids.basem as number, name: 'Basem' })
    await t.as(basem).ask(books.update, { params: { id }, body: { name: 'By Basem', version: 1 } })
    const { status, error } = await t
      .as(admin)
      .send(books.update, { params: { id }, body: { name: 'By Amal', pages: 120, weight: '1.5', version: 1 } })
    expect([status, error.message]).toEqual([409, 'changed_meanwhile'])
    expect(error.errors[0]?.data).toMatchObject({
      changed: [{ field: 'name', yours: 'By Amal', theirs: 'By Basem' }],
      version: 2,
      by: { name: 'Basem', name_local: 'باسم' },
      at: expect.stringMatching(/^\d{4}-/),
    })
  })

  test('removed rows: kept, hidden, restored; in use ones stay', async () => {
    const id = await add()
    const used = await t.as(admin).send(shelves.remove, { params: { id: ids.a as number } })
    expect([used.status, used.error.message, used.error.errors[0]?.data]).toEqual([
      409,
      'in_use',
      { by: ['book_shelves', 'books'] },
    ])
    // Which they are, by name, with where they are; whoever may not see them learns how many.
    expect(used.error.errors.slice(1)).toMatchObject([
      {
        code: 'in_use_by',
        en: `Books: ${full().name}.`,
        data: { what: 'Books', count: 1, names: full().name },
      },
    ])
    const faculty = await t.as(admin).send(faculties.remove, { params: { id: ids.science as number } })
    expect([faculty.status, faculty.error.message]).toEqual([409, 'in_use'])
    await t.as(admin).ask(books.remove, { params: { id } })
    expect(await codes()).toEqual([])
    const [removed] = (await list({ removed: true })).data
    expect(removed).toMatchObject({ removed: true, abilities: ['restore'] })
    expect((await t.as(admin).send(books.update, { params: { id }, body: { name: 'x' } })).error.message).toBe(
      'removed_record',
    )
    await t.as(admin).ask(books.restore, { params: { id } })
    expect(await codes()).toEqual(['BK-1'])
    await t.as(admin).ask(books.update, { params: { id }, body: { state: 'lent' } })
    const lent = await t.as(admin).send(books.remove, { params: { id } })
    expect([lent.status, lent.error.message, lent.error.error.ar]).toEqual([409, 'lent_out', 'معار.'])
    expect((await t.as(admin).ask(books.get, { params: { id } })).data).toMatchObject({
      abilities: ['edit'],
      refused: {
        remove: { code: 'lent_out' },
        lend: {
          code: 'lent_already',
          data: { name: expect.any(String) },
          en: expect.stringMatching(/is lent already/),
        },
      },
    })
  })

  test('an action asks the ability that the button asks', async () => {
    const id = await add()
    const params = { book_id: id, lang: 'ar' }
    expect(await t.as(admin).ask(own.lend, { params, body: { days: 3 } })).toEqual({ id, lang: 'ar' })
    const again = await t.as(admin).send(own.lend, { params, body: { days: 3 } })
    expect([again.status, again.error.message]).toEqual([409, 'lent_already'])
    expect(again.error.error.en).toBe('Élodie and the Sea is lent already.')
    expect((await t.as(admin).send(own.lend, { params: { book_id: id, lang: 'xx' }, body: { days: 3 } })).status).toBe(
      404,
    )
    const nested = await t
      .as(admin)
      .send(own.lend, { params, body: { days: 13, names: [{ name: 'x' }, { name: '' }, 5] } })
    expect(nested.error.errors.map((e) => [e.field, e.code, e.data])).toEqual([
      ['days', 'thirteen', { days: 13 }],
      ['names.1.name', 'required', undefined],
      ['names.2', 'wrong_type', undefined],
    ])
  })
})

describe('lists', () => {
  beforeEach(async () => {
    await add({
      code: 'C',
      name: 'Zoo',
      name_local: 'زهرة المدينة',
      pages: 5,
      bought: '2020-01-01',
      state: 'lent',
      rare: false,
      topics: ['law'],
      also_on: [],
      price: 100,
      seen_at: '2026-03-05T21:30:00Z',
      marks: '6',
    })
    await add({
      code: 'A',
      name: 'apple 100%',
      name_local: 'إبراهيم مُصطفى',
      pages: 50,
      bought: '2021-06-01',
      shelf_id: ids.b,
      topics: ['art'],
      also_on: [ids.b],
      price: 200,
      marks: '8',
    })
    await add({
      code: 'B',
      name: 'Éclair',
      name_local: 'آية الله',
      pages: 500,
      bought: null,
      weight: null,
      price: 300,
      marks: null,
    })
  })

  test('pages, counts, default and asked order', async () => {
    expect(await codes()).toEqual(['A', 'B', 'C'])
    const page = await list({ page: 2, perPage: 2 })
    expect([page.data.map((r) => r.code), page.meta.count]).toEqual([['C'], 3])
    const beyond = await list({ page: 9, perPage: 2 })
    expect([beyond.data, beyond.meta.count]).toEqual([[], 3])
    expect(await codes({ order_by: 'pages', order_direction: 'desc' })).toEqual(['B', 'A', 'C'])
    expect(await codes({ order_by: 'name' })).toEqual(['A', 'B', 'C'])
    expect(await codes({ order_by: 'shelf_id' })).toEqual(['C', 'B', 'A'])
    expect(await codes({ order_by: 'state' })).toEqual(['A', 'B', 'C'])
    expect(await codes({ order_by: 'year', order_direction: 'desc' })).toEqual(['A', 'C', 'B'])
    expect(await codes({ order_by: 'name_local' })).toEqual(['B', 'A', 'C'])
    const not = await t.as(admin).send(books.list, { body: { order_by: 'text' } })
    expect([not.status, not.error.errors[0]]).toMatchObject([
      422,
      { field: 'order_by', code: 'sort_not_allowed', data: { column: 'text' } },
    ])
    const much = await t.as(admin).send(books.list, { body: { perPage: 501, what: 1 } })
    expect(much.error.errors.map((e) => [e.field, e.code])).toEqual([
      ['perPage', 'too_big'],
      ['what', 'unknown_field'],
    ])
  })

  test('far down, pages are as they are at the top', async () => {
    await t.database.pool.query(
      `insert into books (code, name, name_local, shelf_id, pages) select 'N' || lpad(n::text, 4, '0'), 'n', 'ن', $1, n % 7 from generate_series(1, 900) n`,
      [ids.a],
    )
    const query = { order_by: 'pages', order_direction: 'desc', perPage: 300 }
    const pages = await Promise.all([1, 2, 3, 4, 5].map((page) => list({ ...query, page })))
    const rows = pages.flatMap((page) => page.data)
    expect([rows.length, new Set(rows.map((r) => r.id)).size, pages.map((p) => p.meta.count)]).toEqual([
      903,
      903,
      [903, 903, 903, 903, 903],
    ])
    expect(rows).toEqual(rows.toSorted((a, b) => (b.pages ?? 0) - (a.pages ?? 0) || b.id - a.id))
    expect(rows.at(-1)?.shelf?.code).toBe('A1')
  })

  test('rows of a list leave out what only the detail shows, and bring options', async () => {
    const { data, meta } = await list({ perPage: 1 })
    expect(data[0]).not.toHaveProperty('text')
    expect(data[0]).not.toHaveProperty('search_text')
    expect(meta.lookup.state).toEqual([
      { id: 'kept', name: 'Kept', name_local: 'محفوظ' },
      { id: 'lent', name: 'Lent', name_local: 'معار' },
    ])
    expect(meta.lookup.shelf?.map((o) => o.code)).toEqual(['A1', 'B1'])
  })

  test.each([
    ['ابراهيم', ['A']],
    ['مصطفي', ['A']],
    ['إبراهيم مصطفى', ['A']],
    ['مصطفى ابراهيم', ['A']],
    ['زهره', ['C']],
    ['ـمـديـنـة', ['C']],
    ['ايه', ['B']],
    ['eclair', ['B']],
    ['ÉCLAIR', ['B']],
    ['100%', ['A']],
    ['%', ['A']],
    ['_', []],
    ['\\', []],
    ["'; drop table books; --", []],
    ['zoo lent', []],
  ])('search finds %s', async (search, found) => {
    expect(await codes({ search })).toEqual(found)
  })

  test.each([
    [{ state: 'lent' }, ['C']],
    [{ state: ['lent', 'kept'] }, ['A', 'B', 'C']],
    [{ topics: 'art' }, ['A', 'B']],
    [{ pages: { from: 50, to: 500 } }, ['A', 'B']],
    [{ pages: 5 }, ['C']],
    [{ weight: null }, ['B']],
    [{ weight: { to: '1.5' } }, ['A', 'C']],
    [{ bought: { from: '2020-06-01' } }, ['A']],
    [{ bought: null }, ['B']],
    [{ rare: false }, ['C']],
    [{ name: 'ECL' }, ['B']],
    [{ price: { from: 150, to: 250 } }, ['A']],
    [{ seen_at: '2026-03-05' }, ['C']],
    [{ seen_at: { from: '2026-03-06' } }, []],
    [{ marks: '2' }, ['C']],
    [{ marks: ['2', '8'] }, ['A', 'C']],
    [{ state: '', topics: [] }, ['A', 'B', 'C']],
    [{ state: 'kept', pages: { from: 100 } }, ['B']],
  ])('filter %j', async (filters, found) => {
    expect(await codes({ filters })).toEqual(found)
  })

  test('filters by what is looked up', async () => {
    expect(await codes({ filters: { shelf_id: ids.b } })).toEqual(['A'])
    expect(await codes({ filters: { also_on: [ids.a] } })).toEqual(['B'])
    expect(await codes({ filters: { also_on: null } })).toEqual(['C'])
  })

  test.each([
    [{ code: 'A' }, 'filters.code', 'filter_not_allowed'],
    [{ constructor: 1 }, 'filters.constructor', 'filter_not_allowed'],
    [{ state: 'gone' }, 'filters.state', 'not_a_choice'],
    [{ pages: { least: 1 } }, 'filters.pages.least', 'unknown_field'],
    [{ bought: "1' or '1'='1" }, 'filters.bought', 'date_not_valid'],
  ])('filter %j is refused', async (filters, field, code) => {
    const { status, error } = await t.as(admin).send(books.list, { body: { filters } })
    expect([status, error.errors[0]?.field]).toEqual([422, field])
    expect(error.errors.map((e) => e.code)).toContain(code)
  })
})

describe('scope', () => {
  let science: Actor
  let inScience: number
  let inArts: number
  beforeEach(async () => {
    const within = Object.fromEntries(
      Object.values(book.permissions).map((key) => [key as string, { faculty: [ids.science as number] }]),
    )
    science = testActor(within, { user_id: ids.basem as number })
    inScience = await add({ code: 'S' })
    inArts = await add({ code: 'T', shelf_id: ids.b })
  })

  test('a person sees, changes and exports only what the rights reach', async () => {
    expect(await codes({}, science)).toEqual(['S'])
    expect((await list({}, science)).meta.count).toBe(1)
    const client = t.as(science)
    for (const c of [books.get, books.history, books.remove, books.restore])
      expect((await client.send(c, { params: { id: inArts } })).status).toBe(404)
    expect((await client.send(books.update, { params: { id: inArts }, body: { name: 'x' } })).status).toBe(404)
    await client.ask(books.update, { params: { id: inScience }, body: { name: 'x' } })
    // Nor can a row be put, or moved, to where the writer has no right.
    expect((await client.send(books.create, { body: { ...full(), code: 'U', shelf_id: ids.b } })).error.message).toBe(
      'not_allowed',
    )
    expect((await client.send(books.update, { params: { id: inScience }, body: { shelf_id: ids.b } })).status).toBe(403)
    expect(await codes()).toEqual(['S', 'T'])
    const sheet = await client.send(books.export, { body: { ids: [inScience, inArts] } })
    const { sheets } = await readSheet(sheet.bytes)
    expect(sheets[0]?.rows).toHaveLength(2)
  })

  test('rights of different reach add up, and abilities tell row by row', async () => {
    await t.database.pool.query('update books set written_by = $1 where id = $2', [ids.basem, inArts])
    const mixed = testActor(
      {
        access_building: 'all',
        show_building: 'all',
        edit_building: { faculty: [ids.science as number] },
        remove_building: 'own',
      },
      { user_id: ids.basem as number },
    )
    const { data } = await list({}, mixed)
    expect(data.map((r) => [r.code, r.abilities])).toEqual([
      ['S', ['edit', 'lend']],
      // Lending is of who may edit: it reaches one of the two.
      ['T', ['remove']],
    ])
    const writer = testActor({ access_building: 'own' }, { user_id: ids.basem as number })
    expect(await codes({}, writer)).toEqual(['T'])
    const nowhere = testActor({ access_building: { program: [1] } })
    expect(await codes({}, nowhere)).toEqual([])
  })

  test('without the permission nothing, without a person less, for the system everything', async () => {
    const none = t.as(testActor({ show_building: 'all' }))
    expect([
      (await none.send(books.list, { body: {} })).status,
      (await t.as(null).send(books.list, { body: {} })).error.message,
    ]).toEqual([403, 'not_signed_in'])
    const system = asSystem(t.services, 'a test')
    expect((await served.find(system, system.db, inArts))?.code).toBe('T')
    await system.write((tx) => served.update(system, tx, inArts, { name: 'By the system' }))
    const { rows } = await t.database.pool.query(
      `select actor_id, reason from audit_log where table_name = 'books' order by id desc limit 1`,
    )
    expect(rows).toEqual([{ actor_id: null, reason: 'a test' }])
  })

  test('lookups offer what the reader may list', async () => {
    const narrow = t.as(testActor({ access_location: { faculty: [ids.arts as number] } }))
    const ask = (body: object) => narrow.send(lookupCalls.getLookup, { body })
    expect((await ask({ name: 'shelf' })).body).toEqual({
      data: [{ id: ids.b, name: 'Second shelf', name_local: 'الرف الثاني', code: 'B1' }],
      more: false,
    })
    expect((await ask({ name: 'shelf', search: 'الاول' })).body.data).toEqual([])
    expect((await ask({ name: 'shelf', ids: [ids.a as number] })).body.data).toEqual([])
    expect((await ask({ name: 'shelf', filters: { faculty_id: ids.science } })).body.data).toEqual([])
    expect((await ask({ name: 'shelf', filters: { search_text: 'x' } })).error.message).toBe('invalid_input')
    expect((await ask({ name: 'book' })).status).toBe(403)
    expect((await ask({ name: 'users' })).status).toBe(404)
    const several = await t.as(admin).ask(lookupCalls.getLookups, {
      body: {
        lookups: [
          { name: 'shelf', limit: 1 },
          { name: 'test_faculty', search: 'علوم' },
        ],
      },
    })
    expect([several.data.shelf?.length, several.data.test_faculty?.map((o) => o.code)]).toEqual([1, ['SCI']])
    expect(
      (await t.as(admin).ask(lookupCalls.getLookupByLink, { params: { link: 'shelf' }, body: { limit: 1 } })).more,
    ).toBe(true)
  })

  test('a lookup tells first what is called so, then what begins so, in either language', async () => {
    const names: readonly (readonly [string, string, string])[] = [
      ['A2', 'Adam Sameh', 'آدم سامح'],
      ['A3', 'Nasameh Ali', 'نسامح علي'],
      ['A4', 'Sameh Adam', 'سامح آدم'],
      ['A5', 'Sameh', 'سامح'],
      ['Sameh', 'Zaki', 'زكي'],
    ]
    for (const [code, name, name_local] of names)
      await t.as(admin).ask(shelves.create, { body: { code, name, name_local, faculty_id: ids.arts } })
    const found = async (search: string) =>
      (await t.as(admin).ask(lookupCalls.getLookup, { body: { name: 'shelf', search } })).data.map((one) => one.code)
    expect(await found('sameh')).toEqual(['Sameh', 'A5', 'A4', 'A2', 'A3'])
    expect(await found('سامح')).toEqual(['A5', 'A4', 'A2', 'A3'])
    // The order of the words counts.
    expect(await found('adam sameh')).toEqual(['A2', 'A4'])
    expect(await found('Sameh Adam')).toEqual(['A4', 'A2'])
    expect(await found('ادم سا')).toEqual(['A2', 'A4'])
    // With nothing typed, and for what is chosen already, the usual order.
    expect((await found('')).slice(0, 3)).toEqual(['A1', 'A2', 'A3'])
    // Signs of patterns are meant literally.
    expect(await found('100%_')).toEqual([])
  })
})

describe('audit trail', () => {
  test('who changed what, with old and new values of what changed only', async () => {
    const id = await add({ also_on: [] })
    const somebody = testActor(everything, { user_id: ids.basem as number, impersonator_id: ids.amal as number })
    await t.as(somebody).ask(books.update, { params: { id }, body: { name: 'New', shelf_id: ids.b, also_on: [ids.a] } })
    await t.as(admin).ask(books.remove, { params: { id } })
    await t.as(admin).ask(books.restore, { params: { id } })
    const { rows } = await t.database.pool.query(
      `select action, actor_id, impersonator_id, old, new, request_id from audit_log where table_name = 'books' order by id`,
    )
    expect(rows[1]).toMatchObject({
      action: 'update',
      actor_id: ids.basem,
      impersonator_id: ids.amal,
      old: { name: full().name, shelf_id: ids.a },
      new: { name: 'New', shelf_id: ids.b },
    })
    expect(rows[1]?.request_id).toMatch(/-/)
    const { data } = await t.as(admin).ask(books.history, { params: { id } })
    expect(data.map((e) => e.action)).toEqual(['restore', 'remove', 'enter', 'update', 'insert'])
    expect(data[2]?.changes).toMatchObject([
      { field: 'also_on', old: null, new: { id: ids.a, name: 'First shelf', name_local: 'الرف الأول' } },
    ])
    expect(data[3]).toMatchObject({ by: 'Amal', as: 'Basem' })
    expect(data[3]?.changes).toMatchObject([
      { field: 'name', old: full().name, new: 'New' },
      {
        field: 'shelf',
        old: { id: ids.a, name: 'First shelf', name_local: 'الرف الأول' },
        new: { id: ids.b, name: 'Second shelf', name_local: 'الرف الثاني' },
      },
    ])
    expect(data[4]?.changes.map((c) => c.field)).not.toContain('id')
  })

  test('ids are not told, words that only have these letters are', async () => {
    await t.as(admin).ask(shelves.update, { params: { id: ids.a! }, body: { valid_until: '2027-06-30' } })
    const { data } = await t.as(admin).ask(shelves.history, { params: { id: ids.a! } })
    expect(data[0]?.changes).toMatchObject([{ field: 'valid_until', old: null, new: '2027-06-30' }])
    expect(data[1]?.changes.map((one) => one.field)).toEqual(expect.arrayContaining(['code', 'faculty', 'name']))
    expect(data[1]?.changes.map((one) => one.field)).not.toContain('id')
  })

  test('work that fails leaves neither rows nor traces', async () => {
    const before = await t.database.pool.query('select count(*)::int as n from audit_log')
    await t.as(admin).send(books.create, { body: { ...full(), price: 3 } })
    expect((await t.database.pool.query('select count(*)::int as n from audit_log')).rows).toEqual(before.rows)
  })

  test('a deadlock is tried again', async () => {
    const ctx = asSystem(t.services, 'deadlock')
    const [one, two] = [await add({ code: 'X1' }), await add({ code: 'X2' })]
    let attempts = 0
    const both = (first: number, second: number) =>
      ctx.write(async (tx) => {
        attempts++
        await sql`update books set pages = pages + 1 where id = ${first}`.execute(tx)
        await new Promise((resolve) => setTimeout(resolve, 100))
        await sql`update books set pages = pages + 1 where id = ${second}`.execute(tx)
      })
    await Promise.all([both(one, two), both(two, one)])
    // The one that is tried again may meet the other once more.
    expect(attempts).toBeGreaterThanOrEqual(3)
    expect((await t.database.pool.query('select sum(pages)::int as n from books')).rows).toEqual([{ n: 244 }])
  })
})

describe('sheets', () => {
  const xlsx = async (headers: string[], ...rows: (string | number)[][]) => ({
    name: 'books.xlsx',
    content: await writeSheet({
      sheets: [
        {
          name: 'x',
          direction: 'ltr',
          columns: headers.map((header, i) => ({ header, key: String(i), type: 'text' as const })),
          rows: rows.map((row) => Object.fromEntries(row.map((v, i) => [String(i), v]))),
        },
      ],
    }),
  })
  const HEADERS = [
    'Code',
    'English name',
    'الاسم بالعربية',
    'Shelf',
    'State',
    'topics',
    'Also on',
    'الصفحات',
    'Price',
    'Bought',
    'Rare',
  ]

  test('export: texts in the language, formulas as text, names in every script', async () => {
    const id = await add({ name: 'A' })
    await t.database.pool.query(`update books set name = '=cmd|calc' where id = $1`, [id])
    const answer = await t.as(admin).send(books.export, {
      body: {
        lang: 'ar',
        columns: ['code', 'name', 'name_local', 'shelf_id', 'state', 'topics', 'price', 'bought', 'rare', 'also_on'],
      },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-disposition']).toBe(`attachment; filename="books.xlsx"; filename*=UTF-8''books.xlsx`)
    const { sheets } = await readSheet(answer.bytes)
    // The last column is hidden: from which version the row was exported, and when.
    expect(sheets[0]?.rows[1]?.at(-1)?.text).toMatch(/^2@\d{4}-.*Z$/)
    expect(sheets[0]?.rows.map((row) => row.slice(0, -1).map((c) => c.text))).toEqual([
      [
        'الكود',
        'الاسم بالإنجليزية',
        'الاسم بالعربية',
        'الرف',
        'الحالة',
        'الموضوعات',
        'السعر',
        'تاريخ الشراء',
        'نادر',
        'أيضًا على',
      ],
      [
        'BK-1',
        '=cmd|calc',
        full().name_local,
        'الرف الأول',
        'محفوظ',
        'فنون، قانون',
        '125.5',
        '2024-02-29',
        'نعم',
        'الرف الأول، الرف الثاني',
      ],
    ])
    expect(sheets[0]?.rows.flat().some((c) => c.formula)).toBe(false)
    const pdf = await t.as(admin).send(books.exportPdf, { body: {} })
    expect([pdf.headers['content-type'], pdf.bytes.subarray(0, 5).toString()]).toEqual(['application/pdf', '%PDF-'])
    expect((await t.as(admin).send(books.export, { body: { search: 'nothing' } })).error.message).toBe('no_rows')
    expect((await t.as(admin).send(books.export, { body: { columns: ['facts'] } })).error.errors[0]?.code).toBe(
      'unknown_field',
    )
  })

  test('export refuses more than 5000 rows', async () => {
    await t.database.pool.query(
      `insert into books (code, name, name_local, shelf_id) select 'N' || n, 'n', 'ن', $1 from generate_series(1, 5001) n`,
      [ids.a],
    )
    const { status, error } = await t.as(admin).send(books.export, { body: {} })
    expect([status, error.message, error.error.en]).toEqual([
      422,
      'export_limit',
      'Too many records, export limit is 5000',
    ])
    const few = await t.as(admin).send(books.export, { body: { filters: { name: 'nothing else' } } })
    expect(few.error.message).toBe('no_rows')
  })

  test('a template comes back as an import', async () => {
    const { bytes } = await t.as(admin).send(books.template, { headers: { 'accept-language': 'en' } })
    const { sheets } = await readSheet(bytes)
    expect(sheets[0]?.rows[0]?.map((c) => c.text)).toEqual([
      'Code',
      'English name',
      'Arabic name',
      'Shelf',
      'State',
      'Topics',
      'Also on',
      'Pages',
      'Weight',
      'Price',
      'Bought',
      'Seen',
      'Opens',
      'Rare',
      'Marks',
      'Origin',
    ])
  })

  test('rows are created and, by their code, changed: all or nothing', async () => {
    const id = await add({ code: 'OLD', pages: 1 })
    const file = await xlsx(
      HEADERS,
      [
        'OLD',
        'Old book',
        'كتاب قديم',
        'a1',
        'معار',
        'Art; قانون',
        'A1, الرف الثاني',
        '٢٥٠',
        '10.50',
        '31/12/2023',
        'نعم',
      ],
      ['NEW', 'New book', 'كتاب جديد', 'الرف الأول', '', '', '', '', '', '2023-01-05', ''],
    )
    const { data: preview } = await t.as(admin).ask(books.preview, { file })
    expect(preview).toMatchObject({ rows: 2, creates: 1, updates: 1, errors: [] })
    expect(preview.columns[2]).toEqual({ field: 'name_local', header: 'الاسم بالعربية' })
    expect(await codes()).toEqual(['OLD'])
    expect(await t.as(admin).ask(books.import, { params: { import_id: preview.import_id } })).toMatchObject({
      created: 1,
      updated: 1,
    })
    expect((await t.as(admin).ask(books.get, { params: { id } })).data).toMatchObject({
      name: 'Old book',
      state: 'lent',
      topics: ['art', 'law'],
      also_on: [{ id: ids.a }, { id: ids.b }],
      pages: 250,
      price: 1050,
      bought: '2023-12-31',
      rare: true,
    })
    expect(await codes()).toEqual(['NEW', 'OLD'])
    expect((await t.as(admin).send(books.import, { params: { import_id: preview.import_id } })).error.message).toBe(
      'import_gone',
    )
  })

  test('every wrong cell is named with its row and column; nothing is stored', async () => {
    await t.as(admin).ask(shelves.create, {
      body: { code: 'A2', name: 'First shelf', name_local: 'رف آخر', faculty_id: ids.science },
    })
    const file = await xlsx(
      [...HEADERS, 'Wonder'],
      ['A', '', 'عربي', 'A1', 'gone', 'art', '', 'many', '1.555', '2023-02-30', 'perhaps', 'x'],
      ['B', 'Fine', 'عربي', 'First shelf', '', '', 'A1; Z9', '', '', '', ''],
      ['C', 'Fine', 'عربي', 'A1', '', '', '', '', '', '', ''],
      ['c', 'Fine', 'عربي', 'A1', '', '', '', '', '', '', ''],
      ['D', 'Forbidden', 'عربي', 'A1', '', '', '', '', '3.01', '', ''],
      ['E', 'Odd', 'عربي', 'A1', '', '', '', '', '3.01', '', ''],
      ['=1+1', '<b>x</b>', 'عربي', 'A1', '', '', '', '', '', '', ''],
    )
    const { data } = await t.as(admin).ask(books.preview, { file })
    expect(data.errors.map((e) => [e.row, e.column, e.code])).toEqual([
      [1, 'Wonder', 'sheet_column_unknown'],
      [2, 'State', 'not_a_choice'],
      [2, 'الصفحات', 'not_an_integer'],
      [2, 'Price', 'format_not_valid'],
      [2, 'Bought', 'date_not_valid'],
      [2, 'Rare', 'not_a_choice'],
      [2, 'English name', 'required'],
      [3, 'Shelf', 'lookup_ambiguous'],
      [3, 'Also on', 'lookup_not_found'],
      [5, 'Code', 'sheet_row_twice'],
      [6, null, 'state_not_allowed'],
      [7, null, 'books_price_even'],
      [8, 'Code', 'code_special_characters'],
      [8, 'English name', 'text_html'],
    ])
    expect(data.errors.find((e) => e.code === 'lookup_not_found')).toMatchObject({
      en: 'No Shelf has this code or name.',
      ar: 'لا يوجد رف بهذا الكود أو الاسم.',
    })
    for (const e of data.errors) expect(e.ar).toMatch(/[\u0600-\u06ff]/)
    expect((await t.as(admin).send(books.import, { params: { import_id: data.import_id } })).error.message).toBe(
      'import_has_errors',
    )
    expect(await codes()).toEqual([])
    const { rows } = await t.database.pool.query(`select count(*)::int as n from audit_log where table_name = 'books'`)
    expect(rows).toEqual([{ n: 0 }])
  })

  test('a row that has become impossible since its preview stops the whole import', async () => {
    const file = await xlsx(
      ['Code', 'English name', 'Arabic name', 'Shelf'],
      ['P', 'One', 'واحد', 'A1'],
      ['Q', 'Two', 'اثنان', 'A1'],
    )
    const { data } = await t.as(admin).ask(books.preview, { file })
    await add({ code: 'Q' })
    const { status, error } = await t.as(admin).send(books.import, { params: { import_id: data.import_id } })
    expect([status, error.errors.map((e) => [e.field, e.code])]).toEqual([422, [['rows.3.code', 'duplicate']]])
    expect(await codes()).toEqual(['Q'])
  })

  test('a preview belongs to who made it, and rows stay within the scope', async () => {
    const narrow = testActor(
      { import_building: { faculty: [ids.science as number] }, access_location: 'all' },
      { user_id: ids.basem as number },
    )
    const head = ['Code', 'English name', 'Arabic name', 'Shelf']
    const mine = await t.as(narrow).ask(books.preview, { file: await xlsx(head, ['P', 'One', 'واحد', 'A1']) })
    expect((await t.as(admin).send(books.import, { params: { import_id: mine.data.import_id } })).error.message).toBe(
      'import_gone',
    )
    const outside = await t.as(narrow).ask(books.preview, { file: await xlsx(head, ['P', 'One', 'واحد', 'B1']) })
    expect(outside.data.errors.map((e) => [e.row, e.code])).toEqual([[2, 'not_allowed']])
  })

  test('what is no sheet is refused', async () => {
    const send = (name: string, text: string) =>
      t.as(admin).send(books.preview, { file: { name, content: Buffer.from(text) } })
    expect((await send('books.xlsx', 'no sheet')).error.errors[0]?.code).toBe('file_type_error')
    expect((await send('books.csv', 'Code\n')).error.errors[0]?.code).toBe('sheet_empty')
    const blank = (await send('books.csv', 'Code,English name\n,\n,\n')).error.errors[0]
    expect([blank?.code, blank?.field]).toEqual(['sheet_empty', 'file'])
    expect((await t.as(admin).send(books.preview, { body: {} })).error.errors[0]?.code).toBe('file_missing')
    const csv = await send('books.csv', 'الكود;الاسم بالإنجليزية;الاسم بالعربية;الرف\nK;Kay;كاف;B1\n')
    expect(csv.body).toMatchObject({ data: { rows: 1, errors: [] } })
  })
})

describe('folding', () => {
  test('the database and the program fold alike', async () => {
    const texts = [
      'أحمد إبراهيم آدم ٱلله',
      'فاطمة عيسى',
      'مُحَمَّدــ',
      '١٢٣ ۴۵۶',
      'کتاب یار',
      'Élodie MÜLLER Straße Ørsted İstanbul ﬁne',
      '  a\t b  ',
      'مؤمن هيئة ؤ ئ',
      '\u200fنص\u200e',
      'Æther œuvre',
      'ﷲ ﻻ',
      'Å Ω ς Σ',
    ]
    const { rows } = await t.database.pool.query<{ text: string; folded: string }>(
      'select text, fold_text(text) as folded from unnest($1::text[]) as text',
      [texts],
    )
    expect(rows.map((row) => fold(row.text))).toEqual(rows.map((row) => row.folded))
  })

  test('folding twice changes nothing', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => fold(fold(text)) === fold(text)))
  })
})
