import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '#db/connect.ts'
import type { Auth } from '../identity/auth.ts'
import type { Actor } from './context.ts'
import { Refusal, refuse } from './errors.ts'
import type { Log } from './log.ts'

/** An event for browsers: its kind, and its data. */
export interface LiveEvent {
  /** Kind, e.g. `job`, `notification`, `seats`. */
  readonly type: string
  /** Small and free of secrets: it passes through the database. Left out when larger than 7 kB: the browser then asks. */
  readonly data?: unknown
  /** Between people: not for a browser in which somebody is logged in as the person, or acts for the person. */
  readonly personal?: boolean
}

/** What processes tell each other: rights or sessions that caches must forget, live events, cancelled jobs. */
export type Channel =
  | 'rights_changed'
  | 'session_changed'
  | 'live_event'
  | 'job_cancelled'
  | 'settings_changed'
  | 'records_merged'
const CHANNELS: readonly Channel[] = [
  'rights_changed',
  'session_changed',
  'live_event',
  'job_cancelled',
  'settings_changed',
  'records_merged',
]

export interface Events {
  /**
   * Tells one person, several, or all who are signed in, in whatever process they are connected. With `tx`, when it commits.
   * For several it is said once, whatever their number: the processes know who is connected.
   */
  publish(to: number | readonly number[] | 'all', event: LiveEvent, tx?: Db): Promise<void>
  /** Hears what any process says on a channel. Returns the way to stop. */
  on(channel: Channel, listener: (payload: string) => void): () => void
  /** Called when the connection was lost and is back: what was said meanwhile was missed. */
  onGap(listener: () => void): () => void
  /** Resolves when this process has heard what was said by all that was committed before it is called. */
  heardAll(): Promise<void>
  /** Whether we would hear. */
  readonly connected: boolean
  /** Streams that are open in this process, for the metrics. */
  readonly streams: number
  /** Answers a request with a stream of the person's events; see `liveRoute`. */
  stream(res: ServerResponse, who: Listener, stillValid: () => Promise<boolean>): void
  /** Connects; resolves when listening. */
  start(): Promise<void>
  /** Ends all streams and the connection. */
  stop(): Promise<void>
}

/** NOTIFY carries less than 8000 bytes. */
const LARGEST = 7000
/** Ids of so many people, of eleven characters at most, leave half of it to the event. */
const MOST_NAMED = 300
const HEARTBEAT = 5_000
/** Nobody waits longer than this for news: a connection on which nothing comes is found by its heartbeat. */
const LONGEST_FOR_NEWS = 500
/** Proxies close a connection on which nothing happens for a minute. */
const STREAM_BEAT = 25_000
const RECHECK_EVERY = 12
const STREAMS_PER_PERSON = 10
/** A browser that does not read gets no more than this kept for it. */
const MOST_WAITING = 256 * 1024

/** Whose browser listens, and whether somebody else sits there. */
type Listener = Pick<Actor, 'user_id' | 'session_id' | 'impersonator_id'>

interface Stream extends Listener {
  readonly res: ServerResponse
  readonly stillValid: () => Promise<boolean>
}

/** Live events, on one connection of its own per process (LISTEN), kept alive and made again when it breaks. */
export function createEvents({ pool, log }: { pool: pg.Pool; log: Log }): Events {
  const heard = new EventEmitter()
  heard.setMaxListeners(0)
  const streams = new Map<number, Set<Stream>>()
  let client: pg.Client | undefined
  let stopped = true
  let connected = false
  let everConnected = false
  let beat: NodeJS.Timeout | undefined
  let again: NodeJS.Timeout | undefined
  let streamBeat: NodeJS.Timeout | undefined
  let beats = 0

  async function connect(): Promise<void> {
    const options = pool.options as pg.PoolConfig
    // The pool hides its password from copies.
    const next = new pg.Client({
      ...options,
      password: options.password,
      statement_timeout: 0,
      application_name: `${options.application_name ?? 'university-ems'} events`,
    })
    next.on('error', (error) => lost(next, error))
    next.on('end', () => lost(next))
    next.on('notification', ({ channel, payload }) => heard.emit(channel, payload ?? ''))
    client = next
    await next.connect()
    await next.query(CHANNELS.map((c) => `listen ${c}`).join('; '))
    if (stopped) return await next.end()
    connected = true
    if (everConnected) heard.emit('gap')
    everConnected = true
    beat = setInterval(() => void check(next), HEARTBEAT)
    beat.unref()
  }

  /** A connection that died silently answers nothing: it is dropped after one beat. */
  async function check(which: pg.Client): Promise<void> {
    const late = setTimeout(() => lost(which, new Error('no answer to a heartbeat')), HEARTBEAT)
    try {
      await which.query('select 1')
    } catch (error) {
      lost(which, error as Error)
    } finally {
      clearTimeout(late)
    }
  }

  function lost(which: pg.Client, error?: Error): void {
    // While it is being made, whoever makes it hears of the failure.
    if (which !== client || !connected) return
    client = undefined
    connected = false
    clearInterval(beat)
    which.removeAllListeners('notification')
    which.end().catch(() => {})
    if (stopped) return
    log.warn({ err: error }, 'The connection for live events is lost; it is made again')
    heard.emit('gap')
    reconnect(500)
  }

  function reconnect(after: number): void {
    again = setTimeout(() => {
      const attempt = connect()
      attempt.catch((error: Error) => {
        client?.end().catch(() => {})
        client = undefined
        if (stopped) return
        log.warn({ err: error }, 'No connection for live events yet')
        reconnect(Math.min(after * 2, 10_000))
      })
    }, after)
    again.unref()
  }

  function close(stream: Stream, last?: LiveEvent): void {
    const own = streams.get(stream.user_id)
    own?.delete(stream)
    if (own?.size === 0) streams.delete(stream.user_id)
    if (last) write(stream, frame(last))
    stream.res.end()
  }

  const frame = (event: LiveEvent): string => `event: ${event.type}\ndata: ${JSON.stringify(event.data ?? null)}\n\n`

  function write(stream: Stream, text: string): void {
    if (stream.res.destroyed || stream.res.writableEnded) return
    if (stream.res.writableLength > MOST_WAITING) stream.res.destroy()
    else stream.res.write(text)
  }

  const each = function* (): Generator<Stream> {
    for (const own of streams.values()) yield* own
  }

  /** The same as a list, for work that closes some. */
  const open = (): Stream[] => [...each()]

  const deliver = (payload: string): void => {
    const { to, type, data, personal } = JSON.parse(payload) as { to: number | number[] | 'all' } & LiveEvent
    const text = frame({ type, data })
    const tell = (stream: Stream) => {
      if (!personal || stream.impersonator_id === null) write(stream, text)
    }
    if (to === 'all') for (const stream of each()) tell(stream)
    else for (const person of Array.isArray(to) ? to : [to]) streams.get(person)?.forEach(tell)
  }

  function beatStreams(): void {
    beats++
    for (const stream of each()) {
      write(stream, ': \n\n')
      if (beats % RECHECK_EVERY !== 0) continue
      stream.stillValid().then(
        (valid) => valid || close(stream, { type: 'signed_out' }),
        () => {}, // The database does not answer: the next check will tell.
      )
    }
  }

  heard.on('live_event', deliver)
  heard.on('session_changed', (payload: string) => {
    for (const stream of open()) {
      if (payload === stream.session_id) close(stream, { type: 'signed_out' })
      else if (payload === '*') recheck(stream)
    }
  })
  // A screen shows what its reader may do: it asks again.
  heard.on('rights_changed', (payload: string) => {
    for (const stream of payload === '*' ? open() : [...(streams.get(Number(payload)) ?? [])]) {
      write(stream, frame({ type: 'rights' }))
      recheck(stream)
    }
  })
  // Names, colour, maintenance: every open page asks how the university is now.
  heard.on('settings_changed', () => {
    for (const stream of each()) write(stream, frame({ type: 'university' }))
  })
  function recheck(stream: Stream): void {
    stream.stillValid().then(
      (valid) => valid || close(stream, { type: 'signed_out' }),
      () => {},
    )
  }

  return {
    async publish(to, event, tx) {
      if (Array.isArray(to) && to.length > MOST_NAMED) {
        await this.publish(to.slice(0, MOST_NAMED), event, tx)
        return this.publish(to.slice(MOST_NAMED), event, tx)
      }
      const { type, data = null, personal } = event
      let payload = JSON.stringify({ to, type, data, personal })
      if (Buffer.byteLength(payload) > LARGEST) payload = JSON.stringify({ to, type, data: null, personal })
      if (tx) await sql`select pg_notify('live_event', ${payload})`.execute(tx)
      else await pool.query(`select pg_notify('live_event', $1)`, [payload])
    },
    on(channel, listener) {
      heard.on(channel, listener)
      return () => void heard.off(channel, listener)
    },
    onGap(listener) {
      heard.on('gap', listener)
      return () => void heard.off('gap', listener)
    },
    async heardAll() {
      if (!client || !connected) return
      // Whoever commits wakes who listens before hearing that it is done; and what is said is sent before the answer to
      // a question that comes later on the same connection.
      const answered = client.query('select 1').catch(() => {})
      let late: NodeJS.Timeout | undefined
      const waited = new Promise<void>((resolve) => (late = setTimeout(resolve, LONGEST_FOR_NEWS)))
      await Promise.race([answered, waited])
      clearTimeout(late)
    },
    get connected() {
      return connected
    },
    get streams() {
      let count = 0
      for (const own of streams.values()) count += own.size
      return count
    },
    stream(res, { user_id, session_id, impersonator_id }, stillValid) {
      const stream: Stream = { res, user_id, session_id, impersonator_id, stillValid }
      let own = streams.get(user_id)
      if (!own) streams.set(user_id, (own = new Set()))
      // Each tab has one; a page that reconnects too eagerly loses its oldest.
      const [oldest] = own
      if (oldest && own.size >= STREAMS_PER_PERSON) close(oldest)
      own.add(stream)
      streams.set(user_id, own)
      res.on('close', () => close(stream))
      res.on('error', () => {})
      res.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        'x-content-type-options': 'nosniff',
      })
      res.write(`retry: 3000\n\n${frame({ type: 'connected' })}`)
    },
    async start() {
      if (!stopped) return
      stopped = false
      streamBeat = setInterval(beatStreams, STREAM_BEAT)
      streamBeat.unref()
      await connect()
    },
    async stop() {
      stopped = true
      clearInterval(beat)
      clearInterval(streamBeat)
      clearTimeout(again)
      for (const stream of open()) close(stream)
      const last = client
      client = undefined
      connected = false
      await last?.end().catch(() => {})
    },
  }
}

/**
 * `GET /api/events`: the stream of live events. It is not a declared call because it never ends. Browsers read it with
 * fetch, so that a refusal can be distinguished from a broken connection. After a gap they fetch what they show again:
 * events are not repeated.
 */
export function liveRoute(app: FastifyInstance, auth: Auth, events: Events): void {
  app.get('/api/events', async (req, reply) => {
    const actor = await auth.authenticate(req)
    if (!actor) throw refuse(401, 'not_signed_in')
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    const stillValid = () =>
      auth.authenticate(req).then(
        (again) => again !== null,
        (error: unknown) => {
          if (error instanceof Refusal && error.status === 401) return false
          throw error
        },
      )
    events.stream(reply.raw, actor, stillValid)
  })
  // Streams end before the server waits for its requests to finish.
  app.addHook('preClose', async () => events.stop())
}
