import { request } from 'node:http'
import type { ClientRequest } from 'node:http'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpu, memoryOf } from './measure.ts'
import { signedInStudents } from './registration.ts'
import { most } from './report.ts'
import type { Result } from './report.ts'
import type { Bench } from './setup.ts'

const BROWSERS = 2000
const GROUP = 200
/** One message a second, for so many seconds. */
const SECONDS = 60
/** As browsers do: a member says how far he or she has read at the latest so many milliseconds after the first unread one. */
const READ_WITHIN = 300 + 50 * GROUP

/** Two thousand open browsers; in a group of two hundred somebody writes each second, and everybody there reads along. */
export async function chat(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_chat', 4)
  const { tokens, first } = await signedInStudents(bench, pool, db, BROWSERS)
  const { rows: people } = await pool.query<{ user_id: number }>(
    'select user_id from students where id >= $1 order by id limit $2',
    [first, BROWSERS],
  )
  const { rows } = await pool.query<{ id: number }>(
    `with made as (insert into chats (kind, name, created_by) values ('group', 'Bench', $1) returning id),
       here as (insert into chat_members (chat_id, user_id) select id, unnest($2::int[]) from made)
     select id from made`,
    [people[0]!.user_id, people.slice(0, GROUP).map((person) => person.user_id)],
  )
  const group = rows[0]!.id
  await pool.query('vacuum analyze')
  const server = await bench.server(url)

  const alone = memoryOf(server.pid)
  const sentAt = new Map<string, number>()
  const took: number[] = []
  let strangers = 0
  let whole = 0
  const unread = new Map<number, number>()
  const odd: string[] = []
  const reads: Promise<unknown>[] = []
  const heard = (who: number, event: string): void => {
    const [, type = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(event) ?? []
    if (type !== 'chat_message') return
    if (who >= GROUP) {
      strangers++
      return
    }
    const { message } = JSON.parse(data) as { message?: { id: number; body: string } }
    const sent = message && sentAt.get(message.body)
    if (!message || sent === undefined) return
    whole++
    took.push(performance.now() - sent)
    if (!unread.has(who))
      setTimeout(
        () => {
          const message_id = unread.get(who)!
          unread.delete(who)
          reads.push(
            server
              .send(tokens[who]!, 'POST', `/chats/read/${group}`, { message_id })
              .catch((error: unknown) => odd.push(String(error))),
          )
        },
        300 + Math.random() * (READ_WITHIN - 300),
      )
    unread.set(who, message.id)
  }
  const open = (who: number): Promise<ClientRequest> =>
    new Promise((resolve, reject) => {
      const stream = request(`${server.origin}/api/events`, {
        headers: { authorization: `Bearer ${tokens[who]}`, accept: 'text/event-stream' },
        agent: false,
      })
      stream.on('error', reject)
      stream.on('response', (answer) => {
        if (answer.statusCode !== 200) return reject(new Error(`a stream is answered ${answer.statusCode}`))
        let text = ''
        answer.setEncoding('utf8').on('data', (piece: string) => {
          text += piece
          const events = text.split('\n\n')
          text = events.pop()!
          for (const event of events) heard(who, event)
        })
        answer.on('error', () => {})
        resolve(stream)
      })
      stream.end()
    })
  const streams: ClientRequest[] = []
  for (let at = 0; at < BROWSERS; at += 100)
    streams.push(...(await Promise.all(Array.from({ length: 100 }, (_, n) => open(at + n)))))
  await sleep(1000)
  const idle = memoryOf(server.pid)
  const before = cpu(server.pid, bench.postmaster)
  let highest = 0
  for (let second = 0; second < SECONDS; second++) {
    const started = performance.now()
    const body = `Message ${second}: ${'a line of what people write to each other, '.repeat(3)}and so on.`
    sentAt.set(body, started)
    await server.send(tokens[second % GROUP]!, 'POST', `/chats/message/${group}`, { body, key: randomUUID() })
    highest = Math.max(highest, memoryOf(server.pid))
    await sleep(Math.max(0, 1000 - (performance.now() - started)))
  }
  await sleep(READ_WITHIN + 500)
  await Promise.all(reads)
  const after = cpu(server.pid, bench.postmaster)
  highest = Math.max(highest, memoryOf(server.pid))
  for (const stream of streams) stream.destroy()
  await server.stop()
  await db.destroy()
  for (const text of odd.slice(0, 3)) console.log(`  ! ${text}`)

  took.sort((a, b) => a - b)
  const at = (share: number): number =>
    (took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? Infinity) / 1000
  return {
    name: 'chat',
    title: `${BROWSERS.toLocaleString('en')} open browsers, a message each second to a group of ${GROUP}`,
    lines: [
      {
        what: 'delivered',
        value: `${whole.toLocaleString('en')} of ${(SECONDS * GROUP).toLocaleString('en')}`,
        target: 'all',
        met: whole === SECONDS * GROUP && odd.length === 0,
      },
      { what: 'heard by others', value: String(strangers), target: '0', met: strangers === 0 },
      { what: 'half within', value: `${Math.round(at(0.5) * 1000)} ms` },
      most('95 of 100 within', at(0.95), 0.5, 's'),
      { what: 'the slowest', value: `${Math.round(at(1) * 1000)} ms` },
      most('memory of the server', highest, 300, 'MB'),
      {
        what: 'of that before anybody came, and before the first message',
        value: `${Math.round(alone)} MB, ${Math.round(idle)} MB`,
      },
      {
        what: 'CPU of a message, with its read marks',
        value: `${((after.server - before.server) / SECONDS).toFixed(1)} ms server, ${((after.database - before.database) / SECONDS).toFixed(1)} ms database; ${(reads.length / SECONDS).toFixed(1)} marks`,
      },
    ],
  }
}
