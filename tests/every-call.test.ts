import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import type { z } from 'zod'
import { PERMISSION_KEYS } from '#access/permissions.contract.ts'
import { callsOf, KIT_ERRORS } from '#kit/contract/index.ts'
import type { Call, Fields, Resource } from '#kit/contract/index.ts'
import { createSession } from '#kit/server/identity/sessions.ts'
import { writeSheet } from '#kit/server/sheets/index.ts'
import { AREAS } from '../apps/areas.contract.ts'
import { AREA_SERVERS } from '../apps/server/areas.server.ts'
import { demoDatabase } from './demo.ts'
import { choicesOf, elementOf, generate, inner, places, put, shapeOf } from './generate.ts'
import { share } from './share.ts'
import { ok, testUniversity } from './university.ts'
import type { TestUniversity } from './university.ts'

/**
 * Every declared call on the demo university: without sign-in, without permission, from outside its scope, with invalid
 * input, and properly. A new area is tried by being listed in `apps/areas.contract.ts`.
 */
const CALLS = AREAS.flatMap((area) => callsOf(area).map((call) => ({ area: area.name, call })))
type One = (typeof CALLS)[number]
const RESOURCES = AREAS.flatMap((a) => a.resources)
const KNOWN_CODES = new Set([...Object.keys(KIT_ERRORS), ...AREAS.flatMap((a) => Object.keys(a.errors))])
const called = ({ area, call }: One) => `${area}: ${call.method} ${call.path}`

interface Request {
  readonly url: string
  readonly body?: unknown
  readonly query?: Record<string, unknown>
  readonly file?: { name: string; content: Uint8Array }
}
interface Answer {
  readonly status: number
  readonly body: any
  readonly bytes: Buffer
  readonly headers: Record<string, unknown>
}

/** `calm` is only read; `wild` is changed. */
let calm: TestUniversity
let wild: TestUniversity
/** In read-only mode. */
let closed: TestUniversity
const untouched: TestUniversity[] = []
let ids: Map<string, number[]>
let files: Record<string, { name: string; content: Uint8Array }>
/** A super admin, a student, a teacher. */
let people: number[]
interface Done {
  readonly request: Request
  readonly answer: Answer
  readonly user_id: number
}
const found = new Map<Call, Done>()

/** Sends a call with all that HTTP does: JSON, or multipart where a file goes with it. */
async function send(
  university: TestUniversity,
  token: string,
  call: Call,
  request: Request,
  prefix = '/api',
): Promise<Answer> {
  const { url, body, query, file } = request
  let payload: string | Buffer | undefined
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
  if (file) {
    const form = new FormData()
    for (const [name, value] of Object.entries((body ?? {}) as Record<string, unknown>)) form.set(name, String(value))
    form.set(call.upload!.field, new Blob([new Uint8Array(file.content)]), file.name)
    const encoded = new Response(form)
    headers['content-type'] = encoded.headers.get('content-type')!
    payload = Buffer.from(await encoded.arrayBuffer())
  } else if (body !== undefined) {
    headers['content-type'] = 'application/json'
    payload = typeof body === 'string' ? body : JSON.stringify(body)
  }
  const answer = await university.app.inject({
    method: call.method,
    url: `${prefix}${url}`,
    headers,
    ...(payload !== undefined && { payload }),
    ...(query && { query: Object.fromEntries(Object.entries(query).map(([k, v]) => [k, String(v)])) }),
  })
  // What would refuse everything after it is taken back at once.
  if (call.endsReadOnly && answer.statusCode === 200)
    await university.database.pool.query(`update settings set value = '"false"' where key = 'read_only'`)
  const json = String(answer.headers['content-type']).startsWith('application/json') && !call.file
  return {
    status: answer.statusCode,
    body: json || answer.statusCode >= 400 ? answer.json() : undefined,
    bytes: answer.rawPayload,
    headers: answer.headers,
  }
}
const good = (answer: Answer) => answer.status >= 200 && answer.status < 300

/** Does work for each, several at a time, and collects what is wrong. */
async function wrong<T>(
  all: readonly T[],
  test: (one: T) => Promise<string | string[] | undefined | void>,
): Promise<string[]> {
  const out: string[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let one = all[next++]; one !== undefined; one = all[next++]) out.push(...[(await test(one)) ?? []].flat())
    }),
  )
  return out.toSorted()
}

/** What is wrong with a refusal: its shape is one for all calls, and its texts are complete. */
function faultOf(answer: Answer): string | undefined {
  const { message, error, errors } = answer.body ?? {}
  if (typeof message !== 'string' || !error?.en || !error?.ar || !Array.isArray(errors))
    return `a refusal of another shape: ${JSON.stringify(answer.body)?.slice(0, 300)}`
  for (const one of [{ ...error, code: message, field: null }, ...errors]) {
    if (!KNOWN_CODES.has(one.code)) return `an unknown code ${one.code}`
    if (!(one.field === null || typeof one.field === 'string')) return `a field ${JSON.stringify(one.field)}`
    if (/\{\w+\}/.test(`${one.en} ${one.ar}`)) return `a text with an empty place: ${one.en} / ${one.ar}`
  }
  return undefined
}
const brief = (answer: Answer) =>
  `${answer.status} ${JSON.stringify((answer.body?.errors ?? []).map((e: any) => `${e.code}${e.field ? `@${e.field}` : ''}`)).slice(0, 300)}`

/** Whether an answer shows that a value came as far as the database and was refused there. */
const gapOf = (answer: Answer): string | undefined =>
  // Several at a time wait for each other: who waited too long is told to come again.
  (answer.status >= 500 && answer.body?.message !== 'data_busy') ||
  answer.body?.errors?.some((e: any) => e.code === 'value_not_storable')
    ? brief(answer)
    : undefined

/** Filters of lists that are no resource's. */
const OWN_FILTERS =
  'term_id student_id course status state type group seats linked missing finished revised waiting warned without_advisor with_places teaches standing may_graduate slot_id at'.split(
    ' ',
  )
const HOSTILE_NUMBERS = [2 ** 31, -(2 ** 31) - 1, 2 ** 15, -1, 0, 2 ** 53 - 1, 0.5, 1e308]
const HOSTILE_TEXTS = [
  '9'.repeat(19),
  '9'.repeat(12),
  '-999999999.99',
  '0000-01-01',
  '9999-12-31',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '2027-02-01T08:00:00+23:59',
  '24:00',
  '23:59',
  'NaN',
  'Infinity',
  '1e400',
  '%_\\',
  'x',
]
/**
 * What is tried where any text is taken: it is stored as it is, unless some code reads more into it. One value for each way
 * in which it might be read is enough there: as a number, a day, a moment, a time, a pattern.
 */
const FREE_TEXTS = ['9'.repeat(19), '0000-01-01', '2027-02-01T08:00:00+23:59', '24:00', '1e400', '%_\\']
/** The smallest entry of a list; undefined where entries hold entries without end. */
function smallest(element: z.ZodType): unknown {
  try {
    return generate(element, hints())
  } catch {
    return undefined
  }
}
/** Parts of the longest path into a schema that is tried. */
const DEEPEST = 3
/**
 * Values at the bounds of every field of a schema, and beyond what a database holds, as far as the schema lets them through.
 * `tried` says whether a field was tried already: where calls share it, as adding and changing do, its bounds are the same.
 */
function* boundaries(
  schema: z.ZodType,
  path: readonly (string | number)[] = [],
  tried: (path: readonly (string | number)[], field: z.ZodType) => boolean = () => false,
): Generator<readonly [(string | number)[], unknown]> {
  // A condition may hold conditions, without end.
  if (path.length > DEEPEST) return
  const bare = inner(schema)
  const shape = shapeOf(bare)
  if (Object.keys(shape).length) {
    for (const [name, field] of Object.entries(shape)) yield* boundaries(field, [...path, name], tried)
    return
  }
  const element = elementOf(bare)
  if (element && Object.keys(shapeOf(element)).length) {
    const entry = smallest(element)
    if (entry === undefined) return
    for (const [at, value] of boundaries(element, [...path, 0], tried))
      yield [[...path], [put(entry, at.slice(path.length + 1), value)]]
    return
  }
  if (tried(path, bare)) return
  const { minValue, maxValue } = bare as z.ZodNumber
  const numbers = [minValue, maxValue].filter((n) => Number.isFinite(n))
  const { maxLength } = bare as z.ZodString
  const texts =
    typeof maxLength === 'number' && maxLength <= 5000 ? ['\u0651'.repeat(maxLength), 'x'.repeat(maxLength)] : []
  const free = schema.safeParse('x').success || schema.safeParse(['x']).success
  const hostile = [...HOSTILE_NUMBERS, ...(free ? FREE_TEXTS : HOSTILE_TEXTS)]
  for (const value of new Set<unknown>([...numbers, ...texts, ...hostile, [], null, ''])) {
    if (path.length && schema.safeParse(value).success) yield [[...path], value]
    else if (path.length && schema.safeParse([value]).success) yield [[...path], [value]]
  }
}

// --- What is sent ---------------------------------------------------------------------------------------------------

/** The resource of which a name speaks: `faculty_id`, `programId`, `courses`. */
function resourceByName(name: string): Resource | undefined {
  const word = name
    .replace(/_?ids?$/i, '')
    .replaceAll('_', '')
    .toLowerCase()
  const named = RESOURCES.find((r) =>
    [r.name, r.table, r.table.replace(/s$/, '')].some((n) => n.replaceAll('_', '').toLowerCase() === word),
  )
  // Or what fields of that name look up: an advisor is an instructor.
  const to = RESOURCES.map((r) => (r.fields as Fields)[name.replace(/s$/, '')]?.to).find(Boolean)
  return named ?? RESOURCES.find((r) => r.name === to)
}
/** Resources whose rows a call is about: those at its path, and those whose permission it asks. */
function resourcesOf(call: Call): Resource[] {
  const segments = call.path.split('/').filter((s) => !s.startsWith('{'))
  const keys = [call.permission].flat() as string[]
  return RESOURCES.filter(
    (r) =>
      segments.includes(r.path.slice(1)) ||
      Object.values(r.permissions).some((p) => [p].flat().some((k) => keys.includes(k as string))),
  )
}
const spread = (list: readonly number[]): number[] =>
  [...new Set([list[0], list.at(-1), list[list.length >> 1], list[1], list.at(-2)])].filter((n) => n !== undefined)
/** The n-th record of what a name speaks of. */
const hints = (n = 0) => ({
  id: (name: string): number => {
    const known = spread(ids.get(resourceByName(name)?.name ?? '') ?? [])
    return known.length ? known[n % known.length]! : n + 1
  },
})

/** The n-th way to fill a body: the example, then the example with other records, or what the schema asks for. */
function bodyOf(call: Call, n: number): unknown {
  const body = call.example ?? (call.body ? generate(call.body, hints(n)) : undefined)
  if (!n) return body
  let out = body
  for (const { path, value } of places(body)) {
    const name = String(path.findLast((part) => typeof part === 'string') ?? '')
    if (typeof value === 'number' && /(^|_)ids?$/.test(name) && resourceByName(name))
      out = put(out, path, hints(n).id(name))
  }
  // Lists too long for one file are asked for by their rows.
  const first = resourcesOf(call)[0]
  return call.file && first && 'ids' in shapeOf(call.body)
    ? { ...(out as object), ids: spread(ids.get(first.name) ?? []) }
    : out
}

/** What goes together in an address, where that is not to be guessed: of the demo university. */
/** Meetings of the demo university on dates that have been, and those of today. */
const TRAINING_PAPERS = `select subject_id, id from papers where subject = 'studentTraining' order by id limit 3`
const THESIS_PAPERS = `select subject_id, id from papers where subject = 'thesis' order by id limit 3`
const MEETINGS = `select x.offering_slot_id, x.date::text from meeting_occurrences x join offerings o on o.id = x.offering_id
  where o.control_status = 'Draft' and x.offering_slot_id is not null`
const MEETINGS_TODAY = `select m.id, university_today()::text from offering_slots m join offerings o on o.id = m.offering_id
  where o.control_status = 'Draft' and o.term_id = (select term_id from current_terms where key = 'current_term')
    and m.day = (extract(dow from university_today())::int + 1) % 7
    and not exists (select from meeting_occurrences x where x.offering_slot_id = m.id and x.cancelled_at is not null) order by m.id limit 3`
/** Cancelled ones that are held on no other day. */
const MADE_UP = `${MEETINGS} and x.cancelled_at is not null and x.makes_up_id is null
  and not exists (select from meeting_occurrences k where k.makes_up_id = x.id) order by x.id limit 3`
/** Rows of the last version of what a year charges. */
const feeRows = (
  table: string,
  columns: string,
) => `select ${columns} from ${table} z join fee_versions v on v.id = z.version_id
  where v.number = (select max(w.number) from fee_versions w where w.year_id = v.year_id) order by v.year_id desc, z.id limit 3`
const SPONSORED = `select id from invoices where type = 'sponsor' and reversed_at is null order by id limit 3`
const ADDRESSES: Readonly<Record<string, string>> = {
  '/admission-payments/{id}': `select invoice_id from applicant_fees order by invoice_id limit 3`,
  '/sponsors/invoices/{id}/file': SPONSORED,
  '/sponsors/invoices/{id}/mail': SPONSORED,
  '/transactions/put/{id}': `select transaction_id from payment_slips where status = 'uploaded' order by id limit 3`,
  '/years/{yearId}/payments/payment-accounts/{id}': feeRows('fee_accounts', 'v.year_id, z.id'),
  '/years/{yearId}/payments/due-dates/{type}/{id}': feeRows('fee_due_dates', 'v.year_id, z.type, z.id'),
  '/{resource}/{id}/payments/delete-scholarship/{scholarshipId}': `select 'students', student_id, id from scholarship_grants
    where status = 'applied' order by id limit 3`,
  '/attendance/meetings/{id}/{date}': `${MEETINGS} and x.cancelled_at is null order by x.id limit 3`,
  '/attendance/cancel/{id}/{date}': `${MEETINGS} and x.cancelled_at is null order by x.id limit 3`,
  '/attendance/tell/{id}/{date}': `${MEETINGS} and x.cancelled_at is null order by x.id limit 3`,
  '/attendance/restore/{id}/{date}': `${MEETINGS} and x.cancelled_at is not null order by x.id limit 3`,
  '/attendance/make-up/preview/{id}/{date}': MADE_UP,
  '/attendance/make-up/{id}/{date}': MADE_UP,
  '/registrations/students/wait-list/answer/{id}': `select id from wait_list where gives_up_id is not null and state = 'waiting' order by id limit 3`,
  '/attendance/code/{id}/{date}': MEETINGS_TODAY,
  '/requirement-trees/{of}/{id}/compare': `select distinct 'program', program_id from requirement_trees where program_id is not null`,
  '/requirement-trees/{of}/{id}/restore': `select distinct 'program', program_id from requirement_trees where program_id is not null`,
  '/specialization-time/ladder/{id}/{studentId}': `select r.specialization_time_id, x.student_id from specialization_runs r
    join specialization_results x on x.run_id = r.id join specialization_times t on t.run_id = r.id order by r.id, x.rank limit 3`,
  '/transfer/internal/temp-courses/{id}/details/{related_course_id}': `select internal_transfer_id, source_course_id from equivalences
    where internal_transfer_id is not null and source_course_id is not null order by id limit 3`,
  '/transfer/external/external-temp-courses/{id}/details/{related_course_id}': `select external_transfer_id, id from equivalences
    where external_transfer_id is not null order by id limit 3`,
  '/quality/{type}/{kind}': `select 'courses-specs', 'topics'`,
  '/faculties/{id}/former-names/{name_id}': `select faculty_id, id from unit_names where faculty_id is not null order by id`,
  '/departments/{id}/former-names/{name_id}': `select department_id, id from unit_names where department_id is not null order by id`,
  '/programs/{id}/former-names/{name_id}': `select program_id, id from unit_names where program_id is not null order by id`,
  '/departments/{id}/successors/{succession_id}': `select department_id, id from unit_successions where department_id is not null order by id`,
  '/programs/{id}/successors/{succession_id}': `select program_id, id from unit_successions where program_id is not null order by id`,
  '/students-trainings/{id}/papers/{paper}/file': TRAINING_PAPERS,
  '/students-trainings/{id}/papers/{paper}/revoke': TRAINING_PAPERS,
  '/students-trainings/{id}/papers/{paper}/disclosure': TRAINING_PAPERS,
  '/theses/{id}/papers/{paper}/file': THESIS_PAPERS,
  '/theses/{id}/papers/{paper}/revoke': THESIS_PAPERS,
  '/theses/{id}/papers/{paper}/disclosure': THESIS_PAPERS,
  '/students/{id}/degree-exceptions/{exception_id}/revoke': `select student_id, id from degree_exceptions
    where revoked_at is null order by id limit 3`,
}
let addresses: ReadonlyMap<string, readonly (readonly (string | number)[])[]>

/** Ways to ask for a call: one for each id that may be there, the likeliest first. */
function requestsOf(call: Call): Request[] {
  const params = shapeOf(call.params)
  const names = [...call.path.matchAll(/\{(\w+)\}/g)].map((m) => m[1]!)
  const values = names.map((name): (string | number)[] => {
    const schema = params[name]!
    const choices = choicesOf(schema) as string[]
    if (choices.length) return choices
    const accepts = (value: unknown) => schema.safeParse(value).success
    if (name === 'link') return ['faculty']
    if (name === 'notice') return ['grading.notice_published']
    if (!accepts('1'))
      return [
        accepts('preview')
          ? 'preview'
          : accepts('00000000-0000-4000-8000-000000000000')
            ? '00000000-0000-4000-8000-000000000000'
            : 'text',
      ]
    const first =
      resourceByName(name) ?? resourcesOf(call).find((r) => call.path.startsWith(r.path)) ?? resourcesOf(call)[0]
    const known = spread(ids.get(first?.name ?? '') ?? [])
    // Parts of a record have ids of their own, which are small here.
    return [
      ...new Set([
        ...known,
        ...(first && call.path.startsWith(`${first.path}/{`) ? [] : Array.from({ length: 12 }, (_, i) => i + 1)),
      ]),
    ]
  })
  const accept = call.upload?.accept ?? []
  const file = accept.map((kind) => files[kind]).find(Boolean)
  const tries = Math.max(call.query || call.body ? 5 : 1, ...values.map((v) => v.length))
  return Array.from({ length: tries }, (_, i): Request => {
    let position = 0
    const told = addresses.get(call.path)
    const url = call.path.replace(/\{\w+\}/g, () => {
      const list = told ? [told[Math.min(i, told.length - 1)]![position++]!] : values[position++]!
      return encodeURIComponent(String(list[Math.min(i, list.length - 1)]))
    })
    const body = bodyOf(call, i)
    const query = call.query ? (generate(call.query, hints(i)) as Record<string, unknown>) : undefined
    return {
      url,
      ...(body !== undefined && { body }),
      ...(query && Object.keys(query).length > 0 && { query }),
      ...(file && { file }),
    }
  })
}

/** How good an answer is: one that failed is looked at first. Done; the state, the input, the person is refused. */
const rankOf = (answer: Answer): number =>
  answer.status >= 500 ? 5 : good(answer) ? 4 : answer.status === 409 ? 3 : answer.status === 422 ? 2 : 1
/** Ways in which somebody other than who may do everything asks: for the own record, and for the likeliest of others. */
const OTHERS_TRY = 6

/**
 * Sends a call as somebody who may do everything, then as a student and a teacher, whose own record some calls are
 * about, until it is done or nothing more can be tried. Where the state of each record is against it for whoever may do everything,
 * others are not asked for more than the first.
 */
async function properly(university: TestUniversity, one: One): Promise<Done> {
  let best: Done | undefined
  const requests = requestsOf(one.call)
  for (const [i, user_id] of people.entries()) {
    const tries = i === 0 ? requests.length : best && rankOf(best.answer) === 3 ? 1 : OTHERS_TRY
    for (const request of requests.slice(0, tries)) {
      // A session of its own: some calls end the one they are sent with.
      const { token } = await createSession(university.database.pool, { user_id, ip: null })
      let answer = await send(university, token, one.call, request)
      // Others hold what it would change, at this moment.
      if (answer.body?.message === 'data_busy') answer = await send(university, token, one.call, request)
      if (!best || rankOf(answer) > rankOf(best.answer)) best = { request, answer, user_id }
      if (rankOf(best.answer) >= 4) return best
    }
  }
  return best!
}

const SIGNATURES: Record<string, (bytes: Buffer) => boolean> = {
  xlsx: (b) => b.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 3, 4])),
  zip: (b) => b.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 3, 4])),
  pdf: (b) => b.subarray(0, 5).toString() === '%PDF-',
  csv: (b) => b.length > 0,
  ics: (b) => b.subarray(0, 15).toString() === 'BEGIN:VCALENDAR',
  json: (b) => JSON.parse(b.toString()) !== undefined,
  txt: (b) => b.length > 0 && !b.includes(0),
  xml: (b) => b.subarray(0, 5).toString() === '<?xml',
}

/** What these make is of who makes it. */
const MAKES: ReadonlySet<string> = new Set(['POST /publications', 'POST /projects'])

// --- Whom we send ---------------------------------------------------------------------------------------------------

/** Somebody with every permission of the catalogue, reaching only so far. */
async function bound(
  university: TestUniversity,
  reach: 'own' | 'taught' | 'advised' | 'supervised',
  user_id?: number,
): Promise<string> {
  const { pool } = university.database
  const { rows } = await pool.query<{ id: number }>(
    `insert into roles (key, name, name_local) values ($1, $1, $1) on conflict (key) do update set name = excluded.name returning id`,
    [`test_${reach}`],
  )
  await pool.query(
    `insert into role_permissions (role_id, permission, reach) select $1, key, $2 from unnest($3::text[]) key on conflict do nothing`,
    [rows[0]!.id, reach, PERMISSION_KEYS],
  )
  const who =
    user_id === undefined ? await university.as(null, undefined, { type: 1 }) : await university.signIn(user_id)
  await pool.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [who.user_id, rows[0]!.id])
  if (user_id === undefined)
    await pool.query(
      `insert into instructors (code, name, name_local, faculty_id, user_id) values ($1, 'Nobody’s Teacher', 'معلم بلا طلاب', 1, $2)`,
      [`T-${reach}`, who.user_id],
    )
  university.auth.forget()
  return who.token
}

beforeAll(async () => {
  calm = await testUniversity(AREA_SERVERS, { database: await demoDatabase() })
  wild = await testUniversity(AREA_SERVERS, { database: await demoDatabase() })
  closed = await testUniversity(AREA_SERVERS, { database: await demoDatabase(), env: { READ_ONLY: 'true' } })
  // What examples are about: a deputy, and a paper of the first student, made by a call of its own. The same people everywhere.
  for (const university of [calm, wild, closed]) {
    await university.as('dean', undefined, { email: 'dean.deputy@university.example' })
    const registrar = await university.as('registrar')
    if (university === closed) continue
    ok(await registrar('POST', '/students/1/papers', { kind: 'transcript', lang: 'ar' }))
    ok(await registrar('POST', '/students-trainings/7/papers', { kind: 'training_certificate', lang: 'ar' }))
    ok(await registrar('POST', '/theses/1/papers', { kind: 'thesis_decision', lang: 'ar' }))
  }
  ids = new Map(
    await Promise.all(
      RESOURCES.map(async (r): Promise<[string, number[]]> => {
        // Terms by when they are: those of long ago came last into the demo university.
        const order = r.table === 'terms' ? 'start_date' : 'id'
        const { rows } = await sql<{
          id: number
        }>`select id from ${sql.table(r.table)} ${sql.raw(r.softDelete ? 'where removed_at is null' : '')} order by ${sql.raw(order)}`.execute(
          calm.database.db,
        )
        return [r.name, rows.map((row) => row.id)]
      }),
    ),
  )
  addresses = new Map(
    await Promise.all(
      Object.entries(ADDRESSES).map(async ([path, text]) => {
        const { rows } = await calm.database.pool.query<(string | number)[]>({ text, rowMode: 'array' })
        return [path, rows] as const
      }),
    ),
  )
  const { rows: accounts } = await calm.database.pool.query<{ id: number }>(
    `(select id from users where is_super_admin and not is_root order by id limit 1)
     union all (select user_id from students where removed_at is null and user_id is not null order by id limit 1)
     union all (select i.user_id from instructors i where user_id is not null
       order by exists (select from offering_instructors o where o.instructor_id = i.id) desc, i.id limit 1)`,
  )
  people = accounts.map((row) => row.id)
  // The super admin has passkeys; a directory has groups.
  for (const university of [calm, wild, closed])
    await university.database.pool.query(
      `with keys as (insert into passkeys (user_id, credential_id, public_key, name)
           select ${Number(people[0])}, decode(md5(n::text), 'hex'), '\\x00', 'Phone ' || n from generate_series(1, 3) n),
         directory as (insert into scim_directories (name, kinds) values ('Directory', '{2}') returning id)
       insert into scim_groups (directory_id, name) select id, 'Registrars' from directory`,
    )
  // A plan of exams waits for what is decided about it.
  for (const university of [calm, wild, closed])
    await university.database.pool.query(
      `insert into exam_placements (exam_id, kind, state, weights, seconds)
       select id, 'place', 'proposed', '{}', 60 from exams where status = 'draft' order by id limit 1`,
    )
  // So does a plan of rotations.
  for (const university of [calm, wild, closed])
    await university.database.pool.query(
      `insert into emtyaz_plans (year_id, kind, state, seconds, plan, base)
       select id, 'plan', 'proposed', 60, '[]', '{"rotations":{},"interns":[],"year":""}' from emtyaz_years where not is_closed order by id limit 1`,
    )
  // Somebody stands in for the dean.
  for (const university of [calm, wild, closed])
    await university.database.pool.query(
      `insert into delegations (from_user_id, to_user_id, permissions, from_date, until_date, reason)
       select id, $1, '{approve_control}', university_today(), university_today() + 10, 'Annual leave' from users where email = 'dean.deputy@university.example'`,
      [people[0]],
    )
  const sheet = await writeSheet({
    sheets: [
      {
        name: 'Sheet',
        direction: 'ltr',
        columns: [{ header: 'Code', key: 'code', type: 'text' }],
        rows: [{ code: 'X-1' }],
      },
    ],
  })
  files = {
    pdf: {
      name: 'paper.pdf',
      content: Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'),
    },
    xlsx: { name: 'sheet.xlsx', content: sheet },
    zip: { name: 'files.zip', content: Buffer.from('UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==', 'base64') },
    csv: { name: 'sheet.csv', content: Buffer.from('Code\nX-1\n') },
  }
  // Removing comes last, so that everything else still finds its records.
  const order = ({ call }: One) => (call.reads ? 0 : call.method === 'DELETE' ? 2 : 1)
  for (const rank of [0, 1, 2]) {
    const problems = await wrong(
      CALLS.filter((one) => order(one) === rank),
      async (one) => {
        found.set(one.call, await properly(rank === 0 ? calm : wild, one))
      },
    )
    expect(problems).toEqual([])
  }
}, 1_800_000)
afterAll(async () => {
  await Promise.all([calm, wild, closed, ...untouched].map((university) => university?.close()))
})

describe('every call is declared wholly', () => {
  it('with a summary in English and Arabic', () => {
    expect(
      CALLS.filter(({ call }) => !/[a-z]/i.test(call.summary[0]) || !/\p{Script=Arabic}/u.test(call.summary[1])).map(
        called,
      ),
    ).toEqual([])
  })
  it('with permissions of the catalogue', () => {
    const known = new Set<string>([...PERMISSION_KEYS, 'public', 'signed_in'])
    expect(
      CALLS.filter(({ call }) => [call.permission].flat().some((key) => !known.has(key as string))).map(called),
    ).toEqual([])
  })
  it('with what it answers', () => {
    expect(CALLS.filter(({ call }) => !call.response && !call.file).map(called)).toEqual([])
  })
  it('with an example that its own schema accepts', () => {
    expect(
      CALLS.flatMap((one) => {
        const checked =
          one.call.example !== undefined && one.call.body ? one.call.body.safeParse(one.call.example) : undefined
        return checked && !checked.success ? [`${called(one)}: ${checked.error.message}`] : []
      }),
    ).toEqual([])
  })
  it('with a body that refuses unknown fields and over-long text', () => {
    const long = 'a'.repeat(200_001)
    expect(
      CALLS.flatMap((one) => {
        const { body } = one.call
        if (!body) return []
        const free = inner(body).safeParse({ ...(found.get(one.call)?.request.body as object), not_a_field_here: 1 })
        const unknown =
          free.success || !free.error.issues.some((i) => i.code === 'unrecognized_keys')
            ? [`${called(one)}: takes unknown fields`]
            : []
        const texts = Object.entries(shapeOf(body)).flatMap(([name, field]) =>
          field.safeParse(long).success ? [`${called(one)}: ${name} takes text of any length`] : [],
        )
        return [...unknown, ...texts]
      }),
    ).toEqual([])
  })
})

/** What went before may have changed the state, or taken the record away: the same on a university nobody has touched. */
async function untouchedSays(one: One): Promise<Answer> {
  const fresh = await testUniversity(AREA_SERVERS, { database: await demoDatabase() })
  untouched.push(fresh)
  return (await properly(fresh, one)).answer
}

describe('properly, as super admin', () => {
  it('every call answers with what it declares, or refuses by a known code', async () => {
    const problems = await wrong(CALLS, async (one) => {
      const { request, answer } = found.get(one.call)!
      const at = `${called(one)} ${request.url}`
      if (answer.status >= 500) return `${at}: ${answer.status} ${JSON.stringify(answer.body)}`
      if (good(answer)) {
        const { file } = one.call
        if (
          file &&
          !SIGNATURES[file.type]?.(answer.bytes) &&
          !String(answer.headers['content-type']).startsWith('application/json')
        )
          return `${at}: this is no ${file.type}`
        if (file && !String(answer.headers['content-disposition']).includes('filename'))
          return `${at}: a file without a name`
        return undefined
      }
      const fault = faultOf(answer)
      if (fault) return `${at}: ${fault}`
      // Addresses made for one person or one moment cannot be guessed.
      const made = request.url.includes('00000000-0000-4000-8000') || one.call.permission === 'public'
      // Papers of who works here are issued where there is a store of files.
      // What became of a file of references is told to who imported it; a report that somebody keeps is that one’s own. Sheets of
      // returns are in the store as well. A pack is fetched by whoever asked for it, and no faculty of the demo was divided.
      if (
        made ||
        /^\/courseFile\/pack\/\d+\/file$|^\/faculties\/\d+\/successors\//.test(request.url) ||
        /^\/(?:staff|publications\/imports|own-reports)\/|-returns\/(?:file|sheet)\/|^\/return-templates\/\d+\/(?:file|sheet)$/.test(
          request.url,
        )
      )
        return undefined
      if (['not_allowed', 'not_found', 'not_signed_in'].includes(answer.body.message)) {
        const there = !one.call.reads && good(await untouchedSays(one))
        return there ? undefined : `${at}: ${brief(answer)}`
      }
      if (
        one.call.reads &&
        ![401, 403, 409, 429].includes(answer.status) &&
        !one.call.upload &&
        !(one.call.file && answer.body?.message === 'no_rows')
      )
        return `${at}: reading is refused: ${brief(answer)} to ${JSON.stringify(request.body)}`
      return undefined
    })
    expect(problems).toEqual([])
  })
  it('an example does what the call is for', async () => {
    // State may forbid it on the demo university; wrong input may not.
    const refused = CALLS.filter(({ call }) => call.example !== undefined && found.get(call)!.answer.status === 422)
    const problems: string[] = []
    for (const one of refused) {
      const answer = await untouchedSays(one)
      if (answer.status === 422) problems.push(`${called(one)}: ${brief(answer)}`)
    }
    expect(problems).toEqual([])
  })
  it('/api/ems answers the same', async () => {
    const admin = await calm.signIn(
      (await calm.database.pool.query('select id from users where is_super_admin limit 1')).rows[0].id,
    )
    const problems = await wrong(
      // A GET of the documents that changes something answers otherwise the second time.
      CALLS.filter(({ call }) => call.method === 'GET' && call.reads && !call.file && call.permission !== 'public'),
      async (one) => {
        const { request } = found.get(one.call)!
        const [a, b] = [
          await send(calm, admin.token, one.call, request),
          await send(calm, admin.token, one.call, request, '/api/ems'),
        ]
        const still = (answer: Answer) =>
          JSON.stringify(answer.body)?.replace(/"[^"]*(last_used_at|now|generated|remaining|_at)":[^,}]*/g, '')
        // How the program does changes while one looks.
        if (one.call.path === '/deployment') return a.status === b.status ? undefined : called(one)
        return a.status === b.status && still(a) === still(b)
          ? undefined
          : `${called(one)}: ${a.status} and ${b.status}`
      },
    )
    expect(problems).toEqual([])
  })
})

describe('who may not', () => {
  it('without sign-in: 401; and each path leads to its own call, literal segments before parameters', async () => {
    const before = await counts()
    const problems = await wrong(
      CALLS.filter(({ call }) => call.permission !== 'public'),
      async (one) => {
        const answer = await send(calm, '', one.call, found.get(one.call)!.request)
        if (answer.status !== 401 || answer.body?.message !== 'not_signed_in') return `${called(one)}: ${brief(answer)}`
        const fault = faultOf(answer)
        return fault && `${called(one)}: ${fault}`
      },
    )
    expect(problems).toEqual([])
    const after = await counts()
    const elsewhere = CALLS.filter(({ call }) => call.permission !== 'public').flatMap((one) => {
      const name = `${one.call.method} ${one.call.path}`
      return (after.get(name) ?? 0) === (before.get(name) ?? 0) + 1
        ? []
        : [`${called(one)} ${found.get(one.call)!.request.url} did not lead to it`]
    })
    expect(elsewhere).toEqual([])
  })
  it('with a token that is none: 401', async () => {
    const some = CALLS.find(({ call }) => call.permission !== 'public')!
    const answer = await send(calm, 'A'.repeat(43), some.call, found.get(some.call)!.request)
    expect([answer.status, answer.body.message]).toEqual([401, 'session_expired'])
  })
  it('without the permission: 403', async () => {
    const { token } = await calm.as(null)
    const problems = await wrong(
      CALLS.filter(({ call }) => call.permission !== 'public' && call.permission !== 'signed_in'),
      async (one) => {
        const answer = await send(calm, token, one.call, found.get(one.call)!.request)
        if (answer.status !== 403 || !/^(?:delete_)?not_allowed$/.test(answer.body?.message))
          return `${called(one)}: ${brief(answer)}`
        return faultOf(answer)
      },
    )
    expect(problems).toEqual([])
  })
  it('in read-only mode: nothing that changes', async () => {
    const tokens = new Map<number, string>()
    for (const id of people) tokens.set(id, (await closed.signIn(id)).token)
    const token = ({ call }: One) => tokens.get(found.get(call)!.user_id)!
    const problems = await wrong(
      CALLS.filter(({ call }) => !call.reads),
      async (one) => {
        const answer = await send(closed, token(one), one.call, found.get(one.call)!.request)
        const right = answer.status === 403 && answer.body?.message === 'you are in readonly mode'
        return right ? faultOf(answer) : `${called(one)}: ${brief(answer)}`
      },
    )
    expect(problems).toEqual([])
    const reading = CALLS.filter(
      ({ call }) =>
        call.reads &&
        call.method === 'POST' &&
        !call.file &&
        call.permission !== 'public' &&
        good(found.get(call)!.answer),
    )
    const refused = await wrong(reading, async (one) => {
      const answer = await send(closed, token(one), one.call, found.get(one.call)!.request)
      return good(answer) ? undefined : `${called(one)} reads, and is refused: ${brief(answer)}`
    })
    expect(refused).toEqual([])
  })
})

/** How often each call was answered so far. */
async function counts(): Promise<Map<string, number>> {
  const payload = await calm.app.metrics()
  const out = new Map<string, number>()
  for (const [, name, n] of payload.matchAll(/^ems_requests_total\{call="([^"]*)",status="401"\} (\d+)$/gm))
    out.set(name!, Number(n))
  return out
}

describe('from outside the scope', () => {
  /** What only those within reach may read: what identifies a student, a teacher, an offering. */
  let secrets: Set<string>
  let student: { id: number; user_id: number }
  beforeAll(async () => {
    const { pool, db } = calm.database
    const guarded = RESOURCES.filter(
      (r) =>
        Array.isArray(r.scope) && r.scope.some((kind) => ['own', 'taught', 'advised', 'supervised'].includes(kind)),
    )
    const told = new Set<string>()
    for (const r of RESOURCES.filter((r) => r.scope === 'university' && 'code' in r.fields)) {
      const { rows } = await sql<{ code: string }>`select code from ${sql.table(r.table)}`.execute(db)
      for (const row of rows) told.add(row.code)
    }
    secrets = new Set()
    for (const r of guarded) {
      // Who acted is told by name and address, beside what was done: that is no secret of an employee.
      const fields = ['code', 'email', 'phone', 'national_id', 'passport_number'].filter(
        (f) => f in r.fields && !(r.name === 'employee' && f === 'email'),
      )
      const { rows } = await sql<
        Record<string, string>
      >`select ${sql.join(fields.map((f) => sql.ref(f)))} from ${sql.table(r.table)}`.execute(db)
      for (const row of rows)
        for (const value of Object.values(row)) if (value && value.length >= 6 && !told.has(value)) secrets.add(value)
    }
    // Of the middle of the list: the calls ask for the first ones.
    const one = await pool.query(
      'select id, user_id from students where removed_at is null order by id offset 701 limit 1',
    )
    student = one.rows[0]
  })

  const textsIn = (value: unknown): string[] =>
    typeof value === 'string'
      ? [value]
      : value && typeof value === 'object'
        ? Object.values(value).flatMap(textsIn)
        : []
  const told = (call: Call, answer: Answer): string[] => {
    if (!call.file) return textsIn(answer.body)
    if (call.file.type !== 'xlsx') return [answer.bytes.toString()]
    return Object.values(unzipSync(answer.bytes)).flatMap((part) => strFromU8(part).split(/<[^>]*>/))
  }
  /** Whether an answer holds nothing: lists are empty, counts are zero. */
  const empty = (value: unknown): boolean =>
    value === null ||
    value === 0 ||
    value === '' ||
    value === false ||
    (typeof value === 'object' && Object.values(value as object).every(empty))

  async function outside(token: string, reach: readonly string[], own: readonly string[] = []): Promise<string[]> {
    const mine = new Set(own)
    const sent = new Map<string, string>()
    const problems = await wrong(
      CALLS.filter(({ call }) => call.permission !== 'public' && good(found.get(call)!.answer)),
      async (one) => {
        const { call } = one
        const { request } = found.get(call)!
        const answer = await send(calm, token, call, request)
        const at = `${called(one)} ${request.url} ${JSON.stringify(request.body) ?? ''}`.slice(0, 200)
        const scoped = resourcesOf(call).filter(
          (r) => Array.isArray(r.scope) && !r.common && r.scope.some((kind) => reach.includes(kind)),
        )
        // What is the person's own is changed wherever he or she reaches.
        if (scoped.length && !call.personal && !(reach.includes('own') && MAKES.has(`${call.method} ${call.path}`)))
          sent.set(String(answer.headers['x-request-id']), at)
        if (!good(answer)) return answer.status >= 500 ? `${at}: ${brief(answer)}` : undefined
        const leaked = told(call, answer).find((text) => secrets.has(text) && !mine.has(text))
        if (leaked) return `${at}: told ${leaked}`
        if (
          !scoped.length ||
          !call.reads ||
          call.permission === 'signed_in' ||
          /template|assessments\/lookups$/.test(call.path)
        )
          return undefined
        // A paper that cannot be looked into must not be made at all.
        if (call.file)
          return call.file.type === 'pdf' && !reach.includes('own') ? `${at}: a paper was given` : undefined
        return call.path.includes('{') && !empty(answer.body?.data)
          ? `${at}: was shown: ${JSON.stringify(answer.body)?.slice(0, 150)}`
          : undefined
      },
    )
    // The audit trail knows what was changed, whatever was answered.
    const { rows } = await calm.database.pool.query<{ table_name: string; request_id: string }>(
      `select distinct table_name, request_id from audit_log where request_id = any($1)`,
      [[...sent.keys()]],
    )
    return [...problems, ...rows.map((row) => `${sent.get(row.request_id)}: changed ${row.table_name}`)]
  }

  it('with every permission for another faculty', async () => {
    const { pool } = calm.database
    const who = await calm.as(null)
    await pool.query(
      `insert into access_entries (user_id, permission, scope_type, scope_id) select $1, key, 'faculty', $2 from unnest($3::text[]) key`,
      [who.user_id, 900_001, PERMISSION_KEYS],
    )
    calm.auth.forget()
    expect(await outside(who.token, ['faculty'])).toEqual([])
  })
  it('a student with every permission for what is the own', async () => {
    const { rows } = await calm.database.pool.query(
      'select code, email, phone, national_id, passport_number from students where id = $1',
      [student.id],
    )
    expect(
      await outside(
        await bound(calm, 'own', student.user_id),
        ['own'],
        Object.values(rows[0] as Record<string, string>),
      ),
    ).toEqual([])
  })
  it('an instructor with every permission for what is taught, who teaches nothing', async () => {
    expect(await outside(await bound(calm, 'taught'), ['taught'])).toEqual([])
  })
  it('an advisor with every permission for those advised, who advises nobody', async () => {
    expect(await outside(await bound(calm, 'advised'), ['advised'])).toEqual([])
  })
  it('somebody with every permission for theses of the own teams, who is on none', async () => {
    expect(await outside(await bound(calm, 'supervised'), ['supervised'])).toEqual([])
  })
})

describe('with invalid input', () => {
  let token: string
  beforeAll(async () => {
    // Somebody whom none of the calls before has blocked.
    const { user_id } = await wild.as('super_admin')
    await wild.database.pool.query('update users set is_super_admin = true where id = $1', [user_id])
    token = (await wild.signIn(user_id)).token
  })
  /** Six calls at a time change the same university: who is told that others hold what is to be changed asks again. */
  const sent = async (one: One, request: Partial<Request>): Promise<Answer> => {
    for (let attempt = 1; ; attempt++) {
      const answer = await send(wild, token, one.call, { ...found.get(one.call)!.request, ...request })
      if (answer.body?.message !== 'data_busy' || attempt === 3) return answer
    }
  }
  const withBody = CALLS.filter(({ call }) => call.body && !call.upload && call.permission !== 'public')

  it('a path that cannot be is an address where nothing is', async () => {
    const problems = await wrong(
      CALLS.filter(({ call }) => /\{\w*id\w*\}/i.test(call.path) && call.permission !== 'public'),
      async (one) => {
        for (const id of ['0', '-1', 'abc', '99999999999', '1e3', "1'--", '%00']) {
          const url = one.call.path.replace(/\{(\w+)\}/g, (_, name: string) =>
            /id/i.test(name) ? id : String(choicesOf(shapeOf(one.call.params)[name]!)[0] ?? 1),
          )
          const answer = await sent(one, { url })
          if (![404, 422].includes(answer.status)) return `${called(one)} with ${id}: ${brief(answer)}`
          const fault = faultOf(answer)
          if (fault) return `${called(one)} with ${id}: ${fault}`
        }
        return undefined
      },
    )
    expect(problems).toEqual([])
  })
  it('a record that is not there is not found: nothing is done, and nothing fails', async () => {
    const NOWHERE = '2000000000'
    // It answers for each student.
    const OF_EACH = '/registrations/delete_registrations/{offering_id}'
    const problems = await wrong(
      CALLS.filter(({ call }) => call.path.includes('{') && call.permission !== 'public'),
      async (one) => {
        const names = [...one.call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
        const was = found.get(one.call)!.request.url.split('/')
        const places = one.call.path
          .split('/')
          .flatMap((part, at) => (part.startsWith('{') && /^\d+$/.test(was[at] ?? '') ? [at] : []))
        if (was.length !== one.call.path.split('/').length) return `${called(one)}: ${names.join()} stand elsewhere`
        // Each by itself: the record of a record, too.
        for (const place of places) {
          const url = was.map((part, at) => (at === place ? NOWHERE : part)).join('/')
          const answer = await sent(one, { url })
          if (answer.status >= 500 || (good(answer) && !one.call.reads && one.call.path !== OF_EACH))
            return `${called(one)} ${url}: ${brief(answer)}`
        }
        return undefined
      },
    )
    expect(problems).toEqual([])
  })
  it('what somebody else changed meanwhile is not written over', async () => {
    const versioned = CALLS.filter(
      ({ call }) => !call.reads && call.permission !== 'public' && 'version' in shapeOf(call.body),
    )
    expect(versioned.length).toBeGreaterThan(50)
    const problems = await wrong(versioned, async (one) => {
      const { body } = found.get(one.call)!.request
      const answer = await sent(one, { body: { ...(body as object), version: 987_654 } })
      return good(answer) || answer.status >= 500 ? `${called(one)}: ${brief(answer)}` : undefined
    })
    expect(problems).toEqual([])
  })
  it('a body that names a record that is not there does not fail', async () => {
    const problems = await wrong(withBody, async (one) => {
      const { body } = found.get(one.call)!.request
      for (const { path, value } of places(body)) {
        if (typeof value !== 'number' || !/(^|_)ids?$/.test(String(path.findLast((part) => typeof part === 'string'))))
          continue
        const answer = await sent(one, { body: put(body, path, 2_000_000_000) })
        if (answer.status >= 500) return `${called(one)} with ${path.join('.')}: ${brief(answer)}`
      }
      return undefined
    })
    expect(problems).toEqual([])
  })
  it('a body that is no JSON, or no object', async () => {
    const problems = await wrong(withBody, async (one) => {
      for (const body of ['{"broken": ', '[]', '"text"', '12', '{"__proto__": {"x": 1}}']) {
        const answer = await sent(one, { body })
        if (answer.status !== 422) return `${called(one)} with ${body}: ${brief(answer)}`
        const fault = faultOf(answer)
        if (fault) return `${called(one)} with ${body}: ${fault}`
      }
      return undefined
    })
    expect(problems).toEqual([])
  })
  it('an unknown field is named', async () => {
    const problems = await wrong(withBody, async (one) => {
      const answer = await sent(one, {
        body: { ...(found.get(one.call)!.request.body as object), not_a_field_here: 1 },
      })
      const named = answer.body?.errors?.some((e: any) => e.field === 'not_a_field_here' && e.code === 'unknown_field')
      return answer.status === 422 && named ? undefined : `${called(one)}: ${brief(answer)}`
    })
    expect(problems).toEqual([])
  })
  it('a value of the wrong type is named', async () => {
    const problems = await wrong(withBody, async (one) => {
      for (const [name, schema] of Object.entries(shapeOf(one.call.body))) {
        const bad = [{ a: 1 }, [[{}]], 'not this', 0.5, true]
          .filter((value) => !schema.safeParse(value).success)
          .slice(0, 2)
        for (const value of bad) {
          const answer = await sent(one, { body: { ...(found.get(one.call)!.request.body as object), [name]: value } })
          const named = answer.body?.errors?.some((e: any) => e.field === name || e.field?.startsWith(`${name}.`))
          if (answer.status !== 422 || !named)
            return `${called(one)} with ${name} = ${JSON.stringify(value)}: ${brief(answer)}`
          const fault = faultOf(answer)
          if (fault) return `${called(one)} with ${name} = ${JSON.stringify(value)}: ${fault}`
        }
      }
      return undefined
    })
    expect(problems).toEqual([])
  })
  it('nothing that is sent makes it fail', async () => {
    const hostile: Record<string, readonly unknown[]> = {
      string: ['a\u0000b', '\ud800', 'a'.repeat(200_001), '%_\\', '\u202Eabc', "'; drop table students; --"],
      number: [2 ** 53, -1, 0.5, 2_147_483_647, -2_147_483_648, 1e308],
      object: [Array.from({ length: 20_000 }, () => 1)],
      boolean: [],
    }
    const problems = await wrong(share(withBody, 16), async (one) => {
      const { body } = found.get(one.call)!.request
      for (const { path, value } of places(body)) {
        if (!path.length) continue
        for (const bad of hostile[typeof value] ?? []) {
          const answer = await sent(one, { body: put(body, path, bad) })
          const at = `${called(one)} with ${path.join('.')} = ${JSON.stringify(bad).slice(0, 40)}`
          if (answer.status >= 500) return `${at}: ${brief(answer)}`
          const fault = good(answer) ? undefined : faultOf(answer)
          if (fault) return `${at}: ${fault}`
        }
      }
      return undefined
    })
    expect(problems).toEqual([])
  })
  it('no value that a schema lets through is refused by the database, at the bounds of every field', async () => {
    const fields = new Map<z.ZodType, Set<string>>()
    // One schema under one name in one area is one field.
    const triedIn = (area: string) => (path: readonly (string | number)[], field: z.ZodType) => {
      const places = fields.get(field) ?? new Set<string>()
      const place = `${area} ${path.join('.')}`
      const before = places.has(place)
      fields.set(field, places.add(place))
      return before
    }
    const problems = await wrong(
      // What exports a list asks as the list does, and makes a sheet of every answer.
      share(
        CALLS.filter(
          ({ call }) =>
            (call.body || call.query) &&
            !call.upload &&
            call.permission !== 'public' &&
            !(call.file && 'filters' in shapeOf(call.body)),
        ),
        16,
      ),
      async (one) => {
        const { call } = one
        const { body, query } = found.get(call)!.request
        const out: string[] = []
        for (const part of ['body', 'query'] as const) {
          const schema = call[part]
          if (!schema) continue
          const base = (part === 'body' ? body : query) ?? {}
          for (const [path, value] of boundaries(schema, [], triedIn(one.area))) {
            const answer = await sent(one, { [part]: put(base, path, value) })
            const gap = gapOf(answer)
            if (gap) out.push(`${called(one)} with ${path.join('.')} = ${JSON.stringify(value).slice(0, 40)}: ${gap}`)
          }
        }
        return out
      },
    )
    expect(problems).toEqual([])
  }, 900_000)
  it('no value of a filter or an order is refused by the database', async () => {
    const names = [
      ...new Set([
        ...RESOURCES.flatMap((r) => [...r.list.filters, ...Object.keys(r.fields), ...r.list.sort]),
        ...OWN_FILTERS,
      ]),
    ]
    const groups = Array.from({ length: Math.ceil(names.length / 40) }, (_, i) => names.slice(i * 40, i * 40 + 40))
    const others = [
      ...HOSTILE_NUMBERS,
      ['0000-01-01'],
      [2 ** 31],
      { from: 2 ** 31, to: -(2 ** 31) - 1 },
      { from: '0000-01-01' },
      { to: '99999-01-01' },
      { from: '2027-02-01T08:00:00+23:59' },
      { from: 'x' },
    ]
    const listing = CALLS.filter(({ call }) => call.reads && !call.file && 'filters' in shapeOf(call.body))
    const problems = await wrong(share(listing, 16), async (one) => {
      const out: string[] = []
      const { body } = found.get(one.call)!.request
      const ask = (filters: object) => sent(one, { body: { ...(body as object), filters } })
      for (const some of groups) {
        // Those that the list does not know are named, until none is left of them.
        let rest = some
        for (let refused = 1; refused && rest.length;) {
          const { body: told } = await ask(Object.fromEntries(rest.map((name) => [name, null])))
          const no = new Set(
            told?.errors?.flatMap((e: any) => (e.code === 'filter_not_allowed' ? [e.data.column] : [])),
          )
          rest = rest.filter((name) => !no.has(name))
          refused = no.size
        }
        for (const name of rest) {
          const free = good(await ask({ [name]: 'x' }))
          for (const value of [...others, ...(free ? FREE_TEXTS : HOSTILE_TEXTS)]) {
            const gap = gapOf(await ask({ [name]: value }))
            if (gap) out.push(`${called(one)} by ${name} = ${JSON.stringify(value).slice(0, 40)}: ${gap}`)
          }
        }
      }
      return out
    })
    expect(problems).toEqual([])
  }, 360_000)
  it('a file that is none, or not what it says', async () => {
    const problems = await wrong(
      CALLS.filter(({ call }) => call.upload && call.permission !== 'public'),
      async (one) => {
        // Together they are more than somebody may upload in a day.
        await wild.database.pool.query('delete from uploads_of_day')
        const page = Buffer.from('<!doctype html><script>alert(1)</script>')
        const bombs: [string, Buffer][] = [
          ['page.xlsx', page],
          ['page.csv', page],
          ['page.pdf', page],
          ['..\\..\\etc\\passwd', page],
          ['empty.xlsx', Buffer.alloc(0)],
          ...(one.call.upload!.accept.includes('zip')
            ? []
            : [['cut.xlsx', Buffer.from([0x50, 0x4b, 3, 4, 20, 0])] as [string, Buffer]]),
        ]
        for (const [name, content] of bombs) {
          const answer = await sent(one, { file: { name, content } })
          if (answer.status !== 422) return `${called(one)} with ${name}: ${brief(answer)}`
          const fault = faultOf(answer)
          if (fault) return `${called(one)} with ${name}: ${fault}`
        }
        const { file: _, ...without } = found.get(one.call)!.request
        const answer = await send(wild, token, one.call, without)
        return one.call.upload!.optional || (answer.status === 422 && answer.body.errors[0].code === 'file_missing')
          ? undefined
          : `${called(one)} without a file: ${brief(answer)}`
      },
    )
    expect(problems).toEqual([])
  })
})
