import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessAndPeopleServer } from '#areas/people/access-and-people/access-and-people.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { createSession } from '#kit/server/identity/sessions.ts'
import { peopleServer } from '#areas/people/people/people.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { conversationServer } from '../conversation.server.ts'

let u: TestUniversity
let registrar: Caller
let other: Caller
let guide: Caller
let teacher: Caller
let mona: Caller
let omar: Caller
const id: Record<string, number> = {}
const q = async (text: string, values: unknown[] = []) => (await u.database.pool.query(text, values)).rows
const one = async (name: string, text: string, values: unknown[] = []) => (id[name] = (await q(text, values))[0].id)

const start = (who: Caller, people: Caller[], name?: string) =>
  who('PUT', '/chats', { user_ids: people.map((person) => person.user_id), ...(name && { name }) })
const begun = async (who: Caller, people: Caller[], name?: string): Promise<number> =>
  ok(await start(who, people, name)).id
const write = (who: Caller, chat: number, body: string, key: string = randomUUID(), file_ids: number[] = []) =>
  who('POST', `/chats/message/${chat}`, { body, key, file_ids })
const said = async (who: Caller, chat: number, more: object = {}): Promise<string[]> =>
  ok(await who('POST', `/chats/messages/${chat}`, more)).messages.map((one_: { body: string }) => one_.body)
const rowOf = async (who: Caller, chat: number) =>
  ok(await who('POST', '/chats', {})).find((row: { id: number }) => row.id === chat)
async function file(who: Caller, size = 10): Promise<number> {
  const { hash } = await u.services.storage.put(Readable.from([Buffer.from(`%PDF-1.4 ${randomUUID()}`)]))
  const [row] = await q(
    `insert into files (hash, name, ext, mime, size, created_by) values ($1, 'x.pdf', 'pdf', 'application/pdf', $2, $3) returning id`,
    [hash, size, who.user_id],
  )
  return row.id
}

beforeAll(async () => {
  u = await testUniversity([
    kitServer,
    accessAndPeopleServer,
    catalogueServer,
    peopleServer,
    studentsServer,
    conversationServer,
  ])
  await one('ENG', `insert into faculties (code, name, name_local) values ('ENG', 'ENG', 'كلية') returning id`)
  await one('MED', `insert into faculties (code, name, name_local) values ('MED', 'MED', 'كلية') returning id`)
  await one(
    'bylaw',
    `insert into bylaws (faculty_id, code, name, name_local, program_type, graduation_hours) values ($1, 'B', 'B', 'لائحة', 'credit_hours', 120) returning id`,
    [id.ENG],
  )
  await one(
    'program',
    `insert into programs (bylaw_id, faculty_id, code, name, name_local, min_credit_hours) values ($1, $2, 'P', 'P', 'برنامج', 120) returning id`,
    [id.bylaw, id.ENG],
  )
  for (const name of ['guide', 'teacher'])
    await one(
      name,
      `insert into instructors (code, name, name_local, faculty_id) values ($1, $1, 'مدرس', $2) returning id`,
      [name, id.ENG],
    )
  for (const name of ['mona', 'omar'])
    await one(
      name,
      `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level, advisor_id) values ($1, $1, 'طالب', $2, $3, $4, 1, $5) returning id`,
      [name, id.ENG, id.program, id.bylaw, name === 'mona' ? id.guide : null],
    )
  registrar = await u.as('registrar')
  other = await u.as('faculty_registrar', ['faculty', id.MED!])
  const person = async (role: string | null, type: 1 | 3, table: string, row: string): Promise<Caller> => {
    const caller = await u.as(role, undefined, { type, name: row })
    await q(`update ${table} set user_id = $1 where id = $2`, [caller.user_id, id[row]])
    return u.signIn(caller.user_id)
  }
  guide = await person('academic_advisor', 1, 'instructors', 'guide')
  teacher = await person('instructor', 1, 'instructors', 'teacher')
  mona = await person(null, 3, 'students', 'mona')
  omar = await person(null, 3, 'students', 'omar')
})
afterAll(() => u.close())

describe('who writes to whom', () => {
  test('staff to staff and to students within reach; students to their advisor and who teaches them', async () => {
    const may = async (who: Caller, whom: Caller) => (await start(who, [whom])).status
    expect([await may(registrar, other), await may(registrar, omar), await may(guide, mona)]).toEqual([200, 200, 200])
    expect([await may(other, omar), await may(guide, omar), await may(teacher, mona)]).toEqual([403, 403, 403])
    expect([await may(mona, omar), await may(mona, teacher), await may(omar, guide)]).toEqual([403, 403, 403])
    expect(reasons(await start(omar, [guide]))).toEqual(['chat_not_with@user_ids'])
    expect(reasons(await start(mona, [mona]))).toEqual(['chat_with_oneself@user_ids'])
    await q(`update users set blocked_at = now() where id = $1`, [other.user_id])
    expect(await may(teacher, other)).toBe(403)
    await q(`update users set blocked_at = null where id = $1`, [other.user_id])
    const found = ok(await mona('POST', '/chats/people', {})).map((row: { id: number }) => row.id)
    expect(found).toEqual([guide.user_id])
    expect(ok(await other('POST', '/chats/people', { search: 'omar' }))).toEqual([])
  })

  test('people are found and shown by the name they are called, and found by the legal one', async () => {
    await q(`update users set used_name = 'Zizi' where id = $1`, [guide.user_id])
    const legal = (await q('select name from users where id = $1', [guide.user_id]))[0].name
    for (const search of ['zizi', legal])
      expect(ok(await mona('POST', '/chats/people', { search }))).toMatchObject([{ id: guide.user_id, name: 'Zizi' }])
    const chat = await begun(mona, [guide])
    await write(mona, chat, 'Hello')
    expect((await rowOf(mona, chat)).people).toMatchObject([{ name: 'Zizi' }])
    expect(ok(await mona('POST', '/chats', { search: 'zizi' }))).toHaveLength(1)
    await q(`update users set used_name = null where id = $1`, [guide.user_id])
    await q(`delete from chat_messages where chat_id = $1`, [chat])
    await q(`delete from chat_members where chat_id = $1`, [chat])
    await q(`delete from chats where id = $1`, [chat])
  })

  test('who teaches a student is written to while it lasts; then the two read on', async () => {
    await q(`with y as (insert into years (code, name, name_local, start_date, end_date)
        values ('Y', 'Y', 'Y', university_today() - 100, university_today() + 100) returning id),
      t as (insert into terms (year_id, code, name, name_local, term_type, start_date, end_date)
        select id, 'T', 'T', 'T', 'fall', university_today() - 50, university_today() + 50 from y returning id),
      c as (insert into courses (faculty_id, code, name, name_local, credit_hours) values (${id.ENG}, 'C', 'C', 'C', 3) returning id),
      o as (insert into offerings (term_id, course_id, code) select t.id, c.id, '1' from t, c returning id, term_id, course_id),
      i as (insert into offering_instructors (offering_id, instructor_id) select id, ${id.teacher} from o)
      insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours)
      select ${id.omar}, id, term_id, course_id, 262160, 3 from o`)
    const chat = await begun(omar, [teacher])
    ok(await write(omar, chat, 'A question.'))
    ok(await write(teacher, chat, 'An answer.'))
    // The course is dropped: the student begins nothing with the teacher, who reaches the student's record still and is answered.
    await q(`update registrations set status = (status & ~262144::bigint) | 549755813888 where student_id = $1`, [
      id.omar,
    ])
    expect(ok(await omar('POST', '/chats/people', {}))).toEqual([])
    ok(await write(omar, chat, 'Thank you.'))
    await q(`delete from offering_instructors where instructor_id = $1`, [id.teacher])
    for (const who of [omar, teacher]) {
      expect(reasons(await write(who, chat, 'One thing more.'))).toEqual(['chat_ended'])
      const shown = ok(await who('POST', `/chats/messages/${chat}`, {}))
      expect([shown.messages.length, shown.abilities]).toEqual([3, ['mute']])
    }
  })
  test('to a blocked account nothing is written, what was said is read', async () => {
    const chat = await begun(guide, [other])
    ok(await write(guide, chat, 'Before.'))
    await q(`update users set blocked_at = now() where id = $1`, [other.user_id])
    expect(reasons(await write(guide, chat, 'After.'))).toEqual(['chat_ended'])
    expect(await said(guide, chat)).toEqual(['Before.'])
    await q(`update users set blocked_at = null where id = $1`, [other.user_id])
    ok(await write(guide, chat, 'After.'))
  })
  test('who is logged in as somebody sees nothing of what that person writes', async () => {
    const chat = await begun(guide, [mona])
    ok(await write(guide, chat, 'Between us.'))
    const kept = await file(mona)
    const { id: session_id } = await createSession(u.database.pool, { user_id: registrar.user_id, ip: null })
    const { token } = await createSession(u.database.pool, {
      user_id: mona.user_id,
      ip: null,
      impersonator: { user_id: registrar.user_id, session_id, read_only: false },
    })
    const as = (method: 'GET' | 'POST', url: string, payload?: object) =>
      u.app.inject({
        method,
        url: `/api${url}`,
        headers: { authorization: `Bearer ${token}` },
        ...(payload && { payload }),
      })
    for (const [path, body] of [
      ['/chats', {}],
      [`/chats/messages/${chat}`, {}],
      [`/chats/message/${chat}`, { body: 'x', key: randomUUID() }],
      ['/chats/people', {}],
    ] as const)
      expect((await as('POST', path, body)).json().message, path).toBe('personal')
    const live = async (answer: { json(): any } | Promise<{ json(): any }>) =>
      (await answer).json().data.chat_notification_count
    expect(await live(as('GET', '/users/live-data'))).toBe(0)
    expect(ok(await mona('GET', '/users/live-data')).chat_notification_count).toBe(1)
    expect((await mona('GET', `/files/${kept}/x.pdf`)).status).toBe(200)
    expect((await as('GET', `/files/${kept}/x.pdf`)).statusCode).toBe(404)
  })
  test('what one who teaches has begun, the student goes on with', async () => {
    const chat = await begun(registrar, [omar])
    ok(await write(registrar, chat, 'Please come by.'))
    ok(await write(omar, chat, 'I do.'))
    expect(await said(registrar, chat)).toEqual(['Please come by.', 'I do.'])
  })
  test('a conversation of two is one, also when both begin at the same moment', async () => {
    const [a, b] = await Promise.all([begun(guide, [registrar]), begun(registrar, [guide])])
    expect(a).toBe(b)
    expect(await begun(guide, [registrar])).toBe(a)
  })
  test('nobody else gets anything of it', async () => {
    const chat = await begun(guide, [mona])
    ok(await write(guide, chat, 'PRIVATE'))
    for (const who of [omar, teacher, registrar]) {
      for (const [method, path, body] of [
        ['POST', `/chats/messages/${chat}`, {}],
        ['POST', `/chats/message/${chat}`, { body: 'x', key: randomUUID() }],
        ['POST', `/chats/read/${chat}`, { message_id: 1 }],
        ['POST', `/chats/typing/${chat}`, undefined],
        ['PUT', `/chats/mute/${chat}`, { muted: true }],
        ['POST', `/chats/leave/${chat}`, undefined],
        ['POST', `/chats/members/${chat}`, { user_ids: [1] }],
        ['POST', `/chats/take-out/${chat}`, { user_id: mona.user_id }],
      ] as const)
        expect((await who(method, path, body)).status, path).toBe(404)
      expect(JSON.stringify((await who('POST', '/chats', {})).body)).not.toContain('PRIVATE')
      expect(ok(await who('POST', '/chats', { search: 'mona' }))).toEqual([])
    }
    expect(JSON.stringify(await q(`select new from audit_log where table_name = 'chat_messages'`))).not.toContain(
      'PRIVATE',
    )
    expect((await u.nobody('POST', '/chats', {})).status).toBe(401)
  })
})

describe('messages', () => {
  test('sent twice by a retry are stored once, also at the same moment', async () => {
    const chat = await begun(teacher, [registrar])
    const key = randomUUID()
    const [first, second] = await Promise.all([write(teacher, chat, 'Once.', key), write(teacher, chat, 'Once.', key)])
    expect(ok(first).id).toBe(ok(second).id)
    expect(await said(registrar, chat)).toEqual(['Once.'])
    // Changed meanwhile, it is another message: nothing is lost in silence.
    expect(reasons(await write(teacher, chat, 'Twice.', key))).toEqual(['message_key_used'])
    const elsewhere = await begun(teacher, [guide])
    expect(reasons(await write(teacher, elsewhere, 'Once.', key))).toEqual(['message_key_used'])
  })
  test('are counted until they are read, and the others see how far', async () => {
    const chat = await begun(other, [registrar])
    for (const text of ['one', 'two', 'three']) ok(await write(other, chat, text))
    expect((await rowOf(registrar, chat)).unread).toBe(3)
    expect((await rowOf(other, chat)).unread).toBe(0)
    const messages = ok(await registrar('POST', `/chats/messages/${chat}`, {})).messages as { id: number }[]
    ok(await registrar('POST', `/chats/read/${chat}`, { message_id: messages[1]!.id }))
    expect((await rowOf(registrar, chat)).unread).toBe(1)
    // Late and out of order: it does not go back.
    ok(await registrar('POST', `/chats/read/${chat}`, { message_id: messages[0]!.id }))
    expect((await rowOf(registrar, chat)).unread).toBe(1)
    ok(await registrar('POST', `/chats/read/${chat}`, { message_id: 2_000_000_000 }))
    ok(await write(other, chat, 'four'))
    expect((await rowOf(registrar, chat)).unread).toBe(1)
    expect(ok(await other('POST', `/chats/messages/${chat}`, {})).read).toEqual([
      { user_id: registrar.user_id, to: messages[2]!.id },
    ])
  })
  test('are searched, and read page by page', async () => {
    const chat = await begun(other, [registrar])
    expect(await said(registrar, chat, { search: 'THREE' })).toEqual(['three'])
    const page = ok(await registrar('POST', `/chats/messages/${chat}`, { limit: 2 }))
    expect([page.more, page.messages.map((m: { body: string }) => m.body)]).toEqual([true, ['three', 'four']])
    expect(await said(registrar, chat, { before: page.messages[0].id, limit: 10 })).toEqual(['one', 'two'])
  })
  test('have text or files: the own ones, twelve at most, none above 3 MB', async () => {
    const chat = await begun(guide, [registrar])
    expect(reasons(await write(guide, chat, ''))).toEqual(['chat_empty@body'])
    expect(reasons(await write(guide, chat, '', randomUUID(), [await file(registrar)]))).toEqual([
      'reference_missing@file_ids',
    ])
    expect(reasons(await write(guide, chat, '', randomUUID(), [await file(guide, 3_000_001)]))).toEqual([
      'message_file_too_large@file_ids',
    ])
    const many = Array.from({ length: 13 }, (_, i) => i + 1)
    expect(reasons(await write(guide, chat, '', randomUUID(), many))).toEqual(['message_files@file_ids'])
    const kept = await file(guide)
    const { files } = ok(await write(guide, chat, '', randomUUID(), [kept]))
    expect(files).toHaveLength(1)
    // The address is the reader's own; neither it nor a guessed one opens the file for others, nor a second message.
    expect((await guide('GET', files[0].url.replace('/api', ''))).status).toBe(200)
    for (const who of [mona, other])
      for (const url of [files[0].url.replace('/api', ''), `/files/${kept}/x.pdf`])
        expect((await who('GET', url)).status).toBe(404)
    const elsewhere = await begun(guide, [mona])
    expect((await write(guide, elsewhere, '', randomUUID(), [kept])).status).toBe(422)
  })
  test('are delivered to who takes part, live, and to nobody else', async () => {
    const chat = await begun(guide, [mona])
    type Heard = {
      to: number[]
      type: string
      personal: boolean
      data: { chat_id: number; message?: { body: string } }
    }
    const heard: Heard[] = []
    const stop = u.services.events.on('live_event', (payload) => {
      const event = JSON.parse(payload) as Heard
      if (event.data.chat_id === chat) heard.push(event)
    })
    const live = ok(await write(guide, chat, 'Live.'))
    ok(await write(guide, chat, 'م'.repeat(4000)))
    ok(await mona('POST', `/chats/typing/${chat}`))
    ok(await mona('POST', `/chats/read/${chat}`, { message_id: live.id }))
    await expect.poll(() => heard.length).toBe(4)
    stop()
    // One notice for all of them; what is long is asked for.
    const both = [guide.user_id, mona.user_id].toSorted((a, b) => a - b)
    expect(
      heard.map(({ to, type, personal, data }) => [type, to.toSorted((a, b) => a - b), personal, data.message?.body]),
    ).toEqual([
      ['chat_message', both, true, 'Live.'],
      ['chat_message', both, true, undefined],
      ['chat_typing', [guide.user_id], true, undefined],
      ['chat_read', both, true, undefined],
    ])
  })
})

describe('groups', () => {
  test('are made by staff with a name; who joins does not see what was said before, who leaves keeps what was', async () => {
    expect(reasons(await start(registrar, [guide, teacher]))).toEqual(['required@name'])
    expect(reasons(await start(mona, [guide], 'Ours'))).toEqual(['chat_groups_by_staff'])
    const chat = await begun(registrar, [guide, mona], 'Field trip')
    ok(await write(registrar, chat, 'before'))
    ok(await registrar('POST', `/chats/members/${chat}`, { user_ids: [teacher.user_id] }))
    ok(await write(guide, chat, 'with all'))
    expect(await said(teacher, chat)).toEqual(['with all'])
    expect((await mona('POST', `/chats/members/${chat}`, { user_ids: [omar.user_id] })).status).toBe(403)
    ok(await guide('POST', `/chats/leave/${chat}`))
    ok(await write(registrar, chat, 'after'))
    expect(await said(guide, chat)).toEqual(['before', 'with all'])
    expect(await rowOf(guide, chat)).toMatchObject({ left: true, unread: 0, last: { body: 'with all' } })
    expect(reasons(await write(guide, chat, 'still'))).toEqual(['chat_left'])
    expect(reasons(await guide('POST', `/chats/leave/${chat}`))).toEqual(['chat_left'])
    expect(await said(mona, chat)).toEqual(['before', 'with all', 'after'])
    // Who wrote what is read hears of it, and nobody else.
    const told: { type: string; to: number[] }[] = []
    const stop = u.services.events.on('live_event', (payload) => {
      const event = JSON.parse(payload) as (typeof told)[number]
      // What was written before may still be on its way.
      if (event.type === 'chat_read') told.push(event)
    })
    const last = ok(await mona('POST', `/chats/messages/${chat}`, {})).last.id
    ok(await mona('POST', `/chats/read/${chat}`, { message_id: last }))
    await expect.poll(() => told.length).toBe(1)
    stop()
    expect(told[0]!.to.toSorted()).toEqual([mona, registrar, guide].map((one_) => one_.user_id).toSorted())
    // Who is added again has missed what was said meanwhile.
    ok(await registrar('POST', `/chats/members/${chat}`, { user_ids: [guide.user_id] }))
    ok(await write(registrar, chat, 'again'))
    expect(await said(guide, chat)).toEqual(['before', 'with all', 'again'])
    expect(await rowOf(guide, chat)).toMatchObject({ left: false, unread: 1 })
    const two = await begun(guide, [registrar])
    expect(reasons(await guide('POST', `/chats/leave/${two}`))).toEqual(['chat_of_two'])
    const others = { user_ids: [mona.user_id] }
    expect(reasons(await guide('POST', `/chats/members/${two}`, others))).toEqual(['chat_of_two'])
    const out = { user_id: registrar.user_id }
    expect(reasons(await guide('POST', `/chats/take-out/${two}`, out))).toEqual(['chat_of_two'])
  })
  test('hold two hundred people, and nobody more', async () => {
    const chat = await begun(registrar, [guide, teacher], 'Everybody')
    const people = await q(
      `insert into users (type, name, name_local) select 2, 'U' || n, 'م' from generate_series(1, 198) as n returning id`,
    )
    const user_ids = people.map((row) => row.id)
    const add = (ids: number[]) => registrar('POST', `/chats/members/${chat}`, { user_ids: ids })
    expect(reasons(await add(user_ids))).toEqual(['chat_too_many@user_ids'])
    ok(await add(user_ids.slice(1)))
    expect(reasons(await add(user_ids.slice(0, 1)))).toEqual(['chat_too_many@user_ids'])
  })
  test('are cleared by who made them: somebody is taken out, and keeps what was said', async () => {
    const chat = await begun(registrar, [guide, mona], 'Committee')
    ok(await write(registrar, chat, 'before'))
    const out = (who: Caller, user_id: number) => who('POST', `/chats/take-out/${chat}`, { user_id })
    const may = async (who: Caller) =>
      ok(await who('POST', `/chats/messages/${chat}`, {})).abilities.includes('take_out')
    expect([await may(registrar), await may(guide)]).toEqual([true, false])
    expect(reasons(await out(guide, mona.user_id))).toEqual(['chat_not_made'])
    expect(reasons(await out(registrar, registrar.user_id))).toEqual(['chat_take_out_self@user_id'])
    ok(await out(registrar, mona.user_id))
    expect(reasons(await out(registrar, mona.user_id))).toEqual(['chat_not_in@user_id'])
    ok(await write(registrar, chat, 'after'))
    expect(await said(mona, chat)).toEqual(['before'])
    expect(reasons(await write(mona, chat, 'still'))).toEqual(['chat_left'])
  })
  test('a muted one is not counted in what waits for the person', async () => {
    const chat = await begun(other, [teacher])
    ok(await write(other, chat, 'hello'))
    ok(await teacher('PUT', `/chats/mute/${chat}`, { muted: true }))
    expect(await rowOf(teacher, chat)).toMatchObject({ muted: true, unread: 1 })
    const waits = async () => ok(await teacher('GET', '/users/live-data')).chat_notification_count
    const before = await waits()
    ok(await teacher('PUT', `/chats/mute/${chat}`, { muted: false }))
    expect(await waits()).toBe(before + 1)
  })
})
