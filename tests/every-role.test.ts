import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callsOf } from '#kit/contract/index.ts'
import type { Call, Fields } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { holds, reaches } from '#kit/server/base/scope.ts'
import { AREAS } from '../apps/areas.contract.ts'
import { AREA_SERVERS } from '../apps/server/areas.server.ts'
import { demoDatabase } from './demo.ts'
import { choicesOf, generate, shapeOf } from './generate.ts'
import { testUniversity } from './university.ts'
import { SHARED_OUT, share } from './share.ts'
import type { Answer, Caller, TestUniversity } from './university.ts'

/**
 * What people of every role meet when they open their screens: each call that reads, sent as somebody who holds each seeded
 * role for the whole university, for one faculty, or for what is the own, about records that this person is shown. Nothing
 * of it may fail, and what is shown with a way on must not be missing where the way leads.
 */
const RESOURCES = AREAS.flatMap((area) => area.resources)
/** Files are made of what lists and details answer; that each is made is tried elsewhere. */
const READING = AREAS.flatMap((area) =>
  callsOf(area).flatMap((call) =>
    call.reads && !call.file && !call.upload && call.permission !== 'public' ? [{ area: area.name, call }] : [],
  ),
)
type One = (typeof READING)[number]

interface Person {
  readonly name: string
  readonly caller: Caller
  /** Records that lists have shown to the person, by the paths of these. */
  readonly shown: Map<string, Row[]>
}
type Row = { readonly id: number; readonly abilities?: readonly string[] }

/** What the detail of a student offers. */
const onStudent = (...abilities: string[]) =>
  async function offered({ caller }: Person, { id }: Row): Promise<boolean> {
    const answer = await caller('POST', `/students/dashboard/${id}`, {})
    return abilities.some((ability) => answer.body?.data?.abilities.includes(ability))
  }
const onRow = (ability: string) => (_: Person, row: Row) => row.abilities?.includes(ability) ?? false
const never = () => false
/**
 * Ways that a screen shows only where they lead somewhere: by an ability of the row, or of the detail. Every other call
 * about a record has to answer whoever holds its right and sees the record in its list.
 */
const OFFERED: Readonly<Record<string, (person: Person, row: Row) => boolean | Promise<boolean>>> = {
  'GET /offerings/offering-students-grades/{id}': onRow('marks'),
  'GET /attendance/offerings/{id}': onRow('attendance'),
  'GET /control/offerings/barcode/{id}': onRow('barcodes'),
  'GET /students/{id}/courses_history': onStudent('record'),
  'GET /students/{id}/degree-exceptions': onStudent('record'),
  'GET /students/{id}/study-plan': onStudent('record'),
  'GET /students/{id}/terms_grades': onStudent('record'),
  'GET /students/{id}/papers': onStudent('record', 'print_transcript'),
  'GET /students/{id}/transcripts': onStudent('record', 'print_transcript'),
  // Read by rights of their own, which may reach fewer students than the list.
  'GET /students/{id}/former-names': onStudent('edit'),
  'GET /students/{id}/shares': onStudent('edit'),
  'POST /students/scholarships/get-scholarship/{id}': onStudent('edit'),
  'GET /students/status/{id}': onStudent('change_status'),
  'GET /students/{id}/documents': onStudent('documents'),
  'GET /instructors/{id}/documents': onRow('documents'),
  'GET /employees/{id}/documents': onRow('documents'),
  'GET /registrations/students/{id}/steps': onStudent('register'),
  'GET /registrations/students/{id}/terms': onStudent('register'),
  'GET /registrations/students/available-offerings/{id}': onStudent('register'),
  'GET /registrations/students/available-termstages/{id}': onStudent('register'),
  'GET /registrations/students/preflight/{id}': onStudent('register'),
  'GET /registrations/students/requested-offerings/{id}': onStudent('register'),
  'GET /students/Edit/{id}/{details}': onStudent('edit'),
  // Of a request for a training, which is none of its rows.
  'POST /trainings/student/{id}': never,
  // The student is chosen in the form among those for whom one may ask.
  'POST /transfer/internal/{student_id}/lookup': never,
  // Its id is that of a payment by a provider, from whose page one comes back to it.
  'GET /payments/paid/{id}': never,
  // Their ids are those of imports, of which no list tells, and of students.
  'GET /applicants/import/{id}': never,
  'POST /applicants/import/rows/{id}': never,
  'POST /payments/extra_items/{id}': never,
  // A distribution is a matter of the whole university: its history is for whoever reaches all of it.
  'GET /distribution-runs/steps/{id}': never,
  // Those asked by the whole university are of all faculties: whoever reaches a part is not told who they are.
  'GET /questionnaires/participants/{id}': never,
  'GET /questionnaires/outsiders/{id}': never,
  // Its id is that of an offering.
  'GET /specifications/questions/{id}': never,
  // Its id is that of a student, and what is asked for is a form of one's own.
  'GET /excuses/get_lookups/{id}': never,
}

let u: TestUniversity
let people: Person[]
let root: Caller
const ids = new Map<string, number[]>()

beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase(), env: { POOL_SIZE: '10' } })
  const { pool } = u.database
  for (const r of RESOURCES) {
    const { rows } = await pool.query<{ id: number }>(
      `select id from ${r.table} ${r.softDelete ? 'where removed_at is null' : ''} order by id limit 3`,
    )
    ids.set(
      r.path,
      rows.map((row) => row.id),
    )
  }
  // One account of the demo university for each role and kind of part that it is held for.
  const { rows: holders } = await pool.query<{ user_id: number; role: string; scope: string | null }>(
    `select distinct on (r.key, a.scope_type) a.user_id, r.key as role, a.scope_type as scope
     from role_assignments a join roles r on r.id = a.role_id join users x on x.id = a.user_id
     where x.blocked_at is null and x.removed_at is null order by r.key, a.scope_type, a.user_id`,
  )
  const { rows: kinds } = await pool.query<{ user_id: number; role: string }>(
    `select distinct on (type) id as user_id, 'type ' || type as role from users
     where blocked_at is null and removed_at is null and not is_super_admin and email is not null
     order by type, email like 'student@%' desc, id`,
  )
  people = []
  for (const { user_id, role, scope } of [...holders, ...kinds.map((one) => ({ ...one, scope: null }))])
    people.push({ name: `${role}${scope ? ` of a ${scope}` : ''}`, caller: await u.signIn(user_id), shown: new Map() })
  // And of a faculty, where the demo university has none.
  const { rows: roles } = await pool.query<{ key: string }>(
    'select key from roles where removed_at is null order by key',
  )
  for (const { key } of roles)
    if (!holders.some((one) => one.role === key && one.scope === 'faculty'))
      people.push({ name: `${key} of a faculty`, caller: await u.as(key, ['faculty', 1]), shown: new Map() })
  const { rows: supers } = await pool.query<{ id: number }>('select id from users where is_root limit 1')
  root = await u.signIn(supers[0]!.id)
}, 900_000)
afterAll(() => u?.close())

/** Whether a call answers with pages of rows. */
const isList = (call: Call): boolean => call.method === 'POST' && 'perPage' in shapeOf(call.body)
/** Lists by their paths: of resources, and others. */
const LISTS = READING.flatMap(({ call }) => (isList(call) ? [call.path as string] : []))
/** Calls about the records of a list that stands elsewhere. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  '/attendance/offerings/': '/offerings',
  '/registrations/students/': '/students',
}
/** The list whose rows a parameter speaks of: by its name, or by what the path begins with. */
function listOf(call: Call, name: string): string | undefined {
  const word = name.replace(/_?id$/i, '').replaceAll('_', '').toLowerCase()
  if (word === '') {
    const elsewhere = Object.keys(ELSEWHERE).find((path) => call.path.startsWith(path))
    if (elsewhere) return ELSEWHERE[elsewhere]
    return LISTS.filter((path) => call.path.startsWith(`${path}/`)).toSorted((a, b) => b.length - a.length)[0]
  }
  const named = RESOURCES.find((r) => r.name.toLowerCase() === word)
  const to = RESOURCES.map((r) => (r.fields as Fields)[name]?.to).find(Boolean)
  return (named ?? RESOURCES.find((r) => r.name === to))?.path
}

/** Requests of a call: about what the person was shown, else about what there is. */
function requestsOf(
  call: Call,
  person: Person,
): { url: string; body: unknown; about: string | undefined; row: Row | undefined }[] {
  const names = [...call.path.matchAll(/\{(\w+)\}/g)].map((m) => m[1]!)
  const known = (name: string): number[] => {
    const list = listOf(call, name) ?? ''
    const shown = person.shown.get(list)?.map((row) => row.id)
    return shown?.length ? shown : (ids.get(list) ?? [])
  }
  const hints = { id: (name: string) => known(name)[0] ?? 1 }
  let body: unknown
  try {
    body = call.body ? generate(call.body, hints) : undefined
  } catch {
    body = call.example
  }
  if (call.body && 'perPage' in shapeOf(call.body)) body = { ...(body as object), page: 1, perPage: 5 }
  const params = shapeOf(call.params)
  const about = names.length ? listOf(call, names[0]!) : undefined
  const rows = about ? (person.shown.get(about) ?? []) : []
  const last = rows.length > 2 ? [rows[0]!, rows.at(-1)!] : rows
  return (last.length ? last : [undefined]).map((row) => {
    let url = call.path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const choice = choicesOf(params[name]!)[0]
      if (choice !== undefined) return String(choice)
      if (row && name === names[0]) return String(row.id)
      const given = known(name)[0] ?? 1
      return params[name]!.safeParse(String(given)).success ? String(given) : '2026-10-05'
    })
    if (call.query) {
      const query = generate(call.query, hints) as Record<string, unknown>
      const text = new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)])).toString()
      if (text) url += `?${text}`
    }
    return { url, body, about, row }
  })
}

let sent = 0
const brief = (answer: Answer) =>
  `${answer.status} ${JSON.stringify(answer.body?.errors?.[0]?.code ?? answer.body?.message)}`
const missing: { person: Person; call: Call; url: string; row: Row; body: unknown }[] = []
/** Calls that somebody has sent who is in every respect that matters to them like others. */
const tried = new Set<string>()

/** Sends everything as one person: lists first, because they tell what is shown. */
async function tryAs(person: Person): Promise<string[]> {
  const failed: string[] = []
  const actor = (await u.auth.authenticate({ headers: { authorization: `Bearer ${person.caller.token}` } }))!
  const ctx = { system: null, actor } as Ctx
  const mine = READING.filter(({ call }) => holds(ctx, call.permission)).filter((one) => {
    const like = [
      actor.type,
      actor.student_id !== null,
      actor.instructor_id !== null,
      reaches(ctx, one.call.permission),
    ]
    const key = `${one.call.method} ${one.call.path} ${JSON.stringify(like)}`
    const known = tried.has(key)
    tried.add(key)
    return !known || isList(one.call)
  })
  const ask = async ({ call }: One): Promise<void> => {
    for (const { url, body, about, row } of requestsOf(call, person)) {
      const answer = await person.caller(call.method, url, body)
      sent += 1
      if (answer.status >= 500)
        failed.push(`${person.name}: ${call.method} ${url} ${JSON.stringify(body) ?? ''}: ${brief(answer)}`)
      if (answer.status === 404 && about && row) missing.push({ person, call, url, row, body })
      if (isList(call) && answer.status === 200 && typeof answer.body?.data?.[0]?.id === 'number')
        person.shown.set(call.path, answer.body.data as Row[])
    }
  }
  for (const one of mine.filter((one) => isList(one.call))) await ask(one)
  const rest = mine.filter((one) => !isList(one.call))
  let next = 0
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let one = rest[next++]; one; one = rest[next++]) await ask(one)
    }),
  )
  return failed
}

describe('as people of every role', () => {
  it('no call that reads fails', async () => {
    const failed: string[] = []
    for (const person of share(people, 12)) failed.push(...(await tryAs(person)))
    expect(failed.toSorted()).toEqual([])
    expect(sent).toBeGreaterThan(SHARED_OUT ? 200 : 3000)
  }, 900_000)
  it('what is shown is there', async () => {
    const wrong: string[] = []
    for (const { person, call, url, body, row } of missing) {
      const offered = OFFERED[`${call.method} ${call.path}`]
      if (offered && !(await offered(person, row))) continue
      const there = await root(call.method, url, body)
      if (there.status === 200) wrong.push(`${person.name}: ${call.method} ${url} [${row.abilities?.join()}]`)
    }
    expect(wrong.toSorted()).toEqual([])
  }, 360_000)
  it('ways that are shown now and then are those of calls that are there', () => {
    const known = new Set(READING.map(({ call }) => `${call.method} ${call.path}`))
    expect(Object.keys(OFFERED).filter((way) => !known.has(way))).toEqual([])
  })
})
