import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '#kit/server/unit/request.ts'
import { readSheet } from '#kit/server/sheets/index.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Answer, Caller, TestUniversity } from '#tests/university.ts'
import { conversationServer } from '../conversation.server.ts'
import { closeResolved } from './ticket-calls.server.ts'

let u: TestUniversity
let registrar: Caller
let help: Caller
let desk: Caller
let rooms: Caller
let mona: Caller
let omar: Caller
const group: Record<string, number> = {}
const q = async (text: string, values: unknown[] = []) => (await u.database.pool.query(text, values)).rows

const open = (who: Caller, more: object = {}): Promise<Answer> =>
  who('PUT', '/tickets', {
    group_id: group.REG,
    type: 'question',
    subject: 'Two courses of level four',
    description: 'May I take them?',
    key: randomUUID(),
    ...more,
  })
const opened = async (who: Caller, more: object = {}): Promise<{ id: number; number: string }> =>
  ok(await open(who, more))
const reply = (who: Caller, id: number, body = 'Yes.', key: string = randomUUID(), file_ids: number[] = []) =>
  who('POST', `/tickets/reply/${id}`, { body, key, file_ids })
const note = (who: Caller, id: number, body = 'SECRET among us') =>
  who('POST', `/tickets/note/${id}`, { body, key: randomUUID() })
const step = (who: Caller, id: number, action: string) => who('PUT', `/tickets/status/${action}/${id}`, {})
const statusOf = async (id: number): Promise<string> =>
  (await q('select status from tickets where id = $1', [id]))[0].status
async function file(who: Caller, size = 10, name = 'proof.pdf'): Promise<number> {
  const [row] = await q(
    `insert into files (hash, name, ext, mime, size, created_by) values (md5(random()::text) || md5(random()::text), $1, 'pdf', 'application/pdf', $2, $3) returning id`,
    [name, size, who.user_id],
  )
  return row.id
}

beforeAll(async () => {
  u = await testUniversity([conversationServer])
  registrar = await u.as('registrar')
  help = await u.as('faculty_registrar')
  desk = await u.as('registration_unit')
  rooms = await u.as('competent_employee')
  mona = await u.as(null, undefined, { type: 3, name: 'mona' })
  omar = await u.as(null, undefined, { type: 3, name: 'omar' })
  for (const [code, members] of [
    ['REG', [help, desk]],
    ['ROOM', [rooms]],
    ['EMPTY', []],
  ] as const) {
    group[code] = ok(
      await registrar('PUT', '/ticket-groups', {
        code,
        name: code,
        name_local: 'مجموعة',
        opens: '09:00',
        closes: '15:00',
        week: 'sun_thu',
        response_hours: 4,
        resolution_hours: 24,
        members: members.map((one) => one.user_id),
      }),
    ).id
  }
})
afterAll(() => u.close())

describe('a ticket group', () => {
  test('is offered to who asks, when somebody would answer; its members work here', async () => {
    expect(ok(await mona('GET', '/ticket-groups/groups')).map((one: { code: string }) => one.code)).toEqual([
      'REG',
      'ROOM',
    ])
    expect((await mona('POST', '/ticket-groups', {})).status).toBe(403)
    expect(reasons(await registrar('POST', `/ticket-groups/${group.ROOM}`, { members: [mona.user_id] }))).toEqual([
      'ticket_member_works_here@members',
    ])
    expect(
      reasons(await registrar('PUT', `/ticket-groups/${group.ROOM}`, { opens: '15:00', closes: '09:00' })),
    ).toEqual(['ticket_group_hours@closes'])
  })
  test('is part of one that stands by itself, in two levels', async () => {
    ok(await registrar('POST', `/ticket-groups/${group.EMPTY}`, { parent_id: group.ROOM }))
    for (const [child, parent] of [
      ['REG', 'EMPTY'],
      ['ROOM', 'REG'],
      ['ROOM', 'ROOM'],
    ])
      expect(reasons(await registrar('PUT', `/ticket-groups/${group[child!]}`, { parent_id: group[parent!] }))).toEqual(
        ['ticket_group_levels@parent_id'],
      )
  })
  test('with tickets cannot be removed', async () => {
    await opened(mona, { group_id: group.ROOM })
    expect(reasons(await registrar('DELETE', `/ticket-groups/${group.ROOM}`))).toEqual(['ticket_group_has_tickets'])
    expect((await help('DELETE', `/ticket-groups/${group.EMPTY}`)).status).toBe(403)
    ok(await registrar('DELETE', `/ticket-groups/${group.EMPTY}`))
    expect(reasons(await open(mona, { group_id: group.EMPTY }))).toEqual(['reference_missing@group_id'])
  })
})

describe('who sees a ticket', () => {
  test('who asked and the members of its group; others are told that it is not there', async () => {
    const { id } = await opened(mona)
    for (const who of [mona, help, desk]) expect(ok(await who('GET', `/tickets/${id}`)).messages).toHaveLength(1)
    for (const who of [omar, rooms]) {
      expect((await who('GET', `/tickets/${id}`)).status).toBe(404)
      expect((await reply(who, id)).status).toBe(404)
      expect((await step(who, id, 'close')).status).toBe(404)
      expect((await who('PUT', `/tickets/status/${id}`, { status: 'closed' })).status).toBe(404)
      expect((await who('GET', `/tickets/steps/${id}`)).status).toBe(404)
      expect((await who('POST', `/tickets/rate/${id}`, { score: 1 })).status).toBe(404)
    }
    for (const path of ['note', 'reply'])
      expect((await rooms('POST', `/tickets/${path}/${id}`, { body: 'x', key: randomUUID() })).status).toBe(404)
    expect((await rooms('PUT', `/tickets/group/${id}`, { group_id: group.ROOM })).status).toBe(404)
    const ids = async (who: Caller, path: string) =>
      ok(await who('POST', path, { perPage: 100 })).map((row: { id: number }) => row.id)
    expect(await ids(mona, '/my-tickets')).toContain(id)
    expect(await ids(omar, '/my-tickets')).toEqual([])
    expect(await ids(help, '/tickets')).toContain(id)
    expect(await ids(rooms, '/tickets')).not.toContain(id)
    expect((await mona('POST', '/tickets', {})).status).toBe(403)
    expect((await u.nobody('GET', `/tickets/${id}`)).status).toBe(401)
  })
  test('texts that answer what is asked often: of the group, the one above it and all, for who answers', async () => {
    const kept = async (code: string, group_id: number | null) =>
      ok(
        await registrar('PUT', '/answer-texts', {
          code,
          name: code,
          name_local: 'نص',
          group_id,
          text: `${code} {name}`,
          text_local: 'عزيزي {name}',
        }),
      )
    await kept('ALL', null)
    await kept('OWN', group.REG!)
    await kept('OTHER', group.ROOM!)
    const { id } = await opened(mona)
    const texts = ok(await help('GET', `/tickets/answer-texts/${id}`))
    expect(texts.map((one: { name: string; text: string }) => [one.name, one.text])).toEqual([
      ['ALL', 'ALL {name}'],
      ['OWN', 'OWN {name}'],
    ])
    expect((await mona('GET', `/tickets/answer-texts/${id}`)).status).toBe(403)
    expect((await rooms('GET', `/tickets/answer-texts/${id}`)).status).toBe(404)
  })
  test('an internal note is in no answer, history, sheet or notice of who asked', async () => {
    const { id, number } = await opened(mona)
    ok(await note(help, id))
    ok(await reply(help, id, 'We look at it.'))
    expect(JSON.stringify(ok(await desk('GET', `/tickets/${id}`)))).toContain('SECRET')
    const seen = [
      await mona('GET', `/tickets/${id}`),
      await mona('POST', '/my-tickets', { search: number }),
      await mona('GET', `/tickets/steps/${id}`),
      await reply(mona, id, 'Thank you.'),
    ]
    for (const answer of seen) {
      expect(answer.status).toBe(200)
      expect(JSON.stringify(answer.body)).not.toMatch(/SECRET|notice_ticket_note/)
    }
    expect(
      JSON.stringify(await q('select key, data from notifications where user_id = $1', [mona.user_id])),
    ).not.toMatch(/SECRET|notice_ticket_note/)
    expect((await note(mona, id)).status).toBe(403)
    // Not in the trail either, which more people read than the group.
    expect(JSON.stringify(await q(`select new from audit_log where table_name = 'ticket_messages'`))).not.toContain(
      'SECRET',
    )
    // A member who asks the own group is who asked.
    const own = await opened(help)
    ok(await note(desk, own.id))
    expect(JSON.stringify((await help('GET', `/tickets/${own.id}`)).body)).not.toContain('SECRET')
    expect(reasons(await note(help, own.id))).toEqual(['step_own'])
    expect(reasons(await step(help, own.id, 'resolve'))).toEqual(['step_own'])
    expect(reasons(await help('PUT', `/tickets/group/${own.id}`, { group_id: group.ROOM }))).toEqual(['step_own'])
  })
})

describe('a number', () => {
  test('has no gaps, also when tickets are opened at once and some are refused', async () => {
    const before = (await q('select max(number) as last from tickets'))[0].last as string
    const answers = await Promise.all([
      open(mona),
      open(omar),
      open(mona, { file_ids: [999_999] }),
      open(omar),
      open(mona, { group_id: 999_999 }),
      open(mona),
    ])
    expect(answers.map((one) => one.status).toSorted()).toEqual([200, 200, 200, 200, 422, 422])
    const numbers = answers
      .flatMap((one) => (one.status === 200 ? [Number(ok(one).number.split('-')[2])] : []))
      .toSorted((a, b) => a - b)
    const first = Number(before.split('-')[2]) + 1
    expect(numbers).toEqual([first, first + 1, first + 2, first + 3])
  })
  test('a ticket or a reply sent twice by a retry is stored once', async () => {
    const key = randomUUID()
    const [one, two] = await Promise.all([open(mona, { key }), open(mona, { key })])
    expect(ok(one).id).toBe(ok(two).id)
    const again = randomUUID()
    await Promise.all([reply(help, ok(one).id, 'Once.', again), reply(help, ok(one).id, 'Once.', again)])
    expect(ok(await mona('GET', `/tickets/${ok(one).id}`)).messages.map((m: { body: string }) => m.body)).toEqual([
      'May I take them?',
      'Once.',
    ])
    const other = await opened(mona)
    expect(reasons(await reply(help, other.id, 'Once.', again))).toEqual(['message_key_used'])
  })
})

describe('its way', () => {
  test('taken on by a reply, waiting, answered, resolved, opened again by who asked', async () => {
    const { id } = await opened(mona)
    expect(ok(await reply(help, id)).status).toBe('in_progress')
    expect((await q('select responded_at is not null as did from tickets where id = $1', [id]))[0].did).toBe(true)
    ok(await step(help, id, 'wait'))
    expect(ok(await reply(mona, id, 'Here it is.')).status).toBe('in_progress')
    ok(await step(desk, id, 'resolve'))
    expect((await q('select resolved_at is not null as did from tickets where id = $1', [id]))[0].did).toBe(true)
    expect(ok(await reply(mona, id, 'It is not.')).status).toBe('reopened')
    expect((await q('select resolved_at is null as open from tickets where id = $1', [id]))[0].open).toBe(true)
    ok(await step(mona, id, 'close'))
    expect(reasons(await reply(mona, id))).toEqual(['ticket_closed'])
    expect(reasons(await step(help, id, 'resolve'))).toEqual(['step_state'])
    ok(await mona('PUT', `/tickets/status/${id}`, { status: 'reopened' }))
    expect(reasons(await mona('PUT', `/tickets/status/${id}`, { status: 'resolved' }))).toEqual([
      'step_own',
      'step_permission',
    ])
    expect(reasons(await help('PUT', `/tickets/status/${id}`, { status: 'open' }))).toEqual(['step_state'])
    const steps = ok(await mona('GET', `/tickets/steps/${id}`))
    expect(steps.map((one: { to: string }) => one.to)).toEqual([
      'reopened',
      'closed',
      'reopened',
      'resolved',
      'in_progress',
      'waiting',
      'in_progress',
      'open',
    ])
  })
  test('tells who asked, and the group, but never who did it', async () => {
    const { id } = await opened(omar)
    const keys = async (who: Caller) =>
      (
        await q(`select key from notifications where user_id = $1 and link like '%/' || $2 order by id`, [
          who.user_id,
          id,
        ])
      ).map((row) => row.key.split('.')[1])
    ok(await reply(help, id))
    ok(await step(help, id, 'resolve'))
    ok(await step(omar, id, 'reopen'))
    ok(await step(omar, id, 'close'))
    expect(await keys(omar)).toEqual(['notice_ticket_reply', 'notice_ticket_status'])
    expect(await keys(desk)).toEqual(['notice_ticket_asked', 'notice_ticket_reopened'])
    expect(await keys(rooms)).toEqual([])
  })
  test('handed to another group: that one sees it, the first no more; it stands in the history', async () => {
    const { id } = await opened(mona)
    ok(await note(help, id))
    expect(reasons(await help('PUT', `/tickets/group/${id}`, { group_id: group.REG }))).toEqual(['ticket_group_same'])
    expect((await mona('PUT', `/tickets/group/${id}`, { group_id: group.ROOM })).status).toBe(403)
    ok(await help('PUT', `/tickets/group/${id}`, { group_id: group.ROOM, version: 1 }))
    expect((await help('GET', `/tickets/${id}`)).status).toBe(404)
    expect(ok(await rooms('GET', `/tickets/${id}`)).messages).toHaveLength(2)
    expect(ok(await rooms('GET', `/tickets/steps/${id}`))[0]).toMatchObject({ action: 'route', reason: 'REG → ROOM' })
    expect(reasons(await rooms('PUT', `/tickets/group/${id}`, { group_id: group.REG, version: 1 }))).toEqual([
      'changed_meanwhile',
    ])
    // Who handed it over has not asked it: the new group decides.
    ok(await step(rooms, id, 'resolve'))
  })
  test('of many at once each with its result', async () => {
    const [one, two] = [await opened(mona), await opened(omar, { group_id: group.ROOM })]
    const answer = ok(await help('POST', '/tickets/bulk/resolve', { ids: [one.id, two.id] }))
    expect(answer.done).toEqual([one.id])
    expect(answer.failed.map((f: { id: number; errors: { code: string }[] }) => [f.id, f.errors[0]!.code])).toEqual([
      [two.id, 'not_found'],
    ])
  })
  test('closed by itself a week after it was resolved', async () => {
    const [old, young] = [await opened(mona), await opened(mona)]
    for (const { id } of [old, young]) ok(await step(help, id, 'resolve'))
    await q(`update tickets set resolved_at = now() - interval '8 days' where id = $1`, [old.id])
    await closeResolved.run(asSystem(u.services, 'test'), {}, (async () => {}) as never)
    expect([await statusOf(old.id), await statusOf(young.id)]).toEqual(['closed', 'resolved'])
  })
})

describe('merging', () => {
  test('puts what was said into the other, closes the one, and is not taken back', async () => {
    const [one, two] = [await opened(mona, { description: 'First.' }), await opened(mona, { description: 'Second.' })]
    ok(await note(help, one.id))
    expect(ok(await help('POST', `/tickets/merge/${one.id}`, { into_id: two.id })).number).toBe(two.number)
    const said = ok(await mona('GET', `/tickets/${two.id}`)).messages.map((m: { body: string }) => m.body)
    expect(said).toEqual(['First.', 'Second.'])
    expect(ok(await mona('GET', `/tickets/${one.id}`))).toMatchObject({
      status: 'closed',
      merged_into: { number: two.number },
      messages: [],
    })
    for (const answer of [
      await step(mona, one.id, 'reopen'),
      await reply(mona, one.id),
      await help('POST', `/tickets/merge/${one.id}`, { into_id: two.id }),
    ])
      expect(reasons(answer)).toEqual(['ticket_merged'])
  })
  test('is refused between two persons, into itself, into a closed one, and to others', async () => {
    const [one, two, foreign] = [await opened(mona), await opened(mona), await opened(omar)]
    expect(reasons(await help('POST', `/tickets/merge/${one.id}`, { into_id: foreign.id }))).toEqual([
      'ticket_merge_other_person',
    ])
    expect(reasons(await help('POST', `/tickets/merge/${one.id}`, { into_id: one.id }))).toEqual([
      'ticket_merge_itself@into_id',
    ])
    expect((await rooms('POST', `/tickets/merge/${one.id}`, { into_id: two.id })).status).toBe(404)
    expect((await mona('POST', `/tickets/merge/${one.id}`, { into_id: two.id })).status).toBe(403)
    ok(await step(mona, two.id, 'close'))
    expect(reasons(await help('POST', `/tickets/merge/${one.id}`, { into_id: two.id }))).toEqual(['ticket_closed'])
  })
  test('crosswise at the same moment: one happens', async () => {
    const [one, two] = [await opened(mona), await opened(mona)]
    const answers = await Promise.all([
      help('POST', `/tickets/merge/${one.id}`, { into_id: two.id }),
      desk('POST', `/tickets/merge/${two.id}`, { into_id: one.id }),
    ])
    expect(answers.map((one_) => one_.status).toSorted()).toEqual([200, 409])
  })
})

describe('files', () => {
  test('are those of who writes, not above 3 MB, twelve at most, and beside one message', async () => {
    const { id } = await opened(mona)
    const mine = await file(mona)
    expect(reasons(await reply(mona, id, 'x', randomUUID(), [await file(omar)]))).toEqual([
      'reference_missing@file_ids',
    ])
    expect(reasons(await reply(mona, id, 'x', randomUUID(), [await file(mona, 3_000_001)]))).toEqual([
      'message_file_too_large@file_ids',
    ])
    expect(
      (
        await reply(
          mona,
          id,
          'x',
          randomUUID(),
          Array.from({ length: 13 }, (_, i) => i + 1),
        )
      ).status,
    ).toBe(422)
    const said = ok(await reply(mona, id, 'x', randomUUID(), [mine])).messages.at(-1)
    expect(said.files).toMatchObject([{ id: mine, name: 'proof.pdf' }])
    expect(reasons(await reply(mona, id, 'y', randomUUID(), [mine]))).toEqual(['reference_missing@file_ids'])
    // The address is for who reads it alone.
    const seen = ok(await help('GET', `/tickets/${id}`)).messages.at(-1).files[0].url as string
    expect((await omar('GET', seen.replace('/api', ''))).status).toBe(404)
  })
})

describe('times and figures', () => {
  test('count working hours of the working week: not the night, not the days off', async () => {
    // The 19th of November 2026 is a Thursday.
    const [row] =
      await q(`select working_minutes(x.a at time zone university_zone(), x.b at time zone university_zone(), '09:00', '15:00', 'sun_thu') as one,
        working_minutes(x.a at time zone university_zone(), x.c at time zone university_zone(), '09:00', '15:00', 'sun_thu') as two,
        working_minutes(x.a at time zone university_zone(), x.b at time zone university_zone(), '09:00', '15:00', 'sat_thu') as three,
        working_minutes(x.a at time zone university_zone(), x.b at time zone university_zone(), '09:00', '15:00', 'mon_fri') as four
      from (values (timestamp '2026-11-19 14:00', timestamp '2026-11-22 10:30', timestamp '2026-11-19 14:20')) x (a, b, c)`)
    // Saturdays from nine to three where that is a working day; Friday, and no Sunday, elsewhere.
    expect([row.one, row.two, row.three, row.four]).toEqual([60 + 90, 20, 60 + 360 + 90, 60 + 360])
  })
  test('say what is late, filter by it, and go into the sheet', async () => {
    const { id, number } = await opened(omar)
    await q(`update tickets set created_at = now() - interval '20 days' where id = $1`, [id])
    const list = ok(await help('POST', '/tickets', { filters: { late: true }, perPage: 100 }))
    expect(list.map((row: { id: number }) => row.id)).toContain(id)
    expect(list.every((row: { late: boolean }) => row.late)).toBe(true)
    const { bytes } = await help('POST', '/tickets/export', { search: number, lang: 'en' })
    expect(JSON.stringify(await readSheet(bytes))).toContain(number)
    expect(reasons(await rooms('POST', '/tickets/export', { search: number, lang: 'en' }))).toEqual(['no_rows'])
  })
  test('satisfaction is said by who asked, once it is resolved', async () => {
    const { id } = await opened(mona)
    const rate = (who: Caller, score = 4) => who('POST', `/tickets/rate/${id}`, { score })
    expect(reasons(await rate(mona))).toEqual(['ticket_rate_early'])
    ok(await reply(help, id))
    ok(await step(help, id, 'resolve'))
    expect(reasons(await rate(help))).toEqual(['ticket_rate_asker'])
    expect(reasons(await help('PUT', `/tickets/status/${id}`, { status: 'asleep' }))).toEqual([
      'ticket_new_status@status',
    ])
    expect(reasons(await help('PUT', `/tickets/group/${id}`, { group_id: 'x' }))).toEqual(['ticket_new_group@group_id'])
    ok(await rate(mona))
    expect((await rate(mona, 6)).status).toBe(422)
    const figures = ok(await help('POST', '/tickets/statistics', {}))
    expect(figures.groups.map((one: { group: { code: string } }) => one.group.code)).toEqual(['REG'])
    expect(figures.groups[0]).toMatchObject({ score: '4.0', response_in_time: 100 })
    expect(figures.days).toHaveLength(30)
    expect((await mona('POST', '/tickets/statistics', {})).status).toBe(403)
  })
})
