import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { SEEDED_ROLES } from '#access/roles.contract.ts'
import { callsOf } from '#kit/contract/index.ts'
import type { Call, Fields, Resource } from '#kit/contract/index.ts'
import { instructor } from '#areas/people/people/instructors/instructor.contract.ts'
import { student } from '#areas/records/students/student/student.contract.ts'
import { AREAS } from '../apps/areas.contract.ts'
import { AREA_SERVERS } from '../apps/server/areas.server.ts'
import { demoDatabase } from './demo.ts'
import { choicesOf, generate, shapeOf } from './generate.ts'
import { share } from './share.ts'
import { testUniversity } from './university.ts'
import type { Caller, TestUniversity } from './university.ts'

/**
 * Who reads which field, as the definitions declare it, against what every call answers: in each field that has readers
 * stands a value found nowhere else, and somebody of every seeded role asks every call that tells of these two people.
 */
interface Mark {
  readonly resource: Resource
  readonly field: string
  readonly value: string
}
const marks: Mark[] = []
/** Values that a text cannot be: each is found nowhere else in the demo university. */
const TYPED: Readonly<Record<string, readonly [stored: unknown, told: string]>> = {
  birth_date: ['1903-04-05', '1903-04-05'],
  blocked_at: ['2001-02-03T04:05:06Z', '2001-02-03'],
  school_year: [1957, '1957'],
  school_percentage: ['57.31', '57.31'],
  passed_hours: [9177, '9177'],
  warnings: [8733, '8733'],
  phone: ['+299000111222', '299000111222'],
  parent_phone: ['+299000333444', '299000333444'],
  father_national_id: ['19010101010101', '19010101010101'],
  mother_national_id: ['19020202020202', '19020202020202'],
  guardian_national_id: ['19030303030303', '19030303030303'],
  passport_number: ['QX90817263Z', 'QX90817263Z'],
}
/** What cannot be told apart from that of others: choices, flags, and a figure. */
const UNMARKED_KINDS: ReadonlySet<string> = new Set(['choice', 'choices', 'flag'])
const UNMARKED = new Set([
  'military_status',
  'missing_documents',
  'gpa',
  'account_state',
  'account_id',
  'last_login_at',
])
const ids: Record<string, number> = {}

let uni: TestUniversity
let root: Caller
let own: Caller
const staff = new Map<string, Caller>()
interface Asked {
  readonly call: Call
  readonly path: string
  readonly body?: unknown
}
/** What tells of the two people, asked by somebody who may do everything. */
const telling: (Asked & { readonly told: string })[] = []

const one = async (text: string, values: unknown[] = []): Promise<Record<string, any>> =>
  (await uni.database.pool.query(text, values)).rows[0]

async function mark(resource: Resource, id: number, national: string): Promise<void> {
  const set: Record<string, unknown> = {}
  for (const [field, { readers, kind }] of Object.entries(resource.fields as Fields)) {
    // What is joined is a record of its own, with readers of its own: the tests of its area look.
    if (!readers || kind === 'lookups' || UNMARKED_KINDS.has(kind) || UNMARKED.has(field)) continue
    const typed = TYPED[field]
    const text = kind === 'nationalId' ? national : `mark-${resource.name}-${field}`
    // The phone of an instructor is another than that of a student.
    const [stored, told] = (typed ?? [text, text]).map((value) =>
      resource === instructor && field === 'phone' ? String(value).replace('000', '555') : value,
    ) as [unknown, string]
    set[field] = stored
    marks.push({ resource, field, value: told })
  }
  const names = Object.keys(set)
  await uni.database.pool.query(
    `update ${resource.table} set ${names.map((name, i) => `${name} = $${i + 2}`).join(', ')} where id = $1`,
    [id, ...Object.values(set)],
  )
}

/** Everything that was answered, as text: also what stands in a sheet. */
async function ask(who: Caller, { call, path, body }: Asked): Promise<{ status: number; text: string }> {
  const answer = await who(call.method, path, body)
  const { bytes } = answer
  const isZip = bytes.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 3, 4]))
  const text = isZip
    ? Object.values(unzipSync(new Uint8Array(bytes)))
        // Numbers of rows and of shared texts tell nothing.
        .map((part) => strFromU8(part).replace(/<c [^>]*t="s"[^>]*>.*?<\/c>| (?:r|ref|spans)="[^"]*"/g, ''))
        .join('\n')
    : bytes.toString()
  return { status: answer.status, text: bytes.subarray(0, 4).toString() === '%PDF' ? '' : text }
}

/** Every way to ask a call about the student or the instructor. */
function requests(call: Call): Asked[] {
  const params = shapeOf(call.params)
  const names = [...call.path.matchAll(/\{(\w+)\}/g)].map((m) => m[1]!)
  const hints = (main: number) => ({
    id: (name: string) => ids[name.replace(/_?ids?$/i, '').toLowerCase()] ?? main,
  })
  const out: Asked[] = []
  const subjects = names.length ? [...new Set(Object.values(ids))] : [ids.student!]
  for (const subject of subjects) {
    const choices = names.map((name): (string | number)[] => {
      const fixed = choicesOf(params[name]!) as string[]
      if (fixed.length) return fixed
      if (name === 'link') return ['student', 'instructor']
      const known = ids[name.replace(/_?id$/i, '').toLowerCase()]
      return [known ?? subject]
    })
    let paths = [call.path]
    for (const [i, name] of names.entries())
      paths = paths.flatMap((path) => choices[i]!.map((choice) => path.replace(`{${name}}`, String(choice))))
    for (const path of paths) {
      const given = call.body ? { ...(generate(call.body, hints(subject)) as object) } : undefined
      const shape = shapeOf(call.body)
      for (const search of 'search' in shape ? [ids.student_code, ids.instructor_code] : [undefined]) {
        const body = given && {
          ...given,
          ...(search !== undefined && { search: String(search) }),
          ...('name' in shape && 'limit' in shape && { name: 'student' }),
          ...('perPage' in shape && { perPage: 50 }),
        }
        out.push({ call, path, ...(body && { body }) })
      }
    }
  }
  return out.filter(
    (one, i) => out.findIndex((o) => o.path === one.path && JSON.stringify(o.body) === JSON.stringify(one.body)) === i,
  )
}

beforeAll(async () => {
  uni = await testUniversity(AREA_SERVERS, { database: await demoDatabase() })
  const found = await one(`
    select s.id as student, s.user_id, s.faculty_id as faculty, s.program_id as program, s.bylaw_id as bylaw,
      r.id as registration, r.offering_id as offering, r.term_id as term, r.course_id as course
    from students s join registrations r on r.student_id = s.id join current_terms k on k.term_id = r.term_id and k.key = 'current_term'
    where s.user_id is not null and s.removed_at is null
      and exists (select from registrations o where o.student_id = s.id and o.term_id <> r.term_id and o.letter is not null)
    order by s.id limit 1`)
  const { user_id, ...numbers } = found
  Object.assign(ids, numbers)
  const teacher = await one(
    `select i.id, i.code from instructors i join offering_instructors o on o.instructor_id = i.id where o.offering_id = $1 limit 1`,
    [ids.offering],
  )
  ids.instructor = teacher.id
  const codes = await one('select code from students where id = $1', [ids.student])
  await mark(student, ids.student!, '30207149876543')
  await mark(instructor, ids.instructor!, '27006089876511')
  await uni.database.pool.query(
    `insert into student_holds (student_id, kind, note, note_local) values ($1, 'unpaid_invoice', 'mark-hold-note', 'mark-hold-note')`,
    [ids.student],
  )
  marks.push({ resource: student, field: 'blocked_reason', value: 'mark-hold-note' })

  root = await uni.signIn((await one('select id from users where is_root limit 1')).id)
  // A blocked student cannot sign in; a session that is there stays.
  own = await uni.signIn(user_id)
  for (const { key } of SEEDED_ROLES) {
    const who = await uni.as(key, undefined, { type: 1 })
    staff.set(key, who)
    const { id } = await one(
      `insert into instructors (code, name, name_local, faculty_id, user_id) values ($1, $1, 'عضو', $2, $3) returning id`,
      [`R${staff.size}`, ids.faculty, who.user_id],
    )
    await uni.database.pool.query(
      `insert into offering_instructors (offering_id, instructor_id, role) values ($1, $2, 'assistant') on conflict do nothing`,
      [ids.offering, id],
    )
    if (key === 'academic_advisor')
      await uni.database.pool.query('update students set advisor_id = $2 where id = $1', [ids.student, id])
  }
  Object.assign(ids, { student_code: codes.code, instructor_code: teacher.code })

  const reading = AREAS.flatMap((area) => callsOf(area)).filter(
    // What a page of a PDF tells is not looked for: the same stands in the sheet.
    (call) => call.reads && call.permission !== 'public' && !call.upload && call.file?.type !== 'pdf',
  )
  const names = [String(codes.code), String(teacher.code), ...marks.map((m) => m.value)]
  const subjects = { ...ids }
  delete subjects.student_code
  delete subjects.instructor_code
  for (const call of reading) {
    let all: Asked[] = []
    try {
      all = requests(call)
    } catch {
      continue // A body that cannot be made up: tried by the tests of its area.
    }
    for (const asked of all) {
      if (/\/pdf(?:\/|$)/.test(asked.path)) continue
      const { status, text } = await ask(root, asked)
      if (status === 200 && names.some((name) => text.includes(name))) telling.push({ ...asked, told: text })
    }
  }
}, 900_000)
afterAll(() => uni?.close())

const shown = ({ call, path }: Asked) => `${call.method} ${path}`
/** A number stands alone: the digits of a moment in a sheet (45957.31) tell no percentage. */
const told = (text: string, value: string): boolean =>
  /^\d+(\.\d+)?$/.test(value)
    ? new RegExp(`(?<![\\d.])${value.replace('.', '\\.')}(?!\\d)`).test(text)
    : text.includes(value)
/** What an answer tells of fields that the reader does not read. */
const leaks = (text: string, reads: (m: Mark) => boolean): string[] =>
  marks.filter((m) => !reads(m) && told(text, m.value)).map((m) => `${m.resource.name}.${m.field}`)

describe('who reads which field', () => {
  it('every field with readers is told by some call, so that the walk is none in vain', () => {
    expect(telling.length).toBeGreaterThan(40)
    const never = marks.filter((m) => !telling.some(({ told }) => told.includes(m.value)))
    expect(never.map((m) => `${m.resource.name}.${m.field}`)).toEqual([])
  })

  it.each(
    share(
      SEEDED_ROLES.map((role) => role.key),
      12,
    ),
  )('%s is told only what the definitions declare', async (key) => {
    const held = new Set(Object.keys(SEEDED_ROLES.find((role) => role.key === key)!.rights) as PermissionKey[])
    const reads = ({ resource, field }: Mark): boolean =>
      (resource.fields as Fields)[field]!.readers!.some((reader) => reader !== 'self' && held.has(reader))
    const wrong: string[] = []
    for (const asked of telling) {
      const { status, text } = await ask(staff.get(key)!, asked)
      if (status >= 500) wrong.push(`${shown(asked)}: ${status}`)
      wrong.push(...leaks(text, reads).map((field) => `${shown(asked)} tells ${field}`))
    }
    expect(wrong).toEqual([])
  })

  it('a student reads the own data, not what staff write', async () => {
    const reads = ({ resource, field }: Mark): boolean =>
      resource === student && (resource.fields as Fields)[field]!.readers!.includes('self')
    const wrong: string[] = []
    let told = ''
    const mine: Asked[] = [
      { call: { method: 'GET' } as Call, path: '/students/profile' },
      { call: { method: 'POST' } as Call, path: '/students/dashboard', body: {} },
    ]
    for (const asked of [...telling, ...mine]) {
      const { text } = await ask(own, asked)
      told += text
      wrong.push(...leaks(text, reads).map((field) => `${shown(asked)} tells ${field}`))
    }
    expect(wrong).toEqual([])
    // Students read the figures that are out, which are others than those of the row.
    const out = new Set(['passed_hours', 'warnings'])
    const missed = marks.filter(
      (m) => m.resource === student && reads(m) && !out.has(m.field) && !told.includes(m.value),
    )
    expect(missed.map((m) => m.field)).toEqual([])
  })
})
